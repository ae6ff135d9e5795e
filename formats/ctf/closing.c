/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/ctf/closing.h"

#include "formats/ctf/messages.h"
#include "src/base/digits.h"
#include "src/trace/span.h"

/* Of more open spans on a thread the lower half is left to nest, and no longer paired here. */
#define MAX_OPEN 65536u
/* A thread with so many events in one stream and none in others is bound to its processor. */
#define MIN_PINNED 256u

/* -- what may have been lost ------------------------------------------------------------------------------------ */

static gboolean
is_pinned (const TtCtfThread *thread)
{
  return (thread->streams & (thread->streams - 1)) == 0 && thread->n_events >= MIN_PINNED;
}

void
tt_ctf_suspect_spans (TtCtfSession *self, TtCtfThread *thread, gint64 ts_ns)
{
  /* A thread that stays on one processor lost nothing on others. */
  TtCtfHole hole;

  if (!self->losses.has_any || thread->last_ns == TT_NO_TIME ||
      !tt_ctf_losses_between (&self->losses, is_pinned (thread) ? thread->streams : G_MAXUINT64,
                              MAX (thread->last_ns, thread->looked_ns), ts_ns, &hole))
    return;
  thread->looked_ns = ts_ns;
  tt_ctf_lose_requests (thread);
  for (guint i = 0; i < thread->open->len; i++)
    {
      TtCtfOpen *open = tt_ctf_open_at (thread, i);

      open->is_marked = TRUE;
      if (tt_ctf_is_lasting (open))
        continue;
      if (!open->is_suspect)
        {
          open->is_suspect = TRUE;
          open->lost_from_ns = MAX (hole.from_ns, open->begin_ns);
          open->n_before = thread->n_events;
          open->n_lost = 0;
        }
      open->lost_until_ns = hole.until_ns;
      open->n_lost = open->n_lost > G_MAXUINT32 - hole.n ? G_MAXUINT32 : open->n_lost + hole.n;
    }
}

void
tt_ctf_push_open (TtCtfThread *thread, const TtCtfOpen *open)
{
  if (thread->open->len == MAX_OPEN)
    g_array_remove_range (thread->open, 0, MAX_OPEN / 2);
  g_array_append_vals (thread->open, open, 1);
}

void
tt_ctf_sight (TtCtfSession *self, TtCtfThread *thread, const TtCtfOpen *open, TtCtfSighting what, gint64 ts_ns)
{
  /* Of others the ends may not be there though nothing is lost. */
  const guint with_ends = TT_CTF_PARALLEL | TT_CTF_BARRIER | TT_CTF_BARRIER_WAIT | TT_CTF_MPI | TT_CTF_DEVICE_CALL |
                          TT_CTF_FUNCTION | TT_CTF_OTHER_SPAN;
  gboolean is_region = open->kind == TT_CTF_PARALLEL && open->has_match;
  TtCtfHole hole;

  if ((open->kind & with_ends) == 0 || tt_ctf_is_lasting (open))
    return;
  TtCtfSeen *seen = tt_ctf_coverage_of (&self->coverage, thread->process->id, open->identity, open->name);
  if (seen == NULL)
    return;
  seen->n[what]++;
  if (!is_region || what == TT_CTF_SAW_END || what == TT_CTF_LOST_END)
    return;
  seen->codeptr = open->match[0];
  tt_ctf_coverage_number (seen, open->match[1], ts_ns,
                          seen->number >= 0 &&
                              tt_ctf_losses_between (&self->losses, G_MAXUINT64, seen->number_ns, ts_ns, &hole));
}

/* -- bounds --------------------------------------------------------------------------------------------------- */

/* The span lasted from @least_ns to @most_ns; with @args, an event's. */
static guint64
bounds_args (TtCtfSession *self, gint64 least_ns, gint64 most_ns, guint64 args)
{
  static const char key[] = "{\"dur_between_ns\":[";
  char text[sizeof key + 2 * TT_MOST_DIGITS + 3], *at = text + sizeof key - 1;

  memcpy (text, key, sizeof key);
  at = tt_put_signed (at, MAX (least_ns, 0));
  *at++ = ',';
  at = tt_put_signed (at, MAX (most_ns, MAX (least_ns, 0)));
  *at++ = ']';
  *at++ = '}';
  guint64 bounds = tt_sink_hold_plain_args (self->sink, text, (gsize) (at - text));

  return args == 0 ? bounds : tt_sink_join_args (self->sink, args, bounds);
}

static void
end_nested (TtCtfSession *self, TtCtfThread *thread, gint64 ts_ns, guint64 args, guint32 flags, guint64 number)
{
  const TtNestSpan end = { .ts_ns = ts_ns,
                           .args = args,
                           .offset = number,
                           .name = tt_ctf_open_at (thread, thread->open->len - 1)->name,
                           .flags = flags };

  if (!tt_nest_end (self->nest, thread->nest, &end))
    tt_sink_args_drop (self->sink, args);
  thread->open->len--;
}

/* The innermost span ended between @from_ns and @until_ns, and is shown as if at @ts_ns. */
static void
end_bounded (TtCtfSession *self, TtCtfThread *thread, gint64 ts_ns, const gint64 *between, guint64 args, guint64 number)
{
  const TtCtfOpen *open = tt_ctf_open_at (thread, thread->open->len - 1);
  gint64 least_ns = tt_time_since (between[0], open->begin_ns), most_ns = tt_time_since (between[1], open->begin_ns);

  if (open->begun_after_ns != TT_NO_TIME)
    most_ns = tt_time_since (between[1], open->begun_after_ns);
  end_nested (self, thread, ts_ns, bounds_args (self, least_ns, most_ns, args), TT_CTF_BOUNDED, number);
}

void
tt_ctf_end_top (TtCtfSession *self, TtCtfThread *thread, gint64 ts_ns, guint64 args, guint32 flags, guint64 number)
{
  const TtCtfOpen *open = tt_ctf_open_at (thread, thread->open->len - 1);
  const gint64 here[] = { ts_ns, ts_ns };

  if (open->begun_after_ns != TT_NO_TIME)
    {
      end_bounded (self, thread, ts_ns, here, args, number);
      return;
    }
  if (!open->is_marked && flags == 0)
    tt_ctf_kin_lasted (&self->kinship, open->identity, tt_time_since (ts_ns, open->begin_ns));
  end_nested (self, thread, ts_ns, args, flags, number);
}

void
tt_ctf_end_unsure (TtCtfSession *self, TtCtfThread *thread, gint64 ts_ns, guint64 args, guint64 number)
{
  const gint64 between[] = { tt_ctf_open_at (thread, thread->open->len - 1)->lost_from_ns, ts_ns };

  tt_sink_repair_of (self->sink, thread->process->id, TT_REPAIR_UNSURE_END, number);
  end_bounded (self, thread, ts_ns, between, args, number);
}

static void close_team (TtCtfSession *self,
                        TtCtfThread *thread,
                        const TtCtfOpen *region,
                        gint64 from_ns,
                        gint64 ts_ns,
                        guint64 number);

/* The end of the innermost span was lost; at @ts_ns it is over. */
static void
end_lost (TtCtfSession *self, TtCtfThread *thread, gint64 ts_ns, guint64 number)
{
  /* Others may have no end of their own, and last until something else comes. */
  const guint with_end = TT_CTF_MPI | TT_CTF_DEVICE_CALL | TT_CTF_FUNCTION | TT_CTF_OTHER_SPAN;
  const TtCtfOpen copy = *tt_ctf_open_at (thread, thread->open->len - 1), *open = &copy;
  const TtCtfRegion *region = open->kind == TT_CTF_PARALLEL && open->has_match
                                  ? tt_ctf_regions_find (&thread->process->regions, open->match)
                                  : NULL;
  gint64 alive_ns = MAX (open->lost_from_ns, region == NULL ? G_MININT64 : region->alive_ns);
  gint64 end_ns = MIN (alive_ns, ts_ns);
  gint64 between[] = { end_ns,
                       (open->kind & with_end) != 0 && !open->is_mistaken ? MIN (open->lost_until_ns, ts_ns) : ts_ns };

  /* What came after the loss has been taken to be inside. */
  if (thread->n_events > open->n_before)
    end_ns = CLAMP (thread->last_ns, end_ns, ts_ns);
  between[1] = MAX (between[1], end_ns);
  /* What it received was not seen. */
  if (open->kind == TT_CTF_MPI)
    thread->process->order_lost_ns = MIN (thread->process->order_lost_ns, open->begin_ns - 1);
  tt_sink_repair_of (self->sink, thread->process->id, TT_REPAIR_BOUNDED_END, number);
  tt_ctf_sight (self, thread, open, TT_CTF_LOST_END, ts_ns);
  end_bounded (self, thread, end_ns, between, 0, number);
  if (region != NULL)
    close_team (self, thread, open, between[0], ts_ns, number);
}

gint64
tt_ctf_find_task (const TtCtfThread *thread, const gint64 *match)
{
  for (guint i = thread->open->len; i-- > 0;)
    {
      const TtCtfOpen *open = tt_ctf_open_at (thread, i);
      if (open->kind == TT_CTF_TASK && open->has_match && open->match[0] == match[0] && open->match[1] == match[1])
        return i;
    }
  return -1;
}

/* The spans of @thread from @at on are over since some time after @from_ns. */
static void
suspect_from (TtCtfThread *thread, guint at, gint64 from_ns)
{
  for (guint i = at; i < thread->open->len; i++)
    {
      TtCtfOpen *open = tt_ctf_open_at (thread, i);

      open->is_marked = TRUE;
      if (!open->is_suspect)
        {
          open->is_suspect = TRUE;
          open->n_before = 0;
          open->lost_from_ns = MAX (from_ns, open->begin_ns);
        }
      open->lost_until_ns = G_MAXINT64;
      open->n_lost = G_MAXUINT32;
    }
}

/* The end of @region, which @thread had begun, was lost after @from_ns. */
static void
close_team (TtCtfSession *self,
            TtCtfThread *thread,
            const TtCtfOpen *region,
            gint64 from_ns,
            gint64 ts_ns,
            guint64 number)
{
  TtCtfRegion *known = tt_ctf_regions_find (&thread->process->regions, region->match);

  if (known == NULL)
    return;
  known->n_open -= known->n_open > 0;
  known->lacks_teams = TRUE;
  if (known->n_open > 0)
    return;
  /* Closing may end other regions, and this one again. */
  g_autoptr (GPtrArray) threads = g_ptr_array_ref (known->threads);
  tt_ctf_regions_remove (&thread->process->regions, known);
  for (guint i = 0; i < threads->len; i++)
    {
      TtCtfThread *worker = threads->pdata[i];
      gint64 at = worker == thread ? -1 : tt_ctf_find_task (worker, region->match);

      if (at < 0)
        continue;
      tt_ctf_suspect_spans (self, worker, ts_ns);
      suspect_from (worker, (guint) at, from_ns);
      tt_ctf_close_from (self, worker, (guint) at, MAX (ts_ns, worker->last_ns), number);
      worker->has_late = TRUE;
      worker->late[0] = region->match[0];
      worker->late[1] = region->match[1];
    }
}

gboolean
tt_ctf_team_may_be_over (TtCtfSession *self, TtCtfThread *thread, guint at, gint64 ts_ns)
{
  const TtCtfOpen *task = NULL;
  TtCtfHole hole;

  if (!self->losses.has_any)
    return FALSE;
  for (guint i = at + 1; i-- > 0 && task == NULL;)
    task = tt_ctf_open_at (thread, i)->kind == TT_CTF_TASK ? tt_ctf_open_at (thread, i) : NULL;
  const TtCtfRegion *region =
      task == NULL || !task->has_match ? NULL : tt_ctf_regions_find (&thread->process->regions, task->match);
  TtCtfThread *master = region == NULL ? NULL : region->begun_by;
  if (task == NULL || master == thread)
    return FALSE;
  if (master == NULL)
    {
      gint64 from_ns = region == NULL ? task->begin_ns : MAX (task->begin_ns, region->alive_ns);
      if (!tt_ctf_losses_between (&self->losses, G_MAXUINT64, from_ns, ts_ns, &hole))
        return FALSE;
      tt_ctf_suspect_spans (self, thread, ts_ns);
      suspect_from (thread, at, hole.from_ns);
      return TRUE;
    }
  tt_ctf_suspect_spans (self, master, ts_ns);
  for (guint i = master->open->len; i-- > 0;)
    {
      const TtCtfOpen *open = tt_ctf_open_at (master, i);
      if (open->kind != TT_CTF_PARALLEL || open->match[0] != task->match[0] || open->match[1] != task->match[1])
        continue;
      if (!open->is_suspect)
        return FALSE;
      tt_ctf_suspect_spans (self, thread, ts_ns);
      suspect_from (thread, at, MAX (open->lost_from_ns, region->alive_ns));
      return TRUE;
    }
  return FALSE;
}

/* Of work before its own barrier the end is known; other work may have ended long before what its thread did next. */
static guint64
at_most_args (TtCtfSession *self, const TtCtfThread *thread, gint64 ts_ns)
{
  const TtCtfOpen *open = tt_ctf_open_at (thread, thread->open->len - 1);

  if (open->kind != TT_CTF_WORK || self->ends_work)
    return 0;
  return bounds_args (self, 0, tt_time_since (ts_ns, open->begin_ns), 0);
}

void
tt_ctf_close_from (TtCtfSession *self, TtCtfThread *thread, guint from, gint64 ts_ns, guint64 number)
{
  if (thread->open->len > from)
    tt_ctf_suspect_spans (self, thread, ts_ns);
  while (thread->open->len > from)
    {
      if (tt_ctf_open_at (thread, thread->open->len - 1)->is_suspect)
        {
          end_lost (self, thread, ts_ns, number);
          continue;
        }
      tt_sink_repair_of (self->sink, thread->process->id, TT_REPAIR_INFERRED_END, number);
      tt_ctf_end_top (self, thread, ts_ns, at_most_args (self, thread, ts_ns), TT_FLAG_INFERRED, number);
    }
}

void
tt_ctf_close_between (TtCtfSession *self, TtCtfThread *thread, guint at, const gint64 *between, guint64 number)
{
  tt_ctf_close_from (self, thread, at + 1, between[0], number);
  if (thread->open->len != at + 1)
    return;
  if (between[0] == between[1] || tt_ctf_open_at (thread, at)->is_suspect)
    {
      tt_ctf_close_from (self, thread, at, between[0], number);
      return;
    }
  tt_sink_repair_of (self->sink, thread->process->id, TT_REPAIR_UNSURE_TEAM, number);
  end_bounded (self, thread, between[0], between, 0, number);
}

void
tt_ctf_write_ended (TtCtfSession *self,
                    TtCtfThread *thread,
                    const TtCtfOpen *ended,
                    gint64 begun_after_ns,
                    const TtNestSpan *end)
{
  const TtNestSpan begin = { .ts_ns = end->ts_ns, .offset = end->offset, .name = ended->name, .step = TT_NO_STEP };
  TtNestSpan last = *end;

  last.name = ended->name;
  last.flags = TT_CTF_BOUNDED;
  last.args = bounds_args (self, 0, tt_time_since (end->ts_ns, begun_after_ns), end->args);
  tt_sink_repair_of (self->sink, thread->process->id, TT_REPAIR_BOUNDED_BEGIN, end->offset);
  tt_ctf_sight (self, thread, ended, TT_CTF_LOST_BEGIN, end->ts_ns);
  tt_ctf_sight (self, thread, ended, TT_CTF_SAW_END, end->ts_ns);
  tt_nest_begin (self->nest, thread->nest, &begin);
  tt_nest_end (self->nest, thread->nest, &last);
}

/* -- the end ---------------------------------------------------------------------------------------------------- */

static void
close_thread (TtCtfSession *self, TtCtfThread *thread, guint64 number)
{
  gint64 last_ns = thread->process->last_ns;

  tt_ctf_suspect_spans (self, thread, G_MAXINT64);
  while (thread->open->len > 0)
    {
      const TtCtfOpen *top = tt_ctf_open_at (thread, thread->open->len - 1);

      if (top->is_suspect)
        {
          /* What was lost at the very end may have lasted as long as its packet. */
          gint64 until_ns = top->lost_until_ns == G_MAXINT64 ? self->trace.last_ns : top->lost_until_ns;
          end_lost (self, thread, MAX (until_ns, last_ns), number);
          continue;
        }
      if (!tt_ctf_is_lasting (top))
        tt_sink_repair_of (self->sink, thread->process->id, TT_REPAIR_INFERRED_END, number);
      tt_ctf_end_top (self, thread, last_ns, 0, TT_FLAG_INFERRED | TT_FLAG_UNCLOSED, number);
    }
}

/* Which of the messages and collectives behind a loss is which is not known. */
static void
lose_order (TtCtfSession *self, TtCtfProcess *process)
{
  TtCtfHole hole;

  for (guint i = 0; i < process->in_order->len; i++)
    {
      const TtCtfThread *thread = process->in_order->pdata[i];
      guint64 streams = is_pinned (thread) ? thread->streams : G_MAXUINT64;

      if (tt_ctf_losses_between (&self->losses, streams, G_MININT64, G_MAXINT64, &hole))
        process->order_lost_ns = MIN (process->order_lost_ns, hole.from_ns);
    }
  if (process->order_lost_ns != G_MAXINT64)
    tt_sink_lose_order (self->sink, process->id, TT_NO_ID, process->order_lost_ns);
}

void
tt_ctf_close_spans (TtCtfSession *self, TtCtfProcess *process)
{
  guint64 number = self->trace.n_before + self->trace.n_events;

  for (guint i = 0; i < process->in_order->len; i++)
    {
      tt_ctf_end_pending (self, process->in_order->pdata[i]);
      close_thread (self, process->in_order->pdata[i], number);
    }
  lose_order (self, process);
}
