/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/pinsight/parse-private.h"

#include "src/base/suggest.h"

#include <string.h>

/* Of a long line only this much around the fault is shown. */
#define SHOWN_BEFORE 60u
#define SHOWN_BYTES 120u

static void G_GNUC_PRINTF (6, 0) add (Parser *self,
                                      const char *at,
                                      gboolean is_error,
                                      const char *code,
                                      char *hint,
                                      const char *format,
                                      va_list args)
{
  TtConfigFault *fault = g_new0 (TtConfigFault, 1);

  fault->line = self->line_number;
  fault->column = (guint) (at - self->line) + 1;
  fault->is_error = is_error;
  fault->code = code;
  fault->hint = hint;
  fault->text = g_strdup_vprintf (format, args);
  g_ptr_array_add (self->config->faults, fault);
  if (is_error)
    self->config->n_errors++;
  else
    self->config->n_warnings++;
}

void
tt_config_error (Parser *self, const char *at, const char *code, char *hint, const char *format, ...)
{
  va_list args;

  va_start (args, format);
  add (self, at, TRUE, code, hint, format, args);
  va_end (args);
}

void
tt_config_warning (Parser *self, const char *at, const char *code, char *hint, const char *format, ...)
{
  va_list args;

  va_start (args, format);
  add (self, at, FALSE, code, hint, format, args);
  va_end (args);
}

/* -- hints ---------------------------------------------------------------------------------------- */

char *
tt_config_near (TtPiece word, const char *const *words)
{
  g_autofree char *text = tt_piece_dup (word);
  const char *near = tt_suggest (text, words);

  return near == NULL ? NULL : g_strdup_printf ("did you mean '%s'?", near);
}

char *
tt_config_near_domain (const Parser *self, TtPiece word)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  g_autoptr (GString) all = g_string_new ("known are ");

  for (guint i = 0; i < self->domains->domains->len; i++)
    {
      g_ptr_array_add (names, tt_config_domain (self->domains, i)->name);
      g_string_append_printf (all, "%s%s", i == 0 ? "" : ", ", tt_config_domain (self->domains, i)->name);
    }
  g_ptr_array_add (names, NULL);

  char *near = tt_config_near (word, (const char *const *) names->pdata);
  return near != NULL ? near : g_string_free (g_steal_pointer (&all), FALSE);
}

char *
tt_config_near_kind (const Parser *self, guint domain, TtPiece word)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  g_autoptr (GString) all = g_string_new (NULL);

  g_string_printf (all, "%s has ", tt_config_domain (self->domains, domain)->name);
  for (guint i = 0; i < self->domains->kinds->len; i++)
    if (tt_config_kind (self->domains, i)->domain == domain)
      {
        g_string_append_printf (all, "%s%s", names->len == 0 ? "" : ", ", tt_config_kind (self->domains, i)->name);
        g_ptr_array_add (names, tt_config_kind (self->domains, i)->name);
      }
  if (names->len == 0)
    g_string_append (all, "none");
  g_ptr_array_add (names, NULL);

  char *near = tt_config_near (word, (const char *const *) names->pdata);
  return near != NULL ? near : g_string_free (g_steal_pointer (&all), FALSE);
}

/* The events of a group that is called like an event: "CUDA_memcpy" of CUDA's group memcpy. */
static char *
group_members (const TtConfigDomain *domain, TtPiece word)
{
  g_autofree char *prefix = g_strconcat (domain->name, "_", NULL);
  gsize skip = strlen (prefix);
  g_autoptr (GString) members = g_string_new (NULL);

  if (word.len <= skip || strncmp (word.at, prefix, skip) != 0)
    return NULL;
  for (guint i = 0; i < domain->events->len; i++)
    {
      const TtConfigEvent *event = tt_config_event (domain, i);
      if (event->group != NULL && tt_piece_is (tt_piece_from (word, skip), event->group))
        g_string_append_printf (members, "%s%s", members->len == 0 ? "" : ", ", event->name);
    }
  return members->len == 0 ? NULL : g_strdup_printf ("that is a group of events; its members are %s", members->str);
}

char *
tt_config_near_event (const Parser *self, guint domain, TtPiece word)
{
  const TtConfigDomain *of = tt_config_domain (self->domains, domain);
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  char *members = group_members (of, word);

  if (members != NULL)
    return members;
  for (guint i = 0; i < of->events->len; i++)
    g_ptr_array_add (names, tt_config_event (of, i)->name);
  g_ptr_array_add (names, NULL);
  return tt_config_near (word, (const char *const *) names->pdata);
}

/* -- showing -------------------------------------------------------------------------------------- */

/* Control characters would move the caret, or the terminal. */
static void
append_shown (GString *out, const char *text, gsize len)
{
  g_autofree char *valid = g_utf8_make_valid (text, (gssize) len);

  for (const char *p = valid; *p != '\0'; p++)
    g_string_append_c (out, *p == '\t' ? ' ' : g_ascii_iscntrl (*p) ? '?' : *p);
}

static gboolean
is_continuation (char c)
{
  return ((guchar) c & 0xc0) == 0x80;
}

static void
append_line (GString *out, const TtConfigFault *fault, const char *line, gsize len)
{
  gsize at = MIN (fault->column - 1, len), from = at > SHOWN_BEFORE && len > SHOWN_BYTES ? at - SHOWN_BEFORE : 0;
  gsize to = MIN (len, from + SHOWN_BYTES);

  while (from < at && is_continuation (line[from]))
    from++;
  while (to < len && to > at && is_continuation (line[to]))
    to--;
  g_string_append (out, from > 0 ? "    ..." : "    ");
  append_shown (out, line + from, to - from);
  g_string_append (out, to < len ? "...\n    " : "\n    ");
  if (from > 0)
    g_string_append (out, "   ");

  g_autofree char *before = g_utf8_make_valid (line + from, (gssize) (at - from));
  for (glong i = g_utf8_strlen (before, -1); i > 0; i--)
    g_string_append_c (out, ' ');
  g_string_append (out, "^\n");
}

void
tt_config_describe_faults (const TtConfig *self, const char *text, gsize len, GString *out)
{
  const char *line = text, *end = text + len;
  guint number = 1;

  if (len >= 3 && memcmp (text, "\xef\xbb\xbf", 3) == 0)
    line += 3;
  for (guint i = 0; i < self->faults->len; i++)
    {
      const TtConfigFault *fault = self->faults->pdata[i];

      for (; number < fault->line; number++)
        {
          const char *newline = memchr (line, '\n', (gsize) (end - line));
          line = newline == NULL ? end : newline + 1;
        }
      const char *newline = memchr (line, '\n', (gsize) (end - line));
      gsize line_len = (gsize) ((newline == NULL ? end : newline) - line);
      if (line_len > 0 && line[line_len - 1] == '\r')
        line_len--;

      g_string_append_printf (out, "%s:%u:%u: %s: %s [%s]\n", self->path, fault->line, fault->column,
                              fault->is_error ? "error" : "warning", fault->text, fault->code);
      append_line (out, fault, line, line_len);
      if (fault->hint != NULL)
        g_string_append_printf (out, "    %s\n", fault->hint);
    }
}
