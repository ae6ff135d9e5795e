/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/breakdown/efficiency.h"

#include "analyzers/breakdown/ideal-network.h"
#include "analyzers/process-order.h"

typedef struct
{
  gint64 begin_ns, end_ns; /* TT_NO_TIME: nothing of it came */
  gint64 useful_ns, outside_ns, mpi_ns;
  gboolean is_openmp;
} ThreadTimes;

struct _TtEfficiencyTimes
{
  TtStore *store;
  ThreadTimes *threads;
  guint32 max_thread;
  gboolean is_hybrid;
  TtIdealNetwork *network;
};

TtEfficiencyTimes *
tt_efficiency_times_new (TtStore *store, gint64 begin_ns, gint64 end_ns, gboolean is_hybrid)
{
  TtEfficiencyTimes *self = g_new0 (TtEfficiencyTimes, 1);

  self->store = store;
  self->is_hybrid = is_hybrid;
  self->max_thread = tt_store_max_thread (store);
  self->threads = g_new0 (ThreadTimes, (gsize) self->max_thread + 1);
  for (guint32 thread = 0; thread <= self->max_thread; thread++)
    self->threads[thread].begin_ns = TT_NO_TIME;
  self->network = tt_ideal_network_new (store, begin_ns, end_ns);
  return self;
}

TtWaitHearer
tt_efficiency_times_hearer (TtEfficiencyTimes *self)
{
  return tt_ideal_network_hearer (self->network);
}

void
tt_efficiency_times_add_waits (TtEfficiencyTimes *self, const GArray *waits)
{
  tt_ideal_network_add_waits (self->network, waits);
}

void
tt_efficiency_times_begin (TtEfficiencyTimes *self)
{
  tt_ideal_network_begin (self->network);
}

void
tt_efficiency_times_free (TtEfficiencyTimes *self)
{
  if (self == NULL)
    return;
  g_free (self->threads);
  tt_ideal_network_free (self->network);
  g_free (self);
}

void
tt_efficiency_times_name_openmp (TtEfficiencyTimes *self, guint32 thread)
{
  self->threads[thread].is_openmp = TRUE;
}

void
tt_efficiency_times_take (TtEfficiencyTimes *self, const TtSegment *segment)
{
  ThreadTimes *thread = &self->threads[segment->thread];
  TtWorkClass work = segment->work;
  gint64 length_ns = segment->end_ns - segment->begin_ns;
  gboolean is_useful = work == TT_WORK_COMPUTE || work == TT_WORK_MEMORY || work == TT_WORK_IO;
  gboolean is_outside = is_useful || (self->is_hybrid && work == TT_WORK_SYNC);

  if (thread->begin_ns == TT_NO_TIME)
    thread->end_ns = segment->end_ns;
  thread->begin_ns = segment->begin_ns;
  thread->useful_ns += is_useful ? length_ns : 0;
  thread->outside_ns += is_outside ? length_ns : 0;
  thread->mpi_ns += work == TT_WORK_COMMUNICATION || work == TT_WORK_WAIT ? length_ns : 0;
  if (is_outside)
    tt_ideal_network_work (self->network, segment->thread, segment->begin_ns, segment->end_ns);
}

/* Which thread is the rank, by process that leads it; TT_NO_ID: none. Free it. */
static guint32 *
find_leaders (const TtEfficiencyTimes *self)
{
  guint32 max_process = tt_store_max_process (self->store);
  guint32 *leaders = g_new (guint32, (gsize) max_process + 1);

  for (guint32 process = 0; process <= max_process; process++)
    leaders[process] = TT_NO_ID;
  for (guint32 thread = 0; thread <= self->max_thread; thread++)
    {
      guint32 rank = self->threads[thread].begin_ns == TT_NO_TIME ? TT_NO_ID : tt_rank_of_thread (self->store, thread);

      if (rank == TT_NO_ID || rank > max_process)
        continue;
      if (leaders[rank] == TT_NO_ID || self->threads[thread].mpi_ns > self->threads[leaders[rank]].mpi_ns)
        leaders[rank] = thread;
    }
  return leaders;
}

typedef struct
{
  double sum;
  gint64 most_ns;
  guint n;
} Spread;

static void
add_to_spread (Spread *self, gint64 ns)
{
  self->sum += (double) ns;
  self->most_ns = MAX (self->most_ns, ns);
  self->n++;
}

static TtEfficiencyFactors
factors_of (const Spread *self, double runtime)
{
  double mean = self->sum / self->n;

  return (TtEfficiencyFactors){ mean / runtime, mean / (double) self->most_ns, (double) self->most_ns / runtime };
}

gboolean
tt_efficiency_times_judge (TtEfficiencyTimes *self, TtEfficiency *efficiency)
{
  g_autofree guint32 *leaders = find_leaders (self);
  g_autofree guint8 *is_rank = g_new0 (guint8, (gsize) self->max_thread + 1);
  Spread ranks = { 0 }, all = { 0 };
  gint64 first_ns = G_MAXINT64, last_ns = G_MININT64, mpi_ns = 0;

  for (guint32 process = 0; process <= tt_store_max_process (self->store); process++)
    if (leaders[process] != TT_NO_ID)
      is_rank[leaders[process]] = TRUE;
  for (guint32 i = 0; i <= self->max_thread; i++)
    {
      const ThreadTimes *thread = &self->threads[i];

      if (is_rank[i])
        {
          add_to_spread (&ranks, thread->outside_ns);
          first_ns = MIN (first_ns, thread->begin_ns);
          last_ns = MAX (last_ns, thread->end_ns);
          mpi_ns = MAX (mpi_ns, thread->mpi_ns);
        }
      if (is_rank[i] || (thread->is_openmp && thread->begin_ns != TT_NO_TIME))
        add_to_spread (&all, thread->useful_ns);
    }
  if (ranks.n < 2 || mpi_ns == 0 || all.most_ns == 0)
    return FALSE;

  double runtime = (double) (last_ns - first_ns);
  gint64 ideal_ns = tt_ideal_network_replay (self->network, is_rank);
  *efficiency = (TtEfficiency){
    .n_ranks = ranks.n,
    .n_threads = all.n,
    .is_hybrid = self->is_hybrid,
    .whole = factors_of (&all, runtime),
    .mpi = factors_of (&ranks, runtime),
    .serialisation = (double) ranks.most_ns / (double) ideal_ns,
    .transfer = (double) ideal_ns / runtime,
    .runtime_ns = last_ns - first_ns,
    .ideal_ns = ideal_ns,
    .useful_ns = ranks.most_ns,
  };
  efficiency->openmp.parallel = efficiency->whole.parallel / efficiency->mpi.parallel;
  efficiency->openmp.load_balance = efficiency->whole.load_balance / efficiency->mpi.load_balance;
  efficiency->openmp.communication = efficiency->whole.communication / efficiency->mpi.communication;
  return TRUE;
}

/* -- by several ranks ---------------------------------------------------------------------------------------------- */

typedef struct
{
  ThreadTimes times;
  guint32 thread;
} OneThread;

guint
tt_efficiency_times_n_gatherings (const TtEfficiencyTimes *self)
{
  return tt_ideal_network_n_gatherings (self->network);
}

void
tt_efficiency_times_deal (TtEfficiencyTimes *self, guint base, const TtWaitDeal *deal, GByteArray **bytes)
{
  tt_ideal_network_deal (self->network, base, deal, bytes);
}

gboolean
tt_efficiency_times_take_dealt (TtEfficiencyTimes *self, const TtWaitDeal *deal, GByteArray **bytes)
{
  if (!tt_ideal_network_take_dealt (self->network, deal, bytes))
    return FALSE;
  tt_ideal_network_begin (self->network);
  return TRUE;
}

void
tt_efficiency_times_pack (TtEfficiencyTimes *self, GByteArray *bytes)
{
  g_autoptr (GArray) threads = g_array_new (FALSE, FALSE, sizeof (OneThread));

  for (guint32 i = 0; i <= self->max_thread; i++)
    if (self->threads[i].begin_ns != TT_NO_TIME || self->threads[i].is_openmp)
      {
        const OneThread one = { self->threads[i], i };
        g_array_append_val (threads, one);
      }
  tt_dealt_pack (threads, bytes);
  tt_ideal_network_pack (self->network, bytes);
}

gboolean
tt_efficiency_times_unpack (TtEfficiencyTimes *self, TtUnpack *from)
{
  g_autoptr (GArray) threads = g_array_new (FALSE, FALSE, sizeof (OneThread));

  if (!tt_dealt_take (from, threads))
    return FALSE;
  for (guint i = 0; i < threads->len; i++)
    {
      const OneThread *one = &g_array_index (threads, OneThread, i);

      if (one->thread > self->max_thread)
        return FALSE;
      self->threads[one->thread] = one->times;
    }
  return tt_ideal_network_take (self->network, from);
}

gboolean
tt_efficiency_times_are_whole (const TtEfficiencyTimes *self)
{
  return tt_ideal_network_is_whole (self->network);
}
