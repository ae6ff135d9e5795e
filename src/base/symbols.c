/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/base/symbols.h"

#include "src/base/error.h"

#include <string.h>

/* Addresses of one call: a command line has a limit. */
#define BATCH 1000u

void
tt_symbol_clear (TtSymbol *self)
{
  g_free (self->function);
  g_free (self->place);
}

/* addr2line says "??" and "??:0" or "??:?" for what it does not know. */
char *
tt_symbol_known (const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);
  char *note = strstr (valid, " (discriminator");

  if (note != NULL)
    *note = '\0';
  return g_str_has_prefix (valid, "??") || *valid == '\0' ? NULL : g_strdup (valid);
}

static gboolean
ask (const char *exe, const guint64 *addresses, guint n, GArray *symbols, GError **error)
{
  g_autoptr (GPtrArray) arguments = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *output = NULL, *words = NULL;
  g_autoptr (GError) local = NULL;
  int status = 0;

  g_ptr_array_add (arguments, g_strdup ("addr2line"));
  g_ptr_array_add (arguments, g_strdup ("-fCe"));
  g_ptr_array_add (arguments, g_canonicalize_filename (exe, NULL));
  for (guint i = 0; i < n; i++)
    g_ptr_array_add (arguments, g_strdup_printf ("0x%" G_GINT64_MODIFIER "x", addresses[i]));
  g_ptr_array_add (arguments, NULL);
  if (!g_spawn_sync (NULL, (char **) arguments->pdata, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, &output, &words, &status,
                     &local))
    {
      g_set_error (error, TT_ERROR, TT_ERROR_INPUT, "'--exe' needs the program addr2line (Debian: binutils): %s",
                   local->message);
      return FALSE;
    }

  g_auto (GStrv) lines = g_strsplit (output, "\n", -1);
  if (!g_spawn_check_wait_status (status, NULL) || g_strv_length (lines) < 2 * n)
    {
      g_set_error (error, TT_ERROR, TT_ERROR_INPUT, "%s: addr2line: %s", exe,
                   *words == '\0' ? "no answer" : g_strstrip (words));
      return FALSE;
    }
  for (guint i = 0; i < n; i++)
    {
      const TtSymbol symbol = { tt_symbol_known (lines[2 * i]), tt_symbol_known (lines[2 * i + 1]) };
      g_array_append_val (symbols, symbol);
    }
  return TRUE;
}

GArray *
tt_symbols_find (const char *exe, const guint64 *addresses, guint n, GError **error)
{
  g_autoptr (GArray) symbols = g_array_new (FALSE, FALSE, sizeof (TtSymbol));

  g_array_set_clear_func (symbols, (GDestroyNotify) tt_symbol_clear);
  for (guint at = 0; at < n; at += BATCH)
    if (!ask (exe, addresses + at, MIN (n - at, BATCH), symbols, error))
      return NULL;
  return g_steal_pointer (&symbols);
}
