/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtSpanFacts: the arguments of a span that PInsight's rules ask for.
 *
 * The members that are read, as PInsight's own traces have them; numbers, or texts of decimal or 0x digits:
 *   codeptr                                  the code pointer of the operation itself
 *   record_id                                its number among the invocations of its site, from 1
 *   parallel_codeptr, parallel_record_id     the parallel region that it is, or runs in
 *   callee_name                              Python's call of a function in C
 *   omp_thread_num, omp_team_num, device or devId, python_thread_id, mpirank
 *                                            the units on which it ran: OpenMP.thread, OpenMP.team, CUDA.device and
 *                                            HIP.device, Python.thread, MPI.rank
 * Units that are the same for a whole thread or process may stand once in its metadata instead, with the key
 * "punit.DOMAIN.kind" ("punit.OpenMP.thread" = "3").
 */
#pragma once

#include <glib.h>

typedef enum
{
  TT_UNIT_THREAD,
  TT_UNIT_TEAM,
  TT_UNIT_DEVICE,
  TT_UNIT_PYTHON_THREAD,
  TT_UNIT_RANK,
  TT_N_UNITS,
} TtSpanUnit;

typedef struct
{
  guint64 codeptr, parallel_codeptr; /* 0: not known */
  gint64 record_id, parallel_record_id;
  gint64 unit[TT_N_UNITS]; /* -1, all: not known */
  guint64 is_callee;
} TtSpanFacts;

#define TT_SPAN_FACTS_INIT                  \
  {                                         \
    0, 0, -1, -1, { -1, -1, -1, -1, -1 }, 0 \
  }

/* Domain and kind of the units; the device is of every domain. */
extern const char *const tt_unit_domains[TT_N_UNITS], *const tt_unit_kinds[TT_N_UNITS];

/* FALSE: the object has none of the members. */
gboolean tt_span_facts_read (TtSpanFacts *self, const char *json, gsize len);
