/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/ctf/teams.h"

/* So many teams of one region at a time, and threads in doubt about them, are told apart. */
#define MAX_TEAMS 64u
#define MAX_IN_DOUBT 1024u
/* So many checks of a task against a team an event may cost in the mean, whatever a trace has in it, and as many at first. */
#define CHECKS_PER_EVENT 2048u
#define FIRST_CHECKS (1u << 20)
#define NUMBERS 64

static TtCtfTeam *
team_at (const GArray *teams, guint i)
{
  return &g_array_index (teams, TtCtfTeam, i);
}

static gboolean
is_region_of (const TtCtfOpen *open, const gint64 *match)
{
  return open->kind == TT_CTF_PARALLEL && open->has_match && open->match[0] == match[0] && open->match[1] == match[1];
}

/* Whether @thread itself has begun the region: then it tells when its task ends. */
static gboolean
has_begun (const TtCtfThread *thread, const gint64 *match)
{
  for (guint i = thread->open->len; i-- > 0;)
    if (is_region_of (tt_ctf_open_at (thread, i), match))
      return TRUE;
  return FALSE;
}

/* -- begins ------------------------------------------------------------------------------------------------------ */

static gboolean
is_inside_region (const TtCtfThread *thread)
{
  for (guint i = 0; i < thread->open->len; i++)
    {
      const TtCtfOpen *open = tt_ctf_open_at (thread, i);
      if ((open->kind == TT_CTF_TASK || open->kind == TT_CTF_PARALLEL) && open->has_match && open->match[0] != 0)
        return TRUE;
    }
  return FALSE;
}

static void
add_team (TtCtfThread *thread, TtCtfRegion *region, gint64 ts_ns)
{
  const TtCtfTeam team = {
    .master = thread, .begin_ns = ts_ns, .end_ns = G_MAXINT64, .taken = 1, .is_nested = is_inside_region (thread)
  };

  if (region->teams->len >= MAX_TEAMS)
    region->lacks_teams = TRUE;
  else
    g_array_append_val (region->teams, team);
}

static void
add_task (TtCtfThread *thread, TtCtfRegion *region, TtCtfOpen *open)
{
  if (region->threads->len == 0 || region->threads->pdata[region->threads->len - 1] != thread)
    g_ptr_array_add (region->threads, thread);
  if (!has_begun (thread, open->match))
    return;
  open->master = thread;
  for (guint i = 0; i < region->teams->len; i++)
    if (team_at (region->teams, i)->master == thread && team_at (region->teams, i)->end_ns == G_MAXINT64)
      team_at (region->teams, i)->size = open->team_size;
}

void
tt_ctf_team_begins (TtCtfSession *self,
                    TtCtfThread *thread,
                    TtCtfOpen *open,
                    const TtCtfBinding *binding,
                    const TtCtfEvent *event)
{
  TtCtfRegion *region = tt_ctf_regions_get (&thread->process->regions, open->match);

  if (open->kind == TT_CTF_PARALLEL)
    {
      self->region = *open;
      region->n_open++;
      region->begun_by = thread;
      add_team (thread, region, event->ts_ns);
      return;
    }
  self->task = *open;
  open->team_number = -1;
  tt_ctf_integer (event, binding->team_number, &open->team_number);
  tt_ctf_integer (event, binding->team_size, &open->team_size);
  add_task (thread, region, open);
}

/* -- which team it is -------------------------------------------------------------------------------------------- */

static gboolean
has_come_to_join (const TtCtfSession *self, const TtCtfThread *thread)
{
  const TtCtfOpen *top = tt_ctf_open_at (thread, thread->open->len - 1);

  return !self->has_joins || top->is_marked || (top->kind & (TT_CTF_JOIN | TT_CTF_JOIN_WAIT)) != 0;
}

static gboolean
may_be_in (const TtCtfSession *self, const TtCtfThread *thread, const TtCtfOpen *task, const TtCtfTeam *team)
{
  if (team->master == thread || team->begin_ns > task->begin_ns ||
      (team->size > 0 && task->team_size > 0 && team->size != task->team_size))
    return FALSE;
  if (task->team_number >= 0 && task->team_number < NUMBERS && (team->taken >> task->team_number & 1) != 0)
    return FALSE;
  return team->end_ns == G_MAXINT64 || (team->end_ns >= thread->last_ns && has_come_to_join (self, thread));
}

/* The only one of @teams that the task can be in, or NULL. */
static TtCtfTeam *
only_team (const TtCtfSession *self, const TtCtfThread *thread, const TtCtfOpen *task, const GArray *teams)
{
  TtCtfTeam *only = NULL;
  guint n = 0;

  for (guint i = 0; i < teams->len; i++)
    {
      TtCtfTeam *team = team_at (teams, i);

      if (!may_be_in (self, thread, task, team))
        continue;
      if (!team->is_nested && team->master == thread->master)
        return team;
      only = team;
      n++;
    }
  return n == 1 ? only : NULL;
}

/* Its team is known. */
static void
join_team (TtCtfThread *thread, TtCtfOpen *task, TtCtfTeam *team)
{
  task->master = team->master;
  if (task->team_number >= 0 && task->team_number < NUMBERS)
    team->taken |= (guint64) 1 << task->team_number;
  if (!team->is_nested)
    thread->master = team->master;
}

/* -- ends ------------------------------------------------------------------------------------------------------- */

/* The task @at of a worker does not outlast its region. */
static void
end_task (TtCtfSession *self, TtCtfThread *thread, guint at, const gint64 *between, guint64 number)
{
  const gint64 match[2] = { tt_ctf_open_at (thread, at)->match[0], tt_ctf_open_at (thread, at)->match[1] };

  tt_ctf_close_between (self, thread, at, between, number);
  thread->has_late = TRUE;
  thread->late[0] = match[0];
  thread->late[1] = match[1];
  g_clear_pointer (&thread->doubt, g_array_unref);
}

static void
end_task_with (TtCtfSession *self, TtCtfThread *thread, guint at, const TtCtfTeam *team, guint64 number)
{
  const gint64 between[] = { team->end_ns, team->end_ns };

  end_task (self, thread, at, between, number);
}

static TtCtfTeam *
team_of (const GArray *teams, gconstpointer master)
{
  for (guint i = teams->len; i-- > 0;)
    if (team_at (teams, i)->master == master)
      return team_at (teams, i);
  return NULL;
}

/* Ends the tasks of @region whose teams are known and have ended. TRUE: another one's team became known. */
static gboolean
sort_out (TtCtfSession *self, TtCtfRegion *region, guint64 number)
{
  GPtrArray *threads = region->threads;
  gboolean is_new = FALSE;

  for (guint i = threads->len; i-- > 0;)
    {
      TtCtfThread *thread = threads->pdata[i];
      gint64 at = tt_ctf_find_task (thread, region->key);

      if (at < 0)
        {
          g_ptr_array_remove_index (threads, i);
          continue;
        }
      TtCtfOpen *task = tt_ctf_open_at (thread, (guint) at);
      if (thread->doubt != NULL)
        continue;
      TtCtfTeam *team =
          task->master != NULL ? team_of (region->teams, task->master) : only_team (self, thread, task, region->teams);
      if (team == NULL || team->master == thread)
        continue;
      if (task->master == NULL)
        {
          join_team (thread, task, team);
          is_new = TRUE;
        }
      if (team->end_ns == G_MAXINT64)
        continue;
      g_ptr_array_remove_index (threads, i);
      end_task_with (self, thread, (guint) at, team, number);
    }
  return is_new;
}

/* The teams of @teams that have ended and that the task can be in. NULL: there is none. */
static GArray *
list_ended (const TtCtfSession *self, const TtCtfThread *thread, const TtCtfOpen *task, const GArray *teams)
{
  GArray *ended = NULL;

  for (guint i = 0; i < teams->len; i++)
    {
      const TtCtfTeam *team = team_at (teams, i);

      if (team->end_ns == G_MAXINT64 || !may_be_in (self, thread, task, team))
        continue;
      if (ended == NULL)
        ended = g_array_new (FALSE, FALSE, sizeof (TtCtfTeam));
      g_array_append_vals (ended, team, 1);
    }
  return ended;
}

/* All teams of @region have ended: who is in doubt keeps them in mind. */
static void
leave_in_doubt (TtCtfSession *self, TtCtfRegion *region)
{
  for (guint i = 0; i < region->threads->len; i++)
    {
      TtCtfThread *thread = region->threads->pdata[i];
      gint64 at = tt_ctf_find_task (thread, region->key);

      if (at < 0 || thread->doubt != NULL || tt_ctf_open_at (thread, (guint) at)->master != NULL)
        continue;
      thread->doubt = list_ended (self, thread, tt_ctf_open_at (thread, (guint) at), region->teams);
    }
}

/* One team of the region, or no more is known of them: all tasks end with the last. */
static void
end_all (TtCtfSession *self, TtCtfThread *master, const TtCtfRegion *region, const TtCtfEvent *event)
{
  const gint64 between[] = { event->ts_ns, event->ts_ns };

  for (guint i = 0; i < region->threads->len; i++)
    {
      TtCtfThread *thread = region->threads->pdata[i];
      gint64 at = thread == master ? -1 : tt_ctf_find_task (thread, region->key);

      if (at >= 0)
        end_task (self, thread, (guint) at, between, tt_ctf_event_number (self, event));
    }
}

/* Forgets the teams that have ended with all their tasks. */
static void
prune (const TtCtfSession *self, TtCtfRegion *region)
{
  for (guint i = region->teams->len; i-- > 0;)
    {
      const TtCtfTeam *team = team_at (region->teams, i);
      gboolean is_needed = team->end_ns == G_MAXINT64;

      for (guint j = 0; j < region->threads->len && !is_needed; j++)
        {
          const TtCtfThread *thread = region->threads->pdata[j];
          gint64 at = tt_ctf_find_task (thread, region->key);
          is_needed = at >= 0 && may_be_in (self, thread, tt_ctf_open_at (thread, (guint) at), team);
        }
      if (!is_needed)
        g_array_remove_index (region->teams, i);
    }
}

/* One of several teams has ended. */
static void
end_one (TtCtfSession *self, TtCtfThread *thread, TtCtfRegion *region, guint64 number)
{
  /* Where records were lost, closing ends other regions, and this one again. */
  tt_ctf_region_hold (region);
  while (sort_out (self, region, number))
    continue;
  if (tt_ctf_region_let_go (region))
    return;
  if (region->n_open > 0)
    {
      prune (self, region);
      return;
    }
  leave_in_doubt (self, region);
  tt_ctf_regions_remove (&thread->process->regions, region);
}

/* Whether there is room for the checks that the end of a team costs. */
static gboolean
affords_checks (TtCtfSession *self, const TtCtfRegion *region, guint64 number)
{
  self->n_team_checks += 3 * (guint64) region->threads->len * region->teams->len;
  return region->threads->len <= MAX_IN_DOUBT && self->n_team_checks <= FIRST_CHECKS + number * CHECKS_PER_EVENT;
}

void
tt_ctf_team_ends (TtCtfSession *self, TtCtfThread *thread, const gint64 *match, const TtCtfEvent *event)
{
  TtCtfRegion *region = tt_ctf_regions_find (&thread->process->regions, match);

  if (region == NULL || region->is_held)
    return;
  TtCtfTeam *team = team_of (region->teams, thread);
  if (team != NULL)
    team->end_ns = event->ts_ns;
  else if (region->n_open > 0 && !region->lacks_teams)
    {
      region->lacks_teams = TRUE;
      return;
    }
  region->n_open -= region->n_open > 0;
  if (region->teams->len > 1 && !region->lacks_teams)
    {
      region->lacks_teams = !affords_checks (self, region, tt_ctf_event_number (self, event));
      if (!region->lacks_teams)
        {
          end_one (self, thread, region, tt_ctf_event_number (self, event));
          return;
        }
    }
  if (region->n_open > 0)
    return;
  tt_ctf_region_hold (region);
  tt_ctf_regions_remove (&thread->process->regions, region);
  end_all (self, thread, region, event);
  tt_ctf_region_let_go (region);
}

/* -- doubts ------------------------------------------------------------------------------------------------------ */

/* Ends the task @at, which is of one of thread->doubt. @next: the teams of the region that its thread is in next; NULL: none. */
static void
settle (TtCtfSession *self, TtCtfThread *thread, guint at, const GArray *next, guint64 number)
{
  const TtCtfTeam *only = thread->doubt->len == 1 ? team_at (thread->doubt, 0) : NULL;
  gint64 between[] = { G_MAXINT64, G_MININT64 };
  guint n = 0;

  for (guint i = 0; i < thread->doubt->len; i++)
    {
      const TtCtfTeam *team = team_at (thread->doubt, i), *after = next == NULL ? NULL : team_of (next, team->master);

      between[0] = MIN (between[0], team->end_ns);
      between[1] = MAX (between[1], team->end_ns);
      /* Threads of nested teams come from a pool: where they go next tells nothing. */
      if (after == NULL || after->end_ns != G_MAXINT64 || team->is_nested)
        continue;
      only = n++ == 0 ? team : NULL;
    }
  if (only == NULL)
    {
      end_task (self, thread, at, between, number);
      return;
    }
  TtCtfTeam team = *only;
  join_team (thread, tt_ctf_open_at (thread, at), &team);
  end_task_with (self, thread, at, &team, number);
}

/* The innermost task of @thread, if it is in no region of its own and its team is not known; else -1. */
static gint64
find_open_question (const TtCtfThread *thread)
{
  for (guint i = thread->open->len; i-- > 0;)
    {
      const TtCtfOpen *open = tt_ctf_open_at (thread, i);

      if (open->kind == TT_CTF_PARALLEL)
        return -1;
      if (open->kind == TT_CTF_TASK)
        return open->has_match && open->master == NULL ? (gint64) i : -1;
    }
  return -1;
}

/* What the thread is doing shows that its team has ended. TRUE: it may have been in one of several. */
static gboolean
doubts (TtCtfSession *self, TtCtfThread *thread, guint at)
{
  const TtCtfOpen *task = tt_ctf_open_at (thread, at);
  const TtCtfRegion *region = tt_ctf_regions_find (&thread->process->regions, task->match);

  if (thread->doubt == NULL && region != NULL && region->teams->len > 1 && !region->lacks_teams)
    thread->doubt = list_ended (self, thread, task, region->teams);
  return thread->doubt != NULL;
}

gboolean
tt_ctf_team_hears (TtCtfSession *self, TtCtfThread *thread, const TtCtfBinding *binding, const TtCtfEvent *event)
{
  const guint late = TT_CTF_TASK | TT_CTF_JOIN | TT_CTF_JOIN_WAIT;
  guint kind = binding->span == NULL ? 0 : binding->span->kind;
  gboolean is_late_end = (kind & late) != 0 && !binding->is_begin;
  gboolean is_next_task = kind == TT_CTF_TASK && binding->is_begin;
  gint64 region[2];

  self->has_joins |= kind == TT_CTF_JOIN;
  if (G_LIKELY (thread->doubt == NULL && !is_late_end && !is_next_task))
    return FALSE;
  gint64 at = find_open_question (thread);
  if (at < 0 || !doubts (self, thread, (guint) at))
    return FALSE;
  if (!is_late_end || thread->doubt->len == 1)
    {
      const TtCtfRegion *next = !is_next_task || !tt_ctf_integer (event, binding->match[0], &region[0]) ||
                                        !tt_ctf_integer (event, binding->match[1], &region[1])
                                    ? NULL
                                    : tt_ctf_regions_find (&thread->process->regions, region);
      settle (self, thread, (guint) at, next == NULL ? NULL : next->teams, tt_ctf_event_number (self, event));
      return FALSE;
    }
  return TRUE;
}

void
tt_ctf_team_settle_all (TtCtfSession *self, TtCtfProcess *process)
{
  for (guint i = 0; i < process->in_order->len; i++)
    {
      TtCtfThread *thread = process->in_order->pdata[i];
      gint64 at = find_open_question (thread);

      if (at >= 0 && doubts (self, thread, (guint) at))
        settle (self, thread, (guint) at, NULL, self->trace.n_before + self->trace.n_events);
    }
}
