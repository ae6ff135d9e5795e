/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/nsys/lanes.h"

#include "src/base/map64.h"
#include "src/base/slots.h"

#define ID_MASK 0xffffffu
#define ID_BITS TT_NSYS_PID_BITS
/* A program that is not the first of its rank. */
#define IS_SECOND (1u << 31)

typedef enum
{
  LANE_PROGRAM, /* a = globalPid without the thread */
  LANE_THREAD,  /* a = globalTid */
  LANE_DEVICE,  /* a = globalPid without the thread, b = device */
  LANE_STREAM,  /* a, b as of its device, c = context, d = stream */
  LANE_WAITS,   /* a = thread of the stream */
} LaneKind;

typedef struct
{
  LaneKind kind;
  gint64 a, b, c, d;
  guint32 id;      /* process or thread */
  guint32 process; /* of a thread */
  guint32 program; /* of a device */
} Lane;

struct _TtNsysLanes
{
  TtMap64 by_key; /* hash of a lane -> its place in lanes */
  GArray *lanes;  /* of Lane */
  TtMap64 ranks;  /* globalPid >> 24 -> rank, with IS_SECOND */
  TtMap64 by_rank; /* rank -> process */
  GHashTable *pids; /* text -> NULL: processes that have one */
  TtMap64 programs; /* process of a device -> that of its program */
  char *host;
  gint64 only_program; /* for rows that do not say whose they are */
  guint32 last;
};

TtNsysLanes *
tt_nsys_lanes_new (void)
{
  TtNsysLanes *self = g_new0 (TtNsysLanes, 1);

  self->lanes = g_array_new (FALSE, FALSE, sizeof (Lane));
  self->pids = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  return self;
}

void
tt_nsys_lanes_free (TtNsysLanes *self)
{
  if (self == NULL)
    return;
  tt_map64_clear (&self->by_key);
  tt_map64_clear (&self->ranks);
  tt_map64_clear (&self->by_rank);
  tt_map64_clear (&self->programs);
  g_array_unref (self->lanes);
  g_hash_table_unref (self->pids);
  g_free (self->host);
  g_free (self);
}

/* -- before the events ---------------------------------------------------------------------------------- */

static void
note_rank (TtNsysLanes *self, guint64 program, guint32 rank)
{
  gboolean is_second = tt_map64_get (&self->by_rank, rank) != TT_MAP64_NONE;

  if (tt_map64_get (&self->ranks, program) != TT_MAP64_NONE)
    return;
  tt_map64_set (&self->ranks, program, rank | (is_second ? IS_SECOND : 0));
  if (!is_second)
    tt_map64_set (&self->by_rank, rank, TT_NO_ID);
}

static gboolean
read_ranks (TtNsys *self, GError **error)
{
  static const char *const columns[] = { "globalTid", "rank", NULL };
  g_autoptr (GError) local = NULL;
  g_autoptr (TtRows) rows = tt_tables_rows (self->tables, "MPI_RANKS", columns, NULL, &local);
  gint64 thread, rank;

  while (rows != NULL && tt_nsys_next (self, rows, &local))
    if (!tt_rows_int (rows, 0, &thread) || !tt_rows_int (rows, 1, &rank) || rank < 0 || rank >= G_MAXINT32)
      tt_sink_repair (self->sink, TT_REPAIR_BAD_ROW, self->n_rows);
    else
      note_rank (self->lanes, (guint64) thread >> ID_BITS, (guint32) rank);
  if (local == NULL)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&local));
  return FALSE;
}

static gboolean
read_host (TtNsys *self, GError **error)
{
  static const char *const columns[] = { "value", NULL };
  GError *local = NULL;

  if (!tt_tables_has_column (self->tables, "TARGET_INFO_SYSTEM_ENV", "name"))
    return TRUE;
  g_autoptr (TtRows) rows = tt_tables_rows (self->tables, "TARGET_INFO_SYSTEM_ENV", columns,
                                            "WHERE \"name\" = 'Hostname' LIMIT 1", &local);
  if (rows != NULL && tt_nsys_next (self, rows, &local) && tt_rows_text (rows, 0, NULL) != NULL)
    self->lanes->host = g_utf8_make_valid (tt_rows_text (rows, 0, NULL), -1);
  if (local == NULL)
    return TRUE;
  g_propagate_error (error, local);
  return FALSE;
}

/* The program of the first call, or of the first NVTX range. */
static gboolean
find_only_program (TtNsys *self, GError **error)
{
  static const char *const tables[] = { "CUPTI_ACTIVITY_KIND_RUNTIME", "NVTX_EVENTS", "OSRT_API" };
  static const char *const columns[] = { "globalTid", NULL };
  GError *local = NULL;
  gint64 thread;

  for (guint i = 0; i < G_N_ELEMENTS (tables) && local == NULL; i++)
    {
      g_autoptr (TtRows) rows = tt_tables_rows (self->tables, tables[i], columns, "LIMIT 1", &local);
      if (rows == NULL || !tt_rows_next (rows, &local) || !tt_rows_int (rows, 0, &thread))
        continue;
      self->lanes->only_program = (gint64) ((guint64) thread >> ID_BITS);
      return TRUE;
    }
  if (local == NULL)
    return TRUE;
  g_propagate_error (error, local);
  return FALSE;
}

gboolean
tt_nsys_lanes_read (TtNsys *self, GError **error)
{
  return read_ranks (self, error) && read_host (self, error) && find_only_program (self, error);
}

/* -- finding and making ------------------------------------------------------------------------------------ */

static guint64
hash_of (const Lane *lane)
{
  guint64 key = tt_slots_mix ((guint64) lane->kind);

  key = tt_slots_mix (key ^ (guint64) lane->a);
  key = tt_slots_mix (key ^ (guint64) lane->b);
  key = tt_slots_mix (key ^ (guint64) lane->c);
  return tt_slots_mix (key ^ (guint64) lane->d);
}

static gboolean
is_same (const Lane *one, const Lane *other)
{
  return one->kind == other->kind && one->a == other->a && one->b == other->b && one->c == other->c &&
         one->d == other->d;
}

/* NULL: it is new; *key: where to put it. Valid until the next lane is made. */
static const Lane *
find (TtNsysLanes *self, const Lane *wanted, guint64 *key)
{
  guint32 at;

  *key = 0;
  if (self->last < self->lanes->len && is_same (&g_array_index (self->lanes, Lane, self->last), wanted))
    return &g_array_index (self->lanes, Lane, self->last);
  for (*key = hash_of (wanted); (at = tt_map64_get (&self->by_key, *key)) != TT_MAP64_NONE; ++*key)
    if (is_same (&g_array_index (self->lanes, Lane, at), wanted))
      {
        self->last = at;
        return &g_array_index (self->lanes, Lane, at);
      }
  return NULL;
}

static const Lane *
keep (TtNsysLanes *self, const Lane *lane, guint64 key)
{
  self->last = self->lanes->len;
  tt_map64_set (&self->by_key, key, self->last);
  g_array_append_val (self->lanes, *lane);
  return &g_array_index (self->lanes, Lane, self->last);
}

/* Whether a process of that text can be made: it has no rank, and another source of the run has one of that pid, or
 * this source has (on another machine). */
static guint32
make_process (TtNsys *self, const char *pid, gint64 rank)
{
  g_autofree char *text = g_strdup (pid);
  guint n = 1;

  for (;;)
    {
      gboolean is_taken = !g_hash_table_add (self->lanes->pids, g_strdup (text));
      guint32 id = is_taken ? TT_NO_ID : tt_sink_process (self->sink, text, NULL, self->lanes->host, rank);

      if (id != TT_NO_ID && (rank >= 0 || id >= self->sink->source_first_process))
        return id;
      g_free (text);
      text = g_strdup_printf ("%s#%u", pid, ++n);
    }
}

guint32
tt_nsys_process_of_rank (TtNsys *self, gint64 rank)
{
  guint32 known = tt_map64_get (&self->lanes->by_rank, (guint64) rank);

  if (known != TT_MAP64_NONE && known != TT_NO_ID)
    return known;
  g_autofree char *text = g_strdup_printf ("rank%" G_GINT64_FORMAT, rank);
  guint32 id = tt_sink_process (self->sink, text, NULL, NULL, rank);
  tt_map64_set (&self->lanes->by_rank, (guint64) rank, id);
  return id;
}

/* *rank: -1: none. */
static char *
pid_of_program (TtNsys *self, gint64 program, gint64 *rank)
{
  guint32 known = tt_map64_get (&self->lanes->ranks, (guint64) program), pid = (guint32) program & ID_MASK;

  *rank = known != TT_MAP64_NONE ? (gint64) (known & ~IS_SECOND) : self->options->rank;
  if (*rank < 0)
    return g_strdup_printf ("%u", pid);
  if (known != TT_MAP64_NONE && (known & IS_SECOND) == 0)
    return g_strdup_printf ("rank%" G_GINT64_FORMAT, *rank);
  return g_strdup_printf ("rank%" G_GINT64_FORMAT ".%u", *rank, pid);
}

static guint32
program_process (TtNsys *self, gint64 program)
{
  Lane wanted = { .kind = LANE_PROGRAM, .a = program };
  gint64 rank;
  guint64 key;
  const Lane *lane = find (self->lanes, &wanted, &key);

  if (lane != NULL)
    return lane->id;
  g_autofree char *pid = pid_of_program (self, program, &rank);
  wanted.id = wanted.program = make_process (self, pid, rank);
  return keep (self->lanes, &wanted, key)->id;
}

void
tt_nsys_on_thread (TtNsys *self, TtRows *rows, int column, TtTraceRecord *record)
{
  Lane wanted = { .kind = LANE_THREAD };
  guint64 key;

  if (!tt_rows_int (rows, column, &wanted.a))
    wanted.a = (gint64) ((guint64) self->lanes->only_program << ID_BITS);
  const Lane *lane = find (self->lanes, &wanted, &key);
  if (G_UNLIKELY (lane == NULL))
    {
      g_autofree char *tid = g_strdup_printf ("%u", (guint32) wanted.a & ID_MASK);
      wanted.process = program_process (self, (gint64) ((guint64) wanted.a >> ID_BITS));
      wanted.id = tt_sink_thread (self->sink, wanted.process, tid, NULL, (gint64) ((guint32) wanted.a & ID_MASK));
      lane = keep (self->lanes, &wanted, key);
    }
  record->thread = lane->id;
  record->process = lane->process;
}

/* -- devices ------------------------------------------------------------------------------------------------ */

static Lane
read_device (TtNsys *self, TtRows *rows, int column)
{
  Lane lane = { .kind = LANE_DEVICE };
  gint64 global_pid;

  lane.a = tt_rows_int (rows, column, &global_pid) && global_pid != 0 ? (gint64) ((guint64) global_pid >> ID_BITS)
                                                                       : self->lanes->only_program;
  lane.b = tt_rows_int_or (rows, column + 1, 0);
  return lane;
}

static guint32
device_process (TtNsys *self, const Lane *device)
{
  Lane wanted = { .kind = LANE_DEVICE, .a = device->a, .b = device->b };
  gint64 rank;
  guint64 key;
  const Lane *lane = find (self->lanes, &wanted, &key);

  if (lane != NULL)
    return lane->id;
  wanted.program = program_process (self, wanted.a);
  g_autofree char *program = pid_of_program (self, wanted.a, &rank);
  g_autofree char *pid = g_strdup_printf ("%s.gpu%" G_GINT64_FORMAT, program, wanted.b);
  g_autofree char *label = g_strdup_printf ("GPU %" G_GINT64_FORMAT, wanted.b);
  wanted.id = make_process (self, pid, -1);
  tt_sink_label_process (self->sink, wanted.id, label, -1);
  tt_map64_set (&self->lanes->programs, wanted.id, wanted.program);
  tt_sink_own_process (self->sink, wanted.id, wanted.program);
  find (self->lanes, &wanted, &key);
  return keep (self->lanes, &wanted, key)->id;
}

/* Streams have numbers of their own in each context; mostly a program has one context. */
static guint32
make_stream (TtNsys *self, const Lane *stream)
{
  g_autofree char *plain = g_strdup_printf ("%" G_GINT64_FORMAT, stream->d);
  g_autofree char *label = NULL;

  if (tt_sink_find_thread (self->sink, stream->process, plain) == TT_NO_ID)
    {
      label = g_strdup_printf ("stream %" G_GINT64_FORMAT, stream->d);
      return tt_sink_thread (self->sink, stream->process, plain, label, stream->d);
    }
  g_autofree char *tid = g_strdup_printf ("%" G_GINT64_FORMAT ".%" G_GINT64_FORMAT, stream->c, stream->d);
  label = g_strdup_printf ("context %" G_GINT64_FORMAT ", stream %" G_GINT64_FORMAT, stream->c, stream->d);
  return tt_sink_thread (self->sink, stream->process, tid, label, stream->d);
}

void
tt_nsys_on_stream (TtNsys *self, TtRows *rows, int column, TtTraceRecord *record)
{
  Lane wanted = read_device (self, rows, column);
  guint64 key;

  wanted.kind = LANE_STREAM;
  wanted.c = tt_rows_int_or (rows, column + 2, 0);
  wanted.d = tt_rows_int_or (rows, column + 3, 0);
  const Lane *lane = find (self->lanes, &wanted, &key);
  if (G_UNLIKELY (lane == NULL))
    {
      wanted.process = device_process (self, &wanted);
      wanted.id = make_stream (self, &wanted);
      find (self->lanes, &wanted, &key);
      lane = keep (self->lanes, &wanted, key);
    }
  record->thread = lane->id;
  record->process = lane->process;
}

guint32
tt_nsys_waits_of_stream (TtNsys *self, TtRows *rows, int column, const TtTraceRecord *on_stream)
{
  Lane wanted = { .kind = LANE_WAITS, .a = on_stream->thread };
  guint64 key;
  const Lane *lane = find (self->lanes, &wanted, &key);

  if (lane != NULL)
    return lane->id;
  gint64 stream = tt_rows_int_or (rows, column + 3, 0);
  g_autofree char *tid = g_strdup_printf ("waits for %" G_GINT64_FORMAT, stream);
  g_autofree char *label = g_strdup_printf ("waits for stream %" G_GINT64_FORMAT, stream);
  wanted.id = tt_sink_thread (self->sink, on_stream->process, tid, label, stream);
  return keep (self->lanes, &wanted, key)->id;
}

void
tt_nsys_on_device (TtNsys *self, TtRows *rows, int column, const char *tid, TtTraceRecord *record)
{
  const Lane device = read_device (self, rows, column);

  record->process = device_process (self, &device);
  record->thread = tt_sink_thread (self->sink, record->process, tid, NULL, -1);
}

void
tt_nsys_on_machine (TtNsys *self, gint64 gpu, TtTraceRecord *record)
{
  g_autofree char *pid = g_strdup_printf ("gpu%" G_GINT64_FORMAT "%s%s", gpu, self->lanes->host != NULL ? " of " : "",
                                          self->lanes->host != NULL ? self->lanes->host : "");

  record->process = tt_sink_process (self->sink, pid, NULL, self->lanes->host, -1);
  if (self->lanes->only_program != 0)
    tt_sink_own_process (self->sink, record->process, program_process (self, self->lanes->only_program));
  record->thread = tt_sink_thread (self->sink, record->process, "metrics", NULL, -1);
}

guint32
tt_nsys_program_of (const TtNsysLanes *self, guint32 process)
{
  guint32 program = tt_map64_get (&self->programs, process);

  return program == TT_MAP64_NONE ? process : program;
}

gint64
tt_nsys_rank_of_thread (TtNsys *self, gint64 global_tid)
{
  guint32 rank = tt_map64_get (&self->lanes->ranks, (guint64) global_tid >> ID_BITS);

  return rank == TT_MAP64_NONE ? -1 : (gint64) (rank & ~IS_SECOND);
}

/* -- what is known of one of them ---------------------------------------------------------------------------- */

static guint32
find_id (TtNsys *self, Lane wanted)
{
  guint64 key;
  const Lane *lane = find (self->lanes, &wanted, &key);

  return lane == NULL ? TT_NO_ID : lane->id;
}

guint32
tt_nsys_find_thread (TtNsys *self, gint64 global_tid)
{
  return find_id (self, (Lane){ .kind = LANE_THREAD, .a = global_tid });
}

void
tt_nsys_own_timeless (TtNsys *self)
{
  const TtMap64 *timeless = &self->timeless;

  for (guint64 slot = 0; timeless->values != NULL && slot <= timeless->mask; slot++)
    {
      const Lane program = { .kind = LANE_PROGRAM, .a = (gint64) timeless->keys[slot] };
      const guint32 process = timeless->values[slot] == TT_MAP64_NONE ? TT_NO_ID : find_id (self, program);

      if (process != TT_NO_ID)
        tt_sink_own_repairs (self->sink, process, TT_REPAIR_NO_TIME, timeless->values[slot]);
    }
}

guint32
tt_nsys_find_program (TtNsys *self, gint64 global_pid)
{
  return find_id (self, (Lane){ .kind = LANE_PROGRAM, .a = (gint64) ((guint64) global_pid >> ID_BITS) });
}

gint64
tt_nsys_global_pid (TtNsys *self, gint64 pid)
{
  gint64 machine = self->lanes->only_program & ~(gint64) ID_MASK;

  return (gint64) ((guint64) (machine | (pid & ID_MASK)) << ID_BITS);
}

guint32
tt_nsys_find_device (TtNsys *self, gint64 global_pid, gint64 device)
{
  return find_id (self, (Lane){ .kind = LANE_DEVICE, .a = (gint64) ((guint64) global_pid >> ID_BITS), .b = device });
}

guint32
tt_nsys_find_stream (TtNsys *self, gint64 global_pid, gint64 device, gint64 context, gint64 stream)
{
  return find_id (self, (Lane){ .kind = LANE_STREAM,
                                .a = (gint64) ((guint64) global_pid >> ID_BITS),
                                .b = device,
                                .c = context,
                                .d = stream });
}
