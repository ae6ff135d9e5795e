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
  TT_CTF_FRAME_FACTS, /* is_epoch (u32), clock offset (i64), hostname or "" */
  TT_CTF_FRAME_NAME,  /* of a class that the trace declares */
  TT_CTF_FRAME_CLASS, /* number of members (u32), name, for each: scope, kind, is_hex (u32), name. Ids count from 0 */
  TT_CTF_FRAME_EVENT,
  TT_CTF_FRAME_LOST,    /* is_packets (u32), count (i64) */
  TT_CTF_FRAME_BROKEN,  /* has_begun (u32), stream, why */
  TT_CTF_FRAME_REFUSED, /* why */
  TT_CTF_FRAME_END,
  TT_CTF_N_FRAMES,
} TtCtfFrameKind;

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
