#include "config.h"

#include "formats/json/scanner-private.h"

#include <string.h>

#include "src/error.h"

#define MAX_DAMAGE_BYTES ((gsize) 64 << 20)

/* -- damage --------------------------------------------------------------------------------------- */

/*
 * A record that is no JSON is passed over if there is no doubt where the next one begins: where a closing brace, the
 * same bytes as between the two records before, an opening brace and the same first key stand. How
 * much may be damaged is bounded, since what was walked up to the fault may be walked again.
 */
static GByteArray *
next_beginning (const TtJson *self)
{
  const guint8 *record = self->bytes + self->at, *key = tt_scan_space (record + 1), *end;
  g_autoptr (GByteArray) beginning = NULL;

  if (self->gap_len == 0 || self->damaged_bytes > MAX_DAMAGE_BYTES || *record != '{' || *key != '"')
    return NULL;
  end = tt_scan_text (key + 1);
  if (*end != '"' || end - record > 256)
    return NULL;
  beginning = g_byte_array_new ();
  g_byte_array_append (beginning, (const guint8 *) "}", 1);
  g_byte_array_append (beginning, self->gap, (guint) self->gap_len);
  g_byte_array_append (beginning, record, (guint) (end + 1 - record));
  return g_steal_pointer (&beginning);
}

static gboolean
pass_damage (TtJson *self, gsize fault_at, GError **error)
{
  g_autoptr (GByteArray) beginning = next_beginning (self);
  g_autoptr (GError) fault = NULL;
  guint64 offset = tt_json_offset_of (self, self->at);
  gsize record_at = self->at;

  self->at = fault_at;
  tt_json_fail (self, &fault);
  self->at = record_at + 1;
  while (beginning != NULL)
    {
      gsize len = self->filled - self->at;
      const guint8 *hit = memmem (self->bytes + self->at, len, beginning->data, beginning->len);

      if (hit != NULL)
        {
          tt_json_forget (self);
          tt_repairs_add (self->repairs, TT_REPAIR_JSON_DAMAGED, offset);
          self->damaged_bytes += fault_at - record_at;
          self->at = (gsize) (hit - self->bytes) + 1 + self->gap_len;
          self->state = TT_STATE_VALUE;
          return TRUE;
        }
      if (self->is_whole)
        break;
      if (len >= beginning->len)
        self->at += len - beginning->len + 1;
      if (!tt_json_more (self, error))
        return FALSE;
    }
  g_propagate_error (error, g_steal_pointer (&fault));
  return FALSE;
}

/* Notes what stands between two records. */
static inline void
note_gap (TtJson *self, const TtJsonStep *step)
{
  gsize len = step->at - step->from;

  self->gap_len = 0;
  if (!step->has_from || len > TT_JSON_GAP)
    return;
  self->gap_len = len;
  memcpy (self->gap, self->bytes + step->from, TT_JSON_GAP);
}

gboolean
tt_json_next_record (TtJson *self, TtJsonValue *record, GError **error)
{
  gboolean is_behind_record = self->state == TT_STATE_NEXT;
  TtJsonStep step;
  gsize fault_at;

  g_return_val_if_fail (self->depth > 0 && !tt_json_in_object (self), FALSE);
  if (!tt_json_step (self, &step, error))
    return FALSE;
  if (is_behind_record)
    note_gap (self, &step);
  for (;;)
    switch (tt_json_whole (self, self->bytes[self->at] == '{', record, &fault_at, error))
      {
      case TT_WHOLE_DONE:
        return TRUE;
      case TT_WHOLE_NOTHING:
        return tt_json_step (self, &step, error);
      case TT_WHOLE_FAULT:
        if (!pass_damage (self, fault_at, error))
          return FALSE;
        break;
      case TT_WHOLE_ERROR:
      default:
        return FALSE;
      }
}

/* -- members -------------------------------------------------------------------------------------- */

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
