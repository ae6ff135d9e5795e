/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtCtfCoverage: of each region, call and function how many of its begins and ends a trace has that lost events.
 *
 * What lost both is known of parallel regions only, by the numbers of their invocations: PInsight samples them at a rate, so
 * the smallest distance between two of them is one invocation.
 */
#pragma once

#include "src/base/map64.h"

typedef enum
{
  TT_CTF_SAW_BEGIN,
  TT_CTF_SAW_END,
  TT_CTF_LOST_BEGIN,
  TT_CTF_LOST_END,
  TT_CTF_N_SIGHTINGS,
} TtCtfSighting;

/* Of one process. */
typedef struct
{
  guint32 process, name;
  gint64 codeptr; /* of a region; 0: no region */
  guint64 n[TT_CTF_N_SIGHTINGS];
  gint64 number, number_ns; /* of the latest invocation, and when it was; number -1: none */
  guint64 n_numbers;        /* invocations */
  gint64 step;              /* the least between two; 0: not known */
  gint64 n_gaps, gaps;      /* between invocations with a loss between them, and these together */
} TtCtfSeen;

/* All zero: nothing was seen. */
typedef struct
{
  TtMap64 places; /* process and identity (evidence.h) -> index */
  GArray *seen;   /* of TtCtfSeen */
} TtCtfCoverage;

void tt_ctf_coverage_clear (TtCtfCoverage *self);
/* NULL: there are too many. */
TtCtfSeen *tt_ctf_coverage_of (TtCtfCoverage *self, guint32 process, guint64 identity, guint32 name);
/* An invocation of a region; @is_lossy: something was lost since the latest. */
void tt_ctf_coverage_number (TtCtfSeen *self, gint64 number, gint64 ts_ns, gboolean is_lossy);
/* "71 % of 1,200 events" of a region; of others, of which whole spans may be lost, "852 events, at least 12 lost". NULL:
 * nothing was. Free it. */
char *tt_ctf_coverage_text (const TtCtfSeen *self);
/* The same of numbers of events. @are_more: more were lost, nobody knows how many. */
char *tt_ctf_coverage_share (guint64 n_seen, guint64 n_all, gboolean are_more);
