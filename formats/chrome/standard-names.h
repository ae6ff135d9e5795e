/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names of traces that have standard names already (standard.c), and what the arguments of their events say.
 */
#pragma once

#include "formats/trace-event/import.h"
#include "src/trace/step-finder.h"

typedef struct
{
  TtJsonValue name, raw_name, location, communicator, sequence, step, flags, is_root, cnt, loop, channel, chunk, slice;
} StandardArgs;

void tt_standard_args (TtSlice args, StandardArgs *found);

typedef struct
{
  gboolean is_own;             /* written by tracetool */
  gboolean names_are_original; /* the standard ones are in args.name, see chrome-export/chrome.h */
  GByteArray *classes;         /* TtStepClass by id of the name */
  GString *key, *text;         /* scratch */
} StandardNames;

StandardNames *tt_standard_names_new (void);
void tt_standard_names_free (StandardNames *self);
/* The name of an event; TT_NO_ID: it has no standard name. */
guint32 tt_standard_names_find (StandardNames *self,
                                TtTraceEventImport *import,
                                const TtTraceEvent *event,
                                const StandardArgs *args);
TtStepClass tt_standard_names_class (const StandardNames *self, guint32 name);
