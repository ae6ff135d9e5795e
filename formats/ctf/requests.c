/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/ctf/requests.h"

#include "formats/ctf/text.h"
#include "src/base/heap.h"
#include "src/trace/kernel-lanes.h"

/* Of the kernel's numbers of devices. */
#define MINOR_BITS 20
#define MAX_DEVICES 4096u
/* Requests that a device has at a time: more than any queue holds. */
#define MAX_LANES 65536u

/* What rwbs says, by LTTng-modules. */
#define IS_WRITE (1 << 0)
#define IS_DISCARD (1 << 1)
#define IS_READ (1 << 2)
#define IS_FLUSH (1 << 8)

typedef struct
{
  gint64 number;    /* the key of the table */
  char *label;      /* NULL: not known */
  GPtrArray *lanes; /* of TtNestThread */
  GArray *free;     /* of guint: lanes without a request, a heap (src/base/heap.h), the least first */
} Device;

typedef struct
{
  gint64 device, sector;
} Place;

typedef struct
{
  Place place; /* the key of the table */
  Device *device;
  guint lane;
  gint64 begin_ns, n_left;
  guint64 args, offset, n_losses;
  guint32 name, flags;
} Request;

struct _TtCtfRequests
{
  GHashTable *devices, *open;
  guint64 n_losses;
  guint32 process; /* TT_NO_ID: none yet */
};

static guint
hash_place (gconstpointer key)
{
  const Place *place = key;
  guint64 mixed = ((guint64) place->device * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15)) ^ (guint64) place->sector;

  mixed *= G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);
  return (guint) (mixed >> 32);
}

static gboolean
is_same_place (gconstpointer a, gconstpointer b)
{
  const Place *x = a, *y = b;

  return x->device == y->device && x->sector == y->sector;
}

static void
free_device (gpointer data)
{
  Device *device = data;

  g_free (device->label);
  g_ptr_array_unref (device->lanes);
  g_array_unref (device->free);
  g_free (device);
}

TtCtfRequests *
tt_ctf_requests_new (void)
{
  TtCtfRequests *self = g_new0 (TtCtfRequests, 1);

  self->devices = g_hash_table_new_full (g_int64_hash, g_int64_equal, NULL, free_device);
  self->open = g_hash_table_new_full (hash_place, is_same_place, NULL, g_free);
  self->process = TT_NO_ID;
  return self;
}

void
tt_ctf_requests_free (TtCtfRequests *self)
{
  if (self == NULL)
    return;
  g_hash_table_unref (self->open);
  g_hash_table_unref (self->devices);
  g_free (self);
}

/* -- devices and their lanes ----------------------------------------------------------------------------------------- */

/* NULL: there are too many to be true. */
static Device *
find_device (TtCtfRequests *self, gint64 number)
{
  Device *device = g_hash_table_lookup (self->devices, &number);

  if (device != NULL || g_hash_table_size (self->devices) >= MAX_DEVICES)
    return device;
  device = g_new0 (Device, 1);
  device->number = number;
  device->lanes = g_ptr_array_new ();
  device->free = g_array_new (FALSE, FALSE, sizeof (guint));
  g_hash_table_insert (self->devices, &device->number, device);
  return device;
}

static gboolean
lane_before (gconstpointer a, gconstpointer b, gconstpointer data)
{
  return *(const guint *) a < *(const guint *) b;
}

static void
add_lane (TtCtfSession *session, Device *device)
{
  TtCtfRequests *self = session->requests;
  guint n = device->lanes->len;
  gint64 major = device->number >> MINOR_BITS, minor = device->number & ((1 << MINOR_BITS) - 1);
  g_autofree char *pid = g_strconcat (session->processes->pid_prefix, "block", NULL);
  g_autofree char *tid = g_strdup_printf ("%" G_GINT64_FORMAT ":%" G_GINT64_FORMAT, major, minor);
  g_autofree char *text = n == 0 ? g_strdup (tid) : g_strdup_printf ("%s #%u", tid, n + 1);

  if (self->process == TT_NO_ID)
    self->process = tt_sink_process (session->sink, pid, TT_LANES_OF_REQUESTS, session->trace.hostname, -1);
  guint32 thread = tt_sink_thread (session->sink, self->process, text, device->label, device->number);
  g_ptr_array_add (device->lanes, tt_nest_thread (session->nest, thread, self->process));
}

/* FALSE: it has too many requests to be true. */
static gboolean
take_lane (TtCtfSession *session, Device *device, guint *lane)
{
  if (device->free->len > 0)
    tt_heap_pop (device->free, lane, sizeof *lane, lane_before, NULL);
  else if (device->lanes->len < MAX_LANES)
    {
      *lane = device->lanes->len;
      add_lane (session, device);
    }
  else
    return FALSE;
  return TRUE;
}

/* -- requests -------------------------------------------------------------------------------------------------------- */

static guint32
name_of (TtCtfSession *session, gint64 flags)
{
  const TtRawName raw = { .raw = "block",
                          .op_cat = "I/O",
                          .sub_op = (flags & IS_DISCARD) != 0 ? "DISCARD"
                                    : (flags & IS_WRITE) != 0 ? "WRITE"
                                    : (flags & IS_READ) != 0  ? "READ"
                                    : (flags & IS_FLUSH) != 0 ? "FLUSH"
                                                              : NULL };

  return tt_sink_name (session->sink, &raw);
}

/* As LTTng has them, from the letters that perf has. */
static gint64
flags_of_letters (const char *letters)
{
  gint64 flags = 0;

  for (; letters != NULL && *letters != '\0'; letters++)
    flags |= *letters == 'D'   ? IS_DISCARD
             : *letters == 'W' ? IS_WRITE
             : *letters == 'R' ? IS_READ
             : *letters == 'F' ? IS_FLUSH
                               : 0;
  return flags;
}

static void
write_request (TtCtfSession *session, const Request *request, gint64 end_ns, guint32 flags)
{
  const TtNestSpan span = { .ts_ns = request->begin_ns,
                            .end_ns = end_ns,
                            .args = request->args,
                            .offset = request->offset,
                            .name = request->name,
                            .flags = request->flags | flags,
                            .step = TT_NO_STEP };

  tt_nest_span (session->nest, request->device->lanes->pdata[request->lane], &span);
  tt_heap_push (request->device->free, &request->lane, sizeof request->lane, lane_before, NULL);
}

/* Nothing is known of how long it took. */
static void
break_off (TtCtfSession *session, Request *request)
{
  write_request (session, request, request->begin_ns, TT_FLAGS_BOUNDED);
  g_hash_table_remove (session->requests->open, &request->place);
}

static void
begin_request (TtCtfSession *session, const TtCtfBinding *binding, const TtCtfEvent *event, const Place *place)
{
  TtCtfRequests *self = session->requests;
  Device *device = find_device (self, place->device);
  gint64 flags = 0, n_sectors = 0;
  guint lane;

  if (device == NULL || !take_lane (session, device, &lane))
    {
      tt_sink_repair (session->sink, TT_REPAIR_ODD_RECORD, tt_ctf_event_number (session, event));
      return;
    }
  if (!tt_ctf_integer (event, binding->kernel.flags, &flags))
    flags = flags_of_letters (tt_ctf_text (event, binding->kernel.flags));
  tt_ctf_integer (event, binding->kernel.n_sectors, &n_sectors);
  Request *request = g_new (Request, 1);
  *request = (Request){ .place = *place,
                        .device = device,
                        .lane = lane,
                        .begin_ns = event->ts_ns,
                        .n_left = n_sectors,
                        .args = tt_ctf_event_args (session, binding, event),
                        .offset = tt_ctf_event_number (session, event),
                        .n_losses = self->n_losses,
                        .name = name_of (session, flags) };
  g_hash_table_insert (self->open, &request->place, request);
}

static void
end_request (TtCtfSession *session, const TtCtfBinding *binding, const TtCtfEvent *event, Request *request)
{
  GHashTable *open = session->requests->open;
  gint64 n_done = 0, failure = 0;

  tt_ctf_integer (event, binding->kernel.n_sectors, &n_done);
  if (tt_ctf_integer (event, binding->kernel.error, &failure) && failure != 0)
    request->flags |= TT_FLAG_FAILED;
  if (n_done <= 0 || n_done >= request->n_left || n_done > G_MAXINT64 - MAX (request->place.sector, 0))
    {
      write_request (session, request, event->ts_ns, 0);
      g_hash_table_remove (open, &request->place);
      return;
    }
  g_hash_table_steal (open, &request->place);
  request->place.sector += n_done;
  request->n_left -= n_done;
  Request *other = g_hash_table_lookup (open, &request->place);
  if (other != NULL)
    break_off (session, other);
  g_hash_table_insert (open, &request->place, request);
}

static void
name_device (TtCtfSession *session, const TtCtfBinding *binding, const TtCtfEvent *event, gint64 number)
{
  const char *text = tt_ctf_text (event, binding->kernel.device_name);
  Device *device = text == NULL ? NULL : find_device (session->requests, number);

  if (device == NULL || device->label != NULL)
    return;
  device->label = g_utf8_make_valid (text, -1);
}

void
tt_ctf_request (TtCtfSession *session, const TtCtfBinding *binding, const TtCtfEvent *event)
{
  Place place;

  if (!tt_ctf_integer (event, binding->kernel.device, &place.device))
    return;
  if (binding->kernel.kind == TT_CTF_BLOCK_DEVICE)
    {
      name_device (session, binding, event, place.device);
      return;
    }
  if (!tt_ctf_integer (event, binding->kernel.sector, &place.sector))
    return;
  /* A flush has none: its issue says 0, its completion what the kernel keeps for that. */
  if (place.sector == -1)
    place.sector = 0;
  Request *open = g_hash_table_lookup (session->requests->open, &place);
  if (open != NULL && binding->kernel.kind != TT_CTF_REQUEST_END)
    break_off (session, open);
  if (binding->kernel.kind == TT_CTF_REQUEST_BEGIN)
    begin_request (session, binding, event, &place);
  else if (binding->kernel.kind == TT_CTF_REQUEST_END && open != NULL)
    end_request (session, binding, event, open);
  else if (open == NULL)
    tt_sink_repair (session->sink, TT_REPAIR_UNPAIRED_END, tt_ctf_event_number (session, event));
}

void
tt_ctf_requests_lose (TtCtfSession *session)
{
  session->requests->n_losses++;
}

static int
by_begin (gconstpointer a, gconstpointer b)
{
  const Request *x = *(const Request *const *) a, *y = *(const Request *const *) b;

  return x->offset < y->offset ? -1 : x->offset > y->offset;
}

void
tt_ctf_requests_finish (TtCtfSession *session)
{
  TtCtfRequests *self = session->requests;
  g_autoptr (GPtrArray) left = g_ptr_array_new ();
  GHashTableIter iter;
  gpointer value;

  g_hash_table_iter_init (&iter, self->open);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    g_ptr_array_add (left, value);
  g_ptr_array_sort (left, by_begin);
  for (guint i = 0; i < left->len; i++)
    {
      const Request *request = left->pdata[i];
      gboolean is_sure = request->n_losses == self->n_losses;

      write_request (session, request, is_sure ? session->trace.last_ns : request->begin_ns, TT_FLAGS_BOUNDED);
    }
  g_hash_table_remove_all (self->open);
}
