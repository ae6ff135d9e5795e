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
#define LONGEST_PIECE 48u /* less than the padding */
#define MAX_CHOICES 16u   /* pieces that may stand at one place, which are tried one by one */
#define LEARN_EVERY 8u
#define LEARN_SELDOM 64u /* in doubt */
/* So much in vain: the shapes are those of another part of the file, or there are none. */
#define MAX_DOUBT 64u
#define TRY_EVERY 16u

/* What a piece is, beside the bytes before a member's value. */
enum
{
  PIECE_OPENS = 1 << 0,  /* the inner object */
  PIECE_CLOSES = 1 << 1, /* it */
  PIECE_INNER = 1 << 2,  /* the key is one of that object */
  PIECE_END = 1 << 3,    /* of the record; there is no value */
};

/* The bytes before a value, or those that close a record. Places count from the first of them, keys have their quotes. */
typedef struct
{
  guint8 bytes[LONGEST_PIECE];
  guint32 begin;       /* a bit for each of the first 16 bytes */
  guint16 next, child; /* others that may stand here, what may follow; 0: none */
  guint8 len;
  guint8 is; /* the bits above */
  guint8 key_at, key_end, key_class;
  guint8 object_key_at, object_key_end, object_class, object_at; /* if it opens the inner object */
  guint8 close_end;                                              /* behind the bracket, if it closes that */
} Piece;

struct _TtJsonShapes
{
  Piece pieces[MAX_PIECES]; /* the first stands for what is before a record */
  guint n_pieces;
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

static gboolean
is_same_piece (const Piece *known, const Piece *piece, const guint8 *bytes)
{
  return known->len == piece->len && known->is == piece->is && memcmp (known->bytes, bytes, piece->len) == 0;
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
  for (; *link != 0 && !is_same_piece (&self->pieces[*link], &learner->piece, bytes); n_choices++)
    link = &self->pieces[*link].next;
  if (*link == 0)
    {
      if (n_choices == MAX_CHOICES || self->n_pieces == MAX_PIECES)
        return FALSE;
      memcpy (learner->piece.bytes, bytes, learner->piece.len);
      learner->piece.begin = (1u << MIN (learner->piece.len, 16)) - 1;
      *link = (guint16) self->n_pieces;
      self->pieces[self->n_pieces++] = learner->piece;
    }
  learner->node = *link;
  learner->piece = (Piece){ .is = 0 };
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
  if ((learner->piece.is & PIECE_INNER) == 0)
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
  learner->piece.is |= PIECE_OPENS;
  learner->piece.object_key_at = (guint8) (place->key_at - learner->from);
  learner->piece.object_key_end = (guint8) (place->key_end - learner->from);
  learner->piece.object_at = (guint8) (place->value_at - learner->from);
  learner->piece.object_class = tt_json_key_class (json, key);
  for (guint i = 0; i < json->n_inner; i++)
    {
      const TtJsonMemberPlace *inner = &json->inner[i];
      gsize key_at = (gsize) json->inner_at + inner->key_at - 1, value_at = (gsize) json->inner_at + inner->value_at;

      learner->piece.is |= PIECE_INNER;
      if (!learn_member (learner, key_at, key_at + inner->key_len + 2, value_at, value_at + inner->value_len))
        return FALSE;
    }
  if (place->value_end - learner->from > LONGEST_PIECE)
    return FALSE;
  learner->piece.is |= PIECE_CLOSES;
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
  learner.piece.is |= PIECE_END;
  add_piece (&learner, self->record_len);
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
  if (shapes->n_pieces == MAX_PIECES)
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

/* A value as it is passed over. */
typedef struct
{
  const guint8 *end; /* NULL: as walk_value() */
  guint n_digits;    /* as of TtJsonFields */
  gboolean has_escapes;
} Passed;

/* One that is neither a text without escapes nor a number as most are. */
static G_GNUC_NO_INLINE Passed
pass_odd_value (TtJson *self, const guint8 *at, guint n_around)
{
  Passed passed = { .end = NULL };

  if (*at <= ' ')
    return passed;
  if (*at == '-' || g_ascii_isdigit (*at))
    passed.end = tt_scan_number (at);
  if (passed.end != NULL)
    return passed;
  passed.end = walk_value (self, at, n_around);
  passed.has_escapes = *at == '"' && self->has_escapes;
  return passed;
}

/* The value at @at of a member; behind it, or NULL as walk_value(). */
static inline const guint8 *
pass_field (TtJson *self, const guint8 *at, guint key_class)
{
  TtJsonFields *fields = &self->fields;
  TtJsonValue *value = tt_json_field (self, key_class);
  guint n_digits = 0;

  fields->seen |= 1u << key_class;
  if (*at == '"')
    {
      const guint8 *quote = tt_scan_text (at + 1);

      if (G_LIKELY (*quote == '"'))
        {
          value->kind = TT_JSON_STRING;
          value->has_escapes = FALSE;
          value->raw = (TtSlice){ (const char *) at + 1, (gsize) (quote - at) - 1 };
          value->offset = tt_json_offset_of (self, (gsize) (at - self->bytes));
          fields->n_digits[key_class] = 0;
          return quote + 1;
        }
    }
  else
    {
      const guint8 *end = tt_scan_plain_number (at, &n_digits);

      if (G_LIKELY (end != NULL))
        {
          value->kind = TT_JSON_NUMBER;
          value->has_escapes = FALSE;
          value->raw = (TtSlice){ (const char *) at, (gsize) (end - at) };
          value->offset = tt_json_offset_of (self, (gsize) (at - self->bytes));
          fields->n_digits[key_class] = (guint8) n_digits;
          return end;
        }
    }
  const Passed passed = pass_odd_value (self, at, 1);
  fields->n_digits[key_class] = 0;
  if (passed.end != NULL)
    tt_json_cut_out (value, at, passed.end, passed.has_escapes, tt_json_offset_of (self, (gsize) (at - self->bytes)));
  return passed.end;
}

static inline Passed
pass_value (TtJson *self, const guint8 *at, guint n_around)
{
  Passed passed = { .end = NULL };

  if (*at == '"')
    {
      const guint8 *quote = tt_scan_text (at + 1);

      passed.end = *quote == '"' ? quote + 1 : NULL;
    }
  else
    passed.end = tt_scan_plain_number (at, &passed.n_digits);
  return G_LIKELY (passed.end != NULL) ? passed : pass_odd_value (self, at, n_around);
}

static inline gboolean
is_piece (const Piece *piece, const guint8 *at)
{
#ifdef __SSE2__
  __m128i x = _mm_loadu_si128 ((const __m128i *) at), y = _mm_loadu_si128 ((const __m128i *) piece->bytes);

  return ((guint) _mm_movemask_epi8 (_mm_cmpeq_epi8 (x, y)) & piece->begin) == piece->begin &&
         (piece->len <= 16 || tt_scan_is_same (at + 16, piece->bytes + 16, piece->len - 16u));
#else
  return memcmp (at, piece->bytes, piece->len) == 0;
#endif
}

static inline const Piece *
find_piece (const TtJsonShapes *self, const Piece *before, const guint8 *at)
{
  for (guint i = before->child; i != 0; i = self->pieces[i].next)
    if (is_piece (&self->pieces[i], at))
      return &self->pieces[i];
  return NULL;
}

/* For who asks for members by their order. */
static void
note_place (TtJson *self, const Piece *piece, const guint8 *at, const guint8 *value, const Passed *passed)
{
  TtJsonPlace *place = &self->places[self->n_places++];
  const guint8 *record = self->bytes + self->record_at;

  place->key_at = (guint32) (at + piece->key_at - record);
  place->key_end = (guint32) (at + piece->key_end - record);
  place->key_has_escapes = FALSE;
  place->key_class = piece->key_class;
  place->value_at = (guint32) (value - record);
  place->value_end = (guint32) (passed->end - record);
  place->value_has_escapes = passed->has_escapes;
}

/* The inner object, which begins and ends in pieces. */
typedef struct
{
  const Piece *opening;
  const guint8 *at;     /* that piece */
  const guint8 *object; /* its bracket */
} Opened;

static inline void
note_inner (TtJson *self, const Piece *piece, const guint8 *at, const guint8 *object, const Passed *passed)
{
  const guint8 *value = at + piece->len;
  TtJsonMemberPlace *place = &self->inner[self->n_inner++];

  place->key_at = (guint16) (at + piece->key_at + 1 - object);
  place->key_len = (guint16) (piece->key_end - piece->key_at - 2);
  place->value_at = (guint16) (value - object);
  place->value_len = (guint16) (passed->end - value);
  self->is_inner_lost |= passed->has_escapes;
}

static inline void
begin_object (TtJson *self, const Piece *piece, const guint8 *at, Opened *opened)
{
  *opened = (Opened){ piece, at, at + piece->object_at };
  self->inner_at = (guint32) (opened->object - (self->bytes + self->record_at));
  self->has_inner = TRUE;
  self->is_inner_lost = FALSE;
}

static void
end_object (TtJson *self, const Opened *opened, const guint8 *end)
{
  const Piece piece = { .key_at = opened->opening->object_key_at,
                        .key_end = opened->opening->object_key_end,
                        .key_class = opened->opening->object_class };
  const Passed passed = { .end = end };

  self->is_inner_lost |= end - opened->object > G_MAXUINT16;
  if (!self->has_fields)
    {
      note_place (self, &piece, opened->at, opened->object, &passed);
      return;
    }
  self->fields.seen |= 1u << piece.key_class;
  self->fields.n_digits[piece.key_class] = 0;
  tt_json_cut_out (tt_json_field (self, piece.key_class), opened->object, end, FALSE,
                   tt_json_offset_of (self, (gsize) (opened->object - self->bytes)));
}

/* Notes the members of the record at @start; behind it, or NULL: it is of no known shape. */
static inline const guint8 *
pass_members (TtJson *self, const guint8 *start, gboolean has_fields)
{
  const TtJsonShapes *shapes = self->shapes;
  const Piece *piece = &shapes->pieces[0];
  const guint8 *at = start;
  Opened opened = { NULL, NULL, NULL };

  for (;;)
    {
      piece = find_piece (shapes, piece, at);
      if (G_UNLIKELY (piece == NULL))
        return NULL;

      const guint8 *value = at + piece->len;
      if (piece->is != 0)
        {
          if (piece->is & PIECE_CLOSES)
            end_object (self, &opened, at + piece->close_end);
          if (piece->is & PIECE_END)
            return value;
          if (piece->is & PIECE_OPENS)
            begin_object (self, piece, at, &opened);
          if (piece->is & PIECE_INNER)
            {
              const Passed passed = pass_value (self, value, 2);

              if (passed.end == NULL)
                return NULL;
              note_inner (self, piece, at, opened.object, &passed);
              at = passed.end;
              continue;
            }
        }
      if (has_fields)
        at = pass_field (self, value, piece->key_class);
      else
        {
          const Passed passed = pass_value (self, value, 1);

          if (passed.end != NULL)
            note_place (self, piece, at, value, &passed);
          at = passed.end;
        }
      if (G_UNLIKELY (at == NULL))
        return NULL;
    }
}

static const guint8 *
pass_record (TtJson *self, const guint8 *start)
{
  return self->has_fields ? pass_members (self, start, TRUE) : pass_members (self, start, FALSE);
}

/* Of a file whose records have no shapes, few are tried. */
static inline gboolean
is_worth_trying (TtJsonShapes *shapes)
{
  return shapes != NULL && (G_LIKELY (shapes->doubt < MAX_DOUBT) || ++shapes->n_left_out % TRY_EVERY == 0);
}

gboolean
tt_json_record_alike (TtJson *self, TtJsonValue *record)
{
  TtJsonShapes *shapes = self->shapes;
  const guint8 *start = self->bytes + self->at, *end;
  TtJsonState state = self->state;

  if (self->at == self->unlike_at || self->has_pending || self->depth + 2 > TT_JSON_DEPTH || !is_worth_trying (shapes))
    return FALSE;
  tt_json_start_record (self, FALSE);
  self->has_fields = self->classify != NULL;
  end = pass_record (self, start);
  if (self->outside_held != NULL)
    *self->outside_held |= self->fields.seen;
  if (end == NULL)
    {
      self->at = self->record_at;
      self->state = state;
      self->has_fields = FALSE;
      shapes->doubt = MIN (shapes->doubt + 1, MAX_DOUBT);
      return FALSE;
    }
  if (G_UNLIKELY (shapes->doubt > 0))
    shapes->doubt -= MIN (shapes->doubt, 2);
  self->record_len = (gsize) (end - start);
  self->at = self->record_at + self->record_len;
  self->state = TT_STATE_NEXT;
  record->kind = TT_JSON_OBJECT;
  record->has_escapes = FALSE;
  record->raw = (TtSlice){ (const char *) start, self->record_len };
  record->offset = tt_json_offset_of (self, self->record_at);
  return TRUE;
}

gboolean
tt_json_next_alike (TtJson *self, TtJsonValue *record)
{
  gsize at = self->at, record_at = at + self->gap_len;

  if (self->state != TT_STATE_NEXT || self->gap_len == 0 || !self->is_gap_good || self->depth != self->records_depth ||
      self->has_pending || record_at >= self->filled || self->bytes[record_at] != '{' ||
      !tt_scan_is_same (self->bytes + at, self->gap, (guint) self->gap_len))
    return FALSE;
  self->at = record_at;
  self->unlike_at = G_MAXSIZE;
  if (tt_json_record_alike (self, record))
    return TRUE;
  self->at = at;
  self->unlike_at = record_at;
  return FALSE;
}
