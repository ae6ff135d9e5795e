/*
 * What the parts of the reader of event.log share.
 */
#pragma once

#include "formats/neutrino-trace/lines.h"
#include "formats/neutrino-trace/log.h"

#define LOG_MOST_WORDS 24

typedef struct
{
  TtNeutrinoLog *log;
  GPtrArray *open;   /* of TtNeutrinoLaunch, oldest first; borrowed from the log's */
  GHashTable *names; /* function -> name */
  TtNeutrinoLines lines;
  char *word[LOG_MOST_WORDS];
  guint n;
} LogReader;

/* -- words of the line at hand (log.c) -- */

gboolean log_is_word (const LogReader *self, guint i, const char *text);
gboolean log_number_at (const LogReader *self, guint i, guint64 most, guint64 *number);
gboolean log_address_at (const LogReader *self, guint i, guint64 *address);
/* What follows word @i in the line as it stands. */
const char *log_text_after (const LogReader *self, guint i);
/* Counts the line. */
void log_odd_line (LogReader *self);

/* -- lines of launches (log-launches.c); FALSE: an odd line -- */

gboolean log_read_exec (LogReader *self);
gboolean log_read_count (LogReader *self);
gboolean log_read_benchmark (LogReader *self);
