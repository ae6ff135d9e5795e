/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/tau/edf.h"

#include "formats/tau/id-map.h"
#include "formats/tau/same-names.h"
#include "src/base/error.h"
#include "src/base/input.h"
#include "src/base/room.h"
#include "src/base/tape.h"

#include <string.h>

/* The tape is read in pieces, of which some stay: names are used about in the order in which they are defined, on each
 * rank. Where ranks are some 10,000 names apart, each piece is still read once. */
#define PIECE 4096u
#define N_PIECES TT_ROOM (1024u, 64u)

/* A number by id is the place of a row, or with this bit its kind and value. */
#define IS_RESOLVED (G_GUINT64_CONSTANT (1) << 39)
#define TAPE_MEMORY ((gsize) 4 << 20)
#define BLOCK ((gsize) 256 << 10)

/* On the tape: this, then group and name with their NULs. */
typedef struct
{
  gint64 tag;
  guint64 kind : 8;
  guint64 line : 56;
  guint32 group_len, name_len;
} StoredRow;

struct _TtTauEdf
{
  char *path;
  TtTauRows rows;
  guint64 n_rows;
  TtTape *tape;
  TtTauIdMap *ids;                 /* place on the tape + 1, or what the id means */
  TtTauSameNames *names;           /* only until the end */
  guint64 first_begin, last_begin; /* 0: not said */
  guint8 *pieces;                  /* N_PIECES of them; NULL: none was needed yet */
  guint64 piece_at[N_PIECES];      /* number of each on the tape + 1; 0: none */
  guint64 pieces_of;               /* size of the tape they are of */
  GByteArray *found;               /* a row that lies in several of them */
  TtRepairs repairs;
};

static bool store_row (const TtTauRowText *row, void *data);
static void note_joined (uint64_t line, void *data);

TtTauEdf *
tt_tau_edf_new (const char *path)
{
  TtTauEdf *self = g_new0 (TtTauEdf, 1);

  self->path = g_strdup (path);
  tt_tau_rows_init (&self->rows, &(TtTauRowTaker){ .row = store_row, .joined = note_joined, .data = self });
  self->tape = tt_tape_new (TAPE_MEMORY);
  self->ids = tt_tau_id_map_new ();
  self->names = tt_tau_same_names_new ();
  self->found = g_byte_array_new ();
  return self;
}

void
tt_tau_edf_free (TtTauEdf *self)
{
  if (self == NULL)
    return;
  g_free (self->path);
  tt_tau_rows_clear (&self->rows);
  tt_tape_free (self->tape);
  tt_tau_id_map_free (self->ids);
  tt_tau_same_names_free (self->names);
  g_byte_array_unref (self->found);
  g_free (self->pieces);
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
  return tt_tape_check (self->tape, error) && tt_tau_id_map_check (self->ids, error);
}

static gboolean
fail_rows (const TtTauEdf *self, GError **error)
{
  const TtTauRows *rows = &self->rows;

  if (rows->reason_line == 0)
    g_set_error (error, TT_ERROR, TT_ERROR_FORMAT, "%s: %s", self->path, rows->reason);
  else
    g_set_error (error, TT_ERROR, TT_ERROR_FORMAT, "%s: line %" G_GUINT64_FORMAT ": %s", self->path, rows->reason_line,
                 rows->reason);
  return FALSE;
}

/* -- rows ------------------------------------------------------------------------------------------- */

/* "Starting Timestamp | 1795220428487450" is of each process that the definitions are of. */
static void
note_begin (TtTauEdf *self, const char *name, gsize len)
{
  static const char key[] = "Starting Timestamp | ";

  if (len <= strlen (key) || memcmp (name, key, strlen (key)) != 0)
    return;
  g_autofree char *number = g_strndup (name + strlen (key), len - strlen (key));
  guint64 us = g_ascii_strtoull (number, NULL, 10);
  if (us == 0 || us > G_MAXINT64 / 1000)
    return;
  self->first_begin = self->first_begin == 0 ? us : MIN (self->first_begin, us);
  self->last_begin = MAX (self->last_begin, us);
}

gboolean
tt_tau_edf_begins (const TtTauEdf *self, guint64 *first, guint64 *last)
{
  *first = self->first_begin;
  *last = self->last_begin;
  return self->first_begin != 0;
}

static bool
store_row (const TtTauRowText *row, void *data)
{
  TtTauEdf *self = data;

  self->n_rows++;
  if (tt_tau_id_map_get (self->ids, row->id) != 0)
    {
      tt_repairs_add (&self->repairs, TT_REPAIR_DUPLICATE_ID, row->line);
      return true;
    }

  g_autofree char *mended = NULL;
  gsize len = row->name.len;
  const char *text = row->name.text;
  if (!g_utf8_validate_len (text, len, NULL))
    {
      tt_repairs_add (&self->repairs, TT_REPAIR_BAD_UTF8, row->line);
      text = mended = g_utf8_make_valid (text, (gssize) len);
      len = strlen (mended);
    }
  note_begin (self, text, len);
  g_autofree char *group_text = g_utf8_make_valid (row->group.text, (gssize) row->group.len);
  const StoredRow stored = {
    .tag = row->tag,
    .kind = row->kind & 0xff,
    .line = row->line & ((G_GUINT64_CONSTANT (1) << 56) - 1),
    .group_len = (guint32) strlen (group_text),
    .name_len = (guint32) len,
  };
  guint64 place = tt_tape_append (self->tape, &stored, sizeof stored) + 1;
  tt_tape_append (self->tape, group_text, stored.group_len + 1);
  tt_tape_append (self->tape, text, len);
  tt_tape_append (self->tape, "", 1);
  if (place >= IS_RESOLVED)
    {
      self->rows.reason = "more than half a terabyte of definitions";
      self->rows.reason_line = row->line;
      return false;
    }
  tt_tau_id_map_set (self->ids, row->id, place);
  tt_tau_same_names_add (self->names, text, len, place);
  return true;
}

static void
note_joined (uint64_t line, void *data)
{
  TtTauEdf *self = data;

  tt_repairs_add (&self->repairs, TT_REPAIR_JOINED_ROW, line);
}

/* -- reading rows again ------------------------------------------------------------------------------------------ */

static const guint8 *
get_piece (TtTauEdf *self, guint64 number)
{
  guint i = (guint) (number % N_PIECES);
  guint8 *piece = self->pieces + (gsize) i * PIECE;

  if (self->piece_at[i] != number + 1)
    {
      tt_tape_read (self->tape, number * PIECE, piece, PIECE);
      self->piece_at[i] = number + 1;
    }
  return piece;
}

/* @n bytes of the tape, until the next call. */
static const guint8 *
read_tape (TtTauEdf *self, guint64 at, guint n)
{
  if (self->pieces == NULL)
    self->pieces = g_malloc ((gsize) N_PIECES * PIECE);
  if (self->pieces_of != tt_tape_size (self->tape))
    {
      memset (self->piece_at, 0, sizeof self->piece_at);
      self->pieces_of = tt_tape_size (self->tape);
    }
  if (G_LIKELY (at % PIECE + n <= PIECE))
    return get_piece (self, at / PIECE) + at % PIECE;
  g_byte_array_set_size (self->found, n);
  for (guint done = 0; done < n;)
    {
      guint offset = (guint) ((at + done) % PIECE), n_here = MIN (n - done, PIECE - offset);

      memcpy (self->found->data + done, get_piece (self, (at + done) / PIECE) + offset, n_here);
      done += n_here;
    }
  return self->found->data;
}

/* Returns what it takes on the tape. */
static guint
read_row (TtTauEdf *self, guint64 at, TtTauRow *row)
{
  StoredRow stored;

  memcpy (&stored, read_tape (self, at, sizeof stored), sizeof stored);
  guint size = (guint) sizeof stored + stored.group_len + stored.name_len + 2;
  const char *strings = (const char *) read_tape (self, at, size) + sizeof stored;
  *row = (TtTauRow){
    .kind = (TtTauKind) stored.kind,
    .tag = stored.tag,
    .group = strings,
    .name = strings + stored.group_len + 1,
  };
  return size;
}

static const char *
name_at (guint64 place, gpointer data)
{
  TtTauRow row;

  read_row (data, place - 1, &row);
  return row.name;
}

static gboolean
count_same_names (TtTauEdf *self, GError **error)
{
  guint64 n, first;
  StoredRow row;

  if (!tt_tau_same_names_count (self->names, name_at, self, &n, &first, error))
    return FALSE;
  g_clear_pointer (&self->names, tt_tau_same_names_free);
  if (n == 0)
    return TRUE;
  memcpy (&row, read_tape (self, first - 1, sizeof row), sizeof row);
  tt_repairs_add_many (&self->repairs, TT_REPAIR_DUPLICATE_NAME, row.line, n);
  return TRUE;
}

/* -- text ------------------------------------------------------------------------------------------- */

gboolean
tt_tau_edf_feed (TtTauEdf *self, const char *text, gsize len, GError **error)
{
  return (tt_tau_rows_feed (&self->rows, text, len) || fail_rows (self, error)) && tt_tau_edf_check (self, error);
}

gboolean
tt_tau_edf_end (TtTauEdf *self, GError **error)
{
  if (!tt_tau_rows_end (&self->rows))
    return fail_rows (self, error);
  /* TAU declares one row more than it writes. */
  if ((guint64) self->rows.n_declared != self->n_rows && (guint64) self->rows.n_declared != self->n_rows + 1)
    tt_repairs_add (&self->repairs, TT_REPAIR_ROW_COUNT, 1);
  return count_same_names (self, error) && tt_tau_edf_check (self, error);
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

/* -- finding ------------------------------------------------------------------------------------------ */

gboolean
tt_tau_edf_find (TtTauEdf *self, gint64 id, TtTauRow *row)
{
  guint64 place = tt_tau_id_map_get (self->ids, id);

  if (place == 0 || (place & IS_RESOLVED) != 0)
    return FALSE;
  read_row (self, place - 1, row);
  return TRUE;
}

void
tt_tau_edf_resolve (TtTauEdf *self, gint64 id, TtTauKind kind, guint32 value)
{
  tt_tau_id_map_set (self->ids, id, IS_RESOLVED | (guint64) kind << 32 | value);
}

gboolean
tt_tau_edf_get_resolved (TtTauEdf *self, gint64 id, TtTauKind *kind, guint32 *value)
{
  guint64 number = tt_tau_id_map_get (self->ids, id);

  *kind = (TtTauKind) ((number & ~IS_RESOLVED) >> 32);
  *value = (guint32) number;
  return (number & IS_RESOLVED) != 0;
}

gboolean
tt_tau_edf_next (TtTauEdf *self, guint64 *at, TtTauRow *row)
{
  if (*at >= tt_tape_size (self->tape))
    return FALSE;
  *at += read_row (self, *at, row);
  return TRUE;
}

TtTauKind
tt_tau_edf_kind (TtTauEdf *self, gint64 id)
{
  guint64 place = tt_tau_id_map_get (self->ids, id);
  StoredRow stored;

  if (place == 0)
    return TT_TAU_NOT_DEFINED;
  if ((place & IS_RESOLVED) != 0)
    return (TtTauKind) ((place & ~IS_RESOLVED) >> 32);
  memcpy (&stored, read_tape (self, place - 1, sizeof stored), sizeof stored);
  return (TtTauKind) stored.kind;
}
