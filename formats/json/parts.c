/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/json/scanner-private.h"

#include <string.h>

G_STATIC_ASSERT (TT_JSON_PART_PADDING == TT_SCAN_PADDING);

/* -- cutting -------------------------------------------------------------------------------------- */

gboolean
tt_json_is_between_records (const TtJson *self)
{
  return self->state == TT_STATE_NEXT && self->depth == self->records_depth && self->gap_len > 0 && self->is_gap_good &&
         self->n_heads > 0 && !self->has_pending && !self->is_whole && self->failed == NULL;
}

/* The last place among @len bytes where a record ends and another begins as others did; 0: there is none. */
static gsize
find_cut (const TtJson *self, const guint8 *bytes, gsize len)
{
  const guint8 *end = bytes + len, *brace = end;

  while (brace > bytes && (brace = memrchr (bytes, '}', (gsize) (brace - bytes))) != NULL)
    {
      const guint8 *gap = brace + 1;

      if ((gsize) (end - gap) > self->gap_len && memcmp (gap, self->gap, self->gap_len) == 0 &&
          tt_json_begins_as_known (self, gap + self->gap_len, end))
        return (gsize) (gap - bytes);
    }
  return 0;
}

/* Until there are @most bytes, or all. */
static void
read_part (TtJson *self, TtJsonPart *part, gsize most)
{
  while (part->len < most && !self->is_whole && self->failed == NULL)
    {
      gsize room = most - part->len;
      gssize n = tt_input_read (self->input, part->bytes + part->len, room, &self->failed);

      self->is_whole = n >= 0 && (gsize) n < room;
      part->len += (gsize) MAX (n, 0);
    }
}

gboolean
tt_json_cut (TtJson *self, gsize most, TtJsonPart *part)
{
  gsize n_held = MIN (self->filled - self->at, most), cut;

  g_return_val_if_fail (tt_json_is_between_records (self), FALSE);
  part->offset = tt_json_offset_of (self, self->at);
  part->len = n_held;
  memcpy (part->bytes, self->bytes + self->at, n_held);
  self->at += n_held;
  if (n_held < most)
    read_part (self, part, most);
  self->base += part->len - n_held;
  cut = self->is_whole || self->failed != NULL ? 0 : find_cut (self, part->bytes, part->len);
  tt_json_put_back (self, (TtSlice){ (const char *) part->bytes + cut, part->len - cut });
  part->len = cut;
  memset (part->bytes + cut, 0, TT_SCAN_PADDING);
  return cut > 0;
}

/* -- reading a part ------------------------------------------------------------------------------- */

TtJson *
tt_json_new_for_parts (const TtJson *whole, TtRepairs *repairs)
{
  TtJson *self = g_new0 (TtJson, 1);

  self->whole = whole;
  self->input = whole->input;
  self->repairs = repairs;
  self->classify = whole->classify;
  self->inner_key = whole->inner_key;
  self->inner_key_len = whole->inner_key_len;
  self->most = G_MAXSIZE;
  return self;
}

/* What the scanner of the whole knows of the records before. */
static void
take_place (TtJson *self)
{
  const TtJson *whole = self->whole;

  self->state = TT_STATE_NEXT;
  self->depth = self->records_depth = whole->depth;
  memcpy (self->is_object, whole->is_object, sizeof self->is_object);
  memcpy (self->gap, whole->gap, sizeof self->gap);
  self->gap_len = whole->gap_len;
  self->is_gap_good = whole->is_gap_good;
  memcpy (self->heads, whole->heads, sizeof self->heads);
  self->n_heads = whole->n_heads;
}

void
tt_json_begin_part (TtJson *self, const TtJsonPart *part)
{
  take_place (self);
  tt_json_forget (self);
  *self->repairs = (TtRepairs){ 0 };
  self->bytes = part->bytes;
  self->size = self->filled = part->len;
  self->at = 0;
  self->base = part->offset;
  self->index_depth = self->inner_depth = G_MAXUINT;
  self->unlike_at = G_MAXSIZE;
  self->damaged_bytes = 0;
}

static gboolean
knows_the_same (const TtJson *self)
{
  return self->n_heads == self->whole->n_heads && self->gap_len == self->whole->gap_len &&
         memcmp (self->gap, self->whole->gap, self->gap_len) == 0;
}

gboolean
tt_json_next_in_part (TtJson *self, TtJsonValue *record)
{
  g_autoptr (GError) unlike = NULL;

  if (G_LIKELY (tt_json_next_alike (self, record)))
    return TRUE;
  return !tt_json_is_part_done (self) && tt_json_next_record (self, record, &unlike) &&
         record->kind == TT_JSON_OBJECT && tt_repairs_total (self->repairs) == 0 && knows_the_same (self);
}

gboolean
tt_json_is_part_done (const TtJson *self)
{
  return self->at == self->filled && self->state == TT_STATE_NEXT && self->depth == self->records_depth;
}
