/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtPiReader from inside: cursor in a thread's file, errors and warnings with their place. The decoders stand on it,
 * reader.c on the decoders.
 */
#pragma once

#include "formats/pi/trace-private.h"

/* What a decoder found at the window. */
typedef enum
{
  TT_PI_OUTCOME_CALL,
  TT_PI_OUTCOME_NONE, /* a record that is no call: go on */
  TT_PI_OUTCOME_END,
  TT_PI_OUTCOME_FAILED,
} TtPiOutcome;

#define TT_PI_N_VARIANTS 16u

/* Which signature of a function has so many arguments; NULL: none. */
typedef struct
{
  const TtPiFunction *known; /* NULL: nobody has asked */
  guint n_args;
  const TtPiFunction *variant;
} TtPiVariant;

struct _TtPiReader
{
  TtPiTrace *trace;
  guint thread;
  TtPiWindow window;
  guint64 record; /* of the next one */
  guint64 last_start, last_end, reported;
  gboolean has_last, has_ended, is_quiet;
  gboolean tells_times;         /* that the recorder has asked for: one of a file's readers does */
  gboolean looks_behind;        /* a quiet one passes damage, too */
  guint n_holes, n_probes;      /* damage that was passed, places where calls were looked for */
  guint64 hole_at, hole_record; /* of the first damage */
  guint64 args_size;            /* of the last raw call */
  GByteArray *kept;             /* of a record that does not lie together in the window */
  GString *memory_file;
  guint64 record_at;                      /* start of the record that was read last, or could not be */
  char unknown_name[16];                  /* "pi#9999" */
  GArray *pointees;                       /* native: of the call at hand; NULL before the first */
  GPtrArray *names;                       /* native: functions by their index; NULL before the first */
  TtPiVariant variants[TT_PI_N_VARIANTS]; /* those that were asked for last */
};

/* Starts at the first record. @is_quiet: neither warns nor checks the order of calls. */
void tt_pi_reader_init (TtPiReader *self, TtPiTrace *trace, guint thread, gboolean is_quiet);
void tt_pi_reader_clear (TtPiReader *self);
/* As it was at first. */
void tt_pi_reader_rewind (TtPiReader *self);

/* "path: record 3 at byte 200: reason" */
TtPiOutcome tt_pi_reader_fail (TtPiReader *self, guint64 offset, GError **error, const char *format, ...)
    G_GNUC_PRINTF (4, 5);

/* Counts a warning at @offset of the record at hand, unless the reader is quiet. */
void tt_pi_reader_warn (TtPiReader *self, TtPiWarn kind, guint32 detail, guint64 offset, const char *format, ...)
    G_GNUC_PRINTF (5, 6);

/* From the record that could not be read to the next one that can; FALSE: there is none, or nobody knows. */
gboolean tt_pi_reader_find_records (TtPiReader *self);

/* Bytes of an output or of a memory block that are kept. */
#define TT_PI_KEPT_OUTPUT ((gsize) 64 << 10)
/* No call has more. */
#define TT_PI_MAX_RECORD ((guint64) 64 << 20)
/* Microseconds that fit in nanoseconds. */
#define TT_PI_MAX_US ((guint64) G_MAXINT64 / 1000)
