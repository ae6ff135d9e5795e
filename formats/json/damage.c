/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/json/scanner-private.h"

#include <string.h>

/*
 * A record that is no JSON is passed over if there is no doubt where the next one begins: where a closing brace, the
 * same bytes as between the two records before, an opening brace and the first key of a good record (or of this one)
 * stand. Damage may also have closed the array of the records, or the object around it, too early: they are found again
 * in the same way. How much may be damaged is bounded, since what was walked up to the fault may be walked again.
 */

#define MAX_DAMAGE_BYTES ((gsize) 64 << 20)
/* At the end of the contents, without a record. */
#define MAX_TAIL_BYTES ((guint64) 64 << 10)
/* Of what is looked at after a closing brace. */
#define MAX_AHEAD ((gsize) 512)

/* -- how records begin ---------------------------------------------------------------------------- */

/* FALSE: it does not begin as a record does. */
static gboolean
read_head (const guint8 *record, TtJsonHead *head)
{
  const guint8 *key = tt_scan_space (record + 1), *end;

  if (*record != '{' || *key != '"')
    return FALSE;
  end = tt_scan_text (key + 1);
  if (*end != '"' || end - record >= (gssize) TT_JSON_LONGEST_HEAD)
    return FALSE;
  head->len = (guint) (end + 1 - record);
  memcpy (head->bytes, record, head->len);
  return TRUE;
}

static gboolean
is_head (const TtJsonHead *head, const guint8 *at, const guint8 *end)
{
  return end - at >= (gssize) head->len && memcmp (head->bytes, at, head->len) == 0;
}

void
tt_json_note_head (TtJson *self)
{
  TtJsonHead *head = &self->heads[MIN (self->n_heads, TT_JSON_HEADS - 1)];
  const guint8 *record = self->bytes + self->record_at, *end = record + self->record_len;

  for (guint i = 0; i < self->n_heads; i++)
    if (is_head (&self->heads[i], record, end))
      return;
  if (self->n_heads < TT_JSON_HEADS && read_head (record, head))
    self->n_heads++;
}

/* -- where the next one is ------------------------------------------------------------------------ */

typedef enum
{
  FOUND_NOTHING,
  FOUND_RECORD, /* at its opening brace */
  FOUND_END,    /* at the bracket that closes the array */
  FOUND_MAYBE,  /* a record that stands otherwise than those before */
} Found;

gboolean
tt_json_begins_as_known (const TtJson *self, const guint8 *at, const guint8 *end)
{
  for (guint i = 0; i < self->n_heads; i++)
    if (is_head (&self->heads[i], at, end))
      return TRUE;
  return FALSE;
}

static gboolean
begins_as_known (const TtJson *self, const TtJsonHead *own, const guint8 *at, const guint8 *end)
{
  return tt_json_begins_as_known (self, at, end) || (own->len > 0 && is_head (own, at, end));
}

/* Whether the array that the bracket before @at closes is one of records among others: the object around it ends, or has
 * another array. */
static gboolean
is_end_of_section (const guint8 *at)
{
  at = tt_scan_space (at);
  if (*at == '}')
    {
      at = tt_scan_space (at + 1);
      if (*at != ',')
        return TRUE;
      at = tt_scan_space (at + 1);
      return *at != '{' && *at != '[';
    }
  if (*at != ',')
    return FALSE;
  at = tt_scan_space (at + 1);
  if (*at != '"')
    return FALSE;
  at = tt_scan_text (at + 1);
  if (*at != '"')
    return FALSE;
  at = tt_scan_space (at + 1);
  if (*at != ':')
    return FALSE;
  return *tt_scan_space (at + 1) == '[';
}

/* What the closing brace before @at stands before. */
static Found
look_after_brace (const TtJson *self, const TtJsonHead *own, const guint8 *at, const guint8 **hit)
{
  const guint8 *end = self->bytes + self->filled, *next = tt_scan_space (at);

  if (*next == ']' && self->has_sections && is_end_of_section (next + 1))
    {
      *hit = next;
      return FOUND_END;
    }
  if (*next != ',')
    return FOUND_NOTHING;
  next = tt_scan_space (next + 1);
  if (!begins_as_known (self, own, next, end))
    return FOUND_NOTHING;
  *hit = next;
  return self->gap_len == 0 || ((gsize) (next - at) == self->gap_len && memcmp (at, self->gap, self->gap_len) == 0)
             ? FOUND_RECORD
             : FOUND_MAYBE;
}

/* From self->at on; *@is_unsure: a record may be there, nobody knows. FOUND_NOTHING with *error: it cannot be read. */
static Found
find_next (TtJson *self, const TtJsonHead *own, gboolean *is_unsure, GError **error)
{
  for (;;)
    {
      const guint8 *end = self->bytes + self->filled, *at = self->bytes + self->at, *hit = NULL;

      while ((at = memchr (at, '}', (gsize) (end - at))) != NULL && (self->is_whole || end - at > (gssize) MAX_AHEAD))
        {
          Found found = look_after_brace (self, own, at + 1, &hit);
          if (found == FOUND_MAYBE)
            *is_unsure = TRUE;
          else if (found != FOUND_NOTHING)
            {
              self->at = (gsize) (hit - self->bytes);
              return found;
            }
          at++;
        }
      self->at = at == NULL ? self->filled : (gsize) (at - self->bytes);
      if (self->is_whole)
        return FOUND_NOTHING;
      if (!tt_json_more (self, error))
        return FOUND_NOTHING;
    }
}

/* -- passing over it ------------------------------------------------------------------------------ */

static void
count_damage (TtJson *self, guint64 offset)
{
  tt_json_forget (self);
  tt_repairs_add (self->repairs, TT_REPAIR_JSON_DAMAGED, offset);
}

gboolean
tt_json_pass_damage (TtJson *self, gsize fault_at, GError **error)
{
  g_autoptr (GError) fault = NULL, failed = NULL;
  guint64 offset = tt_json_offset_of (self, self->at);
  gsize begun_at = self->at;
  TtJsonHead own = { .len = 0 };
  gboolean is_unsure = FALSE, is_in_array = self->depth == self->records_depth;

  self->at = fault_at;
  tt_json_fail (self, &fault);
  self->at = begun_at;
  if (!read_head (self->bytes + begun_at, &own))
    own.len = 0;
  if ((own.len > 0 || self->n_heads > 0) && self->damaged_bytes <= MAX_DAMAGE_BYTES && is_in_array)
    {
      Found found = find_next (self, &own, &is_unsure, &failed);

      if (failed != NULL)
        {
          g_propagate_error (error, g_steal_pointer (&failed));
          return FALSE;
        }
      gboolean is_tail = !is_unsure && self->n_heads > 0 && !self->has_sections &&
                         tt_json_offset_of (self, self->filled) - offset <= MAX_TAIL_BYTES;
      if (found != FOUND_NOTHING || is_tail)
        {
          count_damage (self, offset);
          self->damaged_bytes += fault_at - begun_at;
          self->state = found == FOUND_RECORD ? TT_STATE_VALUE : TT_STATE_NEXT;
          return TRUE;
        }
    }
  g_propagate_error (error, g_steal_pointer (&fault));
  return FALSE;
}

void
tt_json_has_sections (TtJson *self)
{
  self->has_sections = TRUE;
}

gboolean
tt_json_find_records (TtJson *self, GError **error)
{
  const TtJsonHead none = { .len = 0 };
  guint64 offset = tt_json_offset_of (self, self->at);
  gboolean is_unsure = FALSE;

  if (self->records_depth == 0 || self->n_heads == 0 || find_next (self, &none, &is_unsure, error) != FOUND_RECORD)
    return FALSE;
  count_damage (self, offset);
  self->depth = self->records_depth - 1;
  tt_json_open (self, FALSE);
  self->state = TT_STATE_ITEM;
  return TRUE;
}

gboolean
tt_json_is_damaged_end (TtJson *self, GError **error)
{
  if (self->depth > 0 || self->state != TT_STATE_NEXT || self->n_heads == 0)
    return FALSE;
  for (;;)
    {
      const guint8 *at = tt_scan_space (self->bytes + self->at);

      self->at = (gsize) (at - self->bytes);
      if (self->at < self->filled)
        return *at == ',' || *at == '"' || *at == ':' || *at == '}' || *at == ']';
      if (self->is_whole || !tt_json_more (self, error))
        return FALSE;
    }
}

gboolean
tt_json_find_array (TtJson *self, const char *key, GError **error)
{
  g_autofree char *text = g_strdup_printf ("\"%s\"", key);
  const gsize len = strlen (text);
  guint64 offset = tt_json_offset_of (self, self->at);

  for (;;)
    {
      const guint8 *end = self->bytes + self->filled, *at = self->bytes + self->at;

      while ((at = memmem (at, (gsize) (end - at), text, len)) != NULL &&
             (self->is_whole || end - at > (gssize) MAX_AHEAD))
        {
          const guint8 *colon = tt_scan_space (at + len), *value = tt_scan_space (colon + 1);

          if (*colon == ':' && *value == '[')
            {
              count_damage (self, offset);
              self->at = (gsize) (value - self->bytes);
              self->state = TT_STATE_VALUE;
              return TRUE;
            }
          at++;
        }
      if (self->is_whole)
        return FALSE;
      self->at = at != NULL ? (gsize) (at - self->bytes) : self->filled - MIN (self->filled - self->at, len - 1);
      if (!tt_json_more (self, error))
        return FALSE;
    }
}
