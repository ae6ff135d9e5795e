/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the parts of the reader of event.log share.
 */
#pragma once

#include "formats/neutrino-trace/lines.h"
#include "formats/neutrino-trace/log.h"

#define TT_NEUTRINO_LOG_MAX_WORDS 24

typedef struct
{
  TtNeutrinoLog *log;
  GPtrArray *open;   /* of TtNeutrinoLaunch, oldest first; borrowed from the log's */
  GHashTable *names; /* function -> name */
  TtNeutrinoLines lines;
  char *word[TT_NEUTRINO_LOG_MAX_WORDS];
  guint n;
} LogReader;

/* -- words of the line that was read last (log-line.c) -- */

gboolean tt_neutrino_log_is_word (const LogReader *self, guint i, const char *text);
gboolean tt_neutrino_log_number_at (const LogReader *self, guint i, guint64 most, guint64 *number);
gboolean tt_neutrino_log_address_at (const LogReader *self, guint i, guint64 *address);
/* The rest of the line after word @i, with its blanks. */
const char *tt_neutrino_log_text_after (const LogReader *self, guint i);
/* Counts the line as one that is not understood. */
void tt_neutrino_log_odd_line (LogReader *self);

/* -- lines of launches (log-launches.c); FALSE: an odd line -- */

gboolean tt_neutrino_log_read_exec (LogReader *self);
gboolean tt_neutrino_log_read_count (LogReader *self);
gboolean tt_neutrino_log_read_benchmark (LogReader *self);
