/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The lowered form of a probe: a list of instructions on typed operands.
 *
 * A temporary and a predicate are written once, before they are read, and read only where their writing was reached: a
 * list can be run by selecting between old and new values as well as by masking lanes. if, else and endif nest.
 * tt_nl_code_verify() checks all of that; tt_nl_code_print() shows the list to people:
 *
 *   mul.u64 t2, t1, 10
 *   cmp.gt.u64 p0, t2, took
 */
#pragma once

#include "formats/neutrino/types.h"

typedef enum
{
  TT_NL_NONE,
  TT_NL_VARIABLE,  /* index into the unit's variables */
  TT_NL_COPY,      /* the 32-bit register for saves of that variable */
  TT_NL_WIDE,      /* temporary of 64 bits */
  TT_NL_NARROW,    /* temporary of 32 bits */
  TT_NL_PREDICATE, /* true or false */
  TT_NL_VALUE,     /* a constant */
  TT_NL_OPERAND,   /* index: TtNlHelper */
  TT_NL_UNIT_ID,   /* nl.smid() as it stands in a save() of the seed's dialect */
} TtNlOperandKind;

typedef struct
{
  TtNlOperandKind kind;
  guint index;
  guint64 value;
  gboolean is_float; /* TT_NL_OPERAND: must be an f32 or f64, by the width of the move that reads it */
} TtNlOperand;

typedef struct
{
  TtNlOp op;
  TtNlWidth width; /* of the operation: of what it reads for comparisons, of each item for a save without map */
  TtNlOperand d, a, b, c;
  /* save */
  TtNlOperand *items;
  guint n_items;
  int map;        /* -1: none, the seed's dialect */
  guint32 offset; /* of the statement in the source */
} TtNlInstruction;

typedef struct
{
  GArray *list; /* of TtNlInstruction */
  guint n_wide, n_narrow, n_predicates;
} TtNlCode;

/* What an operand of an operation must be. */
typedef enum
{
  TT_NL_NO_OPERAND,
  TT_NL_SAME,  /* a value of the operation's width */
  TT_NL_IS_32, /* a value of 32 bits, whatever the operation's width */
  TT_NL_IS_64,
  TT_NL_TRUTH, /* a predicate */
} TtNlRole;

typedef struct
{
  const char *name; /* "add"; of a comparison "cmp.eq" */
  TtNlRole d, a, b, c;
  gboolean has_width; /* is printed with it */
  gboolean is_float;  /* what it reads are bits of an f32 or f64 */
} TtNlOpInfo;

extern const TtNlOpInfo tt_nl_ops[TT_NL_N_OPS];
extern const char *const tt_nl_helper_words[TT_NL_N_HELPERS]; /* as injectors know them: "ADDR" */

TtNlCode *tt_nl_code_new (void);
void tt_nl_code_free (TtNlCode *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtNlCode, tt_nl_code_free)

#define tt_nl_code_at(self, i) (&g_array_index ((self)->list, TtNlInstruction, (i)))

static inline gboolean
tt_nl_operand_is_register (const TtNlOperand *self)
{
  return self->kind >= TT_NL_VARIABLE && self->kind <= TT_NL_NARROW;
}

static inline gboolean
tt_nl_op_compares (TtNlOp op)
{
  return op >= TT_NL_CMP_EQ && op <= TT_NL_CMP_GE;
}
