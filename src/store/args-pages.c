/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/store/args-pages.h"

#include "src/store/args-format.h"

/* What an import writes is less; the rest of another's is read by statements. */
#define MAX_FORMS 65536
#define MAX_BYTES ((gsize) 8 << 20)

typedef struct
{
  gsize at, len; /* in `bytes`; nothing: unknown */
} Form;

struct _TtArgsPages
{
  TtTablePages *texts, *filled; /* filled: NULL where there are none */
  GArray *forms;                /* of Form, by id */
  GString *bytes;
};

static gboolean
read_forms (TtArgsPages *self, TtConnection *connection)
{
  g_autoptr (sqlite3_stmt) row =
      tt_connection_prepare (connection,
                             "SELECT id, format FROM main.args_form_row WHERE typeof (format) = 'text'"
                             " AND length (format) > 0 AND id BETWEEN 1 AND " G_STRINGIFY (MAX_FORMS),
                             NULL);
  GError *failure = NULL;

  if (row == NULL)
    return FALSE;
  while (tt_connection_step (connection, row, &failure))
    {
      const guint id = (guint) sqlite3_column_int64 (row, 0);
      const char *text = (const char *) sqlite3_column_text (row, 1);
      const Form form = { self->bytes->len, (gsize) sqlite3_column_bytes (row, 1) };
      if (self->bytes->len + form.len > MAX_BYTES)
        break;
      g_string_append_len (self->bytes, text, (gssize) form.len);
      if (self->forms->len <= id)
        g_array_set_size (self->forms, id + 1);
      g_array_index (self->forms, Form, id) = form;
    }
  g_clear_error (&failure);
  return self->forms->len > 0;
}

TtArgsPages *
tt_args_pages_new (TtStore *store)
{
  TtTablePages *texts = tt_table_pages_new (store, "args_row", TT_ARGS_COLUMNS);

  if (texts == NULL)
    return NULL;
  TtArgsPages *self = g_new0 (TtArgsPages, 1);
  self->texts = texts;
  self->forms = g_array_new (FALSE, TRUE, sizeof (Form));
  self->bytes = g_string_new (NULL);
  if (read_forms (self, store->connection))
    self->filled = tt_table_pages_new (store, "args_filled_row", TT_FILLED_ARGS_COLUMNS);
  return self;
}

void
tt_args_pages_free (TtArgsPages *self)
{
  if (self == NULL)
    return;
  tt_table_pages_free (self->texts);
  tt_table_pages_free (self->filled);
  g_array_unref (self->forms);
  g_string_free (self->bytes, TRUE);
  g_free (self);
}

/* Columns: id, form, numbers. */
static gboolean
get_filled (TtArgsPages *self, guint64 id, GString *text)
{
  gint64 values[TT_FILLED_ARGS_COLUMNS];
  guint n;

  if (!tt_table_pages_short_row (self->filled, id, values, &n) || n < 2 || values[1] < 0 ||
      values[1] >= (gint64) self->forms->len)
    return FALSE;
  const Form *form = &g_array_index (self->forms, Form, values[1]);
  return form->len > 0 && tt_args_fill (self->bytes->str + form->at, form->len, values + 2, n - 2, text);
}

gboolean
tt_args_pages_get (TtArgsPages *self, guint64 id, GString *text)
{
  const char *own;
  gsize len;

  if (self->filled != NULL && get_filled (self, id, text))
    return TRUE;
  if (!tt_table_pages_text (self->texts, id, &own, &len))
    return FALSE;
  g_string_append_len (text, own, (gssize) len);
  return TRUE;
}
