/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/statistics/place-words.h"

#include "src/base/compare.h"

/* Pieces of all ranks are in the memory of rank 0. */
#define PIECES_BYTES (32u << 20)
#define MIN_PIECE (4u << 10)
#define MAX_PIECE (1u << 20)

/* A place is two numbers, the first of which is not this. */
#define END_OF_OPERATION 0

/* -- giving ---------------------------------------------------------------------------------------- */

/* *@is_over: rank 0 hears no more. */
static gboolean
give_piece (const TtCrew *crew, GByteArray *bytes, gboolean *is_over)
{
  crew->give (bytes);
  g_autoptr (GByteArray) heard = crew->hear ();
  *is_over = heard == NULL;
  g_byte_array_set_size (bytes, 0);
  return !*is_over;
}

static gboolean
give_operation (const TtCrew *crew,
                TtSpanPlaces *places,
                guint64 first_index,
                GByteArray *bytes,
                gboolean *is_over,
                GError **error)
{
  const guint piece_bytes = CLAMP (PIECES_BYTES / crew->n, MIN_PIECE, MAX_PIECE);
  TtSpanPlace place, last = { 0 };
  GError *failure = NULL;

  while (tt_span_places_next (places, &place, &failure))
    {
      place.index += first_index;
      tt_pack_number (bytes, tt_fold_signed ((gint64) place.step - last.step) + 1);
      tt_pack_signed (bytes, (gint64) (place.index - last.index));
      last = place;
      if (bytes->len >= piece_bytes && !give_piece (crew, bytes, is_over))
        return TRUE;
    }
  tt_pack_number (bytes, END_OF_OPERATION);
  if (failure == NULL)
    return TRUE;
  g_propagate_error (error, failure);
  return FALSE;
}

static int
compare_ids (gconstpointer a, gconstpointer b, gpointer ids)
{
  return TT_COMPARE (((const guint32 *) ids)[*(const guint32 *) a], ((const guint32 *) ids)[*(const guint32 *) b]);
}

gboolean
tt_place_words_give (const TtCrew *crew,
                     TtSpanPlaces *places,
                     const guint32 *ids,
                     guint64 first_index,
                     gboolean by_step,
                     GError **error)
{
  const guint32 n = tt_span_places_n_ops (places);
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  g_autoptr (GArray) order = g_array_sized_new (FALSE, FALSE, sizeof (guint32), n);
  gboolean is_over = FALSE;

  for (guint32 op = 0; op < n; op++)
    g_array_append_val (order, op);
  g_array_sort_with_data (order, compare_ids, (gpointer) ids);
  for (guint i = 0; i < n && !is_over; i++)
    {
      const guint32 op = g_array_index (order, guint32, i);
      tt_pack_number (bytes, ids[op]);
      if (!tt_span_places_open (places, op, by_step, error) ||
          !give_operation (crew, places, first_index, bytes, &is_over, error))
        return FALSE;
    }
  if (!is_over && (bytes->len == 0 || give_piece (crew, bytes, &is_over)))
    crew->give (bytes);
  return TRUE;
}

/* -- taking ---------------------------------------------------------------------------------------- */

void
tt_place_words_init (TtPlaceWords *self, const TtCrew *crew, guint rank)
{
  *self = (TtPlaceWords){ .crew = crew, .rank = rank };
}

void
tt_place_words_clear (TtPlaceWords *self)
{
  g_clear_pointer (&self->bytes, g_byte_array_unref);
}

/* The rank makes its next piece while this one is used. */
static gboolean
take_piece (TtPlaceWords *self, GError **error)
{
  g_autoptr (GByteArray) go_on = g_byte_array_new ();

  g_clear_pointer (&self->bytes, g_byte_array_unref);
  self->from = (TtUnpack){ NULL };
  self->bytes = self->crew->take (self->rank, error);
  if (self->bytes == NULL)
    return FALSE;
  self->is_over = self->bytes->len == 0;
  self->from = tt_unpack_all (self->bytes);
  return self->is_over || self->crew->tell (self->rank, go_on, error);
}

gboolean
tt_place_words_next (TtPlaceWords *self, guint32 op, TtSpanPlace *place, gboolean *is_there, GError **error)
{
  *is_there = FALSE;
  while (!self->is_over && !(self->has_op && self->op > op))
    {
      if (self->from.at == self->from.end && !take_piece (self, error))
        return FALSE;
      if (self->is_over)
        return !self->has_op || tt_crew_refuse (self->rank, error);
      if (!self->has_op)
        {
          self->op = (guint32) tt_unpack_below (&self->from, G_MAXUINT32);
          self->has_op = TRUE;
          self->last = (TtSpanPlace){ 0 };
          /* Those before it are done. */
          if (self->from.is_bad || self->op < op)
            return tt_crew_refuse (self->rank, error);
          continue;
        }
      const guint64 step = tt_unpack_number (&self->from);
      self->has_op = step != END_OF_OPERATION;
      if (!self->has_op)
        continue;
      self->last.step = (gint32) (self->last.step + tt_unfold_signed (step - 1));
      self->last.index += (guint64) tt_unpack_signed (&self->from);
      if (self->from.is_bad)
        return tt_crew_refuse (self->rank, error);
      *place = self->last;
      *is_there = TRUE;
      return TRUE;
    }
  return TRUE;
}
