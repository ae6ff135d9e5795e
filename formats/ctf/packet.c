/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/ctf/packet.h"

#include "src/base/append.h"

/* An event of more bytes than this is damaged. */
#define MAX_WINDOW ((gsize) 64 << 20)
/* Heads of packets are no longer, as a rule. */
#define HEAD_BYTES ((gsize) 1024)

/* Names and empty values take no bytes of an event, but text and time: so much for each byte, beyond what few events may. */
#define EMPTY_PER_BYTE 64u
#define TEXT_PER_BYTE 256u
#define LEAST_TEXT ((guint64) 1 << 20)

static const char too_large[] = "an event of more than 64 MiB";

/* -- the window ------------------------------------------------------------------------------------------------------ */

/* What of the packet's @n_bits is in the window. */
static void
look_through (TtCtfPacket *self, guint64 n_bits)
{
  const TtCtfWindow *window = &self->window;
  guint64 end = (window->first + window->filled - self->at) * 8;

  self->bits.bytes = window->bytes;
  self->bits.base = ((gint64) window->first - (gint64) self->at) * 8;
  self->bits.end = MIN (end, n_bits);
  self->bits.may_grow = end < n_bits;
}

/* Looks at more from the place @from on, in bits. FAULT: it is too much. */
static TtCtfStepResult
look_further (TtCtfPacket *self, guint64 from, guint64 n_bits, GError **error)
{
  TtCtfWindow *window = &self->window;
  guint64 byte = self->at + from / 8;
  gsize n = window->first == byte && window->filled == window->room ? window->room * 2 : window->room;

  if (n > MAX_WINDOW)
    {
      self->fault = too_large;
      return TT_CTF_STEP_FAULT;
    }
  if (!tt_ctf_window_hold (window, byte, n, error))
    return TT_CTF_STEP_FAILED;
  look_through (self, MIN (n_bits, (window->size - self->at) * 8));
  return TT_CTF_STEP_DONE;
}

static void
begin_step (TtCtfPacket *self, guint64 at, guint64 clock)
{
  TtCtfBits *bits = &self->bits;

  bits->at = at;
  bits->clock = clock;
  bits->round = 0;
  bits->wants_more = FALSE;
  bits->fault = NULL;
  bits->n_empty = self->n_empty;
  bits->order = 0;
}

/* What has been read took @n_bits, and has @n_text bytes of text. */
static void
account (TtCtfPacket *self, guint64 n_bits, gsize n_text)
{
  guint64 n_bytes = n_bits / 8 + 1;

  self->n_empty =
      self->bits.n_empty > n_bytes * EMPTY_PER_BYTE ? self->bits.n_empty - (guint) n_bytes * EMPTY_PER_BYTE : 0;
  self->n_text_owed += n_text;
  self->n_text_owed -= MIN (self->n_text_owed, n_bytes * TEXT_PER_BYTE);
}

/* -- heads ----------------------------------------------------------------------------------------------------------- */

static gboolean
fail (TtCtfPacket *self, const char *fault)
{
  self->fault = fault;
  return FALSE;
}

static guint64
said (const TtCtfBits *bits, TtCtfMeaning meaning)
{
  return (bits->has_said & (1u << meaning)) != 0 ? bits->said[meaning] : TT_CTF_UNSAID;
}

/* The type of stream that the header names. */
static gboolean
choose_type (TtCtfPacket *self)
{
  const TtCtfSchema *schema = tt_ctf_plans_schema (self->plans);
  guint64 id = said (&self->bits, TT_CTF_STREAM_CLASS);
  const TtCtfStreamType *type = NULL;

  if (id == TT_CTF_UNSAID && schema->streams->len == 1)
    type = schema->streams->pdata[0];
  else if (id == TT_CTF_UNSAID && schema->is_json)
    type = tt_ctf_schema_stream (schema, 0);
  else if (id != TT_CTF_UNSAID)
    type = tt_ctf_schema_stream (schema, id);
  if (type == NULL)
    return fail (self, "its packet is of a stream that the metadata do not declare");
  if (self->type != NULL && self->type != type)
    return fail (self, "its packets are of different streams");
  self->type = type;
  self->header = tt_ctf_plans_header (type);
  self->context = tt_ctf_plans_packet (type);
  return TRUE;
}

/* CTF 2 knows the packets of other metadata by it. Those of CTF 1.8 are read whatever they say, as babeltrace2 2.0 does. */
static gboolean
check_uuid (TtCtfPacket *self, const TtCtfSchema *schema)
{
  guint64 at = said (&self->bits, TT_CTF_UUID);
  const guint8 *bytes;

  if (at == TT_CTF_UNSAID || schema->uuid == NULL || !g_uuid_string_is_valid (schema->uuid) || at % 8 != 0)
    return TRUE;
  bytes = self->bits.bytes + ((gint64) at - self->bits.base) / 8;
  for (const char *digit = schema->uuid; *digit != '\0' && !self->has_other_uuid; digit += 2)
    {
      digit += *digit == '-';
      self->has_other_uuid = *bytes++ != (g_ascii_xdigit_value (digit[0]) << 4 | g_ascii_xdigit_value (digit[1]));
    }
  return !self->has_other_uuid || !schema->is_json || fail (self, "a packet whose UUID is not that of the metadata");
}

static gboolean
read_header (TtCtfPacket *self)
{
  const TtCtfSchema *schema = tt_ctf_plans_schema (self->plans);

  return schema->packet_header == NULL ||
         (tt_ctf_value_skip (&self->bits, schema->packet_header) && check_uuid (self, schema));
}

static gboolean
read_context (TtCtfPacket *self)
{
  const TtCtfPlan *plan = self->context;

  g_string_truncate (self->tail, 0);
  if (plan == NULL)
    return TRUE;
  if (self->slots == NULL)
    self->slots = g_new0 (guint8, MAX (plan->n_slots, 1) * 8);
  return tt_ctf_plan_run (plan, &self->bits, self->slots, self->tail, TRUE);
}

/* Sizes of the packet, of which there are @left bytes in the file. */
static gboolean
take_sizes (TtCtfPacket *self, guint64 left)
{
  guint64 whole = said (&self->bits, TT_CTF_PACKET_SIZE), contents = said (&self->bits, TT_CTF_CONTENT_SIZE);

  if (whole == TT_CTF_UNSAID)
    whole = contents != TT_CTF_UNSAID ? contents : left * 8;
  if (contents == TT_CTF_UNSAID)
    contents = whole;
  self->n_bytes = whole / 8;
  self->n_bits = contents;
  if (whole % 8 != 0 || whole == 0)
    return fail (self, "a packet whose size is no number of bytes");
  if (self->n_bytes > left)
    return fail (self, "a packet that goes on beyond the end of the file");
  if (contents > whole)
    return fail (self, "a packet whose contents are larger than it is");
  if (contents < self->bits.at)
    return fail (self, "a packet whose contents are smaller than its header");
  return TRUE;
}

static void
take_head (TtCtfPacket *self)
{
  self->instance = said (&self->bits, TT_CTF_STREAM_INSTANCE);
  self->begin = said (&self->bits, TT_CTF_PACKET_BEGIN);
  self->end = said (&self->bits, TT_CTF_PACKET_END);
  self->discarded = said (&self->bits, TT_CTF_DISCARDED);
  self->sequence_number = said (&self->bits, TT_CTF_SEQUENCE_NUMBER);
}

TtCtfStepResult
tt_ctf_packet_read (TtCtfPacket *self, guint64 at, GError **error)
{
  guint64 left = self->window.size - MIN (at, self->window.size), clock = self->bits.clock;
  TtCtfStepResult result;

  if (left == 0)
    {
      self->fault = self->window.fault;
      return self->fault == NULL ? TT_CTF_STEP_END : TT_CTF_STEP_FAULT;
    }
  self->at = at;
  self->fault = NULL;
  self->has_other_uuid = FALSE;
  if (!tt_ctf_window_hold (&self->window, at, MIN (HEAD_BYTES, self->window.room), error))
    return TT_CTF_STEP_FAILED;
  for (gboolean is_read = FALSE; !is_read;)
    {
      left = self->window.size - MIN (at, self->window.size);
      look_through (self, left * 8);
      begin_step (self, 0, clock);
      self->bits.has_said = 0;
      is_read = read_header (self) && choose_type (self) && read_context (self);
      if (is_read)
        continue;
      if (!self->bits.wants_more)
        {
          self->fault = self->fault != NULL ? self->fault : self->bits.fault;
          return TT_CTF_STEP_FAULT;
        }
      result = look_further (self, 0, left * 8, error);
      if (result != TT_CTF_STEP_DONE)
        return result;
    }
  account (self, self->bits.at, 0);
  if (!take_sizes (self, left))
    return TT_CTF_STEP_FAULT;
  take_head (self);
  look_through (self, self->n_bits);
  return TT_CTF_STEP_DONE;
}

/* -- events ---------------------------------------------------------------------------------------------------------- */

/* By its type. */
static gboolean
read_other_header (TtCtfPacket *self, guint64 *event)
{
  guint64 id;

  self->bits.has_said &= ~(1u << TT_CTF_EVENT_CLASS);
  if (self->type->event_header != NULL && !tt_ctf_value_skip (&self->bits, self->type->event_header))
    return FALSE;
  id = said (&self->bits, TT_CTF_EVENT_CLASS);
  if (id == TT_CTF_UNSAID && self->type->events->len == 1)
    id = ((const TtCtfEventType *) self->type->events->pdata[0])->id;
  if (id == TT_CTF_UNSAID && tt_ctf_plans_schema (self->plans)->is_json)
    id = 0;
  *event = id;
  return TRUE;
}

static gboolean
read_event_header (TtCtfPacket *self, TtCtfFound *found)
{
  guint64 id;

  if (!tt_ctf_header_read (self->header, &self->bits, &id) && !read_other_header (self, &id))
    return FALSE;
  found->plan = id == TT_CTF_UNSAID ? NULL : tt_ctf_plans_event (self->type, id);
  found->clock = self->bits.clock;
  found->round = self->bits.round;
  return found->plan != NULL || tt_ctf_bits_fail (&self->bits, "an event that the metadata do not declare");
}

static gboolean
read_event (TtCtfPacket *self, TtCtfFound *found)
{
  gsize n = self->context == NULL ? 0 : (gsize) self->context->n_slots * 8;

  if (!read_event_header (self, found))
    return FALSE;
  found->tail->len = 0;
  for (gsize i = 0; i < n; i += 8)
    memcpy (found->slots + i, self->slots + i, 8);
  found->is_outgrown = G_UNLIKELY (self->n_text_owed > LEAST_TEXT);
  if (self->tail->len > 0 && !found->is_outgrown)
    tt_append (found->tail, self->tail->str, self->tail->len);
  return tt_ctf_plan_run (found->plan, &self->bits, found->slots + n, found->tail, !found->is_outgrown);
}

TtCtfStepResult
tt_ctf_packet_next (TtCtfPacket *self, TtCtfFound *found, GError **error)
{
  guint64 at = self->bits.at, clock = self->bits.clock;
  TtCtfStepResult result;

  if (at == self->n_bits)
    return TT_CTF_STEP_END;
  for (;;)
    {
      begin_step (self, at, clock);
      if (read_event (self, found))
        break;
      if (!self->bits.wants_more)
        {
          self->fault = self->bits.fault;
          return TT_CTF_STEP_FAULT;
        }
      result = look_further (self, at, self->n_bits, error);
      if (result != TT_CTF_STEP_DONE)
        return result;
    }
  found->n_bits = self->bits.at - at;
  account (self, found->n_bits, found->tail->len);
  if (found->n_bits > 0)
    return TT_CTF_STEP_DONE;
  self->fault = "an event without a bit";
  return TT_CTF_STEP_FAULT;
}

void
tt_ctf_found_init (TtCtfFound *self, const TtCtfPlans *plans)
{
  *self = (TtCtfFound){ .slots = g_new (guint8, MAX (tt_ctf_plans_most_slots (plans), 1) * 8),
                        .tail = g_string_new (NULL) };
}

void
tt_ctf_found_clear (TtCtfFound *self)
{
  g_free (self->slots);
  g_string_free (self->tail, TRUE);
}

/* -- begin and end --------------------------------------------------------------------------------------------------- */

gboolean
tt_ctf_packet_open (TtCtfPacket *self,
                    const TtCtfPlans *plans,
                    const char *path,
                    gsize room,
                    guint64 known,
                    GError **error)
{
  *self = (TtCtfPacket){ .plans = plans, .room = room, .window = { .fd = -1 } };
  if (!tt_ctf_window_open (&self->window, path, room, known, error))
    return FALSE;
  self->bits.stores = g_new0 (guint64, MAX (tt_ctf_plans_schema (plans)->n_stores, 1));
  self->tail = g_string_new (NULL);
  return TRUE;
}

gboolean
tt_ctf_packet_open_next (TtCtfPacket *self, const char *path, guint64 known, GError **error)
{
  tt_ctf_window_clear (&self->window);
  return tt_ctf_window_open (&self->window, path, self->room, known, error);
}

void
tt_ctf_packet_clear (TtCtfPacket *self)
{
  tt_ctf_window_clear (&self->window);
  g_clear_pointer (&self->bits.stores, g_free);
  g_clear_pointer (&self->slots, g_free);
  if (self->tail != NULL)
    g_string_free (g_steal_pointer (&self->tail), TRUE);
}
