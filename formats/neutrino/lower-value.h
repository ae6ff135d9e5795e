/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lowering of expressions: the instructions that compute a value or a condition, at the end of the code that is being
 * made. Statements, which use them: lower.h.
 */
#pragma once

#include "formats/neutrino/syntax.h"
#include "formats/neutrino/unit.h"

typedef struct
{
  TtNlUnit *unit;
  TtNlCode *code;
  guint n_before;    /* instructions of the probes before */
  guint32 offset;    /* of the statement */
  guint8 *is_copied; /* variables whose copy is made in this run of saves */
} TtNlLowering;

/* No operand. */
extern const TtNlOperand tt_nl_nowhere;

void tt_nl_add_step (TtNlLowering *self, TtNlOp op, guint width, TtNlOperand d, TtNlOperand a, TtNlOperand b);
/* @d = @condition ? @b : @c. */
void tt_nl_add_selection (TtNlLowering *self,
                          guint width,
                          TtNlOperand d,
                          TtNlOperand condition,
                          TtNlOperand b,
                          TtNlOperand c);
/* Registers of the instruction that was found may be of any type: they are read by a move alone. */
TtNlOperand tt_nl_fetch (TtNlLowering *self, TtNlOperand operand, guint width);

/* In @width bits. The result is in @destination only if something had to be computed. */
TtNlOperand tt_nl_lower_value (TtNlLowering *self, const TtNlExpr *expr, guint width, TtNlOperand destination);
/* A predicate. */
TtNlOperand tt_nl_lower_condition (TtNlLowering *self, const TtNlExpr *expr);
/* Of an element, *@width bits; in a temporary, for an element may be what says which. */
TtNlOperand tt_nl_lower_index (TtNlLowering *self, const TtNlExpr *index, guint *width);
/* Whether @index is that of @element: a predicate. */
TtNlOperand tt_nl_compare_element (TtNlLowering *self, guint width, TtNlOperand index, guint element);
