/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/training-job/server-network.h"

#include "analyzers/training-job/median.h"
#include "graphs/schedule/fair-share.h"
#include "src/base/array.h"
#include "src/base/compare.h"
#include "src/base/error.h"
#include "src/base/units.h"

#include <math.h>
#include <string.h>

/* How far apart both ways may be, of which the trace does not tell which is right. */
#define ALIKE 0.02
/* Of links, of transfers of all steps, and of both together: more are not fitted. */
#define MAX_LINKS 4096
#define MAX_TRANSFERS (1u << 20)
#define MAX_WORK 2e9

/* A message between a worker and a server. */
typedef struct
{
  guint32 node, endpoint;
  gboolean has_bytes;
  gint64 asked_ns, begin_ns, end_ns; /* begin: when its link was free for it */
} Message;

void
tt_server_network_free (TtServerNetwork *self)
{
  if (self == NULL)
    return;
  g_clear_pointer (&self->servers, g_hash_table_unref);
  g_free (self->ports);
  g_free (self->taken_ns);
  g_free (self->ways[0].alone_ns);
  g_free (self->ways[1].alone_ns);
  g_free (self);
}

/* Whether a node carries a part of a tensor. */
static gboolean
has_bytes (TtStepNodeKind kind)
{
  return kind == TT_STEP_NODE_PUSH_REQ || kind == TT_STEP_NODE_PULL_RES;
}

/* -- machines ------------------------------------------------------------------------------------------------------ */

static gboolean
refuse (GError **error, const char *why)
{
  g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "nothing is known of the network between workers and servers: %s", why);
  return FALSE;
}

/* Workers have all as many ranks. */
static gboolean
count_ranks (TtServerNetwork *self, GError **error)
{
  const TtJobTopology *topology = self->job->topology;
  g_autofree guint *n_ranks = g_new0 (guint, (gsize) self->n_workers + 1);

  for (guint rank = 0; rank < topology->n_ranks; rank++)
    if (topology->workers[rank] < self->n_workers)
      n_ranks[topology->workers[rank]]++;
  self->gpus_per_worker = n_ranks[0];
  for (guint worker = 0; worker < self->n_workers; worker++)
    if (n_ranks[worker] == 0 || n_ranks[worker] != n_ranks[0])
      return refuse (error, "workers have different numbers of GPUs");
  return TRUE;
}

/* Numbers of servers are what their names say; they are counted as they are met. */
static void
count_servers (TtServerNetwork *self)
{
  const GArray *links = self->job->topology->links;

  self->servers = g_hash_table_new (NULL, NULL);
  for (guint i = 0; i < links->len; i++)
    {
      const TtJobLink *link = &g_array_index (links, TtJobLink, i);
      gpointer server = GUINT_TO_POINTER (link->server);
      if (!link->is_thread && !g_hash_table_contains (self->servers, server))
        g_hash_table_insert (self->servers, server, GUINT_TO_POINTER (self->n_servers++));
    }
}

void
tt_server_network_ports (const TtServerNetwork *self,
                         guint n_workers,
                         const TtJobLink *link,
                         guint worker,
                         guint32 ports[2])
{
  guint n = n_workers + self->n_servers, own = 1 + worker;
  guint server =
      1 + n_workers + GPOINTER_TO_UINT (g_hash_table_lookup (self->servers, GUINT_TO_POINTER (link->server)));

  ports[0] = link->is_in ? server : own;
  ports[1] = n + (link->is_in ? own : server);
}

static gboolean
number_ports (TtServerNetwork *self, GError **error)
{
  const TtJobTopology *topology = self->job->topology;
  guint n_links = 0;

  count_servers (self);
  self->ports = g_new0 (guint32, 2 * (gsize) topology->n_endpoints + 1);
  for (guint32 endpoint = topology->n_ranks; endpoint < topology->n_endpoints; endpoint++)
    {
      const TtJobLink *link = tt_job_topology_link (topology, endpoint);
      if (link->is_thread)
        continue;
      n_links++;
      tt_server_network_ports (self, self->n_workers, link, link->worker, &self->ports[2 * (gsize) endpoint]);
    }
  return n_links <= MAX_LINKS || refuse (error, "there are too many links");
}

/* -- messages ------------------------------------------------------------------------------------------------------ */

static int
compare_messages (const void *a, const void *b)
{
  const Message *x = a, *y = b;

  if (x->endpoint != y->endpoint)
    return TT_COMPARE (x->endpoint, y->endpoint);
  if (x->asked_ns != y->asked_ns)
    return TT_COMPARE (x->asked_ns, y->asked_ns);
  return x->end_ns != y->end_ns ? TT_COMPARE (x->end_ns, y->end_ns) : TT_COMPARE (x->node, y->node);
}

/* Of one step, by link, as they were asked for. */
static GArray *
collect (const TtServerNetwork *self, guint slot)
{
  const TtStepGraph *graph = self->job->graph;
  const TtJobNodeTime *times = tt_job_step_times_of (self->job->step_model->input.steps, slot);
  GArray *messages = g_array_new (FALSE, FALSE, sizeof (Message));

  for (guint32 i = 0; i < graph->nodes->len; i++)
    {
      const TtStepNode *node = tt_step_node (graph, i);
      const Message one = {
        i, node->rank, has_bytes (node->kind), times[i].begin_ns, times[i].begin_ns, times[i].end_ns
      };
      if (tt_step_node_is_link_transfer (node->kind) && times[i].begin_ns != TT_NO_TIME)
        g_array_append_val (messages, one);
    }
  g_array_sort (messages, compare_messages);
  return messages;
}

static guint
count_steps (const TtServerNetwork *self)
{
  return self->job->step_model->input.steps->n_steps;
}

/* Of messages without bytes: what they take on a free link, and whether they come right after what their link was busy with. */
static void
add_small (const GArray *messages, GArray *free_ns, GArray *after_ns, guint *n_overlaps)
{
  const Message *all = TT_ARRAY (messages, Message);
  gint64 busy_ns = TT_NO_TIME;

  for (guint i = 0; i < messages->len; i++)
    {
      gboolean is_first = i == 0 || all[i - 1].endpoint != all[i].endpoint;
      gint64 taken_ns = all[i].end_ns - all[i].asked_ns, after = is_first ? 0 : all[i].end_ns - busy_ns;
      gboolean is_free = is_first || all[i].asked_ns >= busy_ns;
      *n_overlaps += !is_free;
      if (!all[i].has_bytes && is_free)
        g_array_append_val (free_ns, taken_ns);
      else if (!all[i].has_bytes)
        g_array_append_val (after_ns, after);
      busy_ns = is_first ? all[i].end_ns : MAX (busy_ns, all[i].end_ns);
    }
}

static gboolean
find_latency (TtServerNetwork *self, GPtrArray *steps, GError **error)
{
  g_autoptr (GArray) free_ns = g_array_new (FALSE, FALSE, sizeof (gint64));
  g_autoptr (GArray) after_ns = g_array_new (FALSE, FALSE, sizeof (gint64));
  guint n_overlaps = 0;

  for (guint slot = 0; slot < steps->len; slot++)
    add_small (steps->pdata[slot], free_ns, after_ns, &n_overlaps);
  if (free_ns->len == 0)
    return refuse (error, "no message without bytes was traced on a free link");
  self->latency_ns = (double) MAX (tt_median_ns (free_ns), 0);
  self->is_piped = after_ns->len > 0 ? (double) tt_median_ns (after_ns) < self->latency_ns / 2 : n_overlaps > 0;
  return TRUE;
}

/* What was handed over while its link was busy began when that was free. */
static void
find_begins (const TtServerNetwork *self, GArray *messages)
{
  Message *all = TT_ARRAY (messages, Message);
  gint64 early_ns = self->is_piped ? (gint64) self->latency_ns : 0, free_ns = 0;

  for (guint i = 0; i < messages->len; i++)
    {
      if (i > 0 && all[i - 1].endpoint == all[i].endpoint)
        all[i].begin_ns = CLAMP (free_ns, all[i].asked_ns, all[i].end_ns);
      free_ns = MAX (all[i].end_ns - early_ns, all[i].begin_ns);
    }
}

/* -- what bytes take alone ----------------------------------------------------------------------------------------- */

typedef struct
{
  gint64 at_ns;
  guint32 message;
  gboolean is_end;
} Event;

/* Ends first. */
static int
compare_events (const void *a, const void *b)
{
  const Event *x = a, *y = b;

  if (x->at_ns != y->at_ns)
    return TT_COMPARE (x->at_ns, y->at_ns);
  return x->is_end != y->is_end ? TT_COMPARE (y->is_end, x->is_end) : TT_COMPARE (x->message, y->message);
}

/* From when the bytes of a message begin to pass until all are out. */
static GArray *
list_events (const TtServerNetwork *self, const GArray *messages)
{
  GArray *events = g_array_new (FALSE, FALSE, sizeof (Event));

  for (guint32 i = 0; i < messages->len; i++)
    {
      const Message *one = &g_array_index (messages, Message, i);
      const Event begin = { one->begin_ns, i, FALSE }, end = { one->end_ns - (gint64) self->latency_ns, i, TRUE };
      if (!one->has_bytes || end.at_ns <= begin.at_ns)
        continue;
      g_array_append_val (events, begin);
      g_array_append_val (events, end);
    }
  g_array_sort (events, compare_events);
  return events;
}

static void
measure_alone (const TtServerNetwork *self, const TtServerWay *way, const GArray *messages, double *alone_ns)
{
  static const guint32 no_ports[2] = { TT_NO_PORT, TT_NO_PORT };
  g_autoptr (GArray) events = list_events (self, messages);
  TtFairShare share;

  tt_fair_share_init (&share);
  share.now_ns = events->len > 0 ? g_array_index (events, Event, 0).at_ns : 0;
  for (guint i = 0; i < events->len; i++)
    {
      const Event *event = &g_array_index (events, Event, i);
      const Message *one = &g_array_index (messages, Message, event->message);
      tt_fair_share_advance (&share, event->at_ns);
      if (event->is_end)
        alone_ns[one->node] = tt_fair_share_remove (&share, event->message);
      else
        tt_fair_share_add (&share, event->message, way->is_shared ? &self->ports[2 * one->endpoint] : no_ports, 0);
      if (i + 1 == events->len || g_array_index (events, Event, i + 1).at_ns != event->at_ns)
        tt_fair_share_settle (&share);
    }
  tt_fair_share_clear (&share);
}

/* -- how much alike ------------------------------------------------------------------------------------------------ */

typedef struct
{
  guint64 key; /* of the same bytes: group and part */
  double alone_ns;
} Sample;

static int
compare_samples (const void *a, const void *b)
{
  const Sample *x = a, *y = b;

  return x->key != y->key ? TT_COMPARE (x->key, y->key) : TT_COMPARE (x->alone_ns, y->alone_ns);
}

/* "worker_0::server_1::3" */
static guint32
part_of (const TtStepNode *node)
{
  const char *last = node->parts.suffix == NULL ? NULL : strrchr (node->parts.suffix, ':');

  return last == NULL ? 0 : (guint32) g_ascii_strtoull (last + 1, NULL, 10);
}

static void
find_spread (TtServerNetwork *self, TtServerWay *way)
{
  g_autoptr (GArray) samples = g_array_new (FALSE, FALSE, sizeof (Sample));
  const TtStepGraph *graph = self->job->graph;
  double squares = 0, weights = 0;

  for (guint slot = 0; slot < count_steps (self); slot++)
    for (guint32 i = 0; i < graph->nodes->len; i++)
      {
        const TtStepNode *node = tt_step_node (graph, i);
        const Sample one = { (guint64) node->group << 32 | part_of (node),
                             way->alone_ns[(gsize) slot * graph->nodes->len + i] };
        if (one.alone_ns > 0)
          g_array_append_val (samples, one);
      }
  g_array_sort (samples, compare_samples);
  const Sample *all = TT_ARRAY (samples, Sample);
  for (guint first = 0, end; first < samples->len; first = end)
    {
      for (end = first + 1; end < samples->len && all[end].key == all[first].key;)
        end++;
      double usual = all[first + (end - first) / 2].alone_ns;
      for (guint i = first; i < end; i++)
        squares += usual * pow (log (all[i].alone_ns / usual), 2);
      weights += usual * (end - first);
    }
  self->n_transfers = samples->len;
  way->spread = weights > 0 ? sqrt (squares / weights) : 0;
}

/* NICs are shared on most machines. */
static void
choose_way (TtServerNetwork *self)
{
  TtServerWay *shared = &self->ways[0], *links = &self->ways[1];

  self->n_ways = fabs (shared->spread - links->spread) <= ALIKE ? 2 : 1;
  if (links->spread >= shared->spread - ALIKE / 4)
    return;
  const TtServerWay kept = *shared;
  *shared = *links;
  *links = kept;
}

static gboolean
fit (TtServerNetwork *self, GError **error)
{
  g_autoptr (GPtrArray) steps = g_ptr_array_new_with_free_func ((GDestroyNotify) g_array_unref);
  guint n_messages = 0;
  guint32 n = self->job->graph->nodes->len;

  for (guint slot = 0; slot < count_steps (self) && n_messages < MAX_TRANSFERS; slot++)
    {
      g_ptr_array_add (steps, collect (self, slot));
      n_messages += ((GArray *) steps->pdata[slot])->len;
    }
  if (n_messages == 0)
    return refuse (error, "no transfers were traced in a step");
  if (n_messages >= MAX_TRANSFERS || (double) n_messages * self->job->topology->links->len > MAX_WORK)
    return refuse (error, "there are too many transfers");
  if (!find_latency (self, steps, error))
    return FALSE;
  self->taken_ns = g_new0 (double, (gsize) steps->len *n + 1);
  for (guint i = 0; i < 2; i++)
    self->ways[i] = (TtServerWay){ .is_shared = i == 0, .alone_ns = g_new0 (double, (gsize) steps->len *n + 1) };
  for (guint slot = 0; slot < steps->len; slot++)
    {
      const GArray *messages = steps->pdata[slot];
      find_begins (self, steps->pdata[slot]);
      for (guint i = 0; i < messages->len; i++)
        {
          const Message *one = &g_array_index (messages, Message, i);
          self->taken_ns[(gsize) slot * n + one->node] = (double) MAX (one->end_ns - one->begin_ns, 1);
        }
      for (guint i = 0; i < 2; i++)
        measure_alone (self, &self->ways[i], messages, self->ways[i].alone_ns + (gsize) slot * n);
    }
  find_spread (self, &self->ways[0]);
  find_spread (self, &self->ways[1]);
  choose_way (self);
  return self->n_transfers > 0 || refuse (error, "transfers of tensors take no longer than answers to them");
}

TtServerNetwork *
tt_server_network_new (const TtTrainingJob *job, GError **error)
{
  g_autoptr (TtServerNetwork) self = g_new0 (TtServerNetwork, 1);

  self->job = job;
  self->n_workers = job->topology->n_workers;
  if (job->step_model == NULL || count_steps (self) == 0)
    refuse (error, "no step was traced");
  else if (count_ranks (self, error) && number_ports (self, error) && fit (self, error))
    return g_steal_pointer (&self);
  return NULL;
}

char *
tt_server_network_describe (const TtServerNetwork *self)
{
  char latency[TT_TIME_TEXT];

  return g_strdup_printf (
      "the network, fitted to %u transfers between %u worker%s and %u server%s: %s, latency %s, %s; transfers of as "
      "many "
      "bytes are %.1f %% apart%s",
      self->n_transfers, self->n_workers, self->n_workers == 1 ? "" : "s", self->n_servers,
      self->n_servers == 1 ? "" : "s", self->ways[0].is_shared ? "NICs are shared" : "each link by itself",
      tt_time_auto (latency, (gint64) self->latency_ns),
      self->is_piped ? "messages follow each other" : "one message at a time", 100 * self->ways[0].spread,
      self->n_ways == 1         ? ""
      : self->ways[0].is_shared ? ", and would be with links of their own"
                                : ", and would be with shared NICs");
}
