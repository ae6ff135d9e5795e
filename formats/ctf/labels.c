/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/ctf/labels.h"

#include "formats/ctf/schema/label-table.h"

#include <string.h>

/* Every event that has the value takes the text into the database: of one label, and of all together. */
#define MAX_LABEL_BYTES ((gsize) 256)
#define MAX_ALL_BYTES ((gsize) 4096)

/* "LONG... (1234 bytes more)", between two characters. */
static void
append_cut (GString *to, const char *label)
{
  gsize len = strlen (label), kept = len;

  if (len > MAX_LABEL_BYTES)
    for (kept = MAX_LABEL_BYTES; kept > MAX_LABEL_BYTES - 4 && ((guchar) label[kept] & 0xc0) == 0x80;)
      kept--;
  g_string_append_len (to, label, (gssize) kept);
  if (kept < len)
    g_string_append_printf (to, "... (%" G_GSIZE_FORMAT " bytes more)", len - kept);
}

const char *
tt_ctf_label (const TtCtfType *type, guint64 value, char **made)
{
  guint found[TT_CTF_MAX_LABELS + 1];
  guint n = type->is_enum ? tt_ctf_label_table_find (type, value, found) : 0;
  gboolean shows_value = FALSE;
  guint i = 1;
  GString *all;

  *made = NULL;
  if (n == 0)
    return NULL;
  for (guint k = 0; k < MIN (n, TT_CTF_MAX_LABELS) && !type->is_bit_map; k++)
    shows_value |= type->mappings[found[k]].is_of_several;
  if (n == 1 && !shows_value && strnlen (type->mappings[found[0]].label, MAX_LABEL_BYTES + 1) <= MAX_LABEL_BYTES)
    return type->mappings[found[0]].label;
  all = g_string_new (NULL);
  append_cut (all, type->mappings[found[0]].label);
  for (; i < MIN (n, TT_CTF_MAX_LABELS) && all->len <= MAX_ALL_BYTES - MAX_LABEL_BYTES; i++)
    {
      g_string_append (all, " | ");
      append_cut (all, type->mappings[found[i]].label);
    }
  if (i < n)
    g_string_append (all, " | ...");
  if (shows_value && type->is_signed)
    g_string_append_printf (all, " (%" G_GINT64_FORMAT ")", (gint64) value);
  else if (shows_value)
    g_string_append_printf (all, " (%" G_GUINT64_FORMAT ")", value);
  return *made = g_string_free (all, FALSE);
}
