/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/json/scanner-private.h"

#include <string.h>

/*
 * Records that look alike. Those of a file have few shapes: the same members in the same order, with the same bytes between
 * the values. A record of a known shape needs no walk: the bytes between are compared, the values passed over. Anything else
 * is walked, and its shape learnt.
 *
 * Shapes are kept as a tree of the pieces between values, so that those that begin alike are compared once. The members of
 * the object that tt_json_index_member() asks for are in it, too; other values that are neither texts nor plain numbers are
 * walked where they stand.
 */

#define MAX_PIECES 512u
#define MAX_BYTES 16384u
#define LONGEST_PIECE 48u /* less than the padding */
#define MAX_CHOICES 16u   /* pieces that may stand at one place, which are tried one by one */
#define LEARN_EVERY 8u
#define LEARN_SELDOM 64u /* in doubt */
/* So much in vain: the shapes are those of another part of the file, or there are none. */
#define MAX_DOUBT 64u
#define TRY_EVERY 16u

/* The bytes before a value, or those that close a record. Places count from the first of them, keys have their quotes. */
typedef struct
{
  guint16 at;          /* in `bytes` */
  guint16 next, child; /* others that may stand here, what may follow; 0: none */
  guint8 len;
  guint8 key_at, key_end, key_class;
  guint8 object_key_at, object_key_end, object_class, object_at; /* if it opens the inner object */
  guint8 close_end;                                              /* behind the bracket, if it closes that */
  guint8 opens : 1, closes : 1, is_inner : 1, is_end : 1;        /* is_inner: the key is one of that object */
} Piece;

struct _TtJsonShapes
{
  Piece pieces[MAX_PIECES]; /* the first stands for what is before a record */
  guint8 bytes[MAX_BYTES + TT_SCAN_PADDING];
  guint n_pieces, n_bytes;
  guint n_unlike, n_left_out;
  guint doubt;
};

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
  self->pieces[0].child = 0;
  self->n_pieces = 1;
  self->n_bytes = 0;
}

/* -- learning ------------------------------------------------------------------------------------- */

typedef struct
{
  TtJson *json;
  const guint8 *record;
  gsize from;  /* of the piece, in the record */
  Piece piece; /* what is known of it */
  guint node;  /* that it follows */
} Learner;

/* Both have TT_SCAN_PADDING bytes after @len. */
static inline gboolean
is_alike (const guint8 *a, const guint8 *b, guint len)
{
#ifdef __SSE2__
  for (guint i = 0; i < len; i += 16)
    {
      __m128i x = _mm_loadu_si128 ((const __m128i *) (a + i)), y = _mm_loadu_si128 ((const __m128i *) (b + i));
      guint wanted = len - i >= 16 ? 0xffffu : (1u << (len - i)) - 1;

      if (((guint) _mm_movemask_epi8 (_mm_cmpeq_epi8 (x, y)) & wanted) != wanted)
        return FALSE;
    }
  return TRUE;
#else
  return memcmp (a, b, len) == 0;
#endif
}

static gboolean
is_same_piece (const TtJsonShapes *self, const Piece *known, const Piece *piece, const guint8 *bytes)
{
  return known->len == piece->len && known->opens == piece->opens && known->closes == piece->closes &&
         known->is_inner == piece->is_inner && known->is_end == piece->is_end &&
         memcmp (self->bytes + known->at, bytes, piece->len) == 0;
}

/* Ends the piece at @to. FALSE: it is too long, or there is no room, or too many others stand there. */
static gboolean
add_piece (Learner *learner, gsize to)
{
  TtJsonShapes *self = learner->json->shapes;
  const guint8 *bytes = learner->record + learner->from;
  guint16 *link = &self->pieces[learner->node].child;
  guint n_choices = 0;

  if (to - learner->from > LONGEST_PIECE)
    return FALSE;
  learner->piece.len = (guint8) (to - learner->from);
  for (; *link != 0 && !is_same_piece (self, &self->pieces[*link], &learner->piece, bytes); n_choices++)
    link = &self->pieces[*link].next;
  if (*link == 0)
    {
      if (n_choices == MAX_CHOICES || self->n_pieces == MAX_PIECES || learner->piece.len > MAX_BYTES - self->n_bytes)
        return FALSE;
      learner->piece.at = (guint16) self->n_bytes;
      memcpy (self->bytes + self->n_bytes, bytes, learner->piece.len);
      self->n_bytes += learner->piece.len;
      *link = (guint16) self->n_pieces;
      self->pieces[self->n_pieces++] = learner->piece;
    }
  learner->node = *link;
  learner->piece = (Piece){ .is_inner = FALSE };
  return TRUE;
}

/* A key from @at to @end of a member whose value begins at @value_at and ends at @value_end. */
static gboolean
learn_member (Learner *learner, gsize at, gsize end, gsize value_at, gsize value_end)
{
  const TtSlice key = { (const char *) learner->record + at + 1, end - at - 2 };

  if (value_at - learner->from > LONGEST_PIECE)
    return FALSE;
  learner->piece.key_at = (guint8) (at - learner->from);
  learner->piece.key_end = (guint8) (end - learner->from);
  if (!learner->piece.is_inner)
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

  if (place->value_at - learner->from > LONGEST_PIECE)
    return FALSE;
  learner->piece.opens = TRUE;
  learner->piece.object_key_at = (guint8) (place->key_at - learner->from);
  learner->piece.object_key_end = (guint8) (place->key_end - learner->from);
  learner->piece.object_at = (guint8) (place->value_at - learner->from);
  learner->piece.object_class = tt_json_key_class (json, key);
  for (guint i = 0; i < json->n_inner; i++)
    {
      const TtJsonMemberPlace *inner = &json->inner[i];
      gsize key_at = (gsize) json->inner_at + inner->key_at - 1, value_at = (gsize) json->inner_at + inner->value_at;

      learner->piece.is_inner = TRUE;
      if (!learn_member (learner, key_at, key_at + inner->key_len + 2, value_at, value_at + inner->value_len))
        return FALSE;
    }
  if (place->value_end - learner->from > LONGEST_PIECE)
    return FALSE;
  learner->piece.closes = TRUE;
  learner->piece.close_end = (guint8) (place->value_end - learner->from);
  return TRUE;
}

static void
learn (TtJson *self)
{
  Learner learner = { .json = self, .record = self->bytes + self->record_at };
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
  learner.piece.is_end = TRUE;
  add_piece (&learner, self->record_len);
}

static inline gboolean
is_full (const TtJsonShapes *self)
{
  return self->n_pieces == MAX_PIECES || self->n_bytes + LONGEST_PIECE > MAX_BYTES;
}

void
tt_json_learn_shape (TtJson *self)
{
  if (self->shapes == NULL)
    self->shapes = shapes_new ();

  TtJsonShapes *shapes = self->shapes;
  guint every = shapes->doubt < MAX_DOUBT ? LEARN_EVERY : LEARN_SELDOM;
  if (shapes->n_unlike++ % every != 0 || self->n_places == 0 || self->n_places == TT_JSON_INDEXED)
    return;
  if (is_full (shapes))
    {
      if (shapes->doubt < MAX_DOUBT)
        return;
      forget (shapes);
    }
  learn (self);
}

/* -- records of a known shape ------------------------------------------------------------------------ */

/* Behind the value at @at, which @n_around objects of the record are around. NULL: it goes on behind the buffer, is damaged,
 * or had to be mended. */
static const guint8 *
walk_value (TtJson *self, const guint8 *at, guint n_around)
{
  guint depth = self->depth;

  self->at = (gsize) (at - self->bytes);
  for (guint i = 0; i < n_around; i++)
    tt_json_open (self, TRUE);
  self->state = TT_STATE_VALUE;
  self->has_escapes = FALSE;

  TtWalk walk = tt_json_walk (self, self->depth);
  gboolean is_good = walk == TT_WALK_DONE && !self->has_pending;
  self->depth = depth;
  tt_json_forget (self);
  return is_good ? self->bytes + self->at : NULL;
}

static inline const guint8 *
pass_value (TtJson *self, const guint8 *at, guint n_around, gboolean *has_escapes)
{
  const guint8 *end = NULL;

  *has_escapes = FALSE;
  if (*at == '"')
    {
      end = tt_scan_text (at + 1);
      end = *end == '"' ? end + 1 : NULL;
    }
  else if (*at == '-' || g_ascii_isdigit (*at))
    end = tt_scan_number (at);
  else if (*at <= ' ')
    return NULL;
  if (G_LIKELY (end != NULL))
    return end;
  end = walk_value (self, at, n_around);
  *has_escapes = *at == '"' && self->has_escapes;
  return end;
}

static inline const Piece *
find_piece (const TtJsonShapes *self, const Piece *before, const guint8 *at)
{
  for (guint i = before->child; i != 0; i = self->pieces[i].next)
    if (is_alike (at, self->bytes + self->pieces[i].at, self->pieces[i].len))
      return &self->pieces[i];
  return NULL;
}

static inline void
note_key (TtJsonPlace *place, gsize at, guint key_at, guint key_end, guint8 key_class)
{
  place->key_at = (guint32) (at + key_at);
  place->key_end = (guint32) (at + key_end);
  place->key_has_escapes = FALSE;
  place->key_class = key_class;
}

/* The inner object is begun or ended by @piece, which stands at @at of the record. */
static inline void
note_object (TtJson *self, const Piece *piece, gsize at)
{
  TtJsonPlace *place = &self->places[self->n_places];

  if (piece->closes)
    {
      place->value_end = (guint32) (at + piece->close_end);
      self->is_inner_lost |= place->value_end - self->inner_at > G_MAXUINT16;
      self->n_places++;
      return;
    }
  note_key (place, at, piece->object_key_at, piece->object_key_end, piece->object_class);
  place->value_at = self->inner_at = (guint32) (at + piece->object_at);
  place->value_has_escapes = FALSE;
  self->has_inner = TRUE;
  self->is_inner_lost = FALSE;
}

/* The member whose key is in @piece, at @at of the record, with the value from @value to @end. */
static inline void
note_member (TtJson *self, const Piece *piece, gsize at, gsize value, gsize end, gboolean has_escapes)
{
  if (piece->is_inner)
    {
      TtJsonMemberPlace *place = &self->inner[self->n_inner++];
      gsize key = at - self->inner_at + piece->key_at;

      place->key_at = (guint16) (key + 1);
      place->key_len = (guint16) (piece->key_end - piece->key_at - 2);
      place->value_at = (guint16) (value - self->inner_at);
      place->value_len = (guint16) (end - value);
      self->is_inner_lost |= has_escapes;
      return;
    }
  TtJsonPlace *place = &self->places[self->n_places++];
  note_key (place, at, piece->key_at, piece->key_end, piece->key_class);
  place->value_at = (guint32) value;
  place->value_end = (guint32) end;
  place->value_has_escapes = has_escapes;
}

/* Notes the members of the record at @start; behind it, or NULL: it is of no known shape. */
static const guint8 *
pass_record (TtJson *self, const guint8 *start)
{
  const TtJsonShapes *shapes = self->shapes;
  const Piece *piece = &shapes->pieces[0];
  const guint8 *at = start;

  for (;;)
    {
      piece = find_piece (shapes, piece, at);
      if (piece == NULL)
        return NULL;

      gsize piece_at = (gsize) (at - start);
      const guint8 *value = at + piece->len;
      gboolean has_escapes;

      if (piece->opens || piece->closes)
        note_object (self, piece, piece_at);
      if (piece->is_end)
        return value;
      at = pass_value (self, value, piece->is_inner ? 2 : 1, &has_escapes);
      if (at == NULL)
        return NULL;
      note_member (self, piece, piece_at, (gsize) (value - start), (gsize) (at - start), has_escapes);
    }
}

gboolean
tt_json_record_alike (TtJson *self, TtJsonValue *record)
{
  TtJsonShapes *shapes = self->shapes;
  const guint8 *start = self->bytes + self->at, *end;
  TtJsonState state = self->state;

  if (shapes == NULL || self->has_pending || self->depth + 2 > TT_JSON_DEPTH ||
      (shapes->doubt == MAX_DOUBT && ++shapes->n_left_out % TRY_EVERY != 0))
    return FALSE;
  tt_json_start_record (self, FALSE);
  end = pass_record (self, start);
  if (end == NULL)
    {
      self->at = self->record_at;
      self->state = state;
      shapes->doubt = MIN (shapes->doubt + 1, MAX_DOUBT);
      return FALSE;
    }
  shapes->doubt -= MIN (shapes->doubt, 2);
  self->record_len = (gsize) (end - start);
  self->at = self->record_at + self->record_len;
  self->state = TT_STATE_NEXT;
  tt_json_cut_out (record, start, end, FALSE, tt_json_offset_of (self, self->record_at));
  return TRUE;
}
