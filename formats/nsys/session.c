/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/nsys/session.h"

#include "src/base/digits.h"
#include "src/base/error.h"

#include <math.h>
#include <string.h>

#define ROWS_A_CHECK 8192u
/* Of more nobody knows whose rows without a time are. */
#define MOST_PROGRAMS 65536u

gboolean
tt_nsys_next (TtNsys *self, TtRows *rows, GError **error)
{
  if (G_UNLIKELY (++self->n_rows % ROWS_A_CHECK == 0) &&
      (!tt_sink_check (self->sink, 0, error) || !tt_arrange_check (self->arrange, error)))
    return FALSE;
  return tt_rows_next (rows, error);
}

/* -- times -------------------------------------------------------------------------------------------- */

static void
count_timeless (TtNsys *self, TtRows *rows, int who)
{
  gint64 id;

  tt_sink_repair (self->sink, TT_REPAIR_NO_TIME, self->n_rows);
  if (who < 0 || !tt_rows_int (rows, who, &id))
    return;
  const guint64 program = (guint64) id >> TT_NSYS_PID_BITS;
  const guint32 known = tt_map64_get (&self->timeless, program);
  if (known == TT_MAP64_NONE ? self->timeless.n < MOST_PROGRAMS : known < G_MAXINT32)
    tt_map64_set (&self->timeless, program, known == TT_MAP64_NONE ? 1 : known + 1);
}

gboolean
tt_nsys_time (TtNsys *self, TtRows *rows, int column, int who, gint64 *ts_ns)
{
  if (tt_rows_int (rows, column, ts_ns) && !__builtin_add_overflow (*ts_ns, self->base_ns, ts_ns))
    return TRUE;
  count_timeless (self, rows, who);
  return FALSE;
}

gboolean
tt_nsys_times (TtNsys *self, TtRows *rows, int begin, int end, int who, TtTraceRecord *record, gboolean *is_open)
{
  gint64 end_ns;

  *is_open = tt_rows_is_null (rows, end);
  record->offset = self->n_rows;
  record->dur_ns = 0;
  if (!tt_nsys_time (self, rows, begin, who, &record->ts_ns))
    return FALSE;
  if (*is_open)
    return TRUE;
  if (!tt_nsys_time (self, rows, end, who, &end_ns))
    return FALSE;
  if (!__builtin_sub_overflow (end_ns, record->ts_ns, &record->dur_ns))
    return TRUE;
  count_timeless (self, rows, who);
  return FALSE;
}

/* -- arguments ---------------------------------------------------------------------------------------- */

void
tt_nsys_args_begin (TtNsys *self)
{
  g_string_truncate (self->args, 0);
}

static gboolean
add_key (TtNsys *self, const char *key)
{
  if (self->options->args != NULL && !g_strv_contains ((const char *const *) self->options->args, key))
    return FALSE;
  g_string_append_c (self->args, self->args->len == 0 ? '{' : ',');
  g_string_append_c (self->args, '"');
  g_string_append (self->args, key);
  g_string_append_len (self->args, "\":", 2);
  return TRUE;
}

void
tt_nsys_args_int (TtNsys *self, const char *key, gint64 value)
{
  if (add_key (self, key))
    tt_append_signed (self->args, value);
}

void
tt_nsys_args_column (TtNsys *self, const char *key, TtRows *rows, int column)
{
  gint64 value;

  if (tt_rows_int (rows, column, &value))
    tt_nsys_args_int (self, key, value);
}

void
tt_nsys_args_real (TtNsys *self, const char *key, double value)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  if (isfinite (value) && add_key (self, key))
    g_string_append (self->args, g_ascii_dtostr (text, sizeof text, value));
}

void
tt_nsys_args_triple (TtNsys *self, const char *key, TtRows *rows, int column)
{
  gint64 values[3];

  for (int i = 0; i < 3; i++)
    if (!tt_rows_int (rows, column + i, &values[i]))
      return;
  if (!add_key (self, key))
    return;
  for (int i = 0; i < 3; i++)
    {
      g_string_append_c (self->args, i == 0 ? '[' : ',');
      tt_append_signed (self->args, values[i]);
    }
  g_string_append_c (self->args, ']');
}

/* @text: valid UTF-8. */
static void
append_text (GString *to, const char *text)
{
  g_string_append_c (to, '"');
  for (const char *at = text; *at != '\0'; at++)
    {
      if (*at == '"' || *at == '\\')
        g_string_append_c (to, '\\');
      if ((guchar) *at < 0x20)
        g_string_append_printf (to, "\\u%04x", (guint) (guchar) *at);
      else
        g_string_append_c (to, *at);
    }
  g_string_append_c (to, '"');
}

void
tt_nsys_args_text (TtNsys *self, const char *key, const char *text)
{
  if (text == NULL || !add_key (self, key))
    return;

  g_autofree char *valid = g_utf8_make_valid (text, -1);
  append_text (self->args, valid);
}

void
tt_nsys_args_texts_reversed (TtNsys *self, const char *key, const GPtrArray *texts)
{
  if (texts->len == 0 || !add_key (self, key))
    return;
  for (guint i = texts->len; i > 0; i--)
    {
      g_string_append_c (self->args, i == texts->len ? '[' : ',');
      append_text (self->args, texts->pdata[i - 1]);
    }
  g_string_append_c (self->args, ']');
}

guint64
tt_nsys_args_end (TtNsys *self)
{
  if (self->args->len == 0)
    return 0;
  g_string_append_c (self->args, '}');
  return tt_sink_args (self->sink, self->args->str, self->args->len);
}
