/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtMxnetRules: from a dump's spans in order of time to operators: names, OUTPUT0, UPDATE_CAL and UPDATE_<k>.
 *
 * With a graph the spans are shown twice: first to find the last FW and the last BW of the first iteration.
 */
#pragma once

#include "formats/mxnet/dump.h"
#include "formats/mxnet/names.h"

typedef struct _TtMxnetRules TtMxnetRules;

/* @graph: sealed and borrowed, or NULL. */
TtMxnetRules *tt_mxnet_rules_new (const TtLocalGraph *graph);
void tt_mxnet_rules_free (TtMxnetRules *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtMxnetRules, tt_mxnet_rules_free)

/* First showing; only with a graph. */
void tt_mxnet_rules_survey (TtMxnetRules *self, const char *raw);
/* After it. FALSE: the dump has operators, and none is a node, as in those of MXNet itself, which names operators by their
 * kind: the graph is not used. */
gboolean tt_mxnet_rules_settle (TtMxnetRules *self);
/* Second: @span has raw, line, times, args; what becomes of it goes to @func. */
gboolean
tt_mxnet_rules_span (TtMxnetRules *self, const TtMxnetOperator *span, TtMxnetFunc func, gpointer data, GError **error);
/* No span comes any more. */
gboolean tt_mxnet_rules_end (TtMxnetRules *self, TtMxnetFunc func, gpointer data, GError **error);
