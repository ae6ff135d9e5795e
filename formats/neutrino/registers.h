/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtNeutrinoRegisters: what a probe's code (PTX or GCN) leaves in its registers: a time of which clock, a difference
 * of two, the number of the SM or CU, or something else.
 *
 * Only moves, casts, masks, selections and subtractions are followed, which is all that lies between nl.time() and a
 * saved field; anything else makes its register unknown. Names are as in SAVE lines: "%a" or "nv_a".
 */
#pragma once

#include <glib.h>

typedef enum
{
  TT_NEUTRINO_NO_CLOCK, /* no time, or not known which */
  TT_NEUTRINO_CYCLES,   /* of one SM: not comparable with others' */
  TT_NEUTRINO_NS,
  TT_NEUTRINO_TEN_NS, /* AMD's constant counter of 100 MHz */
} TtNeutrinoClock;

typedef enum
{
  TT_NEUTRINO_VALUE,
  TT_NEUTRINO_START,
  TT_NEUTRINO_END,
  TT_NEUTRINO_ELAPSED,
  TT_NEUTRINO_UNIT, /* number of the SM or CU */
} TtNeutrinoRole;

typedef struct _TtNeutrinoRegisters TtNeutrinoRegisters;

TtNeutrinoRegisters *tt_neutrino_registers_new (void);
void tt_neutrino_registers_free (TtNeutrinoRegisters *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtNeutrinoRegisters, tt_neutrino_registers_free)

/* One line of @len bytes that is no SAVE. */
void tt_neutrino_registers_run (TtNeutrinoRegisters *self, const char *line, gsize len);

/* What @name holds now. */
void tt_neutrino_registers_get (const TtNeutrinoRegisters *self,
                                const char *name,
                                TtNeutrinoRole *role,
                                TtNeutrinoClock *clock);

/* The variable of 64 bits of which @name was made by a cut; NULL: none. */
const char *tt_neutrino_registers_original (const TtNeutrinoRegisters *self, const char *name);
