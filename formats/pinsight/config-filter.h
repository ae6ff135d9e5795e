/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtConfigFilter: a TtSpanFilter that keeps what PInsight would have recorded with a configuration.
 *
 * An operation is an event of a domain by the table of operations. The units on which it ran (its punits) come from its
 * arguments, from the metadata of its thread and process (span-facts.h), else from the process' rank and from a tid that
 * is a small number. Then PInsight's callback for it is carried out (filter-callbacks.c): what each asks of modes, events
 * (tt_config_ask_lexgion), constraints (tt_config_holds) and counters (formats/pinsight/sampling.h) differs, and
 * docs/pinsight-config.md lists it. 'config explain' asks the same functions.
 * The region around an event is found by the region's code pointer and record number, else by being inside it on its
 * thread, else by time. Where the source numbers invocations (record_id), these numbers count, so that a trace that was
 * sampled already stays as it is.
 */
#pragma once

#include "formats/pinsight/operations.h"
#include "formats/pinsight/trace-config.h"

typedef struct _TtConfigFilter TtConfigFilter;

typedef struct
{
  gboolean unknown_matches; /* a condition on units that are not known holds */
  gboolean keeps_others;    /* what is no event of PInsight is kept */
  gboolean recounts;        /* counts anew where the source has numbers */
} TtConfigFilterOptions;

/* @config, @operations: borrowed. */
TtConfigFilter *tt_config_filter_new (const TtConfig *config,
                                      const TtConfigOperations *operations,
                                      const TtConfigFilterOptions *options);
void tt_config_filter_free (TtConfigFilter *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtConfigFilter, tt_config_filter_free)

TtSpanFilter *tt_config_filter_base (TtConfigFilter *self);

/* What became of the events, rule by rule. */
typedef struct
{
  gboolean is_kept;
  const char *domain; /* NULL: of no domain */
  char *rule;         /* "Lexgion(0x4010bd), line 33" */
  const char *why;
  guint64 count;
} TtConfigTally;

/* Kept ones first, then by domain and rule, as the file has them. Free with g_ptr_array_unref(). */
GPtrArray *tt_config_filter_tallies (const TtConfigFilter *self);
/* Ends of windows that were known only after events later than they had been decided, because the source does not come in the
 * order of time: more may be kept than PInsight would have recorded. */
guint64 tt_config_filter_untimely (const TtConfigFilter *self);
