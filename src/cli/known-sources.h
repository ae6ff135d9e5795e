/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtKnownSources: whether what an import is to read is in the database already.
 *
 * The same contents (size and hash) in the run that is written to are refused unless `replace`, in another run unless
 * `again`, whatever the options of that import were; the message names both. Only sources in which anything happens
 * count in other runs. What comes from standard input is known only when it has been read.
 */
#pragma once

#include "formats/plan.h"
#include "src/store/import/import.h"

typedef struct
{
  TtStoreImport *import;
  GPtrArray *plan; /* of TtPlannedInput */
  const char *db_path, *options;
  gboolean add, replace, again;
  gboolean is_of_shards; /* which take no `replace` */
} TtKnownSources;

/* Copies of one trace on one command line; with `replace` the last stays in the plan. */
gboolean tt_known_sources_check_copies (TtKnownSources *self, GError **error);
/* Before reading. With `replace` what the run has is removed from it. */
gboolean tt_known_sources_check (TtKnownSources *self, GError **error);
/* After reading. */
gboolean tt_known_sources_check_stdin (TtKnownSources *self, GError **error);
