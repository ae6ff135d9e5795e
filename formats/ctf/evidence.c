/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/ctf/evidence.h"

#define TEAM (TT_CTF_PARALLEL | TT_CTF_TASK)
#define SYNCS (TT_CTF_BARRIER | TT_CTF_BARRIER_WAIT | TT_CTF_JOIN | TT_CTF_JOIN_WAIT)
#define OPENMP (TEAM | SYNCS | TT_CTF_WORK | TT_CTF_MASKED)
/* Nothing of these kinds begins while one of them is open. */
#define CALLS (TT_CTF_MPI | TT_CTF_DEVICE_CALL | SYNCS)
/* Of so many spans around one it is learned that it is inside of them. */
#define MAX_LEARNED 64u

static guint64
identity_of (const TtCtfOpen *open)
{
  gboolean is_of_region = (open->kind & TEAM) != 0 && open->has_match;

  return tt_ctf_kin_mix (open->name, is_of_region ? (guint64) open->match[0] : 0);
}

void
tt_ctf_identify (TtCtfOpen *open, const TtCtfBinding *binding, const TtCtfEvent *event)
{
  gint64 site = 0;

  if (binding != NULL)
    tt_ctf_integer (event, binding->site, &site);
  open->identity = open->placed = identity_of (open);
  if (site != 0)
    open->placed = tt_ctf_kin_mix (open->identity, (guint64) site);
}

/* -- regions ---------------------------------------------------------------------------------------------------- */

/* The parallel region in which @event took place; FALSE: in none, or it does not say. */
static gboolean
read_region (const TtCtfBinding *binding, const TtCtfEvent *event, gint64 *region)
{
  gboolean is_of_thread = binding->span != NULL && binding->span->kind == TT_CTF_LIFE;

  return !is_of_thread && tt_ctf_integer (event, binding->region[0], &region[0]) &&
         tt_ctf_integer (event, binding->region[1], &region[1]) && region[0] != 0;
}

static gboolean
is_of_region (const TtCtfOpen *open, const gint64 *region)
{
  return (open->kind & TEAM) != 0 && open->has_match && open->match[0] == region[0] && open->match[1] == region[1];
}

static gint64
find_region (const TtCtfThread *thread, const gint64 *region, guint kinds)
{
  for (guint i = thread->open->len; i-- > 0;)
    if ((tt_ctf_open_at (thread, i)->kind & kinds) != 0 && is_of_region (tt_ctf_open_at (thread, i), region))
      return i;
  return -1;
}

/* The event is in the region of the span @at: the regions that began inside of it are over. */
static void
confirm_region (TtCtfSession *self, TtCtfThread *thread, guint at, gint64 ts_ns, guint64 number, gboolean is_join)
{
  for (guint i = at + 1; i < thread->open->len; i++)
    {
      const TtCtfOpen *open = tt_ctf_open_at (thread, i);
      if ((open->kind & TEAM) != 0 && open->is_suspect && !is_of_region (open, tt_ctf_open_at (thread, at)->match))
        {
          tt_ctf_close_from (self, thread, i, ts_ns, number);
          break;
        }
    }
  /* With a region what others have open is closed, and with that perhaps more here. */
  if (thread->open->len <= at)
    return;
  for (guint i = 0; i <= at; i++)
    tt_ctf_open_at (thread, i)->is_suspect = FALSE;
  TtCtfRegion *region = tt_ctf_regions_find (&thread->process->regions, tt_ctf_open_at (thread, at)->match);
  /* When the last one has come to the join, the region may end before the others tell that they have. */
  if (region != NULL && !is_join)
    region->alive_ns = MAX (region->alive_ns, ts_ns);
}

/* The event is in a region that is not known here: those that are, and were not seen to have others inside, are over. */
static void
close_other_regions (TtCtfSession *self, TtCtfThread *thread, const gint64 *region, gint64 ts_ns, guint64 number)
{
  TtCtfOpen begun = self->region;

  begun.match[0] = region[0];
  begun.has_match = TRUE;
  guint64 identity = identity_of (&begun);
  for (guint i = 0; i < thread->open->len; i++)
    {
      const TtCtfOpen *open = tt_ctf_open_at (thread, i);

      if ((open->kind & TEAM) == 0 || !open->is_suspect || tt_ctf_kin_has (&self->kinship, open->identity, identity))
        continue;
      tt_ctf_close_from (self, thread, i, ts_ns, number);
      return;
    }
}

/* Opens a region or a task whose begin was lost. */
static void
open_lost (TtCtfSession *self,
           TtCtfThread *thread,
           const TtCtfOpen *like,
           const gint64 *region,
           gint64 after_ns,
           const TtCtfEvent *event)
{
  TtCtfOpen open = *like;
  const TtNestSpan begin = { .ts_ns = event->ts_ns,
                             .offset = tt_ctf_event_number (self, event),
                             .name = like->name,
                             .flags = TT_CTF_BOUNDED,
                             .step = TT_NO_STEP };

  open.match[0] = region[0];
  open.match[1] = region[1];
  open.has_match = TRUE;
  tt_ctf_identify (&open, NULL, NULL);
  open.begin_ns = event->ts_ns;
  open.begun_after_ns = after_ns;
  open.is_marked = TRUE;
  open.team_number = -1;
  open.team_size = 0;
  open.master = NULL;
  tt_sink_repair_of (self->sink, thread->process->id, TT_REPAIR_BOUNDED_BEGIN, begin.offset);
  tt_ctf_sight (self, thread, &open, TT_CTF_LOST_BEGIN, event->ts_ns);
  tt_nest_begin (self->nest, thread->nest, &begin);
  tt_ctf_push_open (thread, &open);
}

static void
open_lost_task (TtCtfSession *self,
                TtCtfThread *thread,
                const TtCtfBinding *binding,
                const gint64 *region,
                const TtCtfEvent *event)
{
  const TtCtfRegion *known = tt_ctf_regions_find (&thread->process->regions, region);
  gboolean is_known = known != NULL && known->n_open > 0;
  gint64 after_ns = MAX (thread->region_ns, thread->first_ns), number = -1;
  TtCtfHole hole;

  if (!tt_ctf_losses_between (&self->losses, G_MAXUINT64, after_ns, event->ts_ns, &hole))
    return;
  tt_ctf_integer (event, binding->team_number, &number);
  if (number == 0 && !is_known && self->region.family != NULL)
    {
      open_lost (self, thread, &self->region, region, hole.from_ns, event);
      TtCtfRegion *opened = tt_ctf_regions_get (&thread->process->regions, region);
      opened->n_open++;
      opened->lacks_teams = TRUE;
      opened->begun_by = thread;
    }
  if (self->task.family == NULL)
    return;
  open_lost (self, thread, &self->task, region, hole.from_ns, event);
  GPtrArray *threads = tt_ctf_regions_get (&thread->process->regions, region)->threads;
  if (threads->len == 0 || threads->pdata[threads->len - 1] != thread)
    g_ptr_array_add (threads, thread);
}

/* Workers tell that they have left a region when they are woken for the next one. */
static gboolean
may_come_late (const TtCtfBinding *binding)
{
  return !binding->is_begin && (binding->span->kind & (TT_CTF_TASK | TT_CTF_JOIN | TT_CTF_JOIN_WAIT)) != 0;
}

static void
weigh_region (TtCtfSession *self, TtCtfThread *thread, const TtCtfBinding *binding, const TtCtfEvent *event)
{
  guint64 number = tt_ctf_event_number (self, event);
  gint64 region[2];

  if (binding->span == NULL || !read_region (binding, event, region))
    return;
  gboolean begins_region = binding->is_begin && (binding->span->kind & TEAM) != 0;
  if (self->losses.has_any && !(begins_region && binding->span->kind == TT_CTF_PARALLEL))
    {
      gint64 at = find_region (thread, region, binding->span->kind == TT_CTF_PARALLEL ? TT_CTF_PARALLEL : TEAM);

      if (at >= 0 && !may_come_late (binding))
        confirm_region (self, thread, (guint) at, event->ts_ns, number,
                        (binding->span->kind & (TT_CTF_JOIN | TT_CTF_JOIN_WAIT)) != 0);
      else if (at < 0 && !may_come_late (binding))
        {
          close_other_regions (self, thread, region, event->ts_ns, number);
          if (!begins_region && binding->span->kind != TT_CTF_PARALLEL)
            open_lost_task (self, thread, binding, region, event);
        }
    }
  thread->region_ns = event->ts_ns;
}

void
tt_ctf_weigh_more (TtCtfSession *self, TtCtfThread *thread, const TtCtfBinding *binding, const TtCtfEvent *event)
{
  if (G_UNLIKELY (self->losses.has_any))
    tt_ctf_suspect_spans (self, thread, event->ts_ns);
  weigh_region (self, thread, binding, event);
}

/* -- what is inside what --------------------------------------------------------------------------------------- */

/* Whether, of what is known of their kinds, @begun cannot be inside of @open. */
static gboolean
excludes (const TtCtfOpen *open, const TtCtfOpen *begun, const TtCtfSpanRule *rule)
{
  if (open->identity == begun->identity)
    return TRUE;
  if ((open->kind & CALLS) != 0 && (begun->kind & (CALLS | OPENMP)) != 0)
    return !((open->kind == TT_CTF_BARRIER && begun->kind == TT_CTF_BARRIER_WAIT) ||
             (open->kind == TT_CTF_JOIN && begun->kind == TT_CTF_JOIN_WAIT));
  if (begun->kind == TT_CTF_PARALLEL)
    return (open->kind & OPENMP) != 0;
  return open->kind == TT_CTF_OTHER_SPAN && begun->kind == TT_CTF_OTHER_SPAN && !rule->nests;
}

void
tt_ctf_make_room (TtCtfSession *self,
                  TtCtfThread *thread,
                  const TtCtfOpen *begun,
                  const TtCtfSpanRule *rule,
                  guint64 number)
{
  guint lowest = thread->open->len;

  if (!self->losses.has_any)
    return;
  gboolean is_known = tt_ctf_kin_knows (&self->kinship, begun->placed);
  for (guint i = thread->open->len; i-- > 0;)
    {
      const TtCtfOpen *open = tt_ctf_open_at (thread, i);

      if (!open->is_suspect || tt_ctf_kin_has (&self->kinship, open->identity, begun->placed))
        break;
      if (is_known || excludes (open, begun, rule))
        lowest = i;
    }
  tt_ctf_close_from (self, thread, lowest, begun->begin_ns, number);
}

void
tt_ctf_learn (TtCtfSession *self, const TtCtfThread *thread, const TtCtfOpen *begun)
{
  const GArray *open = thread->open;
  const TtCtfOpen *parent = open->len == 0 ? NULL : &g_array_index (open, TtCtfOpen, open->len - 1);
  gboolean is_new = parent == NULL ? !tt_ctf_kin_knows (&self->kinship, begun->placed)
                                   : !tt_ctf_kin_has (&self->kinship, parent->identity, begun->placed);
  guint n_least = open->len > MAX_LEARNED ? open->len - MAX_LEARNED : 0;
  gboolean are_sure = parent != NULL || !self->losses.has_any;

  if (!is_new || (parent != NULL && parent->is_marked))
    return;
  for (guint i = open->len; i-- > n_least;)
    {
      const TtCtfOpen *outer = tt_ctf_open_at (thread, i);

      are_sure &= !outer->is_suspect;
      if (!outer->is_suspect)
        tt_ctf_kin_add (&self->kinship, outer->identity, begun->placed);
    }
  if (are_sure)
    tt_ctf_kin_know (&self->kinship, begun->placed);
}

/* -- ends ------------------------------------------------------------------------------------------------------- */

TtCtfEndFit
tt_ctf_fit_end (TtCtfSession *self, TtCtfThread *thread, guint at, const TtCtfBinding *binding, const TtCtfEvent *event)
{
  const TtCtfOpen *open = tt_ctf_open_at (thread, at);
  const guint with_number = TEAM | TT_CTF_JOIN | TT_CTF_JOIN_WAIT | TT_CTF_DEVICE_CALL;
  const guint with_place = TT_CTF_MPI | TT_CTF_BARRIER | TT_CTF_BARRIER_WAIT;
  gint64 codeptr = 0;

  if ((open->kind & (TT_CTF_TASK | TT_CTF_JOIN | TT_CTF_JOIN_WAIT)) != 0 &&
      tt_ctf_team_may_be_over (self, thread, at, event->ts_ns))
    return TT_CTF_END_UNSURE;
  /* Another one would have a begin and an end besides. */
  if (!open->is_suspect || open->n_lost < 2 || ((open->kind & with_number) != 0 && open->has_match))
    return TT_CTF_END_ITS_OWN;
  if ((open->kind & with_place) != 0 && tt_ctf_integer (event, binding->codeptr, &codeptr) && open->codeptr != 0 &&
      codeptr != open->codeptr)
    return TT_CTF_END_OF_ANOTHER;
  const gint64 longest_ns = tt_ctf_kin_longest (&self->kinship, open->identity);
  /* Of other tracers one pair of events may stand for things of any length. */
  if (open->kind == TT_CTF_OTHER_SPAN || longest_ns < 0 || event->ts_ns - open->begin_ns <= longest_ns)
    return TT_CTF_END_UNSURE;
  return TT_CTF_END_OF_ANOTHER;
}

gboolean
tt_ctf_may_lack_begin (TtCtfSession *self, const TtCtfThread *thread, gint64 ts_ns, gint64 *after_ns)
{
  const TtCtfOpen *around = NULL; /* what certainly is */
  TtCtfHole hole;

  for (guint i = thread->open->len; i-- > 0 && around == NULL;)
    around = tt_ctf_open_at (thread, i)->is_suspect ? NULL : tt_ctf_open_at (thread, i);
  gint64 from_ns = around == NULL                         ? G_MININT64
                   : around->begun_after_ns != TT_NO_TIME ? around->begun_after_ns
                                                          : around->begin_ns;

  if (!tt_ctf_losses_between (&self->losses, G_MAXUINT64, from_ns, ts_ns, &hole))
    return FALSE;
  /* What was seen first of the process may not be its first: that may be lost, too. */
  *after_ns = hole.from_ns;
  return TRUE;
}
