/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/statistics/span-places.h"

#include "src/base/packed.h"
#include "src/base/sorter.h"
#include "src/base/tape.h"
#include "src/trace/event.h"

#include <string.h>

#define TAPE_MEMORY ((gsize) 16 << 20)
#define BUFFERS_MEMORY ((gsize) 16 << 20)
#define SORT_MEMORY ((gsize) 16 << 20)
#define MIN_BUFFER 32u
#define MAX_BUFFER 1024u
#define PLACE_BYTES (2 * TT_PACKED_NUMBER_BYTES)

typedef struct
{
  guint8 *buffer;
  guint32 used, size;
  guint64 piece; /* the last one on the tape, its place + 1 */
  TtSpanPlace written, waiting;
  guint8 is_waiting; /* another one of its step may come */
} Operation;

/* On the tape, before its bytes. */
typedef struct
{
  guint64 before; /* the piece before, likewise */
  guint64 n_bytes;
} Piece;

typedef struct
{
  guint64 step_key, index;
} StepRecord;

struct _TtSpanPlaces
{
  GArray *operations; /* of Operation */
  gsize buffer_bytes; /* of all buffers */
  TtTape *tape;

  /* Of the operation that is read. */
  GByteArray *bytes;
  GArray *pieces; /* of guint64, the last first; those left to read */
  const Operation *operation;
  gboolean has_buffer; /* which comes after the pieces */
  TtUnpack from;
  TtSpanPlace last;
  TtSorter *by_step; /* NULL: by index */
  TtSpanPlace ahead;
  gboolean has_ahead;
};

TtSpanPlaces *
tt_span_places_new (void)
{
  TtSpanPlaces *self = g_new0 (TtSpanPlaces, 1);

  self->operations = g_array_new (FALSE, TRUE, sizeof (Operation));
  self->tape = tt_tape_new (TAPE_MEMORY);
  self->bytes = g_byte_array_new ();
  self->pieces = g_array_new (FALSE, FALSE, sizeof (guint64));
  return self;
}

void
tt_span_places_free (TtSpanPlaces *self)
{
  if (self == NULL)
    return;
  for (guint i = 0; i < self->operations->len; i++)
    g_free (g_array_index (self->operations, Operation, i).buffer);
  g_array_unref (self->operations);
  tt_tape_free (self->tape);
  g_byte_array_unref (self->bytes);
  g_array_unref (self->pieces);
  g_clear_pointer (&self->by_step, tt_sorter_free);
  g_free (self);
}

/* -- adding --------------------------------------------------------------------------------------- */

static void
write_piece (TtSpanPlaces *self, Operation *operation)
{
  const Piece piece = { operation->piece, operation->used };

  operation->piece = tt_tape_append (self->tape, &piece, sizeof piece) + 1;
  tt_tape_append (self->tape, operation->buffer, operation->used);
  operation->used = 0;
}

/* Buffers grow as long as there is memory for that. */
static void
make_room (TtSpanPlaces *self, Operation *operation)
{
  const guint32 size = operation->size == 0 ? MIN_BUFFER : operation->size * 2;

  if (operation->size > 0 && (size > MAX_BUFFER || self->buffer_bytes + size > BUFFERS_MEMORY))
    {
      write_piece (self, operation);
      return;
    }
  self->buffer_bytes += size - operation->size;
  operation->buffer = g_realloc (operation->buffer, size);
  operation->size = size;
}

static void
add_operations (TtSpanPlaces *self, guint32 last)
{
  const Operation none = { .written = { .step = TT_NO_STEP } };

  while (self->operations->len <= last)
    g_array_append_val (self->operations, none);
}

/* How far it is from the one before, doubled; and 1 more where a step follows. */
static inline void
write_place (TtSpanPlaces *self, Operation *operation, const TtSpanPlace *place)
{
  const gboolean has_step = place->step != operation->written.step;

  if (G_UNLIKELY (operation->size - operation->used < PLACE_BYTES))
    make_room (self, operation);
  guint8 *end = operation->buffer + operation->used;
  end = tt_put_number (end, (place->index - operation->written.index) << 1 | has_step);
  if (has_step)
    end = tt_put_number (end, tt_fold_signed (place->step));
  operation->used = (guint32) (end - operation->buffer);
  operation->written = *place;
}

void
tt_span_places_add (TtSpanPlaces *self, guint32 op, gint32 step, guint64 index)
{
  const TtSpanPlace place = { step, index };

  if (op >= self->operations->len)
    add_operations (self, op);
  Operation *operation = &g_array_index (self->operations, Operation, op);
  if (operation->is_waiting != 0 && operation->waiting.step != step)
    write_place (self, operation, &operation->waiting);
  operation->is_waiting = step != TT_NO_STEP;
  if (step == TT_NO_STEP)
    write_place (self, operation, &place);
  else
    operation->waiting = place;
}

guint32
tt_span_places_n_ops (const TtSpanPlaces *self)
{
  return self->operations->len;
}

gboolean
tt_span_places_finish (TtSpanPlaces *self, GError **error)
{
  for (guint i = 0; i < self->operations->len; i++)
    {
      Operation *operation = &g_array_index (self->operations, Operation, i);
      if (operation->is_waiting != 0)
        write_place (self, operation, &operation->waiting);
      operation->is_waiting = 0;
    }
  return tt_tape_check (self->tape, error);
}

/* -- reading -------------------------------------------------------------------------------------- */

static void
find_pieces (TtSpanPlaces *self)
{
  Piece piece;

  g_array_set_size (self->pieces, 0);
  for (guint64 at = self->operation->piece; at != 0; at = piece.before)
    {
      g_array_append_val (self->pieces, at);
      tt_tape_read (self->tape, at - 1, &piece, sizeof piece);
    }
}

/* FALSE: there is none, or the temporary file has failed. */
static gboolean
read_piece (TtSpanPlaces *self)
{
  Piece piece;

  if (self->pieces->len == 0)
    {
      if (!self->has_buffer)
        return FALSE;
      self->from = (TtUnpack){ .at = self->operation->buffer, .end = self->operation->buffer + self->operation->used };
      self->has_buffer = FALSE;
      return self->operation->used > 0;
    }
  const guint64 at = g_array_index (self->pieces, guint64, self->pieces->len - 1) - 1;
  g_array_set_size (self->pieces, self->pieces->len - 1);
  tt_tape_read (self->tape, at, &piece, sizeof piece);
  g_byte_array_set_size (self->bytes, (guint) MIN (piece.n_bytes, MAX_BUFFER));
  tt_tape_read (self->tape, at + sizeof piece, self->bytes->data, self->bytes->len);
  self->from = tt_unpack_all (self->bytes);
  return self->bytes->len > 0;
}

static gboolean
next_by_index (TtSpanPlaces *self, TtSpanPlace *place, GError **error)
{
  if (self->from.at == self->from.end && !read_piece (self))
    {
      tt_tape_check (self->tape, error);
      return FALSE;
    }
  const guint64 number = tt_unpack_number (&self->from);
  self->last.index += number >> 1;
  if ((number & 1) != 0)
    self->last.step = (gint32) tt_unpack_signed (&self->from);
  *place = self->last;
  return TRUE;
}

static gboolean
sort_by_step (TtSpanPlaces *self, GError **error)
{
  GError *failure = NULL;
  TtSpanPlace place;

  self->by_step = tt_sorter_new (sizeof (StepRecord), SORT_MEMORY);
  while (next_by_index (self, &place, &failure))
    if (place.step != TT_NO_STEP)
      *(StepRecord *) tt_sorter_add (self->by_step) = (StepRecord){ tt_sort_key (place.step), place.index };
  if (failure == NULL)
    return tt_sorter_finish (self->by_step, error);
  g_propagate_error (error, failure);
  return FALSE;
}

static gboolean
read_ahead (TtSpanPlaces *self, GError **error)
{
  const StepRecord *record = tt_sorter_next (self->by_step, error);

  self->has_ahead = record != NULL;
  if (self->has_ahead)
    self->ahead = (TtSpanPlace){ (gint32) tt_sort_value (record->step_key), record->index };
  return self->has_ahead;
}

gboolean
tt_span_places_open (TtSpanPlaces *self, guint32 op, gboolean by_step, GError **error)
{
  static const Operation none;
  GError *failure = NULL;

  self->operation = op < self->operations->len ? &g_array_index (self->operations, Operation, op) : &none;
  self->has_buffer = TRUE;
  self->from = (TtUnpack){ NULL };
  self->last = (TtSpanPlace){ .step = TT_NO_STEP };
  g_clear_pointer (&self->by_step, tt_sorter_free);
  find_pieces (self);
  if (!by_step)
    return tt_tape_check (self->tape, error);
  if (!sort_by_step (self, error))
    return FALSE;
  read_ahead (self, &failure);
  if (failure == NULL)
    return TRUE;
  g_propagate_error (error, failure);
  return FALSE;
}

gboolean
tt_span_places_next (TtSpanPlaces *self, TtSpanPlace *place, GError **error)
{
  GError *failure = NULL;

  if (self->by_step == NULL)
    return next_by_index (self, place, error);
  if (!self->has_ahead)
    return FALSE;
  do
    *place = self->ahead;
  while (read_ahead (self, &failure) && self->ahead.step == place->step);
  if (failure == NULL)
    return TRUE;
  g_propagate_error (error, failure);
  return FALSE;
}
