/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtEfficiency: POP's efficiencies of a run whose ranks work on the host, multiplicative:
 *
 *   parallel efficiency = load balance * communication efficiency
 *                       = average useful time / runtime
 *   load balance        = average useful time / largest
 *   communication eff.  = serialisation * transfer
 *                       = largest useful time / runtime
 *   serialisation       = largest useful time / runtime on an ideal network
 *   transfer            = runtime on an ideal network / runtime
 *
 * A rank is the thread of it that communicates the most. Useful is the time in which it does neither communicate, nor
 * wait, nor call a runtime (MPI_Init): compute, copies, I/O. The runtime is from the first begin to the last end of any of
 * these threads; on an ideal network (ideal-network.h) their useful stretches last as long, and all else no time.
 *
 * Hybrid, where threads run OpenMP: the scheme of the Barcelona Supercomputing Center, in which POP's metrics of all
 * threads (the ranks' and OpenMP's) are those of MPI times those of OpenMP. For those of MPI useful is what a rank does
 * outside MPI, waits for its threads as well; those of OpenMP are the quotients:
 *
 *   hybrid parallel efficiency = average useful time of all threads / runtime
 *   OpenMP parallel efficiency = hybrid / MPI parallel efficiency, and likewise load balance and communication eff.
 *
 * Source: POP's standard and hybrid metrics (pop-coe.eu).
 */
#pragma once

#include "analyzers/breakdown/segments.h"
#include "analyzers/waits/deal.h"
#include "analyzers/waits/hearer.h"
#include "src/store/store.h"

typedef struct
{
  double parallel, load_balance, communication;
} TtEfficiencyFactors;

typedef struct
{
  guint n_ranks, n_threads;
  gboolean is_hybrid;
  TtEfficiencyFactors whole;              /* of all threads; 0 to 1 */
  TtEfficiencyFactors mpi, openmp;        /* hybrid; else mpi is the whole. Load balance of OpenMP may be above 1 */
  double serialisation, transfer;         /* of mpi.communication */
  gint64 runtime_ns, ideal_ns, useful_ns; /* useful: the largest of a rank */
} TtEfficiency;

typedef struct _TtEfficiencyTimes TtEfficiencyTimes;

/* @is_hybrid: threads of OpenMP will be named. Between @begin_ns and @end_ns only. */
TtEfficiencyTimes *tt_efficiency_times_new (TtStore *store, gint64 begin_ns, gint64 end_ns, gboolean is_hybrid);
void tt_efficiency_times_free (TtEfficiencyTimes *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtEfficiencyTimes, tt_efficiency_times_free)

/* First it hears of messages and calls; then the waits come, of TtWait, which are not needed when it begins. */
TtWaitHearer tt_efficiency_times_hearer (TtEfficiencyTimes *self);
void tt_efficiency_times_add_waits (TtEfficiencyTimes *self, const GArray *waits);
void tt_efficiency_times_begin (TtEfficiencyTimes *self);
/* As they come from TtWaitCuts, between the two times. */
void tt_efficiency_times_take (TtEfficiencyTimes *self, const TtSegment *segment);
/* The thread runs OpenMP. */
void tt_efficiency_times_name_openmp (TtEfficiencyTimes *self, guint32 thread);
/* Once, at the end. FALSE: fewer than two ranks, or nothing communicates, or no useful time. */
gboolean tt_efficiency_times_judge (TtEfficiencyTimes *self, TtEfficiency *efficiency);

/* By several ranks, as TtIdealNetwork has it: after the waits, instead of tt_efficiency_times_begin(). */
guint tt_efficiency_times_n_gatherings (const TtEfficiencyTimes *self);
void tt_efficiency_times_deal (TtEfficiencyTimes *self, guint base, const TtWaitDeal *deal, GByteArray **bytes);
gboolean tt_efficiency_times_take_dealt (TtEfficiencyTimes *self, const TtWaitDeal *deal, GByteArray **bytes);
/* After the last segment. */
void tt_efficiency_times_pack (TtEfficiencyTimes *self, GByteArray *bytes);
gboolean tt_efficiency_times_unpack (TtEfficiencyTimes *self, TtUnpack *from);
gboolean tt_efficiency_times_are_whole (const TtEfficiencyTimes *self);
