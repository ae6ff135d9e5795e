/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What each operation is on GCN, wave64 (gfx90a, gfx942). Values are in vector registers, in the same way for threads
 * and warps; predicates are masks in pairs of scalar registers; a branch is taken by masking lanes.
 *
 * In a text $ and two letters stand for a register: the first is an operand (a, b, c, d) or a helper (k, m, q, r, z:
 * pairs of vector registers; s: a scalar pair), the second is the part: l, h, p for low half, high half, pair.
 * $cc is the pair for carries, $ee that for the lanes saved by this branch.
 */
#pragma once

#include "formats/neutrino/types.h"

typedef struct
{
  const char *narrow, *wide; /* for 32 and 64 bits; one of them NULL: the other */
  gboolean takes_literals;   /* any constant may stand in it */
  gboolean is_whole;         /* for 64 bits it reads pairs, not halves */
  gboolean changes_scc;
} TtNlGcnTemplate;

extern const TtNlGcnTemplate tt_nl_gcn_table[TT_NL_N_OPS];
/* Where the count is in a register: what is shifted out by more than the width is 0. */
extern const TtNlGcnTemplate tt_nl_gcn_shl_counted, tt_nl_gcn_shr_counted;
/* Behind the number of the unit, that of its die. */
extern const char *const tt_nl_gcn_die_id;
