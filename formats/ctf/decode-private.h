/* SPDX-License-Identifier: Apache-2.0 */
/* Private to the process that runs libbabeltrace2: decode.c sets its graph up, streams.c is the sink, encode.c puts
 * events into frames, causes.c takes the errors of the library. Only these know the library. */
#pragma once

#include "formats/ctf/event.h"
#include "formats/ctf/frames.h"

#include <babeltrace2/babeltrace.h>

typedef struct _TtCtfEncoder TtCtfEncoder;

TtCtfEncoder *tt_ctf_encoder_new (void);
void tt_ctf_encoder_free (TtCtfEncoder *self);
/* Writes the class before its first event. */
void tt_ctf_encode_event (TtCtfEncoder *self, TtCtfWriter *out, const bt_event *event, guint stream, gint64 ts_ns);

/* One stream of the trace: a message iterator and the batch that it gave last. */
typedef struct
{
  bt_message_iterator *iterator; /* NULL: ended, or cannot be read */
  bt_message_array_const messages;
  guint64 n, at;
  const bt_message *event; /* at messages[at] */
  gint64 ts_ns;
  gboolean is_moved; /* ts_ns is none that the stream can have had: it was made one */
  guint index;
  gboolean has_begun; /* gave an event */
  gboolean has_clock;
  /* What is missing before the next event; the packet that is read, or comes next, counts events that are. */
  gboolean is_lossy[TT_CTF_N_LOSSES], has_lossy_packet;
  gint64 n_lost[TT_CTF_N_LOSSES];
  gint64 packet_end_ns; /* of the last packet that lacks events; TT_CTF_ALWAYS: it does not say */
} TtCtfStream;

/* From the begin of a stream's first packet to the end of its last, as these say. */
typedef struct
{
  gint64 begin_ns, end_ns; /* begin > end: not known */
} TtCtfRange;

typedef struct
{
  TtCtfWriter out;
  TtCtfEncoder *encoder;
  gboolean only_facts; /* only the facts of the trace are wanted */
  guint n_ports;
  GPtrArray *port_names;
  GArray *ranges; /* of TtCtfRange, by port */
  TtCtfStream *streams;
  guint n_streams;
  TtCtfStream **heap; /* those with an event, the earliest on top */
  guint n_heap;
  gboolean has_begun, is_stopped;
  gboolean has_clock; /* once it has begun */
} TtCtfDecoder;

/* The causes of the thread's error, the outermost first. Free it. */
char *tt_ctf_take_causes (void);

/* By port, whose whole names these are, NULL-ended; what is not known stays as it is. */
void tt_ctf_ranges_read (GArray *ranges, const bt_plugin *plugin, const char *path, const char *const *ports);
/* The time that is meant where a damaged one lies outside @range: the stream goes on from @before_ns (TT_CTF_ALWAYS: it
 * begins). */
gint64 tt_ctf_range_mend (const TtCtfRange *range, gint64 before_ns, gint64 ts_ns);

/* The sink, with as many ports as the decoder says; its component gets the decoder as data. */
bt_component_class_sink *tt_ctf_sink_class_new (void);
