/*
 * What a PyTorch trace says only behind its events, but which has to be known before: the base of its times
 * (PyTorch 2.4 writes it there) and the rank (on-demand traces).
 */
#pragma once

#include <glib.h>

typedef struct
{
  gboolean has_time;
  gint64 first_us; /* the lowest ts near the begin of the file, in microseconds, fraction cut */
  gboolean has_base;
  gint64 base_ns; /* baseTimeNanoseconds */
  gint64 rank;    /* -1: not said */
} KinetoAhead;

/* Looks at begin and end of the file (of a compressed one it has to read everything). Only looks: what cannot be
 * read is not there, and the import will say why. Standard input cannot be looked at. */
void tt_kineto_look_ahead (const char *path, KinetoAhead *ahead);

/* The same in a text: the last of each key counts. For tests. */
void tt_kineto_look_at (const char *text, gsize len, gboolean is_end, KinetoAhead *ahead);
