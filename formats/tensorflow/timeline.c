/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/tensorflow/timeline.h"

#include "src/base/slots.h"
#include "src/base/sorter.h"
#include "src/base/tape.h"

#include <string.h>
#include <xxhash.h>

#define TAPE_MEMORY ((gsize) 8 << 20)
#define SORTER_MEMORY ((gsize) 8 << 20)
#define BLOCK 1024u
/* Every graph that a session runs begins with it, once a device. */
#define FIRST_NODE "_SOURCE"
/* Ten times the largest model; the graph is all that lies in memory whole. */
#define MOST_NODES (1u << 17)
#define MOST_EDGES (1u << 20)
#define NO_DEVICE TT_TF_NO_DEVICE

/* As an event comes; on a tape until all lanes have their names. */
typedef struct
{
  gint64 ts_ns, dur_ns;
  guint64 args;
  guint64 offset;
  guint64 flow_key;
  guint32 raw, type; /* in `names`; TT_NO_ID: none */
  guint32 lane;
  gint32 step;
  char phase; /* 0: a span */
  guint8 begins_run;
  char unused[6];
} Piece;

/* Repetitions of an event: those of rank 2 are skipped where one of lower rank is the same. */
typedef enum
{
  RANK_FIRST = 0,
  RANK_REPEATS = 2,
  RANK_ALONE = 3,
} Rank;

typedef struct
{
  guint64 high; /* time */
  guint64 low;  /* who is the same, then rank */
  Piece piece;
} Sorted;

struct _TtTfTimeline
{
  TtTraceLanes *lanes;
  TtSink *sink;
  TtNames *names; /* raw texts only */
  TtTape *tape;   /* of Piece */
  TtLocalGraph *graph;
  TtSlots *edges; /* those that the graph has: every step repeats them */
  gboolean is_sealed, is_cut;
  guint64 n_edges;
  GString *text, *type; /* scratch */
  TtTfLaneRoles roles;
  gboolean has_runs;
  gint32 run;
  GError *error; /* of the temporary file of what is gone again */
};

TtTfTimeline *
tt_tf_timeline_new (TtTraceLanes *lanes, TtSink *sink)
{
  TtTfTimeline *self = g_new0 (TtTfTimeline, 1);

  self->lanes = lanes;
  self->sink = sink;
  self->names = tt_names_new (NULL);
  self->tape = tt_tape_new (TAPE_MEMORY);
  self->graph = tt_local_graph_new ();
  self->edges = tt_slots_new ();
  self->text = g_string_new (NULL);
  self->type = g_string_new (NULL);
  tt_tf_lane_roles_init (&self->roles);
  self->run = -1;
  return self;
}

void
tt_tf_timeline_free (TtTfTimeline *self)
{
  if (self == NULL)
    return;
  tt_names_free (self->names);
  tt_tape_free (self->tape);
  tt_local_graph_free (self->graph);
  tt_slots_free (self->edges);
  g_string_free (self->text, TRUE);
  g_string_free (self->type, TRUE);
  tt_tf_lane_roles_clear (&self->roles);
  g_clear_error (&self->error);
  g_free (self);
}

/* -- taking ------------------------------------------------------------------------------------------ */

gboolean
tt_tf_timeline_takes (const TtTraceEvent *event)
{
  return event->ph == 'X' || event->ph == 's' || event->ph == 't' || event->ph == 'f';
}

static guint32
intern (TtTfTimeline *self, const TtJsonValue *value)
{
  gboolean is_new;

  if (value->kind != TT_JSON_STRING)
    return TT_NO_ID;
  g_string_truncate (self->text, 0);
  tt_json_unescape (value, self->text, &self->sink->repairs);
  return tt_names_intern (self->names, &(TtRawName){ .raw = self->text->str, .op_cat = "FW" }, &is_new);
}

/* Without "^" and ":slot". */
static guint32
graph_node (TtTfTimeline *self, const TtJsonValue *value)
{
  g_autofree char *text = tt_json_text (value);
  char *name = text;
  char *colon = strrchr (text, ':');

  while (*name == '^')
    name++;
  if (colon != NULL && colon > name && colon[1] != '\0' && colon[1 + strspn (colon + 1, "0123456789")] == '\0')
    *colon = '\0';
  return tt_local_graph_node (self->graph, name);
}

static void
add_edge (TtTfTimeline *self, guint32 from, guint32 to)
{
  guint64 key = tt_slots_mix ((guint64) from << 32 | to);
  TtSlotCursor cursor = { 0 };

  if (tt_slots_find (self->edges, key, &cursor) != 0)
    return;
  tt_slots_add (self->edges, key, 1);
  tt_local_graph_edge (self->graph, from, to);
  self->n_edges++;
}

static void
take_inputs (TtTfTimeline *self, const TtTraceEvent *event, const TtJsonValue *name)
{
  const char *cursor = NULL;
  TtJsonValue key, value;
  guint32 node = TT_NO_ID;
  gboolean has_node = FALSE;

  while (tt_json_member (event->args.raw, &cursor, &key, &value))
    {
      if (value.kind != TT_JSON_STRING || key.raw.len < 6 || memcmp (key.raw.bytes, "input", 5) != 0)
        continue;
      if (tt_local_graph_n_nodes (self->graph) + 2 > MOST_NODES || self->n_edges >= MOST_EDGES)
        {
          if (!self->is_cut)
            tt_sink_repair (self->sink, TT_REPAIR_GRAPH_CUT, event->offset);
          self->is_cut = TRUE;
          return;
        }
      if (!has_node)
        node = graph_node (self, name);
      has_node = TRUE;
      add_edge (self, graph_node (self, &value), node);
    }
}

static gint32
explicit_step (const TtTraceEvent *event)
{
  TtJsonValue group = tt_json_get (event->args.raw, "group_id");
  gint64 step;

  if (group.kind == TT_JSON_NONE || !tt_json_int64 (&group, &step) || step < 0 || step > G_MAXINT32)
    return TT_NO_STEP;
  return (gint32) step;
}

static guint64
flow_key (const TtTraceEvent *event)
{
  guint64 hash = XXH3_64bits (event->cat.raw.bytes, event->cat.raw.len);

  hash = XXH3_64bits_withSeed (event->name.raw.bytes, event->name.raw.len, hash);
  return XXH3_64bits_withSeed (event->id.raw.bytes, event->id.raw.len, hash);
}

void
tt_tf_timeline_add (TtTfTimeline *self, const TtTraceEvent *event, guint64 args)
{
  TtJsonValue name = { .kind = TT_JSON_NONE }, type = { .kind = TT_JSON_NONE };
  Piece piece = { .ts_ns = event->ts_ns,
                  .dur_ns = event->dur_ns,
                  .args = args,
                  .offset = event->offset,
                  .lane = tt_trace_lanes_of (self->lanes, event),
                  .step = TT_NO_STEP };

  if (event->ph != 'X')
    {
      piece.phase = event->ph;
      piece.flow_key = flow_key (event);
    }
  else if (event->args.kind == TT_JSON_OBJECT)
    {
      name = tt_json_get (event->args.raw, "long_name");
      if (name.kind != TT_JSON_STRING)
        name = tt_json_get (event->args.raw, "name");
      type = tt_json_get (event->args.raw, "op");
      piece.step = explicit_step (event);
      if (name.kind == TT_JSON_STRING)
        take_inputs (self, event, &name);
    }
  piece.raw = intern (self, name.kind == TT_JSON_STRING ? &name : &event->name);
  piece.begins_run = piece.phase == 0 && piece.raw != TT_NO_ID && strcmp (self->text->str, FIRST_NODE) == 0;
  piece.type = intern (self, type.kind == TT_JSON_STRING ? &type : &event->name);
  tt_tape_append (self->tape, &piece, sizeof piece);
}

guint32
tt_tf_timeline_n_devices (TtTfTimeline *self)
{
  tt_tf_lane_roles_find (&self->roles, self->lanes, &self->error);
  return self->roles.n_operator_devices;
}

const TtLocalGraph *
tt_tf_timeline_graph (TtTfTimeline *self)
{
  if (!self->is_sealed)
    tt_local_graph_seal (self->graph);
  self->is_sealed = TRUE;
  return self->n_edges == 0 ? NULL : self->graph;
}

/* -- handing out ------------------------------------------------------------------------------------- */

static TtTfRole
role_of (TtTfTimeline *self, const TtTfLaneRole *lane)
{
  const TtTfDevice *device = lane->device == NO_DEVICE ? NULL : tt_tf_device (&self->roles, lane->device);

  if (device != NULL && device->number != NO_DEVICE && device->chosen == lane->kind)
    return TT_TF_OPERATOR;
  switch (lane->kind)
    {
    case TT_TF_LANE_MEMCPY:
    case TT_TF_LANE_COPIES:
      return TT_TF_COPY;
    case TT_TF_LANE_LAUNCH:
      return TT_TF_LAUNCH;
    case TT_TF_LANE_HOST:
      return TT_TF_HOST;
    default:
      return TT_TF_KERNEL;
    }
}

static void
sort_piece (TtTfTimeline *self, TtSorter *sorter, const Piece *piece)
{
  const TtTfLaneRole *lane = tt_tf_lane_role (&self->roles, piece->lane);
  Rank rank = RANK_ALONE;
  guint64 same = piece->offset;

  if (piece->phase == 0 && lane->device != NO_DEVICE &&
      (lane->kind == TT_TF_LANE_ALL || lane->kind == TT_TF_LANE_MEMCPY || lane->kind == TT_TF_LANE_STREAM))
    {
      const guint64 who[] = { lane->device, piece->raw, (guint64) piece->dur_ns };
      rank = lane->kind == TT_TF_LANE_STREAM ? RANK_REPEATS : RANK_FIRST;
      same = XXH3_64bits (who, sizeof who);
    }
  self->has_runs |= piece->begins_run && lane->device != NO_DEVICE;
  Sorted *sorted = tt_sorter_add (sorter);
  *sorted = (Sorted){ .high = tt_sort_key (piece->ts_ns), .low = same << 2 | rank, .piece = *piece };
}

static gboolean
sort_tape (TtTfTimeline *self, TtSorter *sorter, GError **error)
{
  g_autofree Piece *block = g_new (Piece, BLOCK);
  guint64 n_pieces = tt_tape_size (self->tape) / sizeof (Piece);

  for (guint64 at = 0; at < n_pieces; at += BLOCK)
    {
      guint n = (guint) MIN (n_pieces - at, BLOCK);
      tt_tape_read (self->tape, at * sizeof (Piece), block, n * sizeof (Piece));
      for (guint i = 0; i < n; i++)
        sort_piece (self, sorter, &block[i]);
    }
  if (!tt_tape_check (self->tape, error))
    return FALSE;
  g_clear_pointer (&self->tape, tt_tape_free);
  return tt_sorter_finish (sorter, error);
}

static void
get_text (TtTfTimeline *self, guint32 id, GString *text)
{
  TtName name;

  g_string_assign (text, id != TT_NO_ID && tt_names_get (self->names, id, &name) ? name.raw : "");
}

/* An operator's name ends before ":" and its type: "model/dense/MatMul:MatMul". */
static void
cut_type (GString *name)
{
  const char *colon = strchr (name->str, ':');

  if (colon != NULL && colon != name->str)
    g_string_truncate (name, (gsize) (colon - name->str));
}

/* Devices begin a run one after the other: it ends where one of them begins another. */
static void
follow_run (TtTfTimeline *self, const Piece *piece, const TtTfLaneRole *lane)
{
  if (!piece->begins_run || lane->device == NO_DEVICE)
    return;
  TtTfDevice *device = tt_tf_device (&self->roles, lane->device);
  if (device->run == self->run)
    self->run++;
  device->run = self->run;
}

static void
set_device (TtTfTimeline *self, TtTfEvent *event, guint32 number)
{
  const TtTfDevice *device = tt_tf_device (&self->roles, number);

  event->device = device->number;
  event->is_cpu = tt_tf_device_is_cpu (device);
  event->device_index = self->roles.has_indexes ? device->index : device->number;
}

static gboolean
hand_out (TtTfTimeline *self, const Piece *piece, TtTfFunc func, gpointer data, GError **error)
{
  const TtTfLaneRole *lane = tt_tf_lane_role (&self->roles, piece->lane);
  TtTfEvent event = { .role = piece->phase != 0 ? TT_TF_FLOW : role_of (self, lane),
                      .lane = piece->lane,
                      .device = NO_DEVICE,
                      .ts_ns = piece->ts_ns,
                      .dur_ns = piece->dur_ns,
                      .step = piece->step,
                      .args = piece->args,
                      .offset = piece->offset,
                      .phase = piece->phase,
                      .flow_key = piece->flow_key };

  get_text (self, piece->raw, self->text);
  get_text (self, piece->type, self->type);
  follow_run (self, piece, lane);
  if (self->has_runs && event.step == TT_NO_STEP)
    event.step = MAX (self->run, 0);
  if (role_of (self, lane) == TT_TF_OPERATOR)
    set_device (self, &event, lane->device);
  if (event.role == TT_TF_OPERATOR)
    cut_type (self->text);
  event.raw = self->text->str;
  event.type = self->type->str;
  return func (&event, data, error);
}

static gboolean
check_tables (const TtTfTimeline *self, GError **error)
{
  if (self->error != NULL)
    {
      g_propagate_error (error, g_error_copy (self->error));
      return FALSE;
    }
  return tt_trace_lanes_check (self->lanes, error) && tt_tf_lane_roles_check (&self->roles, error) &&
         tt_names_check (self->names, error) && tt_slots_check (self->edges, error);
}

gboolean
tt_tf_timeline_each (TtTfTimeline *self, TtTfFunc func, gpointer data, GError **error)
{
  g_autoptr (TtSorter) sorter = tt_sorter_new (sizeof (Sorted), SORTER_MEMORY);
  g_autoptr (GError) own_error = NULL;
  const Sorted *sorted;
  guint64 high = 0, same = 0, n_told = 0;

  tt_tf_lane_roles_find (&self->roles, self->lanes, &self->error);
  if (!sort_tape (self, sorter, error))
    return FALSE;
  while ((sorted = tt_sorter_next (sorter, &own_error)) != NULL)
    {
      Rank rank = (Rank) (sorted->low & 3);
      if (sorted->high != high || sorted->low >> 2 != same)
        n_told = 0;
      high = sorted->high;
      same = sorted->low >> 2;
      if (rank == RANK_FIRST)
        n_told++;
      else if (rank == RANK_REPEATS && n_told > 0)
        {
          n_told--;
          tt_sink_repair (self->sink, TT_REPAIR_TOLD_TWICE, sorted->piece.offset);
          tt_sink_args_drop (self->sink, sorted->piece.args);
          continue;
        }
      if (!hand_out (self, &sorted->piece, func, data, error))
        return FALSE;
    }
  if (own_error != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&own_error));
      return FALSE;
    }
  return check_tables (self, error);
}
