/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/ctf/feed.h"

#include <string.h>

#define NS_PER_S G_GUINT64_CONSTANT (1000000000)

struct _TtCtfFeed
{
  const TtCtfSource *source;
  TtCtfQuirks quirks;
  TtCtfPacket packet;
  gsize room;
  gsize slots_bytes; /* of the event that has most */
  TtCtfFound found;
  guint file; /* the one that is read, from 1; 0: none is open */
  gboolean is_in_packet, has_begun;
  gboolean counts_ns; /* its clock counts nanoseconds from clock_base_ns on */
  gint64 clock_base_ns;
  gint64 ts_ns;                       /* of the last event */
  gint64 earlier_ns;                  /* of the one before it; TT_CTF_ALWAYS: there is none */
  guint64 clock;                      /* of the last event whose time is none of a damaged one */
  gsize last_at, last_end;            /* the last event in the batch, if it is there; else 0, 0 */
  guint64 discarded, sequence_number; /* of the packet before */
  /* What is missing before the next event; the packet that is read, or comes next, counts events that are. */
  gboolean has_losses, is_lossy[TT_CTF_N_LOSSES], has_lossy_packet;
  gint64 n_lost[TT_CTF_N_LOSSES];
  gint64 packet_end_ns; /* of the last packet that lacks events; TT_CTF_ALWAYS: it does not say */
};

TtCtfFeed *
tt_ctf_feed_new (const TtCtfPlans *plans, const TtCtfSource *source, gsize room)
{
  TtCtfFeed *self = g_new0 (TtCtfFeed, 1);

  self->source = source;
  self->quirks = tt_ctf_quirks (tt_ctf_plans_schema (plans));
  self->packet.plans = plans;
  self->packet.window.fd = -1;
  self->room = room;
  self->slots_bytes = (gsize) tt_ctf_plans_most_slots (plans) * 8;
  self->found.tail = g_string_new (NULL);
  self->discarded = self->sequence_number = TT_CTF_UNSAID;
  self->earlier_ns = TT_CTF_ALWAYS;
  self->counts_ns = source->type->clock != NULL && source->type->clock->frequency == NS_PER_S &&
                    tt_ctf_clock_ns (source->type->clock, 0, &self->clock_base_ns);
  return self;
}

void
tt_ctf_feed_free (TtCtfFeed *self)
{
  if (self == NULL)
    return;
  tt_ctf_packet_clear (&self->packet);
  g_string_free (self->found.tail, TRUE);
  g_free (self);
}

/* -- records --------------------------------------------------------------------------------------------------------- */

void
tt_ctf_batch_clear (TtCtfBatch *self)
{
  g_clear_pointer (&self->bytes, g_free);
  g_clear_error (&self->error);
  *self = (TtCtfBatch){ .at = 0 };
}

/* What is behind the last record stays, too. */
static void
make_room (TtCtfBatch *batch, gsize n_bytes)
{
  if (G_LIKELY (batch->len + n_bytes <= batch->room))
    return;
  batch->room = MAX (batch->room * 2, batch->len + n_bytes);
  batch->bytes = g_realloc (batch->bytes, batch->room);
}

/* The next event is read to where its record is to be. */
static void
place_slots (TtCtfFeed *self, TtCtfBatch *batch)
{
  make_room (batch, sizeof (TtCtfRecord) + self->slots_bytes);
  self->found.slots = batch->bytes + batch->len + sizeof (TtCtfRecord);
}

/* A record with @n_bytes behind its head. */
static TtCtfRecord *
add_record (TtCtfBatch *batch, TtCtfRecordKind kind, gint64 ts_ns, gsize n_bytes)
{
  gsize size = (sizeof (TtCtfRecord) + n_bytes + 7) & ~(gsize) 7;

  make_room (batch, size);
  TtCtfRecord *record = (TtCtfRecord *) (gpointer) (batch->bytes + batch->len);
  record->kind = kind;
  record->n_bytes = (guint32) size;
  record->ts_ns = ts_ns;
  batch->len += size;
  return record;
}

static void
add_break (TtCtfFeed *self, TtCtfBatch *batch, const char *why)
{
  TtCtfRecord *record = add_record (batch, TT_CTF_RECORD_BROKEN, self->ts_ns, 0);

  record->u.broken.why = why;
  record->u.broken.how = self->has_begun ? TT_CTF_BREAK_LATER : TT_CTF_BREAK_AT_BEGIN;
}

static void
add_event (TtCtfFeed *self, TtCtfBatch *batch, gboolean is_moved)
{
  const TtCtfFound *found = &self->found;
  gsize n_slots = (gsize) found->plan->n_slots * 8;
  TtCtfRecord *record = add_record (batch, TT_CTF_RECORD_EVENT, self->ts_ns, n_slots + found->tail->len);

  self->last_end = batch->len;
  self->last_at = batch->len - record->n_bytes;
  record->u.event.klass = found->plan->klass;
  record->u.event.tail_len = (guint32) found->tail->len;
  record->u.event.is_moved = is_moved != FALSE;
  record->u.event.is_outgrown = found->is_outgrown != FALSE;
  record->u.event.size = (guint32) MIN ((found->n_bits + 7) / 8, G_MAXUINT32);
  if (found->tail->len > 0)
    memcpy ((guint8 *) (record + 1) + n_slots, found->tail->str, found->tail->len);
}

/* What was lost between the last event and the next one. */
static void
add_losses (TtCtfFeed *self, TtCtfBatch *batch, gint64 from_ns, gint64 until_ns)
{
  for (guint kind = 0; kind < TT_CTF_N_LOSSES; kind++)
    {
      if (!self->is_lossy[kind])
        continue;
      TtCtfRecord *record = add_record (batch, TT_CTF_RECORD_LOST, until_ns, 0);
      record->u.lost.kind = kind;
      record->u.lost.count = self->n_lost[kind];
      record->u.lost.from_ns = from_ns;
      self->is_lossy[kind] = FALSE;
      self->n_lost[kind] = 0;
    }
  self->has_losses = FALSE;
}

/* The same before the event that was found, which moves on in the batch. */
static void
add_losses_before (TtCtfFeed *self, TtCtfBatch *batch, gint64 from_ns)
{
  g_autofree guint8 *slots = g_memdup2 (self->found.slots, self->slots_bytes);

  add_losses (self, batch, from_ns, self->ts_ns);
  place_slots (self, batch);
  if (slots != NULL)
    memcpy (self->found.slots, slots, self->slots_bytes);
}

/* -- packets --------------------------------------------------------------------------------------------------------- */

/* @count: TT_CTF_UNSAID: unknown. */
static void
note_loss (TtCtfFeed *self, TtCtfLossKind kind, guint64 count)
{
  self->n_lost[kind] = count <= G_MAXINT64 && self->n_lost[kind] >= 0
                           ? (gint64) MIN ((guint64) self->n_lost[kind] + count, G_MAXINT64)
                           : -1;
  self->is_lossy[kind] = self->has_losses = TRUE;
}

static void
begin_packet (TtCtfFeed *self)
{
  const TtCtfPacket *packet = &self->packet;

  /* A stream's first packet knows how many, but not since when. */
  if (packet->discarded != TT_CTF_UNSAID &&
      packet->discarded != (self->discarded == TT_CTF_UNSAID ? 0 : self->discarded))
    {
      note_loss (self, TT_CTF_LOST_EVENTS,
                 self->discarded == TT_CTF_UNSAID ? TT_CTF_UNSAID : packet->discarded - self->discarded);
      self->has_lossy_packet = TRUE;
    }
  if (packet->sequence_number != TT_CTF_UNSAID && self->sequence_number != TT_CTF_UNSAID &&
      packet->sequence_number - self->sequence_number > 1)
    note_loss (self, TT_CTF_LOST_PACKETS, packet->sequence_number - self->sequence_number - 1);
  self->discarded = packet->discarded;
  self->sequence_number = packet->sequence_number;
  self->is_in_packet = TRUE;
}

static void
end_packet (TtCtfFeed *self)
{
  TtCtfPacket *packet = &self->packet;
  const TtCtfStreamType *type = self->source->type;
  gboolean is_early = self->quirks.ends_early && packet->end < packet->bits.clock &&
                      packet->bits.clock - packet->end <= TT_CTF_MOST_EARLY;
  gboolean is_nowhere = self->quirks.ends_nowhere && packet->begin != 0 && packet->end == 0;

  if (packet->end != TT_CTF_UNSAID && !is_early && !is_nowhere)
    packet->bits.clock = packet->end;
  /* Its counter is that of its end: LTTng discards what comes when it is full. */
  if (self->has_lossy_packet)
    {
      self->is_lossy[TT_CTF_LOST_PERHAPS] = self->has_losses = TRUE;
      if (!type->has_end || type->clock == NULL ||
          !tt_ctf_clock_ns (type->clock, packet->bits.clock, &self->packet_end_ns))
        self->packet_end_ns = TT_CTF_ALWAYS;
    }
  self->has_lossy_packet = FALSE;
  self->is_in_packet = FALSE;
}

/* The next packet, of this file or the next one. */
static TtCtfStepResult
go_to_packet (TtCtfFeed *self, GError **error)
{
  const GPtrArray *files = self->source->files;
  guint64 next = self->file == 0 ? 0 : self->packet.at + self->packet.n_bytes;

  if (self->file == 0 || next >= ((const TtCtfSourceFile *) files->pdata[self->file - 1])->n_bytes)
    {
      const TtCtfSourceFile *file;
      gboolean is_open;

      if (self->file == files->len)
        return TT_CTF_STEP_END;
      file = files->pdata[self->file];
      is_open = self->file == 0 ? tt_ctf_packet_open (&self->packet, self->packet.plans, file->path, self->room,
                                                      file->n_bytes, error)
                                : tt_ctf_packet_open_next (&self->packet, file->path, file->n_bytes, error);
      if (!is_open)
        return TT_CTF_STEP_FAILED;
      self->file++;
      next = file->first_byte;
    }
  TtCtfStepResult result = tt_ctf_packet_read (&self->packet, next, error);
  if (result == TT_CTF_STEP_DONE)
    begin_packet (self);
  if (result != TT_CTF_STEP_END)
    return result;
  self->packet.fault = "it was cut while it was read";
  return TT_CTF_STEP_FAULT;
}

/* -- events ---------------------------------------------------------------------------------------------------------- */

static gboolean
is_in (const TtCtfRange *range, gint64 ns)
{
  return ns >= range->begin_ns && ns <= range->end_ns;
}

/* A time that has gone round, to after the stream: the clock has not, but the event before is damaged, unless it is
 * this one that is before both. That event is still in the batch, and is put to the one before it. */
static gboolean
has_false_before (TtCtfFeed *self, TtCtfBatch *batch)
{
  const TtCtfClockClass *clock = self->source->type->clock;
  const TtCtfRange *range = &self->source->range;
  guint64 meant = self->found.clock - self->found.round;
  gint64 ns;

  if (self->found.round == 0 || self->last_end != batch->len || self->last_end == 0 || !self->has_begun ||
      !tt_ctf_clock_ns (clock, meant, &ns) || !is_in (range, ns) || ns > self->ts_ns || ns < self->earlier_ns ||
      self->earlier_ns == TT_CTF_ALWAYS)
    return FALSE;
  TtCtfRecord *last = (TtCtfRecord *) (gpointer) (batch->bytes + self->last_at);
  last->ts_ns = self->earlier_ns;
  last->u.event.is_moved = TRUE;
  self->packet.bits.clock = meant;
  self->ts_ns = ns;
  return TRUE;
}

/* FALSE: the time of the event that was found is none. */
static gboolean
take_time (TtCtfFeed *self, TtCtfBatch *batch, gboolean *is_moved)
{
  const TtCtfClockClass *clock = self->source->type->clock;
  const TtCtfRange *range = &self->source->range;
  gint64 before_ns = self->has_begun ? self->ts_ns : TT_CTF_ALWAYS;

  *is_moved = FALSE;
  if (clock == NULL)
    {
      self->ts_ns++;
      return TRUE;
    }
  if (G_LIKELY (self->counts_ns))
    {
      if (G_UNLIKELY (__builtin_add_overflow (self->clock_base_ns, self->found.clock, &self->ts_ns)))
        return FALSE;
    }
  else if (!tt_ctf_clock_ns (clock, self->found.clock, &self->ts_ns))
    return FALSE;
  *is_moved = range->begin_ns <= range->end_ns && !is_in (range, self->ts_ns);
  if (G_UNLIKELY (*is_moved))
    {
      gint64 told_ns = self->ts_ns;

      self->ts_ns = before_ns;
      if (told_ns > range->end_ns && has_false_before (self, batch))
        *is_moved = FALSE;
      else
        {
          self->ts_ns = tt_ctf_range_mend (range, before_ns, told_ns);
          /* The clock of a false time would make false ones of all after it. */
          if (self->ts_ns == before_ns && self->found.round == 0)
            self->packet.bits.clock = self->clock;
        }
    }
  self->clock = self->packet.bits.clock;
  if (before_ns < self->ts_ns)
    self->earlier_ns = before_ns;
  return TRUE;
}

static TtCtfStepResult
find_event (TtCtfFeed *self, GError **error)
{
  TtCtfStepResult result = TT_CTF_STEP_END;

  for (;;)
    {
      if (self->is_in_packet)
        result = tt_ctf_packet_next (&self->packet, &self->found, error);
      if (self->is_in_packet && result != TT_CTF_STEP_END)
        return result;
      if (self->is_in_packet)
        end_packet (self);
      result = go_to_packet (self, error);
      if (result != TT_CTF_STEP_DONE)
        return result;
    }
}

void
tt_ctf_feed_fill (TtCtfFeed *self, TtCtfBatch *batch, gsize n_bytes)
{
  gint64 from_ns = 0;
  gboolean is_moved;

  batch->len = batch->at = 0;
  self->last_at = self->last_end = 0;
  while (!batch->is_last && batch->len < n_bytes)
    {
      place_slots (self, batch);
      TtCtfStepResult result = find_event (self, &batch->error);

      from_ns = self->has_begun ? self->ts_ns : TT_CTF_ALWAYS;
      if (result == TT_CTF_STEP_DONE && take_time (self, batch, &is_moved))
        {
          if (G_UNLIKELY (self->has_losses))
            add_losses_before (self, batch, from_ns);
          add_event (self, batch, is_moved);
          self->has_begun = TRUE;
          continue;
        }
      batch->is_last = TRUE;
      if (result == TT_CTF_STEP_DONE)
        add_break (self, batch, "a time that does not fit 64 bits");
      else if (result == TT_CTF_STEP_FAULT)
        add_break (self, batch, self->packet.fault);
      if (result != TT_CTF_STEP_FAILED)
        add_losses (self, batch, from_ns, self->is_lossy[TT_CTF_LOST_PERHAPS] ? self->packet_end_ns : TT_CTF_ALWAYS);
    }
}
