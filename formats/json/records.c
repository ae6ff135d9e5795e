/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/json/scanner-private.h"

#include <string.h>

/* Whether it is a comma with white space around it, so that nothing is to be mended. */
static gboolean
is_good_gap (const guint8 *gap, gsize len)
{
  guint n_commas = 0;

  for (gsize i = 0; i < len; i++)
    if (gap[i] == ',')
      n_commas++;
    else if (!tt_is_json_space (gap[i]))
      return FALSE;
  return n_commas == 1;
}

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
  self->is_gap_good = is_good_gap (self->gap, len);
}

/* As tt_json_whole(). */
static TtWhole
whole_record (TtJson *self, TtJsonValue *record, gsize *fault_at, GError **error)
{
  gboolean is_object = self->bytes[self->at] == '{';
  guint64 mended;

  if (is_object && tt_json_record_alike (self, record))
    return TT_WHOLE_DONE;
  mended = tt_repairs_total (self->repairs);

  TtWhole whole = tt_json_whole (self, is_object, record, fault_at, error);
  if (whole == TT_WHOLE_DONE && is_object && tt_repairs_total (self->repairs) == mended)
    tt_json_learn_shape (self);
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

void
tt_json_classify_keys (TtJson *self, TtJsonClassify classify)
{
  self->classify = classify;
}

static guint8
class_of_key (const TtJson *self, TtSlice raw, gboolean has_escapes)
{
  const TtJsonValue key = { .kind = TT_JSON_STRING, .has_escapes = has_escapes, .raw = raw };
  g_autofree char *plain = G_UNLIKELY (has_escapes) ? tt_json_text (&key) : NULL;

  return tt_json_key_class (self, plain != NULL ? (TtSlice){ plain, strlen (plain) } : raw);
}

static guint8
class_of_place (const TtJson *self, const TtJsonPlace *place)
{
  const char *key = (const char *) self->bytes + self->record_at + place->key_at + 1;

  return class_of_key (self, (TtSlice){ key, place->key_end - place->key_at - 2 }, place->key_has_escapes);
}

/* Members that have no place. */
static void
fill_without_place (TtJson *self)
{
  TtJsonValue key, value;

  self->next_place = self->n_places;
  self->cursor = (const char *) self->bytes + self->record_at + self->places[self->n_places - 1].value_end;
  while (tt_json_next_member (self, &key, &value))
    {
      guint8 key_class = class_of_key (self, key.raw, key.has_escapes);

      if (key_class == 0)
        continue;
      *tt_json_field (self, key_class) = value;
      self->fields.n_digits[key_class] = 0;
      self->fields.seen |= 1u << key_class;
    }
}

static void
fill_fields (TtJson *self)
{
  const guint8 *record = self->bytes + self->record_at;
  guint64 offset = tt_json_offset_of (self, self->record_at);

  for (guint i = 0; i < self->n_places; i++)
    {
      const TtJsonPlace *place = &self->places[i];
      guint key_class = place->key_class;

      if (key_class == TT_JSON_NO_CLASS)
        key_class = class_of_place (self, place);
      if (key_class == 0)
        continue;
      self->fields.seen |= 1u << key_class;
      self->fields.n_digits[key_class] = 0;
      tt_json_cut_out (tt_json_field (self, key_class), record + place->value_at, record + place->value_end,
                       place->value_has_escapes, offset + place->value_at);
    }
  if (G_UNLIKELY (self->n_places == TT_JSON_INDEXED))
    fill_without_place (self);
}

const TtJsonFields *
tt_json_fields (TtJson *self)
{
  if (!self->has_fields)
    {
      self->fields.seen = 0;
      fill_fields (self);
      if (self->outside_held != NULL)
        *self->outside_held |= self->fields.seen;
    }
  return &self->fields;
}

void
tt_json_put_fields (TtJson *self, TtJsonValue *values, guint n, guint32 *held)
{
  self->outside = values;
  self->n_outside = n;
  self->outside_held = held;
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
  if (self->n_places < TT_JSON_INDEXED && !self->has_fields)
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
