/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What tests of compiled probes share: a machine to run them on.
 *
 * A run is the probes at the beginning of a kernel, those at one instruction, those at the end. Whoever runs them
 * appends what is saved to ProbeRun.saved; two runs are equal if they saved the same.
 */
#pragma once

#include "formats/neutrino/compile.h"
#include "formats/neutrino/toml-read.h"

#define N_LANES 4u

/* What the machine answers: the clocks for all lanes the same, operands of the instruction for each its own. */
typedef struct
{
  guint64 time, clock;
  guint32 smid;
  guint64 operands[TT_NL_N_HELPERS][N_LANES]; /* that of BYTES is the same in all */
} ProbeMachine;

typedef struct
{
  const ProbeMachine *machine;
  GArray *saved[N_LANES]; /* of guint64: cut to the width of the save */
  GRand *garbage;         /* for registers that nobody has set */
  guint scalar_wait; /* GCN: states between a vector instruction that writes a scalar register and one that reads it */
  char *why;         /* what the program did that no machine takes */
} ProbeRun;

void probe_run_init (ProbeRun *self, const ProbeMachine *machine, guint32 seed);
void probe_run_clear (ProbeRun *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (ProbeRun, probe_run_clear)

void probe_run_fail (ProbeRun *self, const char *format, ...) G_GNUC_PRINTF (2, 3);
void probe_run_save (ProbeRun *self, guint lane, guint width, guint64 value);
/* Division as GCN's steps have it where the divisor is 0. */
guint64 probe_divide (guint64 a, guint64 b, gboolean remainder, guint width);

/* Bits of an f32 or f64 (@width) as a number, and cut to an integer of @result bits: its ends beyond them, 0 for no number. */
double probe_float (guint64 bits, guint width);
guint64 probe_float_cut (double value, guint result, gboolean is_signed);
/* How 0: ==, !=, <, <=, >, >= */
gboolean probe_float_compare (guint how, double a, double b);

/* The width of item @i of a save: that of its field in the TOML, or @width. 0: there is no such field. */
guint probe_item_width (const TtNlToml *toml, const char *map, guint width, guint i);
/* Text of the sections at the kernel (or at instructions), before (or after), joined. Free it. */
char *probe_text (const TtNlToml *toml, gboolean at_kernel, const char *when);
/* "ADDR" and its like; -1: @word is none. */
int probe_helper (const char *word);

void probe_run_ir (const TtNlUnit *unit, ProbeRun *run);
void probe_run_ptx (const TtNlToml *toml, ProbeRun *run);
void probe_run_gcn (const TtNlToml *toml, ProbeRun *run);
