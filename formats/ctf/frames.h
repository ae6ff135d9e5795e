/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtCtfFrames: the messages of the process that runs libbabeltrace2 to the one that imports, over a pipe.
 *
 * The library aborts the program on some damaged traces, and may loop or take all memory on others; so it runs in a
 * process of its own (decode.c), whose end the importer (reader.c) survives and reports. Both are the same program on
 * the same machine: numbers are in its byte order. A frame is its length (u32, of what follows the kind), its kind
 * (u32), and numbers and NUL-ended texts. An event is: class (u32), stream (u32), time (i64), a slot of 8 bytes for
 * each member of its class, then what slots point to: texts, and JSON of other values. A slot of those is offset
 * (u32, from the end of the slots) and length (u32, without the NUL).
 */
#pragma once

#include <glib.h>

typedef enum
{
  TT_CTF_FRAME_FACTS, /* TtCtfClock (u32), clock offset (i64), number of streams (u32), hostname or "" */
  TT_CTF_FRAME_NAME,  /* of a class that the trace declares */
  TT_CTF_FRAME_CLASS, /* number of members (u32), name, for each: scope, kind, is_hex (u32), name. Ids count from 0 */
  TT_CTF_FRAME_EVENT,
  TT_CTF_FRAME_LOST,    /* TtCtfLossKind (u32), count (i64, -1: unknown), stream (u32), from, until (i64) */
  TT_CTF_FRAME_BROKEN,  /* TtCtfBreak (u32), stream, why */
  TT_CTF_FRAME_REFUSED, /* why */
  TT_CTF_FRAME_END,
  TT_CTF_N_FRAMES,
} TtCtfFrameKind;

typedef enum
{
  TT_CTF_CLOCK_RELATIVE,
  TT_CTF_CLOCK_EPOCH, /* times count from 1970 */
  TT_CTF_NO_CLOCK,    /* events have no times, but an order in their stream: their number there stands for the time */
} TtCtfClock;

/* What is missing in a stream between its events at `from` and `until` (TT_CTF_ALWAYS: it has none on that side). */
typedef enum
{
  TT_CTF_LOST_EVENTS,
  TT_CTF_LOST_PACKETS,
  TT_CTF_LOST_PERHAPS, /* events of a loss that was told before may be from here: its packet has just ended */
  TT_CTF_N_LOSSES,
} TtCtfLossKind;

/* How far a stream that cannot be read to its end was read. */
typedef enum
{
  TT_CTF_BREAK_AT_BEGIN,
  TT_CTF_BREAK_LATER,
  TT_CTF_BREAK_NO_CLOCK, /* sound, but of no use beside the others: it has no times and they do, or the other way round */
} TtCtfBreak;

#define TT_CTF_ALWAYS G_MININT64
/* Of the stream of an event: its time lay outside those of the stream, and was mended. */
#define TT_CTF_MOVED (1u << 31)

#define TT_CTF_FRAME_HEADER 8u
#define TT_CTF_EVENT_HEADER 16u
#define TT_CTF_MAX_FRAME (64u << 20)

/* -- writing ------------------------------------------------------------------------------------------------- */

typedef struct
{
  int fd;
  GByteArray *bytes;
  guint frame; /* where the one that is being written begins */
  gboolean has_failed;
} TtCtfWriter;

void tt_ctf_frame_begin (TtCtfWriter *self, TtCtfFrameKind kind);
void tt_ctf_frame_end (TtCtfWriter *self);
void tt_ctf_writer_flush (TtCtfWriter *self);
void tt_ctf_write_u32 (TtCtfWriter *self, guint32 value);
void tt_ctf_write_i64 (TtCtfWriter *self, gint64 value);
void tt_ctf_write_text (TtCtfWriter *self, const char *text);

/* -- reading ------------------------------------------------------------------------------------------------- */

/* What is left of a frame. Past its end numbers are 0 and texts empty, and has_failed is set. */
typedef struct
{
  const guint8 *at, *end;
  gboolean has_failed;
} TtCtfCursor;

guint32 tt_ctf_read_u32 (TtCtfCursor *self);
gint64 tt_ctf_read_i64 (TtCtfCursor *self);
const char *tt_ctf_read_text (TtCtfCursor *self);
