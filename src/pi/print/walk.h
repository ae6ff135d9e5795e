/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The calls of a PI trace that the user asked for.
 */
#pragma once

#include "formats/pi/handles.h"
#include "formats/pi/trace.h"

typedef struct
{
  char **threads;          /* NULL: all */
  const char *functions; /* a pattern (src/base/glob.h), borrowed; NULL: all */
  guint64 first, last;     /* numbers of calls in order of start, from 1 */
  gboolean names_objects;  /* the walk keeps TtPiHandles */
} TtPiChoice;

typedef struct _TtPiWalk TtPiWalk;

/* Of the call that came last. */
struct _TtPiWalk
{
  guint64 number;
  guint thread;
  const TtPiHandles *handles; /* NULL without names_objects */
};

/* FALSE with @error: @text is not "A:B". */
gboolean tt_pi_choice_parse_calls (TtPiChoice *self, const char *text, GError **error);
/* FALSE with @error: a thread that the trace does not have. */
gboolean tt_pi_choice_check (const TtPiChoice *self, const TtPiTrace *trace, GError **error);
gboolean tt_pi_choice_has_thread (const TtPiChoice *self, const char *name);

/* @only: one thread, or -1: all, merged. Numbers and names of objects are the same either way. @choice and @trace are
 * borrowed. */
TtPiWalk *tt_pi_walk_new (TtPiTrace *trace, const TtPiChoice *choice, int only, GError **error);
void tt_pi_walk_free (TtPiWalk *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtPiWalk, tt_pi_walk_free)
/* The next call that was asked for; NULL: no more, or @error. */
const TtPiCall *tt_pi_walk_next (TtPiWalk *self, GError **error);
