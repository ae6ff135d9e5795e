/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtFilterRun: another program that makes something of bytes: from its standard input to its standard output.
 *
 * Its three streams are files in memory: nobody waits for anybody, and no thread is needed. A program that takes longer
 * than it may is killed, and so is one that runs when we are cancelled: interrupts from the keyboard do not reach it.
 */
#pragma once

#include <glib.h>

typedef struct
{
  GBytes *output, *messages; /* of standard error; NULL: it did not run */
  GError *error;             /* why it could not be run, or its output not be read */
  gboolean is_late;          /* it was killed */
  int status;                /* as waitpid() tells it */
} TtFilterRun;

/* @arguments: NULL-ended, the program's path first. @self: zeroed. */
void tt_filter_run (TtFilterRun *self, const char *const *arguments, GBytes *input, guint timeout_ms);
/* It ended well, and wrote something. */
gboolean tt_filter_run_is_done (const TtFilterRun *self);
/* The first line of what it said; "no message". Free it. */
char *tt_filter_run_message (const TtFilterRun *self);
void tt_filter_run_clear (TtFilterRun *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TtFilterRun, tt_filter_run_clear)
