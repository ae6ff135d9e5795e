#include "config.h"

#include "analyzers/training-job/private.h"
#include "src/store/statistics.h"

#include <stdlib.h>
#include <string.h>

/* More of them, or of parts of a tensor, are not believed. */
#define MOST_WORKERS 65536
#define MOST_PARTS 65536
/* Places of parts times workers that would fill the memory. */
#define MOST_ENDS ((guint64) 1 << 22)

/* -- names ------------------------------------------------------------------------------------------------- */

/* A number at *at, which moves behind it; FALSE: there is none, or one beyond belief. */
static gboolean
take_number (const char **at, guint most, guint *number)
{
  char *end;

  if (!g_ascii_isdigit (**at))
    return FALSE;
  guint64 value = g_ascii_strtoull (*at, &end, 10);
  *at = end;
  *number = (guint) value;
  return value < most;
}

static gboolean
take_word (const char **at, const char *word)
{
  if (!g_str_has_prefix (*at, word))
    return FALSE;
  *at += strlen (word);
  return TRUE;
}

/* "worker_0::server_1", "server_1::worker_0", "server_1_t3" */
static gboolean
parse_link (const char *pid, TtJobLink *link)
{
  const char *at = pid;
  guint thread;

  *link = (TtJobLink){ .worker = TT_STEP_NO_RANK };
  if (take_word (&at, "worker_"))
    return take_number (&at, MOST_WORKERS, &link->worker) && take_word (&at, "::server_") &&
           take_number (&at, MOST_WORKERS, &link->server) && *at == '\0';
  if (!take_word (&at, "server_") || !take_number (&at, MOST_WORKERS, &link->server))
    return FALSE;
  link->is_thread = take_word (&at, "_t");
  if (link->is_thread)
    return take_number (&at, G_MAXINT, &thread) && *at == '\0';
  link->is_in = TRUE;
  return take_word (&at, "::worker_") && take_number (&at, MOST_WORKERS, &link->worker) && *at == '\0';
}

/* Behind "PID::" of a suffix: the part of a transfer ("0"), of a server's work the sum and the part ("0::~PART1"). */
static gboolean
parse_suffix (const char *suffix, const char *pid, gboolean is_work, guint *sum, guint *part)
{
  const char *at = suffix;

  *sum = 0;
  if (suffix == NULL || !take_word (&at, pid) || !take_word (&at, "::"))
    return FALSE;
  if (is_work && (!take_number (&at, MOST_WORKERS, sum) || !take_word (&at, "::~PART")))
    return FALSE;
  return take_number (&at, MOST_PARTS, part) && *at == '\0';
}

/* -- places ------------------------------------------------------------------------------------------------ */

static gboolean
is_place_kind (guint8 kind)
{
  return tt_job_is_link_kind ((TtStepNodeKind) kind) || kind == TT_STEP_NODE_SERVER;
}

typedef struct
{
  const TtJobParts *parts;
  GHashTable *processes; /* ids of those with such names */
} PlaceSearch;

static gboolean
take_place (const TtStatistic *row, gpointer data)
{
  PlaceSearch *search = data;

  if (row->name <= search->parts->max_name && is_place_kind (search->parts->kinds[row->name]))
    g_hash_table_add (search->processes, GUINT_TO_POINTER (row->process));
  return TRUE;
}

static void
add_place (TtJobParts *self, const TtProcess *process, const TtJobLink *link)
{
  TtTrainingJob *job = self->job;
  guint place = job->n_endpoints++;

  job->pids = g_renew (char *, job->pids, (gsize) job->n_endpoints + 1);
  job->pids[place] = g_strdup (process->pid);
  job->pids[place + 1] = NULL;
  job->processes = g_renew (guint32, job->processes, job->n_endpoints);
  job->processes[place] = process->id;
  self->rank_of[process->id] = place;
  g_array_append_val (self->links, *link);
  if (!link->is_thread)
    self->n_workers = MAX (self->n_workers, link->worker + 1);
}

typedef struct
{
  guint32 worker;
} WorkerNumber;

static gboolean
take_worker (const TtCell *cells, guint n, gpointer data)
{
  WorkerNumber *found = data;

  (void) n;
  if (cells[1].kind == TT_CELL_INT && cells[1].integer >= 0 && cells[1].integer < MOST_WORKERS)
    found->worker = (guint32) cells[1].integer;
  return TRUE;
}

/* Which worker a rank is part of: as the import says, else hosts are numbered in their order. */
static gboolean
find_workers (TtJobParts *self, GError **error)
{
  TtTrainingJob *job = self->job;
  g_autoptr (GHashTable) there = g_hash_table_new (NULL, NULL);
  guint32 host = 0;
  guint n_outside = 0;

  for (guint i = 0; i < self->links->len; i++)
    g_hash_table_add (there, GUINT_TO_POINTER (g_array_index (self->links, TtJobLink, i).worker));
  self->workers = g_new (guint32, job->n_ranks);
  for (guint rank = 0; rank < job->n_ranks; rank++)
    {
      WorkerNumber number = { TT_STEP_NO_RANK };
      gsize len = strcspn (job->pids[rank], ".");

      if (rank > 0 &&
          (strcspn (job->pids[rank - 1], ".") != len || strncmp (job->pids[rank - 1], job->pids[rank], len) != 0))
        host++;
      if (!tt_job_each_json (self, job->processes[rank], "byteps_worker", "$", take_worker, &number, error))
        return FALSE;
      self->workers[rank] = number.worker != TT_STEP_NO_RANK ? number.worker : host;
      n_outside += !g_hash_table_contains (there, GUINT_TO_POINTER (self->workers[rank]));
    }
  if (n_outside > 0)
    tt_job_note (job, "%u of %u ranks are of no worker that pushes to servers: they wait for nobody", n_outside,
                 job->n_ranks);
  return TRUE;
}

gboolean
tt_job_find_places (TtJobParts *self, GError **error)
{
  g_autoptr (GHashTable) processes = g_hash_table_new (NULL, NULL);
  PlaceSearch search = { self, processes };
  guint n;

  self->job->n_endpoints = self->job->n_ranks;
  if (!tt_store_each_statistic (self->store, TT_STATISTIC_BY_LONG_NAME, take_place, &search, error))
    return FALSE;
  const TtProcess *all = tt_store_processes (self->store, &n);
  for (guint i = 0; i < n; i++)
    {
      TtJobLink link;
      if (g_hash_table_contains (processes, GUINT_TO_POINTER (all[i].id)) &&
          self->rank_of[all[i].id] == TT_STEP_NO_RANK && all[i].pid != NULL && parse_link (all[i].pid, &link))
        add_place (self, &all[i], &link);
    }
  if (self->n_workers > 0)
    return find_workers (self, error);
  if (self->links->len > 0)
    tt_job_note (self->job, "no transfers between workers and servers: what servers do is left aside");
  return TRUE;
}

/* -- parts of groups ---------------------------------------------------------------------------------------- */

/* One name on one place. */
typedef struct
{
  const char *group;
  guint part;
  guint32 place;
  guint step; /* of a server's work: 0 COPY_FIRST, 1 + k SUM k, G_MAXUINT COPY_MERGED */
} Seen;

typedef struct
{
  TtJobParts *parts;
  GArray *transfers, *works; /* of Seen */
} Search;

static gboolean
take_seen (const TtStatistic *row, gpointer data)
{
  Search *self = data;
  const TtJobParts *parts = self->parts;
  guint8 kind = row->name <= parts->max_name ? parts->kinds[row->name] : TT_STEP_NODE_OTHER;
  guint32 place = is_place_kind (kind) ? parts->rank_of[row->process] : TT_STEP_NO_RANK;
  guint sum;

  if (place < parts->job->n_ranks || place == TT_STEP_NO_RANK)
    return TRUE;
  const TtStoredName *name = tt_store_name (parts->store, row->name);
  Seen seen = { .group = name->op_name, .place = place };
  if (name->op_name == NULL ||
      !parse_suffix (name->suffix, parts->job->pids[place], kind == TT_STEP_NODE_SERVER, &sum, &seen.part))
    return TRUE;
  if (kind == TT_STEP_NODE_SERVER)
    seen.step = g_strcmp0 (name->sub_op, "COPY_FIRST") == 0 ? 0
                : g_strcmp0 (name->sub_op, "SUM") == 0      ? 1 + sum
                                                            : G_MAXUINT;
  g_array_append_val (*(kind == TT_STEP_NODE_SERVER ? &self->works : &self->transfers), seen);
  return TRUE;
}

static int
compare_seen (gconstpointer a, gconstpointer b)
{
  const Seen *x = a, *y = b;
  int by_group = strcmp (x->group, y->group);

  if (by_group != 0)
    return by_group;
  if (x->part != y->part)
    return x->part < y->part ? -1 : 1;
  if (x->step != y->step)
    return x->step < y->step ? -1 : 1;
  return x->place < y->place ? -1 : x->place > y->place;
}

/* The first of @seen (sorted) that is of the group, and of the part or a later one. */
static guint
first_of (const GArray *seen, const char *group, guint part)
{
  const Seen key = { .group = group, .part = part };
  guint low = 0, high = seen->len;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;
      if (compare_seen (&g_array_index (seen, Seen, middle), &key) < 0)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

static gboolean
is_of (const GArray *seen, guint i, const char *group, guint part)
{
  return i < seen->len && g_array_index (seen, Seen, i).part == part &&
         strcmp (g_array_index (seen, Seen, i).group, group) == 0;
}

static gpointer
keep (TtTrainingJob *job, gpointer part)
{
  g_ptr_array_add (job->plan_parts, part);
  return part;
}

/* The threads of the part's works; NULL: not all of them were seen. */
static const guint32 *
find_threads (const Search *self, const char *group, guint part, guint n_pushers)
{
  guint32 *threads = keep (self->parts->job, g_new (guint32, (gsize) n_pushers + 1));

  memset (threads, 0xff, ((gsize) n_pushers + 1) * sizeof *threads);
  for (guint i = first_of (self->works, group, part); is_of (self->works, i, group, part); i++)
    {
      const Seen *seen = &g_array_index (self->works, Seen, i);
      guint step = MIN (seen->step, n_pushers);
      if (seen->step == G_MAXUINT || seen->step < n_pushers)
        threads[step] = seen->place;
    }
  for (guint i = 0; i <= n_pushers; i++)
    if (threads[i] == TT_STEP_NO_RANK)
      return NULL;
  return threads;
}

static TtStepPart
make_part (const Search *self, const char *group, guint number)
{
  const TtJobParts *parts = self->parts;
  guint n = parts->n_workers, n_pushers = 0;
  guint32 *out = keep (parts->job, g_new (guint32, n)), *in = keep (parts->job, g_new (guint32, n));

  memset (out, 0xff, n * sizeof *out);
  memset (in, 0xff, n * sizeof *in);
  for (guint i = first_of (self->transfers, group, number); is_of (self->transfers, i, group, number); i++)
    {
      guint32 place = g_array_index (self->transfers, Seen, i).place;
      const TtJobLink *link = &g_array_index (parts->links, TtJobLink, place - parts->job->n_ranks);
      if (!link->is_thread)
        (link->is_in ? in : out)[link->worker] = place;
    }
  for (guint worker = 0; worker < n; worker++)
    n_pushers += out[worker] != TT_STEP_NO_RANK && in[worker] != TT_STEP_NO_RANK;
  return (
      TtStepPart){ .number = number, .out = out, .in = in, .threads = find_threads (self, group, number, n_pushers) };
}

static void
plan_group (const Search *self, TtStepGroup *group)
{
  GArray *parts = g_array_new (FALSE, FALSE, sizeof (TtStepPart));

  for (guint i = first_of (self->transfers, group->name, 0); i < self->transfers->len; i++)
    {
      const Seen *seen = &g_array_index (self->transfers, Seen, i);
      if (strcmp (seen->group, group->name) != 0)
        break;
      if (parts->len > 0 && g_array_index (parts, TtStepPart, parts->len - 1).number == seen->part)
        continue;
      TtStepPart part = make_part (self, group->name, seen->part);
      g_array_append_val (parts, part);
    }
  if (parts->len > 0)
    {
      group->algo = TT_STEP_ALGO_SERVER;
      group->n_parts = parts->len;
    }
  group->parts = keep (self->parts->job, g_array_free (parts, FALSE));
}

/* Of all groups; @seen is sorted. */
static guint
count_parts (const GArray *seen)
{
  guint n = 0;

  for (guint i = 0; i < seen->len; i++)
    {
      const Seen *one = &g_array_index (seen, Seen, i);
      n += i == 0 || !is_of (seen, i - 1, one->group, one->part);
    }
  return n;
}

gboolean
tt_job_plan_servers (TtJobParts *self, TtStepGroup *groups, GError **error)
{
  g_autoptr (GArray) transfers = g_array_new (FALSE, FALSE, sizeof (Seen));
  g_autoptr (GArray) works = g_array_new (FALSE, FALSE, sizeof (Seen));
  Search search = { self, transfers, works };

  if (self->n_workers == 0)
    return TRUE;
  if (!tt_store_each_statistic (self->store, TT_STATISTIC_BY_LONG_NAME, take_seen, &search, error))
    return FALSE;
  g_array_sort (transfers, compare_seen);
  g_array_sort (works, compare_seen);
  if ((guint64) count_parts (transfers) * self->n_workers > MOST_ENDS)
    {
      tt_job_note (self->job,
                   "%u parts of tensors between servers and %u workers are too many: their transfers are left aside",
                   count_parts (transfers), self->n_workers);
      return TRUE;
    }
  for (guint i = 0; i < self->job->shapes->len; i++)
    plan_group (&search, &groups[i]);
  return TRUE;
}
