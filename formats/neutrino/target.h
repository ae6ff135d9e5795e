/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtNlTarget: a back end, which turns lists of instructions into the text of an assembler. target.c lists all of them.
 */
#pragma once

#include "formats/neutrino/output.h"

typedef struct _TtNlTarget TtNlTarget;
struct _TtNlTarget
{
  const char *name;
  const char *alias;        /* another name that works, or NULL */
  gboolean has_die_id;      /* a unit's number is unique only with that of its die */
  guint n_vector, n_scalar; /* registers that a program may have */
  guint scalar_wait; /* states between a vector instruction that writes a scalar register and one that reads it */
  /* FALSE: the error is in the unit's messages. */
  gboolean (*emit) (const TtNlTarget *target, const TtNlUnit *unit, TtNlOutput *output);
};

extern const char *const tt_nl_target_words[]; /* names and aliases, NULL-ended */
/* By name or alias; NULL with @error if there is none. */
const TtNlTarget *tt_nl_target_find (const char *name, GError **error);

gboolean tt_nl_ptx_emit (const TtNlTarget *target, const TtNlUnit *unit, TtNlOutput *output);
gboolean tt_nl_gcn_emit (const TtNlTarget *target, const TtNlUnit *unit, TtNlOutput *output);
