/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtOperatorRows: puts the operators of single framework files on their threads; steps are counted by the step rule.
 * Each stays as it is: pieces of one operator are joined in job directories only (framework-jobs.md 4.2, sub-traces).
 * Takes the hook of the TtArrange.
 */
#pragma once

#include "formats/format.h"
#include "src/trace/step-finder.h"
#include "src/trace/arrange/arrange.h"

typedef struct _TtOperatorRows TtOperatorRows;

/* Both borrowed: as long as the arrange lives, for it asks for steps while it finishes. */
TtOperatorRows *tt_operator_rows_new (TtSink *sink, TtArrange *arrange, TtStepRule rule);
void tt_operator_rows_free (TtOperatorRows *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtOperatorRows, tt_operator_rows_free)

/* @op_cat: of the name. */
void tt_operator_rows_add (TtOperatorRows *self, const TtTraceRecord *span, const char *op_cat);
/* All are in; before tt_arrange_finish(). */
gboolean tt_operator_rows_finish (TtOperatorRows *self, GError **error);

/* The pid of operators that do not say whose they are: --pid, "rank3" with --rank, else "default". */
char *tt_operator_pid (const TtImportOptions *options);
