/* Private to reader.c, which sets babeltrace2's graph up, and streams.c, which is its sink. */
#pragma once

#include "formats/ctf/babeltrace.h"
#include "formats/ctf/reader.h"

/* One stream of the trace: a message iterator and the batch that it gave last. */
typedef struct
{
  bt_message_iterator *iterator; /* NULL: ended, or cannot be read */
  bt_message_array_const messages;
  guint64 n, at;
  const bt_message *event; /* at messages[at] */
  gint64 ts_ns;
  guint index;
  gboolean has_begun; /* gave an event */
} TtCtfStream;

typedef struct
{
  const char *path; /* of the trace */
  const char *view; /* what babeltrace2 reads */
  const TtCtfHandler *handler;
  gpointer data;
  GError *error; /* of the handler's check, or where the library fails as a whole */
  gboolean is_stopped;

  guint n_ports;
  GPtrArray *port_names;
  TtCtfStream *streams;
  guint n_streams;
  TtCtfStream **heap; /* those with an event, the earliest on top */
  guint n_heap;

  gboolean has_begun;
  guint64 n_events;
  GHashTable *classes; /* bt_event_class -> TtCtfClass */
  GHashTable *names;   /* of all classes */
  const bt_event_class *last_class;
  TtCtfClass *last;
} TtCtfReader;

/* The causes of the thread's error, the outermost first, in terms of the trace's own path. Free it. */
char *tt_ctf_take_causes (const TtCtfReader *self);

/* The sink, with as many ports as the reader says; its component gets the reader as data. */
bt_component_class_sink *tt_ctf_sink_class_new (void);
void tt_ctf_clear_streams (TtCtfReader *self);
