/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "formats/pi/recorder/graph.h"

#include "formats/pi/native.h"
#include "formats/pi/recorder/framework.h"
#include "formats/pi/recorder/session.h"
#include "formats/pi/recorder/wire.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define GRAPH "sycl.graph_trace"
#define MAX_METADATA 256
#define N_BUCKETS 4096

enum
{
  NODE_CREATE = 4,
  EDGE_CREATE = 6,
  TASK_BEGIN = 10,
  TASK_END = 11,
};

/* The public head of an event of the framework. */
typedef struct
{
  uint64_t unique_id, data_id, instance_id;
  uint16_t event_type, activity;
  uint32_t unused;
  int64_t source_id, target_id;
} Event;

_Static_assert(offsetof (Event, source_id) == 32 && offsetof (Event, target_id) == 40, "layout of trace_event_data");

typedef struct Item Item;
struct Item
{
  uint64_t id, create_us, start_us, end_us;
  int64_t source, target;
  bool is_edge, has_start, has_end;
  TtRecordBytes metadata; /* members 8 of the message */
  Item *next_in_bucket, *next;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static Item *buckets[N_BUCKETS], *first, **last = &first;

static void
put_metadata (TtRecordBytes *out, const char *name, const char *value)
{
  TtRecordBytes pair = { 0 };

  tt_record_put_bytes (&pair, 1, name, strlen (name), false);
  tt_record_put_bytes (&pair, 2, value, strlen (value), false);
  tt_record_put_bytes (out, 8, pair.bytes, pair.len, true);
  free (pair.bytes);
}

/* A value of newer frameworks, in which metadata are more than texts. */
typedef struct
{
  size_t size;
  const char *data;
  uint8_t type; /* 1 text, 2 signed, 3 unsigned */
} Object;

static void
put_object (TtRecordBytes *out, const char *name, const Object *object)
{
  char text[1024];
  bool is_number = (object->type == 2 || object->type == 3) && object->size <= 8 && object->data != NULL;

  if (object->type == 1 && object->data != NULL)
    snprintf (text, sizeof text, "%.*s", (int) (object->size < 1000 ? object->size : 1000), object->data);
  else if (is_number)
    {
      uint64_t value = tt_pi_get ((const uint8_t *) object->data, (unsigned) object->size);
      unsigned shift = 64 - 8 * (unsigned) object->size;
      if (object->type == 2 && object->size > 0)
        snprintf (text, sizeof text, "%lld", (long long) ((int64_t) (value << shift) >> shift));
      else
        snprintf (text, sizeof text, "%llu", (unsigned long long) value);
    }
  else
    return;
  put_metadata (out, name, text);
}

/*
 * The framework returns a C++ std::unordered_map<int32_t, int32_t> of numbers of texts. In libstdc++ its third word is
 * the first node and its fourth the number of nodes; a node is the next one and the pair. Where the numbers do not
 * agree it is another library: nothing is read then.
 */
static void
read_metadata (TtRecordBytes *out, const void *event)
{
  typedef struct Node Node;
  struct Node
  {
    const Node *next;
    int32_t key, value;
  };
  typedef struct
  {
    void *buckets;
    size_t n_buckets;
    const Node *first;
    size_t n;
  } Map;
  const Map *(*query) (const void *) = (const Map *(*) (const void *) ) tt_record_framework ("xptiQueryMetadata");
  const char *(*look_up) (int32_t) = (const char *(*) (int32_t)) tt_record_framework ("xptiLookupString");
  Object (*look_up_object) (int32_t) = (Object (*) (int32_t)) tt_record_framework ("xptiLookupObject");
  const Map *map = query != NULL && look_up != NULL ? query (event) : NULL;
  size_t n = 0;

  if (map == NULL || map->n > MAX_METADATA)
    return;
  for (const Node *node = map->first; node != NULL && n < map->n; node = node->next, n++)
    {
      const char *name = look_up (node->key);
      if (name == NULL)
        continue;
      if (look_up_object != NULL)
        {
          Object object = look_up_object (node->value);
          put_object (out, name, &object);
        }
      else if (look_up (node->value) != NULL)
        put_metadata (out, name, look_up (node->value));
    }
}

static Item *
find_item (uint64_t id)
{
  for (Item *item = buckets[id % N_BUCKETS]; item != NULL; item = item->next_in_bucket)
    if (item->id == id)
      return item;
  return NULL;
}

static Item *
add_item (uint64_t id)
{
  Item *item = calloc (1, sizeof *item);

  if (item == NULL)
    return NULL;
  item->id = id;
  item->next_in_bucket = buckets[id % N_BUCKETS];
  buckets[id % N_BUCKETS] = item;
  *last = item;
  last = &item->next;
  return item;
}

static bool
write_item (int fd, const Item *item)
{
  TtRecordBytes bytes = { 0 };
  uint8_t room[4] = { 0 };

  tt_record_put (&bytes, room, 4);
  tt_record_put_number (&bytes, 1, item->is_edge ? 1 : 0, false);
  tt_record_put_number (&bytes, 2, item->id, false);
  tt_record_put_number (&bytes, 3, item->create_us, false);
  if (item->has_start)
    tt_record_put_number (&bytes, 4, item->start_us, true);
  if (item->has_end)
    tt_record_put_number (&bytes, 5, item->end_us, true);
  if (item->is_edge)
    {
      tt_record_put_number (&bytes, 6, (uint64_t) item->source, true);
      tt_record_put_number (&bytes, 7, (uint64_t) item->target, true);
    }
  tt_record_put (&bytes, item->metadata.bytes, item->metadata.len);
  bool is_written = false;
  if (!bytes.failed)
    {
      tt_pi_put32 (bytes.bytes, (uint32_t) (bytes.len - 4));
      is_written = tt_record_write_all (fd, bytes.bytes, bytes.len);
      if (!is_written)
        tt_record_complain ("cannot write", GRAPH, errno);
    }
  free (bytes.bytes);
  return is_written;
}

static void
create_item (uint16_t type, const Event *event, uint64_t now_us)
{
  Item *item = find_item (event->unique_id) == NULL ? add_item (event->unique_id) : NULL;

  if (item == NULL)
    return;
  item->create_us = now_us;
  item->is_edge = type == EDGE_CREATE;
  item->source = event->source_id;
  item->target = event->target_id;
  read_metadata (&item->metadata, event);

  int fd = tt_record_open (GRAPH, O_WRONLY | O_CREAT | O_APPEND);
  if (fd < 0)
    {
      tt_record_complain ("cannot write", GRAPH, errno);
      return;
    }
  bool is_written = write_item (fd, item);
  if (close (fd) != 0 && is_written)
    tt_record_complain ("cannot write", GRAPH, errno);
}

void
tt_record_graph (uint16_t type, const void *data)
{
  const Event *event = data;
  uint64_t now_us = tt_record_now () / 1000;

  if (event == NULL || !tt_record_claim ())
    return;
  pthread_mutex_lock (&lock);
  if (type == NODE_CREATE || type == EDGE_CREATE)
    create_item (type, event, now_us);
  else
    {
      Item *item = find_item (event->unique_id);
      if (item == NULL)
        item = add_item (event->unique_id);
      if (item != NULL && type == TASK_BEGIN)
        {
          item->start_us = now_us;
          item->has_start = true;
        }
      else if (item != NULL && type == TASK_END)
        {
          item->end_us = now_us;
          item->has_end = true;
        }
    }
  pthread_mutex_unlock (&lock);
}

static bool
write_all_items (int fd)
{
  bool is_written = true;

  for (const Item *item = first; is_written && item != NULL; item = item->next)
    is_written = write_item (fd, item);
  return close (fd) == 0 && is_written;
}

/* Writes all again, now with times, to a new file, which replaces the old one only when it is complete. */
void
tt_record_graph_finish (void)
{
  char from[4096 + 64], to[4096 + 64];

  pthread_mutex_lock (&lock);
  snprintf (from, sizeof from, "%s/" GRAPH ".new", tt_recorder.base);
  snprintf (to, sizeof to, "%s/" GRAPH, tt_recorder.base);
  int fd = first != NULL ? tt_record_open (GRAPH ".new", O_WRONLY | O_CREAT | O_EXCL) : -1;
  bool is_replaced = fd >= 0 && write_all_items (fd) && rename (from, to) == 0;
  if (first != NULL && !is_replaced)
    tt_record_complain ("cannot write", to, errno);
  if (fd >= 0 && !is_replaced)
    unlink (from);
  pthread_mutex_unlock (&lock);
}

void
tt_record_graph_after_fork (void)
{
  pthread_mutex_init (&lock, NULL);
  memset (buckets, 0, sizeof buckets);
  first = NULL;
  last = &first;
}
