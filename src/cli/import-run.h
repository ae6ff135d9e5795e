/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An import from paths to a committed run, for `import` and for the caches of the other commands.
 */
#pragma once

#include "formats/format.h"
#include "src/shards/directory.h"

typedef struct
{
  const char *db_path;
  const char *command_line;    /* kept with the run */
  gboolean add;                /* to the latest run */
  gboolean replace;            /* what is in the run already */
  gboolean again;              /* although another run has it */
  gboolean quiet;              /* no progress */
  const TtShardFolder *folder; /* NULL; else the inputs are its shards, and what cannot be read was told before */
  guint jobs;                  /* processes that decode inputs; 0, 1: this one does */
  const char *scratch;         /* NULL, or where shards grow: see TtShardJob */
  const char *format, *name_rules;
  const char *words;              /* the options that decide what is read: kept with each source */
  const TtImportOptions *options; /* NULL: the defaults */
  TtSpanFilter *filter;           /* NULL: everything is kept */
  guint *n_left_out;              /* NULL: nothing may be left out; else how many inputs that cannot be read were */
} TtImportRequest;

/* Whatever fails, the database stays as it was. */
gboolean tt_import_paths (const TtImportRequest *request, char **paths, GError **error);
