/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/training-job/server-parts.h"

#include "analyzers/training-job/text-cursor.h"
#include "src/base/compare.h"
#include "src/store/statistics.h"

#include <stdlib.h>
#include <string.h>

/* SUMs of a part, and parts of a tensor: no job has more. */
#define MAX_SUMS 65536
#define MAX_PARTS 65536
/* Parts times workers; more would fill the memory. */
#define MAX_ENDS ((guint64) 1 << 22)

/* -- suffixes ----------------------------------------------------------------------------------------------- */

/* After "PID::" of a suffix: the part of a transfer ("0"), of server work the sum and the part ("0::~PART1"). */
static gboolean
parse_suffix (const char *suffix, const char *pid, guint *sum, guint *part)
{
  const char *at = suffix;

  if (suffix == NULL || !tt_text_read_word (&at, pid) || !tt_text_read_word (&at, "::"))
    return FALSE;
  if (sum != NULL && (!tt_text_read_number (&at, MAX_SUMS, sum) || !tt_text_read_word (&at, "::~PART")))
    return FALSE;
  return tt_text_read_number (&at, MAX_PARTS, part) && *at == '\0';
}

/* -- parts of groups ---------------------------------------------------------------------------------------- */

/* Work of a server in its order: COPY_FIRST, SUM 0, SUM 1 ..., COPY_MERGED. */
#define WORK_COPY_FIRST 0
#define WORK_SUM 1
#define WORK_COPY_MERGED G_MAXUINT

/* One name on one endpoint. */
typedef struct
{
  const char *group;
  guint part;
  guint32 endpoint;
  guint work; /* of server work */
} ObservedPart;

typedef struct
{
  TtStore *store;
  const TtJobServerPartsInput *input;
  GArray *transfers, *works; /* of ObservedPart */
} Search;

static gboolean
on_statistic (const TtStatistic *row, gpointer data)
{
  Search *self = data;
  const TtJobTopology *topology = self->input->topology;
  TtStepNodeKind kind = tt_job_names_kind (self->input->names, row->name);
  gboolean is_work = kind == TT_STEP_NODE_SERVER;

  if (!is_work && !tt_step_node_is_link_transfer (kind))
    return TRUE;
  guint32 endpoint = topology->endpoint_of[row->process];
  if (endpoint < topology->n_ranks || endpoint == TT_STEP_NO_RANK)
    return TRUE;
  const TtStoredName *name = tt_store_name (self->store, row->name);
  ObservedPart part = { .group = name->op_name, .endpoint = endpoint };
  guint sum = 0;
  if (name->op_name == NULL ||
      !parse_suffix (name->suffix, topology->pids[endpoint], is_work ? &sum : NULL, &part.part))
    return TRUE;
  if (is_work)
    part.work = g_strcmp0 (name->sub_op, "COPY_FIRST") == 0 ? WORK_COPY_FIRST
                : g_strcmp0 (name->sub_op, "SUM") == 0      ? WORK_SUM + sum
                                                            : WORK_COPY_MERGED;
  g_array_append_val (*(is_work ? &self->works : &self->transfers), part);
  return TRUE;
}

static int
compare_parts (gconstpointer a, gconstpointer b)
{
  const ObservedPart *x = a, *y = b;
  int by_group = strcmp (x->group, y->group);

  if (by_group != 0)
    return by_group;
  if (x->part != y->part)
    return TT_COMPARE (x->part, y->part);
  if (x->work != y->work)
    return TT_COMPARE (x->work, y->work);
  return TT_COMPARE (x->endpoint, y->endpoint);
}

/* The first of @parts (sorted) that is of the group, and of the part or a later one. */
static guint
find_first (const GArray *parts, const char *group, guint part)
{
  const ObservedPart key = { .group = group, .part = part };
  guint low = 0, high = parts->len;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;
      if (compare_parts (&g_array_index (parts, ObservedPart, middle), &key) < 0)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

static gboolean
is_of (const GArray *parts, guint i, const char *group, guint part)
{
  return i < parts->len && g_array_index (parts, ObservedPart, i).part == part &&
         strcmp (g_array_index (parts, ObservedPart, i).group, group) == 0;
}

static gpointer
own_memory (const Search *self, gpointer memory)
{
  g_ptr_array_add (self->input->owned, memory);
  return memory;
}

static guint32 *
new_endpoints (const Search *self, guint n)
{
  guint32 *endpoints = own_memory (self, g_new (guint32, n));

  memset (endpoints, 0xff, n * sizeof *endpoints);
  return endpoints;
}

/* The threads that worked on a part, in the order of works; NULL: not all works were traced. */
static const guint32 *
find_threads (const Search *self, const char *group, guint part, guint n_pushers)
{
  guint32 *threads = new_endpoints (self, n_pushers + 1);

  for (guint i = find_first (self->works, group, part); is_of (self->works, i, group, part); i++)
    {
      const ObservedPart *observed = &g_array_index (self->works, ObservedPart, i);
      if (observed->work == WORK_COPY_MERGED || observed->work < n_pushers)
        threads[MIN (observed->work, n_pushers)] = observed->endpoint;
    }
  for (guint i = 0; i <= n_pushers; i++)
    if (threads[i] == TT_STEP_NO_RANK)
      return NULL;
  return threads;
}

static TtStepPart
make_part (const Search *self, const char *group, guint number)
{
  const TtJobTopology *topology = self->input->topology;
  guint n = topology->n_workers, n_pushers = 0;
  guint32 *out = new_endpoints (self, n), *in = new_endpoints (self, n);

  for (guint i = find_first (self->transfers, group, number); is_of (self->transfers, i, group, number); i++)
    {
      guint32 endpoint = g_array_index (self->transfers, ObservedPart, i).endpoint;
      const TtJobLink *link = tt_job_topology_link (topology, endpoint);
      if (!link->is_thread)
        (link->is_in ? in : out)[link->worker] = endpoint;
    }
  for (guint worker = 0; worker < n; worker++)
    n_pushers += out[worker] != TT_STEP_NO_RANK && in[worker] != TT_STEP_NO_RANK;
  const guint32 *threads = find_threads (self, group, number, n_pushers);
  return (TtStepPart){ .number = number, .out = out, .in = in, .threads = threads };
}

static void
plan_group (const Search *self, TtStepGroup *group)
{
  GArray *parts = g_array_new (FALSE, FALSE, sizeof (TtStepPart));

  for (guint i = find_first (self->transfers, group->name, 0); i < self->transfers->len; i++)
    {
      const ObservedPart *observed = &g_array_index (self->transfers, ObservedPart, i);
      if (strcmp (observed->group, group->name) != 0)
        break;
      if (parts->len > 0 && g_array_index (parts, TtStepPart, parts->len - 1).number == observed->part)
        continue;
      TtStepPart part = make_part (self, group->name, observed->part);
      g_array_append_val (parts, part);
    }
  if (parts->len > 0)
    {
      group->algo = TT_STEP_ALGO_SERVER;
      group->n_parts = parts->len;
    }
  group->parts = own_memory (self, g_array_free (parts, FALSE));
}

/* Parts of all groups; @parts is sorted. */
static guint
count_parts (const GArray *parts)
{
  guint n = 0;

  for (guint i = 0; i < parts->len; i++)
    {
      const ObservedPart *one = &g_array_index (parts, ObservedPart, i);
      n += i == 0 || !is_of (parts, i - 1, one->group, one->part);
    }
  return n;
}

gboolean
tt_job_plan_server_parts (TtStore *store,
                          const TtJobServerPartsInput *input,
                          TtStepGroup *groups,
                          guint n,
                          GError **error)
{
  guint n_workers = input->topology->n_workers;
  g_autoptr (GArray) transfers = g_array_new (FALSE, FALSE, sizeof (ObservedPart));
  g_autoptr (GArray) works = g_array_new (FALSE, FALSE, sizeof (ObservedPart));
  Search search = { store, input, transfers, works };

  if (n_workers == 0)
    return TRUE;
  if (!tt_store_each_statistic (store, TT_STATISTIC_BY_LONG_NAME, on_statistic, &search, error))
    return FALSE;
  g_array_sort (transfers, compare_parts);
  g_array_sort (works, compare_parts);
  guint n_parts = count_parts (transfers);
  if ((guint64) n_parts * n_workers > MAX_ENDS)
    {
      tt_notes_add (input->notes,
                    "%u parts of tensors between servers and %u workers are too many: their transfers are left out",
                    n_parts, n_workers);
      return TRUE;
    }
  for (guint i = 0; i < n; i++)
    plan_group (&search, &groups[i]);
  return TRUE;
}
