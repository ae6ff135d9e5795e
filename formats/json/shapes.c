/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/json/shapes.h"

#include <string.h>

/* How shapes are learnt from records that were walked. */

#define MAX_CHOICES 16u /* pieces that may stand at one place, which are tried one by one */
#define LEARN_EVERY 8u
#define LEARN_SELDOM 64u /* in doubt */

static TtJsonShapes *
shapes_new (void)
{
  TtJsonShapes *self = g_new0 (TtJsonShapes, 1);

  self->n_pieces = 1;
  return self;
}

static void
forget (TtJsonShapes *self)
{
  self->pieces[0].child = NULL;
  self->n_pieces = 1;
}

typedef struct
{
  TtJson *json;
  const guint8 *record;
  gsize from;        /* of the piece, in the record */
  TtJsonPiece piece; /* what is known of it */
  TtJsonPiece *node; /* that it follows */
} Learner;

static gboolean
is_same_piece (const TtJsonPiece *known, const TtJsonPiece *piece, const guint8 *bytes)
{
  return known->len == piece->len && known->is == piece->is && memcmp (known->bytes, bytes, piece->len) == 0;
}

/* Ends the piece at @to. FALSE: it is too long, or there is no room, or too many others stand there. */
static gboolean
add_piece (Learner *learner, gsize to)
{
  TtJsonShapes *self = learner->json->shapes;
  const guint8 *bytes = learner->record + learner->from;
  TtJsonPiece **link = &learner->node->child;
  guint n_choices = 0;

  if (to - learner->from > TT_JSON_LONGEST_PIECE)
    return FALSE;
  learner->piece.len = (guint8) (to - learner->from);
  for (; *link != NULL && !is_same_piece (*link, &learner->piece, bytes); n_choices++)
    link = &(*link)->next;
  if (*link == NULL)
    {
      if (n_choices == MAX_CHOICES || self->n_pieces == TT_JSON_PIECES)
        return FALSE;
      memcpy (learner->piece.bytes, bytes, learner->piece.len);
      learner->piece.begin = (1u << MIN (learner->piece.len, 16)) - 1;
      *link = &self->pieces[self->n_pieces++];
      **link = learner->piece;
    }
  learner->node = *link;
  learner->piece = (TtJsonPiece){ .is = 0 };
  return TRUE;
}

/* A key from @at to @end of a member whose value begins at @value_at and ends at @value_end. */
static gboolean
learn_member (Learner *learner, gsize at, gsize end, gsize value_at, gsize value_end)
{
  const TtSlice key = { (const char *) learner->record + at + 1, end - at - 2 };

  if (value_at - learner->from > TT_JSON_LONGEST_PIECE)
    return FALSE;
  learner->piece.key_at = (guint8) (at - learner->from);
  learner->piece.key_end = (guint8) (end - learner->from);
  if ((learner->piece.is & TT_PIECE_INNER) == 0)
    learner->piece.key_class = tt_json_key_class (learner->json, key);
  if (!add_piece (learner, value_at))
    return FALSE;
  learner->from = value_end;
  return TRUE;
}

static gboolean
learn_object (Learner *learner, const TtJsonPlace *place)
{
  TtJson *json = learner->json;
  const TtSlice key = { (const char *) learner->record + place->key_at + 1, place->key_end - place->key_at - 2 };

  if (place->value_at - learner->from > TT_JSON_LONGEST_PIECE)
    return FALSE;
  learner->piece.is |= TT_PIECE_OPENS;
  learner->piece.object_key_at = (guint8) (place->key_at - learner->from);
  learner->piece.object_key_end = (guint8) (place->key_end - learner->from);
  learner->piece.object_at = (guint8) (place->value_at - learner->from);
  learner->piece.object_class = tt_json_key_class (json, key);
  for (guint i = 0; i < json->n_inner; i++)
    {
      const TtJsonMemberPlace *inner = &json->inner[i];
      gsize key_at = (gsize) json->inner_at + inner->key_at - 1, value_at = (gsize) json->inner_at + inner->value_at;

      learner->piece.is |= TT_PIECE_INNER;
      if (!learn_member (learner, key_at, key_at + inner->key_len + 2, value_at, value_at + inner->value_len))
        return FALSE;
    }
  if (place->value_end - learner->from > TT_JSON_LONGEST_PIECE)
    return FALSE;
  learner->piece.is |= TT_PIECE_CLOSES;
  learner->piece.close_end = (guint8) (place->value_end - learner->from);
  return TRUE;
}

static void
learn (TtJson *self)
{
  Learner learner = { .json = self, .record = self->bytes + self->record_at, .node = self->shapes->pieces };
  gboolean has_object = self->has_inner && !self->is_inner_lost && self->n_inner > 0;

  for (guint i = 0; i < self->n_places; i++)
    {
      const TtJsonPlace *place = &self->places[i];

      if (place->key_has_escapes ||
          !(has_object && place->value_at == self->inner_at
                ? learn_object (&learner, place)
                : learn_member (&learner, place->key_at, place->key_end, place->value_at, place->value_end)))
        return;
    }
  learner.piece.is |= TT_PIECE_END;
  add_piece (&learner, self->record_len);
}

void
tt_json_learn_shape (TtJson *self)
{
  if (self->shapes == NULL)
    self->shapes = shapes_new ();

  TtJsonShapes *shapes = self->shapes;
  guint every = shapes->doubt < TT_JSON_MAX_DOUBT ? LEARN_EVERY : LEARN_SELDOM;
  if (shapes->n_unlike++ % every != 0 || self->n_places == 0 || self->n_places == TT_JSON_INDEXED)
    return;
  if (shapes->n_pieces == TT_JSON_PIECES)
    {
      if (shapes->doubt < TT_JSON_MAX_DOUBT)
        return;
      forget (shapes);
    }
  learn (self);
}
