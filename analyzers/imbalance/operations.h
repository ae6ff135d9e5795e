/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtOpImbalance: how unevenly the self time of each operation is spread over ranks, or over threads.
 *
 *   price       largest - mean: what the slowest would gain if all did as much
 *   imbalance   largest / mean - 1
 *
 * The mean is over those that have the operation: who never has it is absent, not zero, unless asked for. Then ranks
 * that do other work of its category count as 0.
 */
#pragma once

#include "src/base/int128.h"
#include "src/select/selection.h"

typedef enum
{
  TT_IMBALANCE_RANKS,   /* a rank is a program with its devices */
  TT_IMBALANCE_THREADS, /* all threads of the run, and streams of devices */
} TtImbalanceOver;

typedef struct
{
  guint32 name;   /* stands for all with its text */
  guint n_having; /* ranks or threads */
  guint n_zero;   /* those that count as 0 */
  tt_int128 total_ns, min_ns, max_ns;
  guint32 slowest_process, slowest_thread; /* the process that leads the rank; the thread only over threads */
  double mean_ns, price_ns, imbalance;     /* imbalance: 0.2 is 20 %; 0 where all is 0 */
  gboolean is_waiting; /* communication or synchronisation, which lasts as long as others are late */
} TtOpImbalance;

/* Of TtOpImbalance: work before what waits, largest price first, then by name. Operations that take no time are left out, and those that one
 * rank or thread alone has, *@n_alone of them. @selection: bound, or NULL. Free with g_array_unref(). */
GArray *tt_op_imbalance (TtStore *store,
                         TtSelection *selection,
                         TtImbalanceOver over,
                         gboolean absent_is_zero,
                         guint64 *n_alone,
                         GError **error);
/* Its name as statistics show it. Free it. */
char *tt_op_imbalance_label (TtStore *store, const TtOpImbalance *self);
