/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The driver and its calls: present.c knows where handles and memory are now, args.c makes arguments
 * (structs.c of UR), unified.c calls what UR has, compare.c compares what comes back, report.c says what differs,
 * damage.c says what of a file is lost, drive.c runs the threads.
 */
#pragma once

#include "src/pi/drive/drive.h"

#include "formats/pi/native.h"
#include "formats/pi/rows.h"

#define TT_DRIVE_MAX_ARGS TT_PI_MAX_PARAMS
#define TT_DRIVE_MAX_PI_ARGS 16
#define TT_DRIVE_MAX_FUNCTIONS 1024

typedef struct
{
  char *name;
  guint32 id;                   /* in the driver's table */
  guint32 release;              /* of UR; 0: not known */
  const TtPiFunction *function; /* NULL: not known well enough to be called */
  TtPiShapes shapes;
} TtDriveFunction;

typedef struct
{
  const TtDriveFunction *function;
  TtPiNativeRecord begin, end;
  gboolean has_end;
  guint64 record;
  /* While it is made. */
  guint64 args[TT_DRIVE_MAX_ARGS];
  gpointer buffers[TT_DRIVE_MAX_ARGS]; /* what outputs go to; ours */
  GPtrArray *owned;                    /* what else is freed when the call is done */
  const char *problem;                 /* why it cannot be made */
} TtDriveCall;

/* A thread of the recording. */
typedef struct
{
  char *name;
  GMappedFile *file;
  gsize at;
  TtDriveFunction *functions[TT_DRIVE_MAX_FUNCTIONS];
  guint64 n_records;
  TtDriveCall call; /* the next one, or the one that is made */
  gboolean has_ended;
  guint index;
  struct TtDriver *driver;
} TtDriveLane;

/* The call at hand, in shared memory: the parent reads it when the plugin has crashed. */
typedef struct
{
  guint64 record;
  gboolean is_in_call;
  char function[96];
} TtDrivePlace;

typedef struct
{
  guint64 recorded, live, size;
  gboolean is_device;
} TtDriveRegion;

typedef struct TtDriver
{
  const TtPiDrive *job;
  TtDriveLane *lanes;
  guint n_lanes;
  TtDrivePlace *places;
  TtPiDriven *driven; /* shared with the parent, as places are */
  gboolean is_ur;
  guint32 release, version; /* of UR */
  char *plugin;             /* its structure */
  gpointer *table;          /* of functions in it */
  guint32 wait_id;          /* of piEventsWait, urEventWait; G_MAXUINT32: unknown */
  GMutex order;             /* whose turn it is */
  GCond moved;
  GMutex lock; /* of what follows */
  GHashTable *handles;
  GArray *regions;   /* of TtDriveRegion */
  TtPiPixels pixels; /* of images, by their recorded handles */
  GHashTable *lates; /* contents that came later than the call that asked for them; not changed while calls are made */
  gpointer *images;
  guint n_images;
} TtDriver;

/* Makes the arguments; FALSE: see call->problem. */
gboolean tt_drive_prepare (TtDriver *self, TtDriveCall *call);
/* Compares, takes over handles and addresses; the number of differences. */
guint tt_drive_compare (TtDriver *self, const TtDriveLane *lane, TtDriveCall *call, gint32 result);
void tt_drive_call_clear (TtDriveCall *call);

/* Memory that lives as long as the arguments of @call, at least 8 bytes, of zeros. */
gpointer tt_drive_own_memory (TtDriveCall *call, gsize size);
/* Words that are handles or addresses of then become those of now. */
void tt_drive_translate (TtDriver *self, TtDriveCall *call, guint8 *bytes, gsize len, gboolean must_be_handles);
/* The same of structures of UR and of what they point to; FALSE: parameter @param has none. */
gboolean tt_drive_structs (TtDriver *self, TtDriveCall *call, guint param, guint8 *bytes, gsize len);

/* Fills the table from a loader or an adapter of UR; NULL, or why it cannot be used. */
const char *tt_drive_unified_load (TtDriver *self, gpointer library);
gint32 tt_drive_unified_call (const TtDriver *self, const TtDriveCall *call);
void tt_drive_late_add (TtDriver *self, const TtPiNativeBlock *block);
/* What @call's parameter @param was filled with later; NULL: not recorded. */
const TtPiNativeBlock *tt_drive_late_find (const TtDriver *self, const TtDriveCall *call, guint param);

/* Device images of the recording as the plugin gets them. */
void tt_drive_images_load (TtDriver *self);

gboolean tt_drive_block (const TtPiNativeRecord *record, guint param, guint nth, TtPiNativeBlock *block);
guint64 tt_drive_value (const TtDriveCall *call, int param);
/* The recorded call for those who ask how much memory it means. */
TtPiGiven tt_drive_given (TtDriver *self, const TtDriveCall *call);
guint64 tt_drive_bytes (TtDriver *self, const TtDriveCall *call, guint param);
/* @recorded as it is now; FALSE: it is none of ours. */
gboolean tt_drive_live_handle (TtDriver *self, guint64 recorded, guint64 *live);
gboolean tt_drive_live_address (TtDriver *self, guint64 recorded, guint64 *live, gboolean *is_device);
/* Contents of a block, also of one in a file; NULL: gone. */
GBytes *tt_drive_contents (const TtDriver *self, const TtPiNativeBlock *block);

gboolean tt_drive_has_all_args (const TtDriveFunction *function, const TtPiNativeRecord *record);

/* What of a thread's file is lost: where its records end, by its header, and a record that is skipped. */
void tt_drive_check_end (TtDriver *self, TtDriveLane *lane, const guint8 *bytes, gsize len);
void tt_drive_check_header (TtDriver *self, TtDriveLane *lane, const guint8 *bytes, gsize len, const char *reason);
void tt_drive_check_skipped (TtDriver *self, TtDriveLane *lane, gsize at, const TtPiNativeRecord *record);
void tt_drive_report_damage (TtDriver *self, const TtDriveLane *lane, gsize at, const char *format, ...)
    G_GNUC_PRINTF (4, 5);
void tt_drive_report (TtDriver *self, const TtDriveLane *lane, const TtDriveCall *call, const char *format, ...)
    G_GNUC_PRINTF (4, 5);
