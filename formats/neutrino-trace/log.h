/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtNeutrinoLog: the event.log of a Neutrino run: the process and its kernel launches.
 *
 * One record a line, "[tag] text". The lines of a launch carry nothing that ties them together, and threads may launch
 * at the same time: a line goes to the oldest launch that waits for one of its kind, and whose grid, blocks or sizes
 * agree with it. Lines that fit several launches or none, and launches without an end, are counted.
 */
#pragma once

#include "src/trace/event.h"
#include "src/base/input.h"
#include "src/trace/repairs.h"

typedef enum
{
  TT_NEUTRINO_UNFINISHED, /* the log ends before its end */
  TT_NEUTRINO_PROBED,
  TT_NEUTRINO_BENCHMARKED, /* and not kept */
  TT_NEUTRINO_FAILED,
  TT_NEUTRINO_UNPROBED, /* ran as it was */
} TtNeutrinoOutcome;

typedef struct
{
  char *kernel;                               /* name; NULL: not known */
  char *parameters;                           /* words in hexadecimal, or NULL */
  char *result;                               /* name of the file in result/, or NULL */
  guint64 offset;                             /* of its first line */
  guint64 order;                              /* of first lines */
  gint64 ts_ns;                               /* TT_NO_TIME: not in the log */
  gint64 prologue_ns, kernel_ns, epilogue_ns; /* TT_NO_TIME: not in the log */
  gint64 original_ns;                         /* benchmarks */
  guint32 grid[3], block[3], shared_bytes;
  gboolean has_grid;
  gboolean is_guess;         /* a line of it fits another launch as well */
  guint64 map_bytes, n_maps; /* sum over the lines of its maps */
  gint64 record_bytes;       /* measured for a dynamic map, per thread; -1: none */
  gint64 code;               /* of its result */
  TtNeutrinoOutcome outcome;
  guint stage; /* while reading */
  guint64 function;
} TtNeutrinoLaunch;

typedef struct
{
  char *pid, *command; /* NULL: not in the log */
  GPtrArray *launches; /* of TtNeutrinoLaunch, by (ts_ns, order); those without a time first */
  GHashTable *by_result;
  TtRepairs repairs;
} TtNeutrinoLog;

/* Whether @head begins like an event.log. */
gboolean tt_neutrino_log_probe (const guint8 *head, gsize len);

TtNeutrinoLog *tt_neutrino_log_read (TtInput *input, GError **error);
void tt_neutrino_log_free (TtNeutrinoLog *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtNeutrinoLog, tt_neutrino_log_free)

/* The launch that saved the result file of that name (the last one); NULL: none. */
const TtNeutrinoLaunch *tt_neutrino_log_of_result (const TtNeutrinoLog *self, const char *result);
