/*
 * What a PyTorch profiler trace says of work on devices: which span ran on which stream, which call launched it,
 * and which calls of the host and which streams wait for it.
 *
 * Read from the store in one pass; memory grows with the device spans: some 200 bytes each while reading. Empty for
 * runs without such a trace.
 */
#pragma once

#include "src/store/store.h"

/* What a name says that a span is. */
typedef enum
{
  TT_DEVICE_OTHER,    /* a span of the host like any other */
  TT_DEVICE_WORK,     /* kernel, copy or fill on a stream */
  TT_DEVICE_MARK,     /* cuda_sync: tells on a stream's row what a call of the host waits for */
  TT_DEVICE_CALL,     /* cudaDeviceSynchronize ...: waits until work is done */
  TT_DEVICE_COPY,     /* cudaMemcpy ...: may wait until its own work is done */
  TT_DEVICE_RECORD,   /* cudaEventRecord */
  TT_DEVICE_WAIT,     /* cudaStreamWaitEvent: a stream waits, the host does not */
  TT_DEVICE_POLL,     /* cudaEventQuery ...: asks whether work is done; no reason for the run to last */
  TT_DEVICE_PROFILER, /* the profiler itself, instants and windows: nothing done in the run */
} TtDeviceRole;

/* Whether a name is a TT_DEVICE_MARK: on a stream's row, but no work. */
gboolean tt_device_is_mark (const TtStoredName *name);
/* Whether the run has names of work on devices. */
gboolean tt_device_is_traced (TtStore *store, gboolean *is_traced, GError **error);

typedef struct
{
  guint64 event;
  guint32 thread, process, source; /* of the stream and its device */
  guint32 name;
  gboolean is_blocking; /* a copy whose call waits for it */
  gint64 begin_ns, end_ns;
  guint64 call; /* event that launched it; 0: not told, the next four mean nothing */
  guint32 call_thread, call_name;
  gint64 call_begin_ns, call_end_ns;
} TtDeviceSpan;

/* A call of the host that waited until work was done. */
typedef struct
{
  guint64 event;
  guint32 thread, source;
  gint64 begin_ns, end_ns;
  guint32 process;    /* device waited for; TT_NO_ID: any of the source */
  guint32 stream;     /* thread waited for; TT_NO_ID: any */
  gint64 recorded_ns; /* only for work launched at or before this; TT_NO_TIME: for all */
  gboolean is_told;   /* the trace says what for */
} TtDeviceSync;

/* A stream that goes on only when what was launched on another is done. */
typedef struct
{
  guint32 thread, source; /* TT_NO_ID: not told which stream waits, nor which for */
  guint32 from_thread;
  gint64 call_ns;     /* of the call: holds for what is launched later */
  gint64 recorded_ns; /* as above; TT_NO_TIME: not told, call_ns counts */
} TtStreamWait;

/* A forward operator on @from_thread and its backward one on another thread. */
typedef struct
{
  guint32 from_thread, thread;
  gint64 from_ns, ns; /* their begins */
} TtBackwardLink;

typedef struct
{
  guint32 thread;
  gint64 begin_ns, end_ns;
} TtOuterSpan;

typedef struct
{
  guint8 *roles; /* TtDeviceRole by name; NULL: no such trace in the run */
  guint32 n_names;
  GArray *spans;     /* of TtDeviceSpan by (thread, begin, end, event) */
  GArray *syncs;     /* of TtDeviceSync */
  GArray *waits;     /* of TtStreamWait by (thread, call) */
  GArray *backwards; /* of TtBackwardLink by (thread, ns) */
  GArray *outer;     /* of TtOuterSpan by (thread, begin): spans of the host with nothing around them */
} TtDeviceWork;

gboolean tt_device_work_collect (TtDeviceWork *self, TtStore *store, GError **error);
void tt_device_work_clear (TtDeviceWork *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TtDeviceWork, tt_device_work_clear)

TtDeviceRole tt_device_role (const TtDeviceWork *self, const TtEvent *event);
