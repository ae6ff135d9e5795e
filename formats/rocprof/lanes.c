/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/rocprof/lanes.h"

#include "src/base/slots.h"

#define CACHED 256u
/* Order of a GPU's threads: streams, then queues, copies, scratch memory. */
#define ORDER_STEP G_GINT64_CONSTANT (1000000)

typedef struct
{
  guint64 agent, number;
  TtRocprofLaneKind kind;
  guint32 process, thread; /* TT_NO_ID: the place is free */
} Lane;

struct _TtRocprofLanes
{
  TtSink *sink;
  const TtImportOptions *options;
  TtRocprofFacts *facts;
  char *pid; /* of the program */
  guint32 host;
  Lane lanes[CACHED];
};

const char *
tt_rocprof_direction_text (TtRocprofDirection direction)
{
  static const char *const texts[] = { "copies", "HtoH", "HtoD", "DtoH", "DtoD" };

  return direction < G_N_ELEMENTS (texts) ? texts[direction] : texts[0];
}

TtRocprofLanes *
tt_rocprof_lanes_new (TtSink *sink, const TtImportOptions *options, TtRocprofFacts *facts)
{
  TtRocprofLanes *self = g_new0 (TtRocprofLanes, 1);

  self->sink = sink;
  self->options = options;
  self->facts = facts;
  return self;
}

void
tt_rocprof_lanes_free (TtRocprofLanes *self)
{
  if (self == NULL)
    return;
  g_free (self->pid);
  g_free (self);
}

static void
name_host (TtRocprofLanes *self)
{
  GString *pid = g_string_new (NULL);
  guint64 number = tt_rocprof_facts_pid (self->facts);

  if (self->options->rank >= 0)
    g_string_append_printf (pid, "rank%" G_GINT64_FORMAT ".", self->options->rank);
  if (number == 0 && self->options->pid != NULL)
    g_string_assign (pid, self->options->pid);
  else
    g_string_append_printf (pid, "%" G_GUINT64_FORMAT, number);
  self->pid = g_string_free (pid, FALSE);
}

guint32
tt_rocprof_lanes_host (TtRocprofLanes *self)
{
  const GPtrArray *metadata = tt_rocprof_facts_metadata (self->facts);

  if (self->host != TT_NO_ID)
    return self->host;
  name_host (self);
  self->host = tt_sink_process (self->sink, self->pid, tt_rocprof_facts_program (self->facts),
                                tt_rocprof_facts_node (self->facts), self->options->rank);
  for (guint i = 0; i + 1 < metadata->len; i += 2)
    tt_sink_metadata (self->sink, self->host, TT_NO_ID, metadata->pdata[i], metadata->pdata[i + 1]);
  return self->host;
}

static guint32
make_device (TtRocprofLanes *self, guint64 handle, const TtRocprofAgent *agent)
{
  guint32 host = tt_rocprof_lanes_host (self), process;
  g_autofree char *pid = agent == NULL
                             ? g_strdup_printf ("%s.agent%" G_GUINT64_FORMAT, self->pid, handle)
                             : g_strdup_printf ("%s.gpu%" G_GINT64_FORMAT, self->pid, agent->index);
  g_autofree char *label = agent == NULL || agent->name == NULL
                               ? NULL
                               : g_strdup_printf ("GPU %" G_GINT64_FORMAT " (%s)", agent->index, agent->name);

  process = tt_sink_process (self->sink, pid, label, tt_rocprof_facts_node (self->facts), self->options->rank);
  tt_sink_own_process (self->sink, process, host);
  if (agent != NULL && agent->target != NULL)
    tt_sink_metadata (self->sink, process, TT_NO_ID, "target", agent->target);
  return process;
}

/* What is done by no GPU is done by the program. */
static guint32
device_of (TtRocprofLanes *self, guint64 handle)
{
  TtRocprofAgent *agent = tt_rocprof_facts_agent (self->facts, handle);

  if (handle == TT_ROCPROF_NO_AGENT || (agent != NULL && !agent->is_gpu))
    return tt_rocprof_lanes_host (self);
  if (agent == NULL)
    return make_device (self, handle, NULL);
  if (agent->process == TT_NO_ID)
    agent->process = make_device (self, handle, agent);
  return agent->process;
}

static guint32
make_thread (TtRocprofLanes *self, const Lane *lane)
{
  static const char *const words[] = { "", "stream ", "queue ", "", "scratch" };
  g_autofree char *number = g_strdup_printf ("%" G_GUINT64_FORMAT, lane->number);
  const char *rest = lane->kind == TT_ROCPROF_COPIES    ? tt_rocprof_direction_text ((TtRocprofDirection) lane->number)
                     : lane->kind == TT_ROCPROF_SCRATCH ? ""
                                                        : number;
  g_autofree char *tid = g_strconcat (words[lane->kind], rest, NULL);
  gint64 place = (gint64) MIN (lane->number, (guint64) ORDER_STEP - 1);

  return tt_sink_thread (self->sink, lane->process, tid, NULL,
                         lane->kind == TT_ROCPROF_THREAD ? 0 : (gint64) lane->kind * ORDER_STEP + place);
}

void
tt_rocprof_lanes_find (TtRocprofLanes *self,
                       TtRocprofLaneKind kind,
                       guint64 agent,
                       guint64 number,
                       guint32 *process,
                       guint32 *thread)
{
  guint64 owner = kind == TT_ROCPROF_THREAD ? 0 : agent;
  Lane *lane = &self->lanes[tt_slots_mix (number ^ tt_slots_mix (owner ^ (guint64) kind << 60)) % CACHED];

  if (G_UNLIKELY (lane->thread == TT_NO_ID || lane->kind != kind || lane->agent != owner || lane->number != number))
    {
      *lane = (Lane){ .kind = kind, .agent = owner, .number = number };
      lane->process = kind == TT_ROCPROF_THREAD ? tt_rocprof_lanes_host (self) : device_of (self, agent);
      lane->thread = make_thread (self, lane);
    }
  *process = lane->process;
  *thread = lane->thread;
}
