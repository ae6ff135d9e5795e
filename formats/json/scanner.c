/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/json/scanner-private.h"

#include <string.h>

#include "src/base/error.h"

/* -- errors --------------------------------------------------------------------------------------- */

/* self->expected is not at self->at. */
gboolean
tt_json_fail (TtJson *self, GError **error)
{
  guint8 byte = self->bytes[self->at];
  g_autofree char *found = self->at >= self->filled                 ? g_strdup ("the end")
                           : g_ascii_isprint (byte) && byte != '\'' ? g_strdup_printf ("'%c'", byte)
                                                                    : g_strdup_printf ("byte 0x%02x", byte);

  g_set_error (error, TT_ERROR, TT_ERROR_FORMAT, "%s: byte %" G_GUINT64_FORMAT ": expected %s, found %s",
               tt_input_path (self->input), tt_json_offset_of (self, self->at), self->expected, found);
  return FALSE;
}

static gboolean
fail_expecting (TtJson *self, const char *expected, GError **error)
{
  self->expected = expected;
  return tt_json_fail (self, error);
}

/* -- where a value begins ------------------------------------------------------------------------- */

typedef enum
{
  FOUND_ERROR,
  FOUND_END,
  FOUND_VALUE,
} Found;

/* A byte order mark may stand before everything. */
static gboolean
pass_byte_order_mark (TtJson *self, GError **error)
{
  while (self->filled < 3 && !self->is_whole)
    if (!tt_json_more (self, error))
      return FALSE;
  if (self->filled >= 3 && memcmp (self->bytes, "\xef\xbb\xbf", 3) == 0)
    {
      tt_repairs_add (self->repairs, TT_REPAIR_JSON_BYTE_ORDER_MARK, 0);
      self->at = 3;
    }
  return TRUE;
}

static gboolean
is_at_top_end (const TtJson *self)
{
  return self->depth == 0 && self->state == TT_STATE_NEXT;
}

/* self->at on the first byte that is no white space. */
static Found
find_byte (TtJson *self, GError **error)
{
  if (self->base == 0 && self->at == 0 && !pass_byte_order_mark (self, error))
    return FOUND_ERROR;
  for (;;)
    {
      const guint8 *at = tt_scan_space (self->bytes + self->at);

      self->at = (gsize) (at - self->bytes);
      if (!tt_is_odd_space (*at) || (self->at < self->filled && is_at_top_end (self)))
        return FOUND_VALUE;
      if (self->at < self->filled)
        tt_repairs_add (self->repairs, TT_REPAIR_JSON_SPACE, tt_json_offset_of (self, self->at++));
      else if (self->is_whole)
        return FOUND_END;
      else if (!tt_json_more (self, error))
        return FOUND_ERROR;
    }
}

static Found
find_value (TtJson *self, GError **error)
{
  g_return_val_if_fail (self->state == TT_STATE_VALUE || is_at_top_end (self), FOUND_END);

  Found found = find_byte (self, error);
  if (found != FOUND_VALUE || !is_at_top_end (self))
    return found;
  tt_repairs_add (self->repairs, TT_REPAIR_JSON_TRAILING_BYTES, tt_json_offset_of (self, self->at));
  self->filled = self->at;
  self->bytes[self->at] = 0;
  self->is_whole = TRUE;
  return FOUND_END;
}

/* What has no quotes and no brackets is told by all its bytes. */
static TtJsonKind
peek_word (TtJson *self, GError **error)
{
  gsize len = 0;

  for (;;)
    {
      while (self->at + len < self->filled && len <= TT_JSON_LONGEST_WORD &&
             tt_is_bare_byte (self->bytes[self->at + len]))
        len++;
      if (self->at + len < self->filled || len > TT_JSON_LONGEST_WORD || self->is_whole)
        return tt_json_kind_of_word (self->bytes + self->at, len);
      if (!tt_json_more (self, error))
        return TT_JSON_NONE;
    }
}

TtJsonKind
tt_json_peek (TtJson *self, GError **error)
{
  if (find_value (self, error) != FOUND_VALUE)
    return TT_JSON_NONE;

  TtJsonKind kind = tt_json_kind_of (self->bytes[self->at]);
  return kind == TT_JSON_OBJECT || kind == TT_JSON_ARRAY || kind == TT_JSON_STRING ? kind : peek_word (self, error);
}

static gboolean
begin (TtJson *self, gboolean is_object, GError **error)
{
  const char *expected = is_object ? "an object" : "an array";
  Found found = find_value (self, error);

  if (found == FOUND_ERROR)
    return FALSE;
  if (found == FOUND_END || self->bytes[self->at] != (is_object ? '{' : '['))
    return fail_expecting (self, expected, error);
  if (self->depth == TT_JSON_DEPTH)
    return fail_expecting (self, "at most 1024 arrays and objects within each other", error);
  tt_json_open (self, is_object);
  self->at++;
  self->gap_len = 0;
  return TRUE;
}

gboolean
tt_json_begin_object (TtJson *self, GError **error)
{
  return begin (self, TRUE, error);
}

gboolean
tt_json_begin_array (TtJson *self, GError **error)
{
  return begin (self, FALSE, error);
}

/* -- steps ---------------------------------------------------------------------------------------- */

static const guint8 *
step_key (TtJson *self, TtJsonStep *step, const guint8 *at)
{
  if (*at != '"')
    return NULL;
  self->has_escapes = FALSE;

  const guint8 *end = tt_json_walk_text (self, at + 1);
  if (end == NULL)
    return NULL;
  step->has_key = TRUE;
  step->key_at = (gsize) (at - self->bytes);
  step->key_end = (gsize) (end - self->bytes);
  self->at = step->key_at;
  self->state = TT_STATE_COLON;
  return end;
}

static const guint8 *
step_next (TtJson *self, const guint8 *at)
{
  gboolean is_object = tt_json_in_object (self);

  if (*at == ',')
    self->state = is_object ? TT_STATE_KEY : TT_STATE_ITEM;
  else if (*at == (is_object ? '}' : ']'))
    tt_json_close (self);
  else
    return NULL;
  return at + 1;
}

/* In the outermost list. */
static gboolean
last_item_was_object (const TtJson *self)
{
  return (self->is_object[0] >> 1 & 1) != 0;
}

/* "The ']' at the end of the JSON Array is optional" (Trace Event Format, "JSON Array Format"): programs that end as they
 * like, Horovod among them, never write it. Where something within is cut, the end was not meant; nor is a list of other
 * things one of events. */
static gboolean
is_open_list (const TtJson *self, const TtJsonStep *step)
{
  return self->repairs->count[TT_REPAIR_JSON_UNCLOSED] == 0 && self->repairs->count[TT_REPAIR_JSON_CUT] == 0 &&
         self->depth == 1 && last_item_was_object (self) && !step->has_key && self->filled <= step->at &&
         (self->state == TT_STATE_ITEM || self->state == TT_STATE_NEXT) && !tt_json_in_object (self);
}

/* The contents end within the innermost array or object. */
static void
end_container (TtJson *self, const TtJsonStep *step)
{
  guint64 offset = tt_input_offset (self->input);

  if (is_open_list (self, step))
    {
      tt_repairs_add (self->repairs, TT_REPAIR_JSON_OPEN_LIST, offset);
      self->at = self->filled;
      tt_json_close (self);
      return;
    }
  if (step->has_key || self->filled > step->at)
    tt_repairs_add (self->repairs, TT_REPAIR_JSON_CUT,
                    tt_json_offset_of (self, step->has_key ? step->key_at : step->at));
  else if (self->state == TT_STATE_KEY || self->state == TT_STATE_ITEM)
    tt_repairs_add (self->repairs, TT_REPAIR_JSON_COMMA, offset);
  tt_repairs_add (self->repairs, TT_REPAIR_JSON_UNCLOSED, offset);
  self->at = self->filled;
  tt_json_close (self);
}

/* More bytes for a step; FALSE at the end of the contents or on *error. */
static gboolean
step_more (TtJson *self, TtJsonStep *step, GError **error)
{
  tt_json_forget (self);
  step->has_from = step->has_from && !step->has_key && step->at - step->from <= TT_JSON_GAP;
  if (!step->has_key)
    self->at = step->has_from ? step->from : step->at;
  if (self->is_whole)
    {
      end_container (self, step);
      return FALSE;
    }

  gsize dropped = self->at;
  if (!tt_json_more (self, error))
    return FALSE;
  step->at -= dropped;
  step->from = step->has_from ? step->from - dropped : 0;
  step->key_at -= dropped;
  step->key_end -= dropped;
  return TRUE;
}

gboolean
tt_json_step (TtJson *self, TtJsonStep *step, GError **error)
{
  guint depth = self->depth;

  if (self->state == TT_STATE_VALUE && !tt_json_skip (self, error))
    return FALSE;
  *step = (TtJsonStep){ self->at, self->at, 0, 0, TRUE, FALSE };
  while (self->depth == depth)
    {
      const guint8 *at = tt_scan_space (self->bytes + step->at), *next = NULL;

      step->at = (gsize) (at - self->bytes);
      self->outcome = TT_WALK_DONE;
      tt_json_settle (self);
      if (self->state == TT_STATE_FIRST_KEY || self->state == TT_STATE_KEY)
        next = step_key (self, step, at);
      else if (self->state == TT_STATE_NEXT)
        next = step_next (self, at);
      else if (self->state == TT_STATE_COLON && *at == ':')
        {
          self->state = TT_STATE_VALUE;
          next = at + 1;
        }
      else if (!tt_is_odd_space (*at) &&
               (self->state == TT_STATE_VALUE || (self->state != TT_STATE_COLON && *at != ']' && *at != ',')))
        {
          self->state = TT_STATE_VALUE;
          self->at = step->at;
          tt_json_settle (self);
          return TRUE;
        }

      if (next == NULL && self->outcome == TT_WALK_DONE)
        next = tt_json_mend (self, at);
      if (next != NULL)
        step->at = (gsize) (next - self->bytes);
      else if (self->outcome == TT_WALK_FAULT)
        {
          self->at = step->at;
          return tt_json_fail (self, error);
        }
      else if (!step_more (self, step, error))
        return FALSE;
    }
  self->at = step->at;
  tt_json_settle (self);
  return FALSE;
}

gboolean
tt_json_next_key (TtJson *self, TtJsonValue *key, GError **error)
{
  TtJsonStep step;

  g_return_val_if_fail (self->depth > 0 && tt_json_in_object (self), FALSE);
  if (!tt_json_step (self, &step, error))
    return FALSE;
  tt_json_cut_out (key, self->bytes + step.key_at, self->bytes + step.key_end, self->has_escapes,
                   tt_json_offset_of (self, step.key_at));
  return TRUE;
}

gboolean
tt_json_next_item (TtJson *self, GError **error)
{
  TtJsonStep step;

  g_return_val_if_fail (self->depth > 0 && !tt_json_in_object (self), FALSE);
  return tt_json_step (self, &step, error);
}

/* -- whole values --------------------------------------------------------------------------------- */

void
tt_json_start_record (TtJson *self, gboolean is_record)
{
  self->record_at = self->at;
  self->index_depth = is_record ? self->depth + 1 : G_MAXUINT;
  self->record_len = 0;
  self->n_places = self->next_place = 0;
  self->has_fields = FALSE;
  self->fields.seen = 0;
  self->inner_depth = G_MAXUINT;
  self->has_inner = FALSE;
  self->n_inner = 0;
  self->keys_seen = 0;
  self->cursor = NULL;
}

/* A string that the end of the contents cuts: what there is of it, without half an escape. */
static TtJsonValue
cut_string (TtJson *self)
{
  TtJsonValue value = { TT_JSON_STRING,
                        self->has_escapes,
                        { (const char *) self->bytes + self->at + 1, 0 },
                        tt_json_offset_of (self, self->at) };

  value.raw.len = self->text_at - self->at - 1;
  tt_repairs_add (self->repairs, TT_REPAIR_JSON_UNCLOSED, tt_json_offset_of (self, self->filled));
  return value;
}

/* The contents end within the value at self->at, of which @cut_depth arrays and objects were open at the end. TRUE if
 * it could be completed and has to be walked again; else *value holds what there is. */
static gboolean
complete (TtJson *self, gboolean is_record, guint depth, guint cut_depth, TtJsonValue *value)
{
  guint8 first = self->bytes[self->at];

  if (cut_depth > depth && !(is_record && self->good_at == self->at + 1))
    {
      self->depth = cut_depth;
      tt_json_close_at (self, self->good_at, cut_depth - depth);
      self->depth = depth;
      return TRUE;
    }
  if (first == '"')
    *value = cut_string (self);
  else
    {
      *value = (TtJsonValue){
        TT_JSON_NULL, FALSE, { (const char *) self->bytes + self->at, 0 }, tt_json_offset_of (self, self->at)
      };
      tt_repairs_add (self->repairs, TT_REPAIR_JSON_CUT, tt_json_offset_of (self, self->at));
    }
  self->at = self->filled;
  self->state = TT_STATE_NEXT;
  return FALSE;
}

TtWhole
tt_json_whole (TtJson *self, gboolean is_record, TtJsonValue *value, gsize *fault_at, GError **error)
{
  guint depth = self->depth;
  gsize start;

  for (;;)
    {
      tt_json_start_record (self, is_record);
      start = self->at;
      TtWalk walk = tt_json_walk (self, depth);
      if (walk == TT_WALK_DONE)
        break;

      guint cut_depth = self->depth;
      *fault_at = self->at;
      self->at = start;
      self->depth = depth;
      self->state = TT_STATE_VALUE;
      if (walk == TT_WALK_FAULT)
        return TT_WHOLE_FAULT;
      tt_json_forget (self);
      if (!self->is_whole)
        {
          if (self->filled - start > self->most)
            return TT_WHOLE_LONG;
          if (!tt_json_more (self, error))
            return TT_WHOLE_ERROR;
          continue;
        }
      if (!complete (self, is_record, depth, cut_depth, value))
        return value->kind == TT_JSON_STRING ? TT_WHOLE_DONE : TT_WHOLE_NOTHING;
      tt_repairs_add (self->repairs, TT_REPAIR_JSON_CUT, tt_json_offset_of (self, start));
    }
  self->record_len = self->at - start;
  tt_json_cut_out (value, self->bytes + start, self->bytes + self->at, self->has_escapes,
                   tt_json_offset_of (self, start));
  tt_json_settle (self);
  return TT_WHOLE_DONE;
}

gboolean
tt_json_value_at_most (TtJson *self, gsize most, TtJsonValue *value, GError **error)
{
  gsize fault_at;
  Found found = find_value (self, error);

  if (found == FOUND_ERROR)
    return FALSE;
  if (found == FOUND_END)
    return fail_expecting (self, "a value", error);
  self->most = most;
  TtWhole whole = tt_json_whole (self, FALSE, value, &fault_at, error);
  self->most = G_MAXSIZE;
  switch (whole)
    {
    case TT_WHOLE_FAULT:
      self->at = fault_at;
      return tt_json_fail (self, error);
    case TT_WHOLE_ERROR:
      return FALSE;
    case TT_WHOLE_LONG:
      *value = (TtJsonValue){ .kind = tt_json_kind_of (self->bytes[self->at]),
                              .offset = tt_json_offset_of (self, self->at) };
      return tt_json_skip (self, error);
    default:
      if (self->record_len > most)
        value->raw.len = 0;
      return TRUE;
    }
}

gboolean
tt_json_value (TtJson *self, TtJsonValue *value, GError **error)
{
  return tt_json_value_at_most (self, G_MAXSIZE, value, error);
}

/* -- skipping ------------------------------------------------------------------------------------- */

/* On with the string that the buffer cuts, at self->at; the walk goes on after it. */
static gboolean
skip_string (TtJson *self, GError **error)
{
  gboolean is_key = self->state == TT_STATE_FIRST_KEY || self->state == TT_STATE_KEY;
  const guint8 *end;

  do
    {
      self->at = self->text_at;
      if (self->is_whole)
        {
          tt_repairs_add (self->repairs, TT_REPAIR_JSON_UNCLOSED, tt_json_offset_of (self, self->filled));
          self->text_at = self->filled;
          break;
        }
      if (!tt_json_more (self, error))
        return FALSE;
      end = tt_json_walk_text (self, self->bytes);
      tt_json_settle (self);
      if (end != NULL)
        self->text_at = (gsize) (end - self->bytes);
    }
  while (end == NULL);
  self->at = self->text_at;
  self->state = is_key ? TT_STATE_COLON : TT_STATE_NEXT;
  return TRUE;
}

/* The contents end within the value that is skipped. */
static void
skip_cut (TtJson *self, guint floor)
{
  guint64 offset = tt_json_offset_of (self, self->filled);

  if (self->at < self->filled)
    tt_repairs_add (self->repairs, TT_REPAIR_JSON_CUT, tt_json_offset_of (self, self->at));
  for (guint depth = self->depth; depth > floor; depth--)
    tt_repairs_add (self->repairs, TT_REPAIR_JSON_UNCLOSED, offset);
  self->at = self->filled;
  self->depth = floor;
  self->state = TT_STATE_NEXT;
}

gboolean
tt_json_skip (TtJson *self, GError **error)
{
  guint floor = self->depth;
  TtWalk walk;
  Found found = find_value (self, error);

  if (found == FOUND_ERROR)
    return FALSE;
  if (found == FOUND_END)
    return fail_expecting (self, "a value", error);
  self->index_depth = G_MAXUINT;
  while ((walk = tt_json_walk (self, floor)) == TT_WALK_MORE)
    {
      gboolean is_string = self->at < self->filled && self->bytes[self->at] == '"';

      tt_json_settle (self);
      if (self->is_whole && !is_string)
        {
          skip_cut (self, floor);
          return TRUE;
        }
      if (is_string ? !skip_string (self, error) : !tt_json_more (self, error))
        return FALSE;
    }
  tt_json_settle (self);
  return walk == TT_WALK_DONE || tt_json_fail (self, error);
}
