/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What device.c (calls) and device-rows.c (clocks and rows) share.
 */
#pragma once

#include "formats/pi/device.h"

/* How far a device's clock is ahead of the calls', in ns. */
typedef struct
{
  guint64 number; /* of the device; 0: not known which */
  gint64 least, most;
  guint32 process; /* its rows'; TT_NO_ID: not yet */
} TtPiDeviceClock;

typedef struct
{
  guint64 number;
  guint device; /* index */
  guint32 thread;
} TtPiDeviceQueue;

typedef struct
{
  guint64 call;     /* row */
  guint64 instance; /* of that call */
  gint64 enqueued_ns, waited_ns;
  guint64 times[4]; /* of the device: queued, submitted, begin, end */
  guint8 has_times; /* bits */
  guint8 role;
  guint queue; /* index */
  guint32 name;
} TtPiDeviceCommand;

/* Of a command that the recorder has asked, by the instance of its call. */
typedef struct
{
  guint64 instance;
  guint64 times[4];
  gint32 result;
  guint8 has_times;
} TtPiDeviceAsked;

struct _TtPiDevice
{
  TtSink *sink;
  guint32 process;
  guint8 *parts;                  /* Part, by index of the function */
  GArray *devices;                /* of TtPiDeviceClock */
  GArray *queues;                 /* of TtPiDeviceQueue */
  GArray *commands;               /* of TtPiDeviceCommand */
  GHashTable *events;             /* handle of the event -> index of its command + 1 */
  GTree *allocations;             /* address -> size, of memory of devices */
  gboolean is_profiled, is_asked; /* by the program, by the recorder */
  GArray *asked;                  /* of TtPiDeviceAsked */
  guint64 n_left_out;
};

/* The clock is at least @least and at most @most ahead. */
void tt_pi_device_bound (TtPiDevice *self, guint device, gint64 least, gint64 most);
