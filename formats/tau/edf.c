#include "config.h"

#include "formats/tau/edf.h"

#include "formats/tau/edf-row.h"
#include "src/error.h"
#include "src/input.h"
#include "src/slots.h"
#include "src/tape.h"

#include <string.h>
#include <xxhash.h>

#define LINE_MOST ((gsize) 64 << 10)
#define ROW_MOST (4 * LINE_MOST) /* of lines joined */
#define TAPE_MEMORY ((gsize) 4 << 20)
#define BLOCK ((gsize) 256 << 10)
#define ROW_GUESS 192u /* most rows are shorter: one read gets them */

/* On the tape: this, then group and name with their NULs. */
typedef struct
{
  gint64 tag;
  guint32 kind;
  guint32 group_len, name_len;
} StoredRow;

struct _TtTauEdf
{
  char *path;
  GString *line;    /* begun, its end not yet fed */
  GString *row;     /* the lines of a row so far; empty: none */
  guint64 n_lines;  /* finished */
  guint64 row_line; /* where `row` begins */
  gint64 n_declared;
  guint64 n_rows;
  gboolean has_header;
  TtTape *tape;
  TtSlots *ids;   /* mixed id -> place on the tape + 1 */
  TtSlots *names; /* hash of name -> the same, of its first row; only until the end */
  guint64 seed;
  GByteArray *found; /* group and name of the row found last */
  TtRepairs repairs;
};

TtTauEdf *
tt_tau_edf_new (const char *path)
{
  TtTauEdf *self = g_new0 (TtTauEdf, 1);

  self->path = g_strdup (path);
  self->line = g_string_new (NULL);
  self->row = g_string_new (NULL);
  self->tape = tt_tape_new (TAPE_MEMORY);
  self->ids = tt_slots_new ();
  self->names = tt_slots_new ();
  self->seed = (guint64) g_random_int () << 32 | g_random_int ();
  self->found = g_byte_array_new ();
  return self;
}

void
tt_tau_edf_free (TtTauEdf *self)
{
  if (self == NULL)
    return;
  g_free (self->path);
  g_string_free (self->line, TRUE);
  g_string_free (self->row, TRUE);
  tt_tape_free (self->tape);
  tt_slots_free (self->ids);
  tt_slots_free (self->names);
  g_byte_array_unref (self->found);
  g_free (self);
}

const char *
tt_tau_edf_path (const TtTauEdf *self)
{
  return self->path;
}

guint64
tt_tau_edf_n_rows (const TtTauEdf *self)
{
  return self->n_rows;
}

const TtRepairs *
tt_tau_edf_repairs (const TtTauEdf *self)
{
  return &self->repairs;
}

gboolean
tt_tau_edf_check (const TtTauEdf *self, GError **error)
{
  return tt_tape_check (self->tape, error) && tt_slots_check (self->ids, error)
         && (self->names == NULL || tt_slots_check (self->names, error));
}

static gboolean
fail (const TtTauEdf *self, guint64 line, GError **error, const char *reason)
{
  g_set_error (error, TT_ERROR, TT_ERROR_FORMAT, "%s: line %" G_GUINT64_FORMAT ": %s", self->path, line, reason);
  return FALSE;
}

/* -- rows ------------------------------------------------------------------------------------------- */

static guint64
id_key (const TtTauEdf *self, gint64 id)
{
  return tt_slots_mix ((guint64) id ^ self->seed);
}

static void
note_name (TtTauEdf *self, const char *name, gsize len, guint64 place)
{
  guint64 hash = XXH3_64bits_withSeed (name, len, self->seed), other;
  TtSlotCursor cursor = { 0 };

  while ((other = tt_slots_find (self->names, hash, &cursor)) != 0)
    {
      StoredRow row;
      tt_tape_read (self->tape, other - 1, &row, sizeof row);
      if (row.name_len != len)
        continue;
      g_autofree char *text = g_malloc (len + 1);
      tt_tape_read (self->tape, other - 1 + sizeof row + row.group_len + 1, text, len + 1);
      if (memcmp (text, name, len) == 0)
        {
          tt_repairs_add (&self->repairs, TT_REPAIR_DUPLICATE_NAME, self->row_line);
          return;
        }
    }
  tt_slots_add (self->names, hash, place);
}

static void
store_row (TtTauEdf *self, const TtTauRowParts *parts)
{
  TtSlotCursor cursor = { 0 };
  guint64 key = id_key (self, parts->id);

  self->n_rows++;
  if (tt_slots_find (self->ids, key, &cursor) != 0)
    {
      tt_repairs_add (&self->repairs, TT_REPAIR_DUPLICATE_ID, self->row_line);
      return;
    }

  g_autofree char *mended = NULL;
  gsize len = parts->name.len;
  const char *text = parts->name.text;
  if (!g_utf8_validate_len (text, len, NULL))
    {
      tt_repairs_add (&self->repairs, TT_REPAIR_BAD_UTF8, self->row_line);
      text = mended = g_utf8_make_valid (text, (gssize) len);
      len = strlen (mended);
    }
  g_autofree char *group_text = g_utf8_make_valid (parts->group.text, (gssize) parts->group.len);
  const StoredRow row = {
    .tag = parts->tag,
    .kind = parts->kind,
    .group_len = (guint32) strlen (group_text),
    .name_len = (guint32) len,
  };
  guint64 place = tt_tape_append (self->tape, &row, sizeof row) + 1;
  tt_tape_append (self->tape, group_text, row.group_len + 1);
  tt_tape_append (self->tape, text, len);
  tt_tape_append (self->tape, "", 1);
  tt_slots_add (self->ids, key, place);
  note_name (self, text, len, place);
}

static gboolean
take_row (TtTauEdf *self, GError **error)
{
  TtTauRowParts parts;
  const char *wrong = tt_tau_row_parse (self->row->str, self->row->len, &parts);

  if (wrong != NULL)
    return fail (self, self->row_line, error, wrong);
  store_row (self, &parts);
  g_string_truncate (self->row, 0);
  return TRUE;
}

/* -- lines --------------------------------------------------------------------------------------------- */

/* Finishes the row before @line, or joins @line to it, or begins one. */
static gboolean
take_line (TtTauEdf *self, const char *line, gsize len, GError **error)
{
  self->n_lines++;
  if (memchr (line, '\0', len) != NULL)
    return fail (self, self->n_lines, error, "a NUL byte");
  if (!self->has_header)
    {
      const char *wrong = tt_tau_header_parse (line, &self->n_declared);
      self->has_header = wrong == NULL;
      return wrong == NULL || fail (self, 1, error, wrong);
    }

  gboolean is_nothing = line[strspn (line, " \t")] == '\0' || *line == '#';
  if (self->row->len > 0)
    {
      const char *quote = strchr (self->row->str, '"');
      gboolean is_open = quote != NULL && strchr (quote + 1, '"') == NULL;
      gboolean is_next = tt_tau_row_begins (line) || (is_nothing && !is_open);

      if (quote == NULL || tt_tau_row_ends (self->row->str, self->row->len) || is_next)
        {
          if (!take_row (self, error))
            return FALSE;
        }
      else if (self->row->len + len > ROW_MOST)
        return fail (self, self->row_line, error, "the row is too long");
      else
        {
          tt_repairs_add (&self->repairs, TT_REPAIR_JOINED_ROW, self->row_line);
          g_string_append_c (self->row, '\n');
          g_string_append_len (self->row, line, (gssize) len);
          return TRUE;
        }
    }
  if (!is_nothing)
    {
      self->row_line = self->n_lines;
      g_string_append_len (self->row, line, (gssize) len);
    }
  return TRUE;
}

static gboolean
end_line (TtTauEdf *self, GError **error)
{
  if (self->line->len > 0 && self->line->str[self->line->len - 1] == '\r')
    g_string_truncate (self->line, self->line->len - 1);
  gboolean is_good = take_line (self, self->line->str, self->line->len, error);
  g_string_truncate (self->line, 0);
  return is_good;
}

gboolean
tt_tau_edf_feed (TtTauEdf *self, const char *text, gsize len, GError **error)
{
  const char *end = text + len;

  while (text < end)
    {
      const char *newline = memchr (text, '\n', (gsize) (end - text));
      gsize n = (gsize) ((newline != NULL ? newline : end) - text);

      if (self->line->len + n > LINE_MOST)
        return fail (self, self->n_lines + 1, error, "the line is longer than 65536 bytes");
      g_string_append_len (self->line, text, (gssize) n);
      text += n;
      if (newline == NULL)
        break;
      text++;
      if (!end_line (self, error))
        return FALSE;
    }
  return tt_tau_edf_check (self, error);
}

gboolean
tt_tau_edf_end (TtTauEdf *self, GError **error)
{
  if (self->line->len > 0 && !end_line (self, error))
    return FALSE;
  if (!self->has_header)
    {
      g_set_error (error, TT_ERROR, TT_ERROR_FORMAT, "%s: an empty definition file", self->path);
      return FALSE;
    }
  if (self->row->len > 0 && !take_row (self, error))
    return FALSE;
  gboolean is_good = tt_tau_edf_check (self, error);
  g_clear_pointer (&self->names, tt_slots_free);
  /* TAU declares one row more than it writes. */
  if ((guint64) self->n_declared != self->n_rows && (guint64) self->n_declared != self->n_rows + 1)
    tt_repairs_add (&self->repairs, TT_REPAIR_ROW_COUNT, 1);
  return is_good;
}

TtTauEdf *
tt_tau_edf_load (const char *path, GError **error)
{
  g_autoptr (TtInput) input = tt_input_open (path, error);
  g_autoptr (TtTauEdf) self = NULL;
  g_autofree char *block = g_malloc (BLOCK);
  gssize n;

  if (input == NULL)
    return NULL;
  self = tt_tau_edf_new (path);
  while ((n = tt_input_read (input, block, BLOCK, error)) > 0)
    if (!tt_tau_edf_feed (self, block, (gsize) n, error))
      return NULL;
  if (n < 0 || !tt_tau_edf_end (self, error))
    return NULL;
  return g_steal_pointer (&self);
}

/* -- finding ------------------------------------------------------------------------------------------------ */

gboolean
tt_tau_edf_has (TtTauEdf *self, gint64 id)
{
  TtSlotCursor cursor = { 0 };

  return tt_slots_find (self->ids, id_key (self, id), &cursor) != 0;
}

gboolean
tt_tau_edf_find (TtTauEdf *self, gint64 id, TtTauRow *row)
{
  TtSlotCursor cursor = { 0 };
  guint64 place = tt_slots_find (self->ids, id_key (self, id), &cursor);
  StoredRow stored;

  if (place == 0)
    return FALSE;
  g_byte_array_set_size (self->found, ROW_GUESS);
  tt_tape_read (self->tape, place - 1, self->found->data, ROW_GUESS);
  memcpy (&stored, self->found->data, sizeof stored);
  guint size = (guint) sizeof stored + stored.group_len + stored.name_len + 2;
  if (size > ROW_GUESS)
    {
      g_byte_array_set_size (self->found, size);
      tt_tape_read (self->tape, place - 1 + ROW_GUESS, self->found->data + ROW_GUESS, size - ROW_GUESS);
    }
  const char *strings = (const char *) self->found->data + sizeof stored;
  *row = (TtTauRow){
    .kind = (TtTauKind) stored.kind,
    .tag = stored.tag,
    .group = strings,
    .name = strings + stored.group_len + 1,
  };
  return TRUE;
}
