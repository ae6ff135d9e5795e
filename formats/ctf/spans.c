/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pairing of begins and ends. Real traces lack many ends: LLVM's OpenMP runtime reports no end of most work-shares, and
 * the end of a worker's implicit task only when the worker wakes for the next region, or never; and events are lost. So
 *  - a begin closes what its rule says, and the open span of its own kind, if that cannot nest;
 *  - the end of a parallel region closes the implicit tasks of its team on other threads; their own ends are ignored
 *    when they come;
 *  - an end closes what is open above its span;
 *  - the end of the trace closes the rest.
 * Spans closed this way get the flag `inferred`. Where events were lost, evidence.h and closing.h tell more.
 */
#include "config.h"

#include "formats/ctf/spans.h"

#include "formats/ctf/closing.h"
#include "formats/ctf/devices.h"
#include "formats/ctf/evidence.h"
#include "formats/ctf/messages.h"
#include "formats/ctf/teams.h"
#include "formats/ctf/text.h"

/* -- search ----------------------------------------------------------------------------------------------------- */

static gboolean
read_match (const TtCtfEvent *event, const TtCtfMember *const *members, gint64 *match)
{
  if (!tt_ctf_integer (event, members[0], &match[0]))
    return FALSE;
  match[1] = 0;
  return members[1] == NULL || tt_ctf_integer (event, members[1], &match[1]);
}

static gboolean
has_same_match (const TtCtfOpen *open, gboolean has_match, const gint64 *match)
{
  return !has_match || !open->has_match || (open->match[0] == match[0] && open->match[1] == match[1]);
}

/* The innermost open span that @event of @plan ends, or -1. */
static gint64
find_begin (const TtCtfThread *thread, const TtCtfBinding *binding, gboolean has_match, const gint64 *match)
{
  for (guint i = thread->open->len; i-- > 0;)
    {
      const TtCtfOpen *open = tt_ctf_open_at (thread, i);

      if (open->family == binding->family && has_same_match (open, has_match, match))
        return i;
      if (!has_match && (open->kind & binding->span->fences) != 0)
        return -1;
    }
  return -1;
}

/* The lowest span that a begin of @plan closes, or the number of those open. */
static guint
find_closed (const TtCtfThread *thread, const TtCtfBinding *binding)
{
  guint lowest = thread->open->len;

  for (guint i = thread->open->len; i-- > 0;)
    {
      const TtCtfOpen *open = tt_ctf_open_at (thread, i);

      if ((open->family == binding->family && !binding->span->nests && !open->is_program) ||
          (open->kind & binding->span->closes) != 0)
        lowest = i;
      if ((open->kind & binding->span->fences) != 0 || open->is_program || binding->span->nests)
        break;
    }
  return lowest;
}

/* -- begins ------------------------------------------------------------------------------------------------------ */

/* A barrier that no directive asks for comes right after the work that it belongs to. */
static gboolean
is_own_barrier (const TtCtfBinding *binding, const TtCtfEvent *event)
{
  gint64 kind = 0;

  if (binding->span->kind != TT_CTF_BARRIER)
    return FALSE;
  tt_ctf_integer (event, binding->sub, &kind);
  return g_strcmp0 (tt_ctf_word (binding->span->words, kind), "implicit") == 0;
}

void
tt_ctf_begin_span (TtCtfSession *self, TtCtfThread *thread, TtCtfBinding *binding, const TtCtfEvent *event)
{
  guint64 number = tt_ctf_event_number (self, event);
  TtCtfOpen open = {
    .family = binding->family, .kind = binding->span->kind, .begin_ns = event->ts_ns, .begun_after_ns = TT_NO_TIME
  };

  tt_ctf_team_hears (self, thread, binding, event);
  self->ends_work = is_own_barrier (binding, event);
  tt_ctf_close_from (self, thread, find_closed (thread, binding), event->ts_ns, number);
  self->ends_work = FALSE;
  open.name = tt_ctf_event_name (self, binding, event, &open.is_program);
  open.has_match = read_match (event, binding->match, open.match);
  tt_ctf_identify (&open, binding, event);
  tt_ctf_integer (event, binding->codeptr, &open.codeptr);
  tt_ctf_make_room (self, thread, &open, binding->span, number);
  tt_ctf_learn (self, thread, &open);
  tt_ctf_sight (self, thread, &open, TT_CTF_SAW_BEGIN, event->ts_ns);
  const TtNestSpan begin = { .ts_ns = event->ts_ns,
                             .args = tt_ctf_side_args (self, binding, event),
                             .offset = number,
                             .name = open.name,
                             .flags = binding->device.has_activities ? TT_FLAG_ENQUEUE : 0,
                             .step = TT_NO_STEP,
                             .activity = tt_ctf_call_activity (self, binding, event) };
  tt_nest_begin (self->nest, thread->nest, &begin);
  if (open.kind == TT_CTF_MPI)
    {
      tt_ctf_send (self, thread, binding, event);
      if (binding->mpi.root != NULL)
        tt_ctf_call (self, thread, binding, event);
      tt_ctf_expect (self, thread, binding, event, &open.receive);
    }
  if (open.has_match && !open.is_program && (open.kind & (TT_CTF_PARALLEL | TT_CTF_TASK)) != 0)
    tt_ctf_team_begins (self, thread, &open, binding, event);
  if (open.kind == TT_CTF_TASK)
    thread->has_late = FALSE;
  tt_ctf_push_open (thread, &open);
}

/* -- ends -------------------------------------------------------------------------------------------------------- */

/* The end of a span that was closed already, because it came late. */
static gboolean
is_late (const TtCtfThread *thread, const TtCtfBinding *binding, const gint64 *match)
{
  guint kinds = TT_CTF_TASK | TT_CTF_JOIN | TT_CTF_JOIN_WAIT;

  return thread->has_late && (binding->span->kind & kinds) != 0 && thread->late[0] == match[0] &&
         thread->late[1] == match[1];
}

/* An end without a begin; or that of the span that began at @not_before_ns, though that is not likely. */
static void
end_nothing (TtCtfSession *self,
             TtCtfThread *thread,
             TtCtfBinding *binding,
             const TtCtfEvent *event,
             const gint64 *match,
             gint64 not_before_ns)
{
  guint64 number = tt_ctf_event_number (self, event);
  TtCtfOpen begun = { .family = binding->family, .kind = binding->span->kind, .begin_ns = event->ts_ns };
  gboolean has_match = match != NULL;
  gint64 after_ns;

  if (binding->span->kind == TT_CTF_PARALLEL && has_match)
    tt_ctf_team_ends (self, thread, match, event);
  tt_nest_touch (self->nest, thread->nest, event->ts_ns);
  if (binding->span->kind == TT_CTF_LIFE || (has_match && is_late (thread, binding, match)))
    return;
  if ((binding->span->kind & (TT_CTF_TASK | TT_CTF_JOIN | TT_CTF_JOIN_WAIT)) == 0)
    {
      begun.name = tt_ctf_event_name (self, binding, event, &begun.is_program);
      begun.has_match = has_match;
      begun.match[0] = has_match ? match[0] : 0;
      tt_ctf_identify (&begun, binding, event);
      tt_ctf_make_room (self, thread, &begun, binding->span, number);
      if (tt_ctf_may_lack_begin (self, thread, event->ts_ns, &after_ns))
        {
          const TtNestSpan end = { .ts_ns = event->ts_ns,
                                   .args = tt_ctf_side_args (self, binding, event),
                                   .offset = number };
          tt_ctf_write_ended (self, thread, &begun, MIN (after_ns, not_before_ns), &end);
          return;
        }
    }
  tt_sink_repair_of (self->sink, thread->process->id, TT_REPAIR_UNPAIRED_END, number);
}
static void
end_open (TtCtfSession *self, TtCtfThread *thread, TtCtfBinding *binding, const TtCtfEvent *event, gboolean is_unsure)
{
  const TtCtfOpen open = *tt_ctf_open_at (thread, thread->open->len - 1);
  guint64 number = tt_ctf_event_number (self, event), args = tt_ctf_side_args (self, binding, event);

  tt_ctf_sight (self, thread, &open, TT_CTF_SAW_END, event->ts_ns);
  if (open.kind == TT_CTF_MPI)
    tt_ctf_receive (self, thread, binding, &open.receive, event->ts_ns);
  if (is_unsure)
    tt_ctf_end_unsure (self, thread, event->ts_ns, args, number);
  else
    tt_ctf_end_top (self, thread, event->ts_ns, args, 0, number);
  if (open.kind == TT_CTF_PARALLEL && open.has_match && !open.is_program)
    tt_ctf_team_ends (self, thread, open.match, event);
}

void
tt_ctf_end_span (TtCtfSession *self, TtCtfThread *thread, TtCtfBinding *binding, const TtCtfEvent *event)
{
  guint64 number = tt_ctf_event_number (self, event);
  gint64 match[2] = { 0, 0 };

  if (tt_ctf_team_hears (self, thread, binding, event))
    return;
  gboolean has_match = read_match (event, binding->match, match);
  gint64 found = find_begin (thread, binding, has_match, match);
  TtCtfEndFit fit = found < 0 ? TT_CTF_END_OF_ANOTHER : tt_ctf_fit_end (self, thread, (guint) found, binding, event);

  if (fit != TT_CTF_END_OF_ANOTHER)
    {
      tt_ctf_close_from (self, thread, (guint) found + 1, event->ts_ns, number);
      if (thread->open->len == (guint) found + 1)
        end_open (self, thread, binding, event, fit == TT_CTF_END_UNSURE);
      return;
    }
  gint64 begin_ns = G_MAXINT64;
  if (found >= 0)
    {
      begin_ns = tt_ctf_open_at (thread, (guint) found)->begin_ns;
      tt_ctf_open_at (thread, (guint) found)->is_mistaken = TRUE;
      tt_ctf_close_from (self, thread, (guint) found, event->ts_ns, number);
    }
  end_nothing (self, thread, binding, event, has_match ? match : NULL, begin_ns);
}
