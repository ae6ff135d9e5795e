/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/ctf/receiver.h"

#include "formats/ctf/child.h"
#include "formats/ctf/decode.h"

#define EVENTS_PER_CHECK 16384u

static char *
replace_view (const TtCtfReceiver *self, const char *text)
{
  GString *plain = g_string_new (text);

  g_string_replace (plain, self->view, self->path, 0);
  return g_string_free (plain, FALSE);
}

void
tt_ctf_receiver_broken (const TtCtfReceiver *self, const char *stream, TtCtfBreak how, const char *why)
{
  g_autofree char *plain = replace_view (self, why);

  if (self->damage != NULL)
    g_string_append_printf (self->damage, "%s %d\n", stream, (int) how);
  if (self->handler->broken != NULL)
    self->handler->broken (stream, how, plain, self->data);
}

/* -- frames ---------------------------------------------------------------------------------------------------- */

static void
free_class (gpointer data)
{
  TtCtfClass *klass = data;

  if (klass->free_binding != NULL)
    klass->free_binding (klass->binding);
  for (guint i = 0; i < klass->members->len; i++)
    g_free ((char *) g_array_index (klass->members, TtCtfMember, i).name);
  g_array_unref (klass->members);
  g_free (klass->name);
  g_free (klass);
}

static void
read_class (TtCtfReceiver *self, TtCtfCursor *frame)
{
  guint32 n = tt_ctf_read_u32 (frame);
  TtCtfClass *klass = g_new0 (TtCtfClass, 1);

  klass->name = g_strdup (tt_ctf_read_text (frame));
  klass->members = g_array_new (FALSE, TRUE, sizeof (TtCtfMember));
  klass->names = self->names;
  for (guint32 i = 0; i < n && !frame->has_failed; i++)
    {
      TtCtfMember member = { .slot = i };
      guint32 scope = tt_ctf_read_u32 (frame), kind = tt_ctf_read_u32 (frame);
      member.scope = (TtCtfScope) MIN (scope, TT_CTF_N_SCOPES - 1);
      member.kind = (TtCtfValueKind) MIN (kind, TT_CTF_OTHER);
      member.is_hex = tt_ctf_read_u32 (frame) != 0;
      member.name = g_strdup (tt_ctf_read_text (frame));
      g_array_append_val (klass->members, member);
    }
  g_ptr_array_add (self->classes, klass);
}

static void
read_facts (TtCtfReceiver *self, TtCtfCursor *frame)
{
  guint32 clock = tt_ctf_read_u32 (frame);

  self->facts.clock = (TtCtfClock) MIN (clock, TT_CTF_NO_CLOCK);
  self->facts.clock_offset_ns = tt_ctf_read_i64 (frame);
  self->n_streams = tt_ctf_read_u32 (frame);
  g_free (self->hostname);
  self->hostname = g_utf8_make_valid (tt_ctf_read_text (frame), -1);
  self->facts.hostname = *self->hostname == '\0' ? NULL : self->hostname;
  self->has_facts = TRUE;
}

static void
hand_over_facts (TtCtfReceiver *self)
{
  if (self->has_facts && !self->is_begun)
    self->is_stopped = !self->handler->begin (&self->facts, self->data);
  self->is_begun = TRUE;
}

static gboolean
read_event (TtCtfReceiver *self, TtCtfCursor *frame)
{
  guint32 id = tt_ctf_read_u32 (frame);
  TtCtfEvent event = { .stream = tt_ctf_read_u32 (frame) };
  gsize left, slots;

  event.is_moved = (event.stream & TT_CTF_MOVED) != 0;
  event.stream &= ~TT_CTF_MOVED;
  event.ts_ns = tt_ctf_read_i64 (frame);
  event.slots = frame->at;
  left = (gsize) (frame->end - frame->at);
  if (id >= self->classes->len)
    return FALSE;
  event.klass = self->classes->pdata[id];
  slots = (gsize) event.klass->members->len * 8;
  if (frame->has_failed || left < slots)
    return FALSE;
  event.tail = (const char *) frame->at + slots;
  event.tail_len = left - slots;
  event.number = ++self->n_events;
  hand_over_facts (self);
  if (!self->is_stopped && self->handler->event != NULL)
    self->handler->event (&event, self->data);
  return TRUE;
}

static void
read_lost (TtCtfReceiver *self, TtCtfCursor *frame)
{
  guint32 kind = tt_ctf_read_u32 (frame);
  TtCtfLoss loss = { .kind = (TtCtfLossKind) MIN (kind, TT_CTF_LOST_PERHAPS), .count = tt_ctf_read_i64 (frame) };

  loss.stream = tt_ctf_read_u32 (frame);
  loss.from_ns = tt_ctf_read_i64 (frame);
  loss.until_ns = tt_ctf_read_i64 (frame);
  if (self->handler->lost != NULL && !frame->has_failed)
    self->handler->lost (&loss, self->data);
}

static void
read_broken (TtCtfReceiver *self, TtCtfCursor *frame)
{
  guint32 how = tt_ctf_read_u32 (frame);
  const char *stream = tt_ctf_read_text (frame);

  tt_ctf_receiver_broken (self, stream, (TtCtfBreak) MIN (how, TT_CTF_BREAK_NO_CLOCK), tt_ctf_read_text (frame));
}

/* FALSE: the frame is damaged. */
static gboolean
read_frame (TtCtfReceiver *self, TtCtfFrameKind kind, TtCtfCursor *frame)
{
  switch (kind)
    {
    case TT_CTF_FRAME_FACTS:
      read_facts (self, frame);
      break;
    case TT_CTF_FRAME_NAME:
      g_hash_table_add (self->names, g_strdup (tt_ctf_read_text (frame)));
      break;
    case TT_CTF_FRAME_CLASS:
      read_class (self, frame);
      break;
    case TT_CTF_FRAME_EVENT:
      return read_event (self, frame);
    case TT_CTF_FRAME_LOST:
      read_lost (self, frame);
      break;
    case TT_CTF_FRAME_BROKEN:
      read_broken (self, frame);
      break;
    default:
      break;
    }
  return !frame->has_failed;
}

/* -- the decoder ----------------------------------------------------------------------------------------------- */

/* *why: set unless it was read whole; free it. */
static TtCtfOutcome
follow (TtCtfReceiver *self, TtCtfChild *child, char **why, GError **error)
{
  TtCtfFrameKind kind;
  TtCtfCursor frame;

  while (tt_ctf_child_next (child, &kind, &frame))
    {
      if (kind == TT_CTF_FRAME_END)
        {
          hand_over_facts (self);
          return TT_CTF_READ_WHOLE;
        }
      if (kind == TT_CTF_FRAME_REFUSED)
        {
          const char *causes = tt_ctf_read_text (&frame);
          g_autofree char *words = tt_ctf_child_said (child);
          *why = g_strdup_printf ("%s%s%s", causes, words == NULL ? "" : "; it says: ", words == NULL ? "" : words);
          return TT_CTF_READ_REFUSED;
        }
      if (!read_frame (self, kind, &frame))
        break;
      if (self->is_stopped)
        return TT_CTF_READ_WHOLE;
      if (kind == TT_CTF_FRAME_EVENT && self->n_events % EVENTS_PER_CHECK == 0 && self->handler->check != NULL &&
          !self->handler->check (self->data, error))
        return TT_CTF_READ_FAILED;
    }
  *why = tt_ctf_child_last_words (child);
  return self->n_events > 0 ? TT_CTF_READ_BROKEN : TT_CTF_READ_REFUSED;
}

TtCtfOutcome
tt_ctf_receiver_run (TtCtfReceiver *self, char **why, GError **error)
{
  g_autoptr (TtCtfChild) child = tt_ctf_child_new (self->word, self->view, error);

  if (child == NULL)
    {
      g_prefix_error (error, "%s: ", self->path);
      return TT_CTF_READ_FAILED;
    }
  TtCtfOutcome outcome = follow (self, child, why, error);
  /* Ctrl-C ends the decoder as well. */
  if ((outcome == TT_CTF_READ_REFUSED || outcome == TT_CTF_READ_BROKEN) && self->handler->check != NULL &&
      !self->handler->check (self->data, error))
    return TT_CTF_READ_FAILED;
  if (*why != NULL)
    {
      char *plain = replace_view (self, *why);
      g_free (*why);
      *why = plain;
    }
  return outcome;
}

/* -- begin and end --------------------------------------------------------------------------------------------- */

void
tt_ctf_receiver_init (TtCtfReceiver *self,
                      const char *path,
                      const char *word,
                      const TtCtfHandler *handler,
                      gpointer data)
{
  *self = (TtCtfReceiver){
    .path = path,
    .word = word,
    .view = path,
    .handler = handler,
    .data = data,
    .classes = g_ptr_array_new_with_free_func (free_class),
    .names = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL),
  };
}

void
tt_ctf_receiver_clear (TtCtfReceiver *self)
{
  g_clear_pointer (&self->classes, g_ptr_array_unref);
  g_clear_pointer (&self->names, g_hash_table_unref);
  g_clear_pointer (&self->hostname, g_free);
}
