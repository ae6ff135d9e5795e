/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What an importer has to know before the events of a PyTorch trace, though the file may have it after them: the base of
 * its times (PyTorch 2.4 writes it at the end) and the rank (on-demand traces).
 */
#pragma once

#include <glib.h>

typedef struct
{
  gboolean has_time;
  gint64 first_us; /* the lowest ts near the start of the file, in microseconds, fraction cut */
  gboolean has_base;
  gint64 base_ns; /* baseTimeNanoseconds */
  gint64 rank;    /* -1: not there */
} KinetoAhead;

/* Reads the start and the end of the file (of a compressed one everything). What cannot be read counts as not there: the
 * import will say why. Standard input is not read. */
void tt_kineto_look_ahead (const char *path, KinetoAhead *ahead);

/* Reads a piece of the file: the last of each key counts. @is_end: the piece is the end, whose times say nothing. For
 * tests, too. */
void tt_kineto_look_at (const char *text, gsize len, gboolean is_end, KinetoAhead *ahead);
