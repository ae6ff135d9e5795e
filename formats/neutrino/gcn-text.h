/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Text of GCN instructions: operands, the constants and helpers they need, templates filled in.
 */
#pragma once

#include "formats/neutrino/gcn-table.h"
#include "formats/neutrino/target.h"

/* Pairs of registers beside the probe's own, in the order in which they are declared. */
typedef enum
{
  TT_NL_GCN_K0, /* constants */
  TT_NL_GCN_K2, /* constants, operands of the instruction that was found */
  TT_NL_GCN_M,  /* multiplication */
  TT_NL_GCN_Q,  /* division */
  TT_NL_GCN_R,
  TT_NL_GCN_B,
  TT_NL_GCN_N_VECTORS,
  TT_NL_GCN_S = TT_NL_GCN_N_VECTORS, /* what scalar instructions read */
  TT_NL_GCN_C,                       /* carries */
  TT_NL_GCN_L,                       /* the lanes beside a warp's leader */
  TT_NL_GCN_N_HELPERS,
} TtNlGcnHelper;

/* A value where it can be read: a named register or a constant. */
typedef struct
{
  char symbol[256]; /* empty: a constant */
  guint64 value;
  gboolean is_scalar;
  gboolean is_literal;  /* the constant may be any */
  gboolean is_moved[2]; /* halves of a constant that were moved there, or to k2 */
  const char *moved;    /* name of the pair they were moved to */
} TtNlGcnPlace;

typedef struct
{
  const TtNlTarget *target;
  const TtNlUnit *unit;
  GString *text;
  TtNlGcnPlace a, b, c, d;
  gboolean has_k0; /* holds a constant of this instruction */
  gboolean is_used[TT_NL_GCN_N_HELPERS], uses_scc;
  gboolean changes_scc;          /* this probe */
  gboolean has_narrow_addresses; /* its instructions */
  guint depth;
  guint n_wide, n_narrow;
  guint most_wide, most_narrow, most_predicates, most_depth;
} TtNlGcnText;

extern const char *const tt_nl_gcn_helpers[TT_NL_GCN_N_HELPERS]; /* their names */

/* The name of the register of @operand. */
void tt_nl_gcn_symbol (const TtNlGcnText *self, const TtNlOperand *operand, char *symbol, gsize size);
/* Where @template can read @operand of @width bits: writes the moves that this needs. */
void tt_nl_gcn_find_place (TtNlGcnText *self,
                           const TtNlOperand *operand,
                           guint width,
                           const TtNlGcnTemplate *template,
                           TtNlGcnPlace *place);
/* Its name; it is declared. */
const char *tt_nl_gcn_use_helper (TtNlGcnText *self, TtNlGcnHelper helper);
/* Writes @template with the places a, b, c, d filled in. */
void tt_nl_gcn_expand (TtNlGcnText *self, const char *template);
