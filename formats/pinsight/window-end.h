/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtWindowEnd: what a window_end_action asks for when a window of tracing ends: other modes of domains, other activity of
 * devices; INTROSPECT runs a script and may hold the program before.
 */
#pragma once

#include "formats/pinsight/trace-config.h"

typedef struct
{
  int mode;       /* TtConfigMode; -1: as it is */
  char *activity; /* device_activity; NULL: as it is */
} TtWindowTarget;

typedef struct
{
  guint n; /* domains */
  TtWindowTarget *targets;
  gboolean introspects, resumes; /* resumes: a target is TRACING, so that counters begin anew */
} TtWindowEnd;

/* @text: a valid action, or NULL: none. */
TtWindowEnd *tt_window_end_new (const TtConfigDomains *domains, const char *text);
/* What it does, in words: "OpenMP is OFF, MPI is OFF". Free it. */
char *tt_window_end_describe (const TtWindowEnd *self, const TtConfigDomains *domains);
void tt_window_end_free (TtWindowEnd *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtWindowEnd, tt_window_end_free)
