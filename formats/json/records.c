/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/json/scanner-private.h"

#include <string.h>

/* Notes what stands between two records. */
static inline void
note_gap (TtJson *self, const TtJsonStep *step)
{
  gsize len = step->at - step->from;

  if (self->bytes[step->at] != '{')
    return;
  self->gap_len = 0;
  if (!step->has_from || len > TT_JSON_GAP)
    return;
  self->gap_len = len;
  memcpy (self->gap, self->bytes + step->from, TT_JSON_GAP);
}

/* -- records that look alike ---------------------------------------------------------------------------- */

/*
 * Most records have the members of the one before, in the same order and with the same bytes between the values. Such a
 * record needs no walk: the bytes between are compared, the values passed over. Anything else is walked.
 */

#define LEARN_EVERY 8u

static gboolean
is_simple_value (guint8 byte)
{
  return byte == '"' || byte == '-' || g_ascii_isdigit (byte);
}

/* The piece from @from to @to; FALSE: there is no room. */
static gboolean
learn_piece (TtJson *self, const guint8 *from, const guint8 *to, guint *used)
{
  gsize len = (gsize) (to - from);

  if (len > TT_JSON_LONGEST_PIECE || *used + len > TT_JSON_PATTERN)
    return FALSE;
  memcpy (self->pattern + *used, from, len);
  self->pieces[self->n_pieces].at = (guint16) *used;
  self->pieces[self->n_pieces].len = (guint16) len;
  *used += (guint) len;
  return TRUE;
}

/* @record was walked and needed no mending. */
static void
learn (TtJson *self, const guint8 *record)
{
  guint n = self->n_places, used = 0;
  gsize end = 0;

  self->n_pieces = 0;
  if (n == 0 || n == TT_JSON_INDEXED)
    return;
  for (guint i = n; i-- > 0;)
    if (!is_simple_value (record[self->places[i].value_at]) || self->places[i].key_has_escapes)
      return;
  for (; self->n_pieces < n; self->n_pieces++)
    {
      const TtJsonPlace *place = &self->places[self->n_pieces];
      TtJsonPiece *piece = &self->pieces[self->n_pieces];

      if (!learn_piece (self, record + end, record + place->value_at, &used))
        break;
      piece->key_at = (guint16) (place->key_at - end);
      piece->key_end = (guint16) (place->key_end - end);
      piece->is_string = record[place->value_at] == '"';
      end = place->value_end;
    }
  if (self->n_pieces < n || !learn_piece (self, record + end, record + self->record_len, &used))
    self->n_pieces = 0;
  else
    self->n_pieces++;
}

/* Behind the number at @at; NULL: it is none, or an odd one. */
static const guint8 *
pass_number (const guint8 *at)
{
  const guint8 *digits;

  at += *at == '-';
  digits = at;
  while (g_ascii_isdigit (*at))
    at++;
  if (at == digits || (*digits == '0' && at - digits > 1))
    return NULL;
  if (*at != '.')
    return at;
  digits = ++at;
  while (g_ascii_isdigit (*at))
    at++;
  return at == digits ? NULL : at;
}

static const guint8 *
pass_text (const guint8 *at)
{
  if (*at != '"')
    return NULL;
  at = tt_scan_text (at + 1);
  return *at == '"' ? at + 1 : NULL;
}

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

/* The record at self->at, if it looks like those before. */
static gboolean
record_alike (TtJson *self, TtJsonValue *record)
{
  const guint8 *start = self->bytes + self->at, *at = start;
  guint n = self->n_pieces - 1;

  for (guint i = 0; i <= n; i++)
    {
      const TtJsonPiece *piece = &self->pieces[i];
      TtJsonPlace *place = &self->places[i];
      const guint8 *value;

      if (!is_alike (at, self->pattern + piece->at, piece->len))
        return FALSE;
      value = at + piece->len;
      if (i == n)
        {
          at = value;
          break;
        }
      place->key_at = (guint32) (at + piece->key_at - start);
      place->key_end = (guint32) (at + piece->key_end - start);
      place->value_at = (guint32) (value - start);
      place->key_has_escapes = place->value_has_escapes = FALSE;
      at = piece->is_string ? pass_text (value) : pass_number (value);
      if (at == NULL)
        return FALSE;
      place->value_end = (guint32) (at - start);
    }
  self->record_at = self->at;
  self->record_len = (gsize) (at - start);
  self->n_places = n;
  self->next_place = 0;
  self->has_inner = FALSE;
  self->cursor = NULL;
  self->at += self->record_len;
  self->state = TT_STATE_NEXT;
  tt_json_cut_out (record, start, at, FALSE, tt_json_offset_of (self, self->record_at));
  return TRUE;
}

/* As tt_json_whole(). */
static TtWhole
whole_record (TtJson *self, TtJsonValue *record, gsize *fault_at, GError **error)
{
  gboolean is_object = self->bytes[self->at] == '{';
  guint64 mended;

  if (is_object && self->n_pieces > 0 && record_alike (self, record))
    return TT_WHOLE_DONE;
  mended = tt_repairs_total (self->repairs);

  TtWhole whole = tt_json_whole (self, is_object, record, fault_at, error);
  if (whole == TT_WHOLE_DONE && is_object && self->n_unlike++ % LEARN_EVERY == 0)
    {
      self->n_pieces = 0;
      if (tt_repairs_total (self->repairs) == mended)
        learn (self, self->bytes + self->record_at);
    }
  if (whole == TT_WHOLE_DONE && is_object)
    tt_json_note_head (self);
  return whole;
}

/* To where the next record begins. FALSE: the array is over, or *error. */
static gboolean
step_to_record (TtJson *self, TtJsonStep *step, GError **error)
{
  g_autoptr (GError) fault = NULL;

  if (tt_json_step (self, step, &fault))
    return TRUE;
  if (fault != NULL && self->outcome == TT_WALK_FAULT && self->n_heads > 0)
    {
      g_clear_error (&fault);
      if (!tt_json_pass_damage (self, self->at, error))
        return FALSE;
      *step = (TtJsonStep){ .at = self->at };
      return self->state == TT_STATE_VALUE || tt_json_step (self, step, error);
    }
  if (fault != NULL)
    g_propagate_error (error, g_steal_pointer (&fault));
  return FALSE;
}

gboolean
tt_json_next_record (TtJson *self, TtJsonValue *record, GError **error)
{
  gboolean is_behind_record = self->state == TT_STATE_NEXT;
  TtJsonStep step;
  gsize fault_at;

  g_return_val_if_fail (self->depth > 0 && !tt_json_in_object (self), FALSE);
  self->records_depth = self->depth;
  if (!step_to_record (self, &step, error))
    return FALSE;
  if (is_behind_record)
    note_gap (self, &step);
  for (;;)
    switch (whole_record (self, record, &fault_at, error))
      {
      case TT_WHOLE_DONE:
        return TRUE;
      case TT_WHOLE_NOTHING:
        return tt_json_step (self, &step, error);
      case TT_WHOLE_FAULT:
        if (!tt_json_pass_damage (self, fault_at, error))
          return FALSE;
        if (self->state == TT_STATE_NEXT && !step_to_record (self, &step, error))
          return FALSE;
        break;
      case TT_WHOLE_ERROR:
      default:
        return FALSE;
      }
}

/* -- members -------------------------------------------------------------------------------------- */

gboolean
tt_json_next_key_of_record (TtJson *self, TtSlice *key, gboolean *has_escapes)
{
  const guint8 *record = self->bytes + self->record_at;
  TtJsonValue found;

  if (G_LIKELY (self->next_place < self->n_places))
    {
      const TtJsonPlace *place = &self->places[self->next_place++];

      key->bytes = (const char *) record + place->key_at + 1;
      key->len = place->key_end - place->key_at - 2;
      *has_escapes = place->key_has_escapes;
      self->cursor = (const char *) record + place->value_end;
      return TRUE;
    }
  if (self->n_places < TT_JSON_INDEXED)
    return FALSE;

  TtSlice slice = { (const char *) record, self->record_len };
  if (!tt_json_member (slice, &self->cursor, &found, &self->unindexed))
    return FALSE;
  self->next_place = TT_JSON_INDEXED + 1;
  self->unindexed.offset += tt_json_offset_of (self, self->record_at);
  *key = found.raw;
  *has_escapes = found.has_escapes;
  return TRUE;
}

void
tt_json_value_of_record (const TtJson *self, TtJsonValue *value)
{
  const guint8 *record = self->bytes + self->record_at;

  if (G_LIKELY (self->next_place <= self->n_places))
    {
      const TtJsonPlace *place = &self->places[self->next_place - 1];

      tt_json_cut_out (value, record + place->value_at, record + place->value_end, place->value_has_escapes,
                       tt_json_offset_of (self, self->record_at) + place->value_at);
    }
  else
    *value = self->unindexed;
}

gboolean
tt_json_next_member (TtJson *self, TtJsonValue *key, TtJsonValue *value)
{
  const guint8 *record = self->bytes + self->record_at;
  guint64 offset = tt_json_offset_of (self, self->record_at);

  if (self->next_place < self->n_places)
    {
      const TtJsonPlace *place = &self->places[self->next_place++];

      tt_json_cut_out (key, record + place->key_at, record + place->key_end, place->key_has_escapes,
                       offset + place->key_at);
      tt_json_cut_out (value, record + place->value_at, record + place->value_end, place->value_has_escapes,
                       offset + place->value_at);
      self->cursor = (const char *) record + place->value_end;
      return TRUE;
    }
  if (self->n_places < TT_JSON_INDEXED)
    return FALSE;

  TtSlice slice = { (const char *) record, self->record_len };
  if (!tt_json_member (slice, &self->cursor, key, value))
    return FALSE;
  key->offset += offset;
  value->offset += offset;
  return TRUE;
}

void
tt_json_index_member (TtJson *self, const char *key)
{
  self->inner_key = key;
  self->inner_key_len = strlen (key);
}

const TtJsonMemberPlace *
tt_json_indexed (const TtJson *self, TtSlice object, guint *n)
{
  const char *inner = (const char *) self->bytes + self->record_at + self->inner_at;

  *n = self->n_inner;
  return self->has_inner && !self->is_inner_lost && object.bytes == inner ? self->inner : NULL;
}

void
tt_json_value_at (TtSlice object, const TtJsonMemberPlace *place, TtJsonValue *value)
{
  const guint8 *at = (const guint8 *) object.bytes + place->value_at;

  tt_json_cut_out (value, at, at + place->value_len, FALSE, place->value_at);
}
