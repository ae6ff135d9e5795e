/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtRocprofWalk: a walk over a JSON file that remembers its first error, so that loops within loops stay readable.
 *
 * What has not the form that is expected is passed over and counted (TT_REPAIR_ODD_RECORD).
 */
#pragma once

#include "formats/json/scanner.h"

typedef struct
{
  TtJson *json;       /* borrowed, as the next */
  TtRepairs *repairs;
  GError *error; /* the first; then nothing more is found */
} TtRocprofWalk;

/* Steps into the array or object that comes next; FALSE: it is none, and passed over. */
gboolean tt_rocprof_walk_array (TtRocprofWalk *self);
gboolean tt_rocprof_walk_object (TtRocprofWalk *self);
/* FALSE: the end, or an error. */
gboolean tt_rocprof_walk_item (TtRocprofWalk *self);
gboolean tt_rocprof_walk_key (TtRocprofWalk *self, TtJsonValue *key);
gboolean tt_rocprof_walk_record (TtRocprofWalk *self, TtJsonValue *record); /* an object */
/* FALSE: an error; *value is set in any case. One of more than 1 MiB is passed over, with an empty slice. */
gboolean tt_rocprof_walk_value (TtRocprofWalk *self, TtJsonValue *value);
void tt_rocprof_walk_skip (TtRocprofWalk *self);
