/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/json/shapes.h"

#include <string.h>

/* Records of a known shape. */

/* Of a file whose records have none, one of so many is tried. */
#define TRY_EVERY 16u
/* Arrays that are deeper are walked. */
#define MAX_PLAIN_DEPTH 8u

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

/* Behind the array at @at of texts without escapes, numbers and arrays of such, at most @most_depth within each other. NULL: it
 * is another, or goes on behind the buffer. */
static const guint8 *
pass_plain_array (const guint8 *at, guint most_depth)
{
  guint depth = 0, n_digits;

  for (;;)
    {
      if (*at == '[')
        {
          if (depth++ == most_depth)
            return NULL;
          at = tt_scan_space (at + 1);
          if (*at != ']')
            continue;
        }
      else
        {
          const guint8 *end = *at == '"' ? tt_scan_text (at + 1) : tt_scan_plain_number (at, &n_digits);

          if (end == NULL || (*at == '"' && *end != '"'))
            return NULL;
          at = tt_scan_space (end + (*at == '"'));
        }
      for (; *at == ']'; at = tt_scan_space (at))
        {
          at++;
          if (--depth == 0)
            return at;
        }
      if (*at != ',')
        return NULL;
      at = tt_scan_space (at + 1);
    }
}

/* One that is neither a text without escapes nor a number as most are. */
static G_GNUC_NO_INLINE Passed
pass_odd_value (TtJson *self, const guint8 *at, guint n_around)
{
  Passed passed = { .end = NULL };

  if (*at <= ' ')
    return passed;
  if (*at == '[')
    passed.end = pass_plain_array (at, MIN (TT_JSON_DEPTH - self->depth - n_around, MAX_PLAIN_DEPTH));
  if (passed.end != NULL)
    return passed;
  if (*at == '-' || g_ascii_isdigit (*at))
    passed.end = tt_scan_number (at);
  if (passed.end != NULL)
    return passed;
  passed.end = walk_value (self, at, n_around);
  passed.has_escapes = *at == '"' && self->has_escapes;
  return passed;
}

/* Where the values of a record go, as long as it is passed. */
typedef struct
{
  TtJson *json;
  TtJsonValue *outside, *own;
  guint n_outside;
  guint32 seen;
  guint64 base; /* what a place of the buffer has its offset from */
} Fields;

static inline TtJsonValue *
place_field (Fields *fields, guint key_class, guint n_digits)
{
  fields->seen |= 1u << key_class;
  fields->json->fields.n_digits[key_class] = (guint8) n_digits;
  return key_class - 1 < fields->n_outside ? &fields->outside[key_class - 1] : &fields->own[key_class];
}

static inline void
set_value (TtJsonValue *value, TtJsonKind kind, const guint8 *at, gsize len, guint64 offset)
{
  value->kind = kind;
  value->has_escapes = FALSE;
  value->raw.bytes = (const char *) at;
  value->raw.len = len;
  value->offset = offset;
}

static inline guint64
offset_of (const Fields *fields, const guint8 *at)
{
  return fields->base + (guint64) (guintptr) at;
}

static G_GNUC_NO_INLINE const guint8 *
pass_odd_field (Fields *fields, guint key_class, const guint8 *at)
{
  const Passed passed = pass_odd_value (fields->json, at, 1);

  if (passed.end != NULL)
    tt_json_cut_out (place_field (fields, key_class, 0), at, passed.end, passed.has_escapes, offset_of (fields, at));
  return passed.end;
}

/* The value at @at of a member; behind it, or NULL as walk_value(). */
static inline const guint8 *
pass_field (Fields *fields, guint key_class, const guint8 *at)
{
  const guint8 *end;
  guint n_digits;

  if (*at == '"')
    {
      end = tt_scan_text (at + 1);
      if (G_UNLIKELY (*end != '"'))
        return pass_odd_field (fields, key_class, at);
      set_value (place_field (fields, key_class, 0), TT_JSON_STRING, at + 1, (gsize) (end - at) - 1,
                 offset_of (fields, at));
      return end + 1;
    }
  end = tt_scan_plain_number (at, &n_digits);
  if (G_UNLIKELY (end == NULL))
    return pass_odd_field (fields, key_class, at);
  set_value (place_field (fields, key_class, n_digits), TT_JSON_NUMBER, at, (gsize) (end - at), offset_of (fields, at));
  return end;
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
is_piece (const TtJsonPiece *piece, const guint8 *at)
{
#ifdef __SSE2__
  __m128i x = _mm_loadu_si128 ((const __m128i *) at), y = _mm_loadu_si128 ((const __m128i *) piece->bytes);

  return ((guint) _mm_movemask_epi8 (_mm_cmpeq_epi8 (x, y)) & piece->begin) == piece->begin &&
         (piece->len <= 16 || tt_scan_is_same (at + 16, piece->bytes + 16, piece->len - 16u));
#else
  return memcmp (at, piece->bytes, piece->len) == 0;
#endif
}

static inline const TtJsonPiece *
find_piece (const TtJsonPiece *before, const guint8 *at)
{
  const TtJsonPiece *piece = before->child;

  while (piece != NULL && !is_piece (piece, at))
    piece = piece->next;
  return piece;
}

/* Where a member of the record lies. */
typedef struct
{
  const guint8 *key, *key_end, *value, *end;
  guint8 key_class;
} Member;

/* For who asks for members by their order. */
static void
note_place (TtJson *self, const Member *member, gboolean has_escapes)
{
  TtJsonPlace *place = &self->places[self->n_places++];
  const guint8 *record = self->bytes + self->record_at;

  place->key_at = (guint32) (member->key - record);
  place->key_end = (guint32) (member->key_end - record);
  place->key_has_escapes = FALSE;
  place->key_class = member->key_class;
  place->value_at = (guint32) (member->value - record);
  place->value_end = (guint32) (member->end - record);
  place->value_has_escapes = has_escapes;
}

/* The inner object, which begins and ends in pieces. */
typedef struct
{
  const TtJsonPiece *opening;
  const guint8 *at;     /* that piece */
  const guint8 *object; /* its bracket */
} Opened;

static inline void
note_inner (TtJson *self, const TtJsonPiece *piece, const guint8 *at, const guint8 *object, const Passed *passed)
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
begin_object (TtJson *self, const TtJsonPiece *piece, const guint8 *at, Opened *opened)
{
  *opened = (Opened){ piece, at, at + piece->object_at };
  self->inner_at = (guint32) (opened->object - (self->bytes + self->record_at));
  self->has_inner = TRUE;
  self->is_inner_lost = FALSE;
}

static void
end_object (TtJson *self, const Opened *opened, const guint8 *end, Fields *fields)
{
  const TtJsonPiece *piece = opened->opening;
  const Member member = { opened->at + piece->object_key_at, opened->at + piece->object_key_end, opened->object, end,
                          piece->object_class };

  self->is_inner_lost |= end - opened->object > G_MAXUINT16;
  if (!self->has_fields)
    {
      note_place (self, &member, FALSE);
      return;
    }
  tt_json_cut_out (place_field (fields, piece->object_class, 0), opened->object, end, FALSE,
                   offset_of (fields, opened->object));
}

/* Notes the members of the record at @start; behind it, or NULL: it is of no known shape. */
static inline __attribute__ ((always_inline)) const guint8 *
pass_members (TtJson *self, const guint8 *start, gboolean has_fields, Fields *fields)
{
  const TtJsonPiece *piece = self->shapes->pieces;
  const guint8 *at = start;
  Opened opened = { NULL, NULL, NULL };

  for (;;)
    {
      piece = find_piece (piece, at);
      if (G_UNLIKELY (piece == NULL))
        return NULL;

      const guint8 *value = at + piece->len;
      if (piece->is != 0)
        {
          if (piece->is & TT_PIECE_CLOSES)
            end_object (self, &opened, at + piece->close_end, fields);
          if (piece->is & TT_PIECE_END)
            return value;
          if (piece->is & TT_PIECE_OPENS)
            begin_object (self, piece, at, &opened);
          if (piece->is & TT_PIECE_INNER)
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
        at = pass_field (fields, piece->key_class, value);
      else
        {
          const Passed passed = pass_value (self, value, 1);

          const Member member = { at + piece->key_at, at + piece->key_end, value, passed.end, piece->key_class };

          if (passed.end != NULL)
            note_place (self, &member, passed.has_escapes);
          at = passed.end;
        }
      if (G_UNLIKELY (at == NULL))
        return NULL;
    }
}

static const guint8 *
pass_record (TtJson *self, const guint8 *start)
{
  if (!self->has_fields)
    return pass_members (self, start, FALSE, NULL);

  Fields fields = { .json = self,
                    .outside = self->outside,
                    .n_outside = self->n_outside,
                    .own = self->fields.values,
                    .base = tt_json_offset_of (self, 0) - (guint64) (guintptr) self->bytes };
  const guint8 *end = pass_members (self, start, TRUE, &fields);
  self->fields.seen = fields.seen;
  return end;
}

static inline gboolean
is_worth_trying (TtJsonShapes *shapes)
{
  return shapes != NULL && (G_LIKELY (shapes->doubt < TT_JSON_MAX_DOUBT) || ++shapes->n_left_out % TRY_EVERY == 0);
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
      shapes->doubt = MIN (shapes->doubt + 1, TT_JSON_MAX_DOUBT);
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
