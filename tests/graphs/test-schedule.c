/* SPDX-License-Identifier: Apache-2.0 */
/* List scheduling: hand-made cases, and random ones against a naive model that looks at everything each time. */
#include "config.h"

#include "graphs/schedule/schedule.h"

typedef struct
{
  guint32 from, to;
  gint64 lag_ns;
  gboolean from_start;
} Edge;

#define MOST 24

typedef struct
{
  guint n_tasks, n_devices, n_edges;
  TtTask tasks[MOST];
  gboolean is_unbounded[MOST];
  Edge edges[MOST * MOST];
  /* result of the naive model */
  gint64 start_ns[MOST];
} Case;

static TtSchedule *
build (const Case *c)
{
  TtSchedule *schedule = tt_schedule_new ();

  for (guint i = 0; i < c->n_devices; i++)
    g_assert_cmpuint (tt_schedule_add_device (schedule, c->is_unbounded[i]), ==, i);
  for (guint i = 0; i < c->n_tasks; i++)
    g_assert_cmpuint (tt_schedule_add_task (schedule, &c->tasks[i]), ==, i);
  for (guint i = 0; i < c->n_edges; i++)
    tt_schedule_add_dependency (schedule, c->edges[i].from, c->edges[i].to, c->edges[i].lag_ns, c->edges[i].from_start);
  return schedule;
}

/* -- the naive model ----------------------------------------------------------------------------------------- */

typedef struct
{
  const Case *c;
  gboolean is_done[MOST], is_ready[MOST];
  gint64 ready_ns[MOST], clock_ns[MOST];
  guint64 order[MOST], next_order;
  guint32 lock[MOST];
} Model;

static void
find_ready (Model *m, Case *c)
{
  for (guint t = 0; t < c->n_tasks; t++)
    {
      gint64 ready_ns = 0;
      gboolean is_ready = !m->is_ready[t];
      for (guint e = 0; e < c->n_edges && is_ready; e++)
        if (c->edges[e].to == t)
          {
            guint from = c->edges[e].from;
            is_ready = m->is_done[from];
            ready_ns = MAX (ready_ns, c->start_ns[from] + (c->edges[e].from_start ? 0 : c->tasks[from].dur_ns) +
                                          c->edges[e].lag_ns);
          }
      if (!is_ready)
        continue;
      m->is_ready[t] = TRUE;
      m->ready_ns[t] = ready_ns;
    }
}

/* The task that the device would run at @now_ns (any time with G_MAXINT64), -1: none. */
static int
choose (const Model *m, guint device, gint64 now_ns)
{
  const Case *c = m->c;
  int best = -1;

  for (guint t = 0; t < c->n_tasks; t++)
    {
      if (!m->is_ready[t] || m->is_done[t] || c->tasks[t].device != device || m->ready_ns[t] > now_ns ||
          (m->lock[device] != 0 && c->tasks[t].lock != m->lock[device]))
        continue;
      if (best < 0 || c->tasks[t].priority < c->tasks[best].priority ||
          (c->tasks[t].priority == c->tasks[best].priority && m->ready_ns[t] < m->ready_ns[best]))
        best = (int) t;
    }
  return best;
}

static gint64
earliest_start (const Model *m, guint device)
{
  gint64 earliest = G_MAXINT64;

  for (guint t = 0; t < m->c->n_tasks; t++)
    if (m->is_ready[t] && !m->is_done[t] && m->c->tasks[t].device == device &&
        (m->lock[device] == 0 || m->c->tasks[t].lock == m->lock[device]))
      earliest =
          MIN (earliest, m->c->is_unbounded[device] ? m->ready_ns[t] : MAX (m->ready_ns[t], m->clock_ns[device]));
  return earliest;
}

/* FALSE: some task never ran. */
static gboolean
run_model (Case *c)
{
  Model m = { .c = c };
  guint n_done = 0;

  for (;;)
    {
      gint64 first_ns = G_MAXINT64;
      guint device = 0;

      find_ready (&m, c);
      for (guint d = 0; d < c->n_devices; d++)
        {
          gint64 start_ns = earliest_start (&m, d);
          if (start_ns < first_ns)
            {
              first_ns = start_ns;
              device = d;
            }
        }
      if (first_ns == G_MAXINT64)
        return n_done == c->n_tasks;
      int t = choose (&m, device, first_ns);
      g_assert_cmpint (t, >=, 0);
      m.is_done[t] = TRUE;
      n_done++;
      c->start_ns[t] = first_ns;
      if (!c->is_unbounded[device])
        m.clock_ns[device] = first_ns + c->tasks[t].dur_ns + c->tasks[t].trailing_gap_ns;
      if (c->tasks[t].lock != 0 && m.lock[device] == 0 && !c->tasks[t].unlocks)
        m.lock[device] = c->tasks[t].lock;
      else if (c->tasks[t].unlocks && c->tasks[t].lock == m.lock[device])
        m.lock[device] = 0;
    }
}

/* Distinct durations keep the moments apart, so that the two need not agree on ties. */
static void
make_case (GRand *rand, Case *c, gboolean with_locks)
{
  c->n_tasks = (guint) g_rand_int_range (rand, 1, MOST);
  c->n_devices = (guint) g_rand_int_range (rand, 1, 5);
  c->n_edges = 0;
  for (guint d = 0; d < c->n_devices; d++)
    c->is_unbounded[d] = !with_locks && g_rand_int_range (rand, 0, 5) == 0;
  for (guint t = 0; t < c->n_tasks; t++)
    {
      c->tasks[t] = (TtTask){
        .device = (guint32) g_rand_int_range (rand, 0, (gint32) c->n_devices),
        .priority = g_rand_int_range (rand, 0, 3),
        .lock = with_locks ? (guint32) g_rand_int_range (rand, 0, 3) : 0,
        .unlocks = with_locks && g_rand_int_range (rand, 0, 3) != 0,
        .dur_ns = ((gint64) 1 << t) * 1000003 + g_rand_int_range (rand, 1, 1000),
        .trailing_gap_ns = g_rand_int_range (rand, 0, 3) == 0 ? g_rand_int_range (rand, 1, 1000) : 0,
      };
      for (guint from = 0; from < t; from++)
        if (g_rand_int_range (rand, 0, 4) == 0)
          c->edges[c->n_edges++] = (Edge){
            .from = from,
            .to = t,
            .lag_ns = g_rand_int_range (rand, 0, 2) * g_rand_int_range (rand, 0, 100000),
            .from_start = g_rand_int_range (rand, 0, 6) == 0,
          };
      /* A start of its own keeps first tasks apart too. */
    }
}

static void
compare_random (gboolean with_locks, guint32 seed)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (seed);
  guint n_run = 0;

  for (guint round = 0; round < 3000; round++)
    {
      Case c = { 0 };
      guint32 stuck = TT_NO_TASK;
      gint64 makespan_ns = 0;

      make_case (rand, &c, with_locks);
      g_autoptr (TtSchedule) schedule = build (&c);
      gboolean is_run = tt_schedule_run (schedule, TT_SCHEDULE_BY_START, &stuck);
      g_assert_cmpint (run_model (&c), ==, is_run);
      if (!is_run)
        {
          g_assert_cmpuint (stuck, <, c.n_tasks);
          continue;
        }
      n_run++;
      for (guint t = 0; t < c.n_tasks; t++)
        {
          g_assert_cmpint (tt_schedule_start_ns (schedule, t), ==, c.start_ns[t]);
          makespan_ns = MAX (makespan_ns, c.start_ns[t] + c.tasks[t].dur_ns);
        }
      g_assert_cmpint (tt_schedule_makespan_ns (schedule), ==, makespan_ns);
      /* The same again. */
      g_assert_true (tt_schedule_run (schedule, TT_SCHEDULE_BY_START, &stuck));
      g_assert_cmpint (tt_schedule_makespan_ns (schedule), ==, makespan_ns);
    }
  g_assert_cmpuint (n_run, >, 1000);
}

static void
test_random (void)
{
  compare_random (FALSE, 1);
}

static void
test_random_locks (void)
{
  compare_random (TRUE, 2);
}

/* -- hand-made --------------------------------------------------------------------------------------------------- */

/* By clock the idle device takes what is ready late, and its later work waits behind it. */
static void
test_by_clock (void)
{
  const Case c = {
    .n_tasks = 3,
    .n_devices = 2,
    .tasks = { { .device = 0, .dur_ns = 10 },
               { .device = 1, .priority = 0, .dur_ns = 5 },
               { .device = 1, .priority = 1, .dur_ns = 3 } },
    .n_edges = 2,
    .edges = { { .from = 0, .to = 1, .lag_ns = 20 }, { .from = 0, .to = 2, .lag_ns = 0 } },
  };
  g_autoptr (TtSchedule) schedule = build (&c);
  guint32 stuck;

  g_assert_true (tt_schedule_run (schedule, TT_SCHEDULE_BY_CLOCK, &stuck));
  g_assert_cmpint (tt_schedule_start_ns (schedule, 1), ==, 30);
  g_assert_cmpint (tt_schedule_start_ns (schedule, 2), ==, 35);
  g_assert_cmpuint (tt_schedule_previous (schedule, 2), ==, 1);
  g_assert_cmpuint (tt_schedule_previous (schedule, 1), ==, TT_NO_TASK);
  g_assert_true (tt_schedule_run (schedule, TT_SCHEDULE_BY_START, &stuck));
  g_assert_cmpint (tt_schedule_start_ns (schedule, 2), ==, 10);
  g_assert_cmpint (tt_schedule_start_ns (schedule, 1), ==, 30);
  g_assert_cmpuint (tt_schedule_cause (schedule, 1), ==, 0);
}

static void
test_cycle (void)
{
  const Case c = {
    .n_tasks = 3,
    .n_devices = 1,
    .tasks = { { .dur_ns = 1 }, { .dur_ns = 1 }, { .dur_ns = 1 } },
    .n_edges = 3,
    .edges = { { .from = 0, .to = 1 }, { .from = 1, .to = 2 }, { .from = 2, .to = 1 } },
  };
  g_autoptr (TtSchedule) schedule = build (&c);
  guint32 stuck = TT_NO_TASK;

  g_assert_false (tt_schedule_run (schedule, TT_SCHEDULE_BY_START, &stuck));
  g_assert_cmpuint (stuck, ==, 1);
}

/* Group 1 has the device until its second task; the task of group 2, ready earlier, waits. */
static void
test_lock (void)
{
  const Case c = {
    .n_tasks = 4,
    .n_devices = 2,
    .tasks = { { .device = 0, .lock = 1, .dur_ns = 10 },
               { .device = 1, .dur_ns = 50 },
               { .device = 0, .lock = 1, .unlocks = TRUE, .dur_ns = 10 },
               { .device = 0, .lock = 2, .unlocks = TRUE, .dur_ns = 7, .priority = 1 } },
    .n_edges = 2,
    .edges = { { .from = 0, .to = 1 }, { .from = 1, .to = 2 } },
  };
  g_autoptr (TtSchedule) schedule = build (&c);
  guint32 stuck;

  for (int order = 0; order < 2; order++)
    {
      g_assert_true (tt_schedule_run (schedule, (TtScheduleOrder) order, &stuck));
      g_assert_cmpint (tt_schedule_start_ns (schedule, 2), ==, 60);
      g_assert_cmpint (tt_schedule_start_ns (schedule, 3), ==, 70);
    }
  tt_schedule_task (schedule, 1)->dur_ns = 5;
  g_assert_true (tt_schedule_run (schedule, TT_SCHEDULE_BY_START, &stuck));
  g_assert_cmpint (tt_schedule_start_ns (schedule, 3), ==, 25);
}

/* Two flows share a port until the shorter one is through: 100 and 300 alone take 200 and 400. The last 50 of the first are latency. */
static void
test_flows (void)
{
  g_autoptr (TtSchedule) schedule = tt_schedule_new ();
  const TtTask tasks[] = { { .device = 0, .dur_ns = 150, .flow_part = 2.0 / 3, .ports = { 1, 2 } },
                           { .device = 1, .dur_ns = 300, .flow_part = 1, .ports = { 1, 3 } },
                           { .device = 0, .dur_ns = 10 } };
  guint32 stuck;

  tt_schedule_add_device (schedule, FALSE);
  tt_schedule_add_device (schedule, FALSE);
  for (guint i = 0; i < G_N_ELEMENTS (tasks); i++)
    tt_schedule_add_task (schedule, &tasks[i]);
  for (guint32 early = 0; early < 2; early++)
    {
      tt_schedule_task (schedule, 0)->frees_early = early == 1;
      g_assert_true (tt_schedule_run (schedule, TT_SCHEDULE_BY_START, &stuck));
      g_assert_cmpint (tt_schedule_end_ns (schedule, 0), ==, 250);
      g_assert_cmpint (tt_schedule_end_ns (schedule, 1), ==, 400);
      g_assert_cmpint (tt_schedule_start_ns (schedule, 2), ==, early == 1 ? 200 : 250);
    }
}

/* Two come in one order, or in the other if the first is late: who comes first goes through the first gate. */
static void
test_arrival_queue (void)
{
  const Case c = {
    .n_tasks = 4,
    .n_devices = 4,
    .tasks = { { .device = 0, .dur_ns = 10 },
               { .device = 1, .dur_ns = 20 },
               { .device = 2, .dur_ns = 5 },
               { .device = 2, .dur_ns = 7 } },
    .n_edges = 1,
    .edges = { { .from = 2, .to = 3 } },
  };
  g_autoptr (TtSchedule) schedule = build (&c);
  const guint32 to[2] = { 2, 3 };
  const gint64 lags_ns[2] = { 1, 30 };
  guint32 from[2], stuck = TT_NO_TASK;

  for (guint i = 0; i < 2; i++)
    {
      from[i] = tt_schedule_add_task (schedule, &(TtTask){ .device = 3 });
      tt_schedule_add_dependency (schedule, i, from[i], 0, FALSE);
    }
  tt_schedule_add_arrival_queue (schedule, from, to, lags_ns, 2);
  g_assert_true (tt_schedule_run (schedule, TT_SCHEDULE_BY_START, &stuck));
  g_assert_cmpint (tt_schedule_start_ns (schedule, 2), ==, 11);
  g_assert_cmpint (tt_schedule_start_ns (schedule, 3), ==, 50);
  g_assert_cmpuint (tt_schedule_cause (schedule, 2), ==, from[0]);
  g_assert_cmpuint (tt_schedule_cause (schedule, 3), ==, from[1]);

  tt_schedule_task (schedule, 0)->dur_ns = 100;
  g_assert_true (tt_schedule_run (schedule, TT_SCHEDULE_BY_START, &stuck));
  g_assert_cmpint (tt_schedule_start_ns (schedule, 2), ==, 21);
  g_assert_cmpint (tt_schedule_start_ns (schedule, 3), ==, 130);
  g_assert_cmpuint (tt_schedule_cause (schedule, 2), ==, from[1]);

  /* Nobody comes: nobody goes. */
  tt_schedule_add_dependency (schedule, 3, 0, 0, FALSE);
  g_assert_false (tt_schedule_run (schedule, TT_SCHEDULE_BY_START, &stuck));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/schedule/random", test_random);
  g_test_add_func ("/schedule/random-locks", test_random_locks);
  g_test_add_func ("/schedule/by-clock", test_by_clock);
  g_test_add_func ("/schedule/cycle", test_cycle);
  g_test_add_func ("/schedule/lock", test_lock);
  g_test_add_func ("/schedule/flows", test_flows);
  g_test_add_func ("/schedule/arrival-queue", test_arrival_queue);
  return g_test_run ();
}
