/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtSampled: what rows of a table would be, had every invocation been recorded, where the numbers of those that were have
 * gaps.
 *
 * A site (a code region of one process or thread) numbers its invocations from 1. Of n that are recorded, the last with
 * the number L, the site is taken to have had L and half a step more where numbers are evenly apart (any number below
 * the step may follow the last), else a mean step more; where sampling ended by a limit nothing is known of that, and
 * estimates are of L. A row gets of each invocation a count and a time, zero if nothing. Its estimate is the mean of the
 * recorded ones times the number of invocations, its error that of a sample of a finite population, by Student's t of N^2
 * (1 - n/N) s^2/n over all sites, and what is not known after the last, in quadrature. A site without gaps is exact, and
 * adds no error. No sample tells of a slow invocation that is not in it, such as the first one, which a rate never records;
 * the time that passed between those that are recorded does (sampled-gaps.h): with that a total has an upper bound.
 */
#pragma once

#include <glib.h>

typedef struct _TtSampled TtSampled;

/* Which site an invocation is of; numbers of one owner and code pointer are counted together. */
typedef struct
{
  guint64 codeptr;
  guint32 owner; /* process of a region, thread of a call */
  guint32 is_region;
} TtSampledSite;

/* What ended the sampling of a row's sites. */
typedef enum
{
  TT_SAMPLED_NOT_KNOWN, /* taken for the end of the run */
  TT_SAMPLED_TO_END,
  TT_SAMPLED_TO_LIMIT, /* of a site at least: there may be more after its last invocation */
} TtSampledEnd;

typedef struct
{
  gboolean is_sampled;                /* else the rest means nothing: what is recorded is all */
  guint64 n_recorded;                 /* invocations of the row's sites */
  double n_invocations;               /* that they had, recorded or not */
  double count, total_ns;             /* of the row */
  double count_error, total_error_ns; /* half the width of the interval; NAN: a single invocation tells no spread */
  double total_most_ns;               /* the total and its error, and on each of its threads what the gaps may hide */
  TtSampledEnd end;
} TtSampledEstimate;

/* The most invocations of a code pointer that are recorded, -1 if there is no limit, -2 if that is not known. @is_region: of
 * a parallel region. */
typedef gint64 (*TtSampledLimitFunc) (guint64 codeptr, gboolean is_region, gpointer data);

/* Of the intervals. */
#define TT_SAMPLED_CONFIDENCE 0.95

/* @limit: NULL: no limit is known. */
TtSampled *tt_sampled_new (TtSampledLimitFunc limit, gpointer data);
void tt_sampled_free (TtSampled *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtSampled, tt_sampled_free)

/* First of all: the invocation @number (from 1) of the site is recorded. Any order, any number of times. */
void tt_sampled_see (TtSampled *self, const TtSampledSite *site, guint32 number);
/* Then: whether numbers have gaps anywhere; whether others of the site are recorded, and this one is not. */
gboolean tt_sampled_has_gaps (TtSampled *self);
gboolean tt_sampled_lacks (const TtSampled *self, const TtSampledSite *site, guint32 number);
/* Then: spans of the invocation, whatever they are, and when they began; and of the run at all. Any order. */
void tt_sampled_place (TtSampled *self, const TtSampledSite *site, guint32 number, gint64 ts_ns);
void tt_sampled_extend (TtSampled *self, gint64 ts_ns, gint64 end_ns);
/* Then: adds a span of the row, with the time that it adds to it. Also of sites without gaps, if the row has others. */
void
tt_sampled_add (TtSampled *self, guint32 row, const TtSampledSite *site, guint32 number, guint32 thread, gint64 dur_ns);
/* Then: the estimates of rows, which are numbered below @n. Free it. */
TtSampledEstimate *tt_sampled_estimates (TtSampled *self, guint n);
