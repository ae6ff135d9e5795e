/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtStepValues: what is known of each rank in each step, one value after the other: how long its iteration was, what
 * others paid for it in calls of collectives, and its self time by operation, without communication and synchronisation.
 * Of an annotation of the host that is its time without what is right inside; the rest of the step, in which no span of
 * the rank runs, is an operation, too, of the name 0.
 *
 * Values come by step, then by process that leads the rank, kind and name; those of one key are parts of a sum. Memory is
 * bounded but for what is known of each name and thread.
 */
#pragma once

#include "analyzers/statistics/grouping.h"
#include "src/select/selection.h"

typedef enum
{
  TT_STEP_VALUE_LENGTH,
  TT_STEP_VALUE_CAUSED,
  TT_STEP_VALUE_IN_CALL, /* it took part in a call; 0 ns */
  TT_STEP_VALUE_SELF,    /* of an operation */
} TtStepValueKind;

typedef struct
{
  gint32 step;
  guint32 process;
  TtStepValueKind kind;
  guint32 name; /* number of the operation in this object: tt_step_values_member(); 0: outside any */
  gint64 ns;
} TtStepValue;

typedef struct _TtStepValues TtStepValues;

/* @selection: bound, or NULL; steps without a chosen span are left out, no value is another for it. One scan, two where no
 * span names the steps. */
TtStepValues *tt_step_values_new (TtStore *store, TtSelection *selection, GError **error);
void tt_step_values_free (TtStepValues *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtStepValues, tt_step_values_free)

/* Valid until the next; NULL at the end, or with @error. */
const TtStepValue *tt_step_values_next (TtStepValues *self, GError **error);
/* Whether any span of an operation is chosen; of what is outside any, whether all spans are. */
gboolean tt_step_values_is_chosen (const TtStepValues *self, guint32 name);
/* @name: not 0. */
TtGroupMember tt_step_values_member (const TtStepValues *self, guint32 name);
