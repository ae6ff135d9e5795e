/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/store/import/args-forms.h"

#include "src/store/import/args-tree.h"

#include <string.h>
#include <xxhash.h>

#define MAX_FORMS 16384u
#define MAX_FORM_BYTES ((gsize) 1 << 20)
#define N_SLOTS (2 * MAX_FORMS)
#define N_SEEN 65536u
/* After so many texts in a row that were not found in the tree one of so many is looked up there. */
#define MAX_DOUBT 64u
#define TRY_EVERY 16u

typedef struct
{
  guint64 hash;
  guint32 id;
  guint32 at, len;    /* in `bytes` */
  gboolean was_added; /* to the tree */
} Form;

struct _TtArgsForms
{
  TtConnection *connection;
  GArray *forms;    /* of Form */
  GString *bytes;   /* of all of them */
  guint32 *slots;   /* place in `forms` + 1, by hash; 0: free */
  guint64 *seen;    /* hashes of forms that came once, by hash */
  TtArgsTree *tree; /* of forms that came twice */
  GArray *told;     /* of guint32: ids of what the importer told, by its number; 0: not known */
  guint doubt, n_left_out;
  guint n_written; /* of `forms` */
  guint32 last_id;
  sqlite3_stmt *insert;
};

static guint32 *
find_slot (const TtArgsForms *self, guint64 hash, const char *form, gsize len)
{
  guint64 i = hash % N_SLOTS;

  for (; self->slots[i] != 0; i = (i + 1) % N_SLOTS)
    {
      const Form *known = &g_array_index (self->forms, Form, self->slots[i] - 1);
      if (known->hash == hash && known->len == len && memcmp (self->bytes->str + known->at, form, len) == 0)
        break;
    }
  return &self->slots[i];
}

static gboolean
is_full (const TtArgsForms *self, gsize len)
{
  return self->forms->len == MAX_FORMS || self->bytes->len + len > MAX_FORM_BYTES || self->last_id == G_MAXINT32;
}

static void
add_form (TtArgsForms *self, guint32 *slot, guint32 id, guint64 hash, const char *text, gsize len)
{
  const Form form = { hash, id, (guint32) self->bytes->len, (guint32) len, FALSE };

  g_string_append_len (self->bytes, text, (gssize) len);
  g_array_append_val (self->forms, form);
  *slot = self->forms->len;
  self->last_id = MAX (self->last_id, id);
}

static gboolean
read_forms (TtArgsForms *self, GError **error)
{
  g_autoptr (sqlite3_stmt) row = tt_connection_prepare (
      self->connection, "SELECT id, format FROM args_form_row WHERE typeof (format) = 'text' ORDER BY id", error);
  GError *failure = NULL;
  gint64 last_id = 0;

  if (row == NULL || !tt_connection_get_int (self->connection, "SELECT max (id) FROM args_form_row", &last_id, error))
    return FALSE;
  while (tt_connection_step (self->connection, row, &failure))
    {
      const gint64 id = sqlite3_column_int64 (row, 0);
      const char *form = (const char *) sqlite3_column_text (row, 1);
      const gsize len = (gsize) sqlite3_column_bytes (row, 1);
      const guint64 hash = XXH3_64bits (form, len);
      if (id <= 0 || id > G_MAXINT32 || len > TT_ARGS_FORM_ROOM || is_full (self, len))
        continue;
      guint32 *slot = find_slot (self, hash, form, len);
      if (*slot == 0)
        add_form (self, slot, (guint32) id, hash, form, len);
    }
  self->n_written = self->forms->len;
  /* Of ids that cannot be right no more are given. */
  self->last_id = last_id < 0 || last_id > G_MAXINT32 ? G_MAXINT32 : (guint32) last_id;
  return tt_store_finish (failure, error);
}

TtArgsForms *
tt_args_forms_new (TtConnection *connection, GError **error)
{
  g_autoptr (TtArgsForms) self = g_new0 (TtArgsForms, 1);

  self->connection = connection;
  self->forms = g_array_new (FALSE, FALSE, sizeof (Form));
  self->bytes = g_string_new (NULL);
  self->slots = g_new0 (guint32, N_SLOTS);
  self->seen = g_new0 (guint64, N_SEEN);
  self->tree = tt_args_tree_new ();
  self->told = g_array_new (FALSE, TRUE, sizeof (guint32));
  return read_forms (self, error) ? g_steal_pointer (&self) : NULL;
}

void
tt_args_forms_free (TtArgsForms *self)
{
  if (self == NULL)
    return;
  sqlite3_finalize (self->insert);
  g_array_unref (self->forms);
  g_string_free (self->bytes, TRUE);
  g_free (self->slots);
  g_free (self->seen);
  tt_args_tree_free (self->tree);
  g_array_unref (self->told);
  g_free (self);
}

/* Most texts have a form that is in the tree, or none is. */
static inline guint32
find_in_tree (TtArgsForms *self, const char *text, gsize len, gint64 numbers[TT_ARGS_NUMBERS], guint *n_numbers)
{
  if (G_UNLIKELY (self->doubt >= MAX_DOUBT) && ++self->n_left_out % TRY_EVERY != 0)
    return 0;
  const guint32 id = tt_args_tree_find (self->tree, text, len, numbers, n_numbers);
  self->doubt = id != 0 ? 0 : self->doubt + (self->doubt < MAX_DOUBT);
  return id;
}

guint32
tt_args_forms_find (TtArgsForms *self, const char *text, gsize len, gint64 numbers[TT_ARGS_NUMBERS], guint *n_numbers)
{
  char form[TT_ARGS_FORM_ROOM];
  guint32 id;

  if (len > TT_ARGS_FORM_BYTES)
    return 0;
  if ((id = find_in_tree (self, text, len, numbers, n_numbers)) != 0)
    return id;
  const gsize form_len = tt_args_take_apart (text, len, form, numbers, n_numbers);
  if (form_len == 0)
    return 0;
  const guint64 hash = XXH3_64bits (form, form_len);
  guint32 *slot = find_slot (self, hash, form, form_len);
  if (G_LIKELY (*slot != 0))
    {
      Form *known = &g_array_index (self->forms, Form, *slot - 1);
      if (!known->was_added)
        tt_args_tree_add (self->tree, form, form_len, known->id);
      known->was_added = TRUE;
      return known->id;
    }
  guint64 *seen = &self->seen[hash % N_SEEN];
  if (*seen != hash || is_full (self, form_len))
    {
      *seen = hash;
      return 0;
    }
  add_form (self, slot, self->last_id + 1, hash, form, form_len);
  return self->last_id;
}

guint32
tt_args_forms_find_told (const TtArgsForms *self, const TtArgsForm *told)
{
  return told->number < self->told->len ? g_array_index (self->told, guint32, told->number) : 0;
}

void
tt_args_forms_learn (TtArgsForms *self, const TtArgsForm *told, guint32 id)
{
  const guint32 slot = *find_slot (self, XXH3_64bits (told->format, told->len), told->format, told->len);

  if (slot == 0 || g_array_index (self->forms, Form, slot - 1).id != id)
    return;
  if (told->number >= self->told->len)
    g_array_set_size (self->told, told->number + 1);
  g_array_index (self->told, guint32, told->number) = id;
}

gboolean
tt_args_forms_write (TtArgsForms *self, GError **error)
{
  for (; self->n_written < self->forms->len; self->n_written++)
    {
      const Form *form = &g_array_index (self->forms, Form, self->n_written);
      GError *failure = NULL;

      if (self->insert == NULL)
        self->insert =
            tt_connection_prepare (self->connection, "INSERT INTO args_form_row (id, format) VALUES (?1, ?2)", error);
      if (self->insert == NULL)
        return FALSE;
      sqlite3_bind_int64 (self->insert, 1, form->id);
      sqlite3_bind_text64 (self->insert, 2, self->bytes->str + form->at, form->len, SQLITE_STATIC, SQLITE_UTF8);
      tt_connection_step (self->connection, self->insert, &failure);
      sqlite3_reset (self->insert);
      if (failure != NULL)
        return tt_store_finish (failure, error);
    }
  return TRUE;
}
