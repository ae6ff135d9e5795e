/* SPDX-License-Identifier: Apache-2.0 */
/* For tests of the TAU reader: what its callbacks print, and traces of a few records in a folder of their own. */
#pragma once

#include "formats/tau/TAU_tf.h"

#include <glib.h>
#include <stdio.h>

/* -- a log of callbacks, as tau-print.h prints them -------------------------------------------------------- */

typedef struct
{
  Ttf_CallbacksT callbacks;
  FILE *out;
  char *text;
  size_t len;
} TauLog;

/* Without definitions: the lines of CLK, THREAD, GROUP, STATE and UEVENT are left out. */
TauLog *tau_log_new (gboolean has_definitions);
void tau_log_free (TauLog *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TauLog, tau_log_free)

/* What came since it was made or emptied; good until the next callback. */
const char *tau_log_text (TauLog *self);
gsize tau_log_len (TauLog *self);
void tau_log_empty (TauLog *self);

/* Reads the rest; what the last read returned. @n_records: how many there were, or NULL. */
int tau_read_rest (Ttf_FileHandleT file, TauLog *log, int *n_records);

/* -- files ---------------------------------------------------------------------------------------------------- */

typedef struct
{
  char *folder, *trc, *edf;
} TauFiles;

/* For g_test_add(). */
void tau_files_set_up (TauFiles *self, gconstpointer data);
void tau_files_tear_down (TauFiles *self, gconstpointer data);

/* 1 is the state "main", 7 the user event "loop"; 60000 and more are TAU's own. */
#define TAU_EDF                                                                                                     \
  "5 dynamic_trace_events\n# FunctionId Group Tag \"Name Type\" Parameters\n0 TAUEVENT 0 \".TAU <unknown event>\" " \
  "TriggerValue\n1 TAU_USER 0 \"main \" EntryExit\n7 TAUEVENT 0 \"loop \"quoted\" value\" TriggerValue\n"           \
  "60000 TRACER 0 \"EV_INIT\" none\n60001 TRACER 0 \"FLUSH\" EntryExit\n60005 TRACER 0 \"WALL_CLOCK\" none"

/* The record that every trace begins with. */
GByteArray *tau_begin_trace (void);
void tau_put_record (GByteArray *bytes, gint32 id, guint16 node, guint16 tid, gint64 par, guint64 ti);
/* Writes both files and opens them. Takes @bytes. */
Ttf_FileHandleT tau_open_trace (TauFiles *files, GByteArray *bytes, const char *edf);
