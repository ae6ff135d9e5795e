/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Clocks of processes: what the end of an import has found out about them, and with it the times of everything that is
 * read.
 *
 * Tables keep times as the clock of their process showed them. Of a run whose clocks were found to differ there is a
 * map for each process, in two kinds: linear, by offset and drift; and logical, which besides keeps every effect after
 * its cause. Scans hand out times by the map that is chosen, durations being from mapped begin to mapped end.
 */
#pragma once

#include "src/store/handle.h"
#include "src/trace/clock-map.h"
#include "src/trace/event.h"

typedef enum
{
  TT_CORRECTION_NONE, /* times as the processes' own clocks show them */
  TT_CORRECTION_LINEAR,
  TT_CORRECTION_LOGICAL,
} TtCorrection;

#define TT_N_CORRECTIONS 3

/* "original", "linear", "logical". */
const char *tt_correction_text (TtCorrection correction);

/* What reading uses from now on, of these and other runs; TT_CORRECTION_LOGICAL in a store that was opened. */
gboolean tt_store_choose_correction (TtStore *self, TtCorrection correction, GError **error);
/* A time of a process' own clock by the chosen map. TT_NO_TIME stays. */
gint64 tt_store_corrected_time (TtStore *self, guint32 process, gint64 ns);

/* What offsets and drifts leave too early by more than an hour is no matter of clocks: it stays where it is. */
#define TT_CLOCK_MAX_MOVE_NS (3600 * G_GINT64_CONSTANT (1000000000))

/* What is known of the clock of a process whose run's clocks were compared. */
typedef struct
{
  guint32 process;
  TtClock clock;
  gint64 first_ns, last_ns; /* of the process, by its own clock */
  gint64 offset_ns;         /* of the linear map at first_ns */
  gint64 drift_ns;          /* what is added to it until last_ns */
  guint64 n_bounds;         /* effects here of causes elsewhere: receives, ends of collectives */
  guint64 n_violated;       /* of them by the process' own clock before their cause */
  guint64 n_left;           /* likewise by the linear map */
  gint64 worst_ns, worst_left_ns; /* the most that any of them comes too early */
  gint64 residual_ns;       /* how far the offset may be wrong; TT_NO_TIME: not known */
} TtClockFit;

typedef gboolean (*TtClockFitFunc) (const TtClockFit *fit, gpointer data);
/* By process; none: the clocks were not compared, because nothing ties processes to each other. */
gboolean tt_store_each_clock_fit (TtStore *self, TtClockFitFunc func, gpointer data, GError **error);

/* How much time all processes together are longer or shorter by the logical map than by offset and drift: what moving
 * effects after their causes did to durations. */
gboolean tt_store_clock_stretch (TtStore *self, gint64 *stretched_ns, GError **error);
