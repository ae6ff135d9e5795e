/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What device.c (calls), device-clock.c and device-rows.c share.
 */
#pragma once

#include "formats/pi/device.h"
#include "src/base/map64.h"

/* What a device's clock showed at some moment between two of the calls' clock. */
typedef struct
{
  guint64 device_ns;
  gint64 before_ns, after_ns;
} TtPiClockReading;

/* A device and its clock. How far it is ahead of the calls' is between `least` and `most` by commands, unless it was
 * read; readings that one number cannot explain are those of a clock that runs faster or slower. */
typedef struct
{
  guint64 number; /* of the device; 0: not known which */
  gint64 least, most;
  GArray *readings;  /* of TtPiClockReading; NULL: none. Settled: in the order of the device's times */
  gboolean drifts;   /* settled: the readings have to be interpolated */
  gint64 error_ns;   /* settled; -1: not known */
  guint64 n_outside; /* commands that by the readings began before they were enqueued, or ended after their waits */
  guint32 process;   /* its rows'; TT_NO_ID: not yet */
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
  TtPiTasks *tasks;
  guint32 process;
  guint8 *parts;                  /* Part, by index of the function */
  GArray *devices;                /* of TtPiDeviceClock */
  GArray *queues;                 /* of TtPiDeviceQueue */
  TtMap64 device_places;          /* number -> index */
  TtMap64 handle_places;          /* handle of a device -> index of the one that has it now */
  TtMap64 queue_places;           /* number -> index of the latest */
  GArray *commands;               /* of TtPiDeviceCommand */
  GHashTable *events;             /* handle of the event -> index of its command + 1 */
  GTree *allocations;             /* address -> size, of memory of devices */
  gboolean is_profiled, is_asked; /* by the program, by the recorder */
  GArray *asked;                  /* of TtPiDeviceAsked */
  guint64 n_left_out;
};

void tt_pi_clock_clear (TtPiDeviceClock *self);
/* It is at least @least and at most @most ahead, by a command. */
void tt_pi_clock_bound (TtPiDeviceClock *self, gint64 least, gint64 most);
void tt_pi_clock_read (TtPiDeviceClock *self, guint64 device_ns, gint64 before_ns, gint64 after_ns);
/* When all that is known of it is noted. */
void tt_pi_clock_settle (TtPiDeviceClock *self);
/* A time of the device on the calls' clock. */
gint64 tt_pi_clock_convert (const TtPiDeviceClock *self, guint64 device_ns);
/* How much faster it runs than the calls', in parts of a milliard; 0: as fast, as far as is known. */
gint64 tt_pi_clock_rate_ppb (const TtPiDeviceClock *self);
