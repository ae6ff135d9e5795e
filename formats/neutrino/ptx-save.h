/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SAVE lines in the form that Neutrino's engines execute.
 *
 * The engine of the current dialect joins the fields of a map into stores of 16 bytes (u64 by twos, u32 by fours), that
 * of the seed's dialect the items of a SAVE line, and an odd number of u32 it loses. Both drop a guard in front of SAVE
 * and put their own on each line, so that a condition is a jump around the SAVE, behind an instruction that takes the
 * guard:
 *
 *   and.pred %np0, %np0, %np0; { @!%np0 bra NSKIP;
 *   SAVE [ M ] { %NR0, %NR1 };
 *   and.pred %np0, %np0, %np0; NSKIP: }
 */
#pragma once

#include "formats/neutrino/unit.h"

#define TT_NL_PTX_VARIES (-1)

typedef struct
{
  const TtNlUnit *unit;
  gboolean keeps_guards; /* "@%np0 SAVE" instead, for injectors that put it on each store */
  /* Seed's dialect: bytes of the section's record, and where in it the next save goes. */
  guint64 record_bytes;
  gint64 offset;
  gboolean has_failed; /* an error was reported */
} TtNlPtxSaves;

/* @items: the texts of the items of @saves, @n instructions of one width and map in a row. @mask: the predicate that
 * must hold; NULL: always. */
void tt_nl_ptx_write_saves (TtNlPtxSaves *self,
                            const TtNlInstruction *saves,
                            guint n,
                            const GPtrArray *items,
                            const TtNlOperand *mask,
                            GString *text);
/* FALSE: a map has records at which the engine would fault; the error is in the messages. */
gboolean tt_nl_ptx_check_maps (const TtNlUnit *unit);
