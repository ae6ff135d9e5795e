/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A command of tracetool, run as it is and run again with calls that fail: the answer is the same, or an error that
 * leaves the files as they were.
 */
#pragma once

#include <glib.h>

typedef struct
{
  const char *call; /* a kind of fault-inject.c */
  gint64 at;        /* which of them fails, from 1; 0: none */
  gboolean all;     /* and all after it */
  int number;       /* errno */
} Fault;

typedef struct _Trial Trial;

/* Prepares in the folder @root (made, and emptied by trial_free()) what @setup says, commands between ';', and runs
 * @command without a fault. $DATA is the folder of the examples, $PROGRAM the host of PI; what begins with '!' is for
 * the shell. @by_names: what it writes differs from run to run, so that only the names of files are compared. */
Trial *trial_new (const char *root, const char *setup, const char *command, gboolean by_names, GError **error);
void trial_free (Trial *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Trial, trial_free)

/* How many calls of the kind there are; -1: it does not run. */
gint64 trial_count (Trial *self, const char *call);
/* Runs it without a fault. NULL: it does as it did at first; else what is otherwise, of the program, the machine or the
 * room on the disk: nothing that was found lately counts. Free it. */
char *trial_recheck (Trial *self);
/* Runs it with @fault. NULL: all is well; else what is not. Free it. */
char *trial_run (Trial *self, const Fault *fault);
