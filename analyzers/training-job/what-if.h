/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtWhatIf: how long a training step would take if some of its operations took longer or shorter.
 *
 * Changes are collected, then applied to the times of a job's nodes: first factors (all that match multiply), then
 * delays, then removals. A node is chosen by FIELD=VALUE; the fields are op_cat, op_name, sub_op, name ("BW.x",
 * "Comm.3+4.SEND"), op_long_name ("host0.rank0->BW.x") and pid, as in filters; VALUE may have the wildcards * and ?.
 * Without a field it is a name, or a long name if it has "->". Factors have nine decimals, times are whole ns.
 */
#pragma once

#include "graphs/step-graph/replay.h"

typedef struct _TtWhatIf TtWhatIf;

/* Of at least @min, in units of 1 / TT_FACTOR_ONE (factor.h). */
gboolean tt_factor_parse (const char *text, gint64 min, gint64 *factor, GError **error);

TtWhatIf *tt_what_if_new (void);
void tt_what_if_free (TtWhatIf *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtWhatIf, tt_what_if_free)

gboolean tt_what_if_is_empty (const TtWhatIf *self);

extern const char *const tt_what_if_field_words[]; /* FIELDs, NULL-ended */
/* "op_cat=BW:0.5". */
gboolean tt_what_if_add_scale (TtWhatIf *self, const char *text, GError **error);
/* "BW.x=100": microseconds more, or less. */
gboolean tt_what_if_add_delay (TtWhatIf *self, const char *text, GError **error);
/* "BW.x": it and the gap after it take no time; its successors still wait for its predecessors. */
gboolean tt_what_if_add_remove (TtWhatIf *self, const char *text, GError **error);
/* Speeds, "2" is twice as fast: of transfers (SEND, RECV, and collectives whose pieces are unknown). */
gboolean tt_what_if_add_bandwidth (TtWhatIf *self, const char *speed, GError **error);
/* Of FW, BW, UPDATE, OUTPUT and the work of servers. */
gboolean tt_what_if_add_compute (TtWhatIf *self, const char *speed, GError **error);

/* "BW.x=0.5": as add_scale of name. */
gboolean tt_what_if_add_op (TtWhatIf *self, const char *text, GError **error);
/* "3=1.5": all that rank 3 computes. */
gboolean tt_what_if_add_straggler (TtWhatIf *self, const char *text, GError **error);

/* Changes @times, one a node. FALSE: something matches no node; @error has the nearest word. */
gboolean tt_what_if_apply (const TtWhatIf *self, const TtStepGraph *graph, TtStepNodeTimes *times, GError **error);
