/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtSampledGaps: the time that invocations which are not recorded may have taken beyond what those that are tell: where one
 * of them took longer, so did the gap between two that are recorded.
 *
 * The invocations of a site follow each other. From the begin of each that is recorded to the next it took so long for each
 * number; the least of that is the pace of the site. What gaps take beyond it, and what is before the first and after the
 * last recorded beyond the pace of the numbers that lie there, is what slow invocations can hide in; and what the program
 * did besides.
 */
#pragma once

#include <glib.h>

typedef struct _TtSampledGaps TtSampledGaps;

TtSampledGaps *tt_sampled_gaps_new (void);
void tt_sampled_gaps_free (TtSampledGaps *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtSampledGaps, tt_sampled_gaps_free)

/* A span of the run, whatever it is. */
void tt_sampled_gaps_extend (TtSampledGaps *self, gint64 ts_ns, gint64 end_ns);
/* A span of the invocation @number of the site with that index. */
void tt_sampled_gaps_add (TtSampledGaps *self, guint32 site, guint32 number, gint64 ts_ns);
/* Of each site below @n, on one thread; @rest: how many invocations follow the last one, -1: what follows is none of the
 * site's. NAN: fewer than two are recorded. Free it. */
double *tt_sampled_gaps_hidden (const TtSampledGaps *self, const double *rest, guint n);
