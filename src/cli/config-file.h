/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A PInsight configuration for a command: the table of domains, the file, and what is wrong with it.
 */
#pragma once

#include "formats/pinsight/trace-config.h"

typedef struct
{
  TtConfigDomains *domains;
  char *text; /* of the file */
  gsize len;
  TtConfig *config;
} TtConfigFile;

/* Of --pinsight, in the order of TtPInsight, NULL-ended. */
extern const char *const tt_pinsight_words[];
/* @text NULL: the first word. FALSE with @error: it is none of them. */
gboolean tt_pinsight_parse (const char *text, TtPInsight *pinsight, GError **error);

/* @domains_path: more domains, or NULL; @pinsight: one of the words, or NULL. NULL: something cannot be read; faults of the
 * language are no error here. */
TtConfigFile *tt_config_file_open (const char *path, const char *domains_path, const char *pinsight, GError **error);
void tt_config_file_free (TtConfigFile *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtConfigFile, tt_config_file_free)

/* Tells the faults on standard error. FALSE with @error: there are errors among them, so nothing can be done by it. */
gboolean tt_config_file_check (const TtConfigFile *self, GError **error);

/* The ids in "MPI.rank=0,OpenMP.thread=3", by kind; -1 for the others. Free it. */
gint64 *tt_config_parse_punits (const TtConfigDomains *domains, const char *text, GError **error);
