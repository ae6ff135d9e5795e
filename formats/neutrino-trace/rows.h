/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From the records of a Neutrino result file to rows.
 *
 * A record with a start is a span (with an end or elapsed time) or an instant, on the track of its SM or CU, else of
 * its block. One without becomes an instant at the begin of its kernel, and the sums of its fields over the launch
 * become counters MAP/FIELD there. What has no place in a row is in the arguments: block, warp or thread, slot, other
 * fields.
 *
 * A source has one clock, so a file gives one source for each clock that its maps use: the launch's, that of time(),
 * cycles.
 */
#pragma once

#include "formats/format.h"
#include "formats/neutrino-trace/areas.h"
#include "formats/neutrino-trace/lanes.h"
#include "src/trace/time-spread.h"

typedef enum
{
  TT_NEUTRINO_AT_LAUNCH, /* records without a time */
  TT_NEUTRINO_IN_NS,
  TT_NEUTRINO_IN_CYCLES,
  TT_N_NEUTRINO_CLOCKS,
} TtNeutrinoTimes;

/* What the result files of a run share. */
typedef struct
{
  TtSink *sink;
  const TtImportOptions *options;
  const char *pid;                              /* of the host's process */
  TtNeutrinoLanes *lanes[TT_N_NEUTRINO_CLOCKS]; /* NULL: not used yet */
  guint32 process[TT_N_NEUTRINO_CLOCKS];        /* of the device: PID.gpu, and PID.gpu.cycles whose times are no ns */
  TtTimeSpread times[TT_N_NEUTRINO_CLOCKS];     /* of timed records of the launches so far */
} TtNeutrinoDevice;

/* @pid: borrowed. */
void tt_neutrino_device_init (TtNeutrinoDevice *self, TtSink *sink, const TtImportOptions *options, const char *pid);
void tt_neutrino_device_clear (TtNeutrinoDevice *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TtNeutrinoDevice, tt_neutrino_device_clear)

/* @kernel: its name; @launch_ns: when it began, @kernel_ns: how long it took, by the log; TT_NO_TIME: not known. */
typedef struct
{
  const char *path;
  const TtNeutrinoAreas *areas;
  const char *kernel;
  gint64 launch_ns, kernel_ns;
  TtRepairs repairs; /* found while reading what is before the records */
} TtNeutrinoResult;

gboolean tt_neutrino_rows (TtNeutrinoDevice *self, const TtNeutrinoResult *result, GError **error);
