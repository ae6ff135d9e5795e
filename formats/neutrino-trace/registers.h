/*
 * TtNeutrinoRegisters: what a probe's code (PTX or GCN) leaves in its registers: a time of which clock, a difference
 * of two, the number of the SM or CU, or something else.
 *
 * Only moves, casts, masks, selections and subtractions are followed, which is all that lies between nl.time() and a
 * saved field; anything else makes its register unknown.
 */
#pragma once

#include "formats/neutrino-trace/layout.h"

typedef struct _TtNeutrinoRegisters TtNeutrinoRegisters;

TtNeutrinoRegisters *tt_neutrino_registers_new (void);
void tt_neutrino_registers_free (TtNeutrinoRegisters *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtNeutrinoRegisters, tt_neutrino_registers_free)

/* One SAVE line. @map: its name, NULL in the older dialect; @is_u64 is of that dialect only. @registers: NULL-ended, with
 * their % or nv_. */
typedef void (*TtNeutrinoSaveFunc) (const char *map, gboolean is_u64, char **registers, gpointer data);

/* Runs over the lines of @code and tells of its SAVEs. */
void tt_neutrino_registers_run (TtNeutrinoRegisters *self, const char *code, TtNeutrinoSaveFunc save, gpointer data);

/* What @name holds now. */
void tt_neutrino_registers_get (const TtNeutrinoRegisters *self,
                                const char *name,
                                TtNeutrinoRole *role,
                                TtNeutrinoClock *clock);
