/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/kineto/roots.h"

#include <string.h>
#include <xxhash.h>

/* Of more calls with a root, or groups, nothing is told. */
#define MAX_CALLS (1u << 18)
#define MAX_GROUPS 256u

/* Functions with a root: the operator that asks, where its arguments have the root, and what backends call it. */
static const struct
{
  const char *op;
  guint argument;
  const char *work;
  const char *collectives[2]; /* "Collective name" of kernels */
} functions[] = {
  { "c10d::broadcast_", 2, "broadcast", { "broadcast", "_broadcast_oop" } },
  { "c10d::reduce_", 3, "reduce", { "reduce", "_reduce_oop" } },
  { "c10d::gather_", 3, "gather", { "gather" } },
  { "c10d::scatter_", 3, "scatter", { "scatter" } },
};

typedef struct
{
  guint64 key; /* process << 8 | function */
  gint64 ts_ns;
  gint64 value; /* of what asks the root, -1: not told; of work its number */
} Call;

struct _KinetoRoots
{
  GArray *asked, *work; /* of Call */
  gint64 *roots;        /* by number of work */
  GPtrArray *groups;    /* of GArray of gint64: the ranks of each */
};

KinetoRoots *
tt_kineto_roots_new (void)
{
  KinetoRoots *self = g_new0 (KinetoRoots, 1);

  self->asked = g_array_new (FALSE, FALSE, sizeof (Call));
  self->work = g_array_new (FALSE, FALSE, sizeof (Call));
  self->groups = g_ptr_array_new_with_free_func ((GDestroyNotify) g_array_unref);
  return self;
}

void
tt_kineto_roots_free (KinetoRoots *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->asked);
  g_array_unref (self->work);
  g_ptr_array_unref (self->groups);
  g_free (self->roots);
  g_free (self);
}

/* -- groups ------------------------------------------------------------------------------------------------------------ */

static void
add_group (KinetoRoots *self, TtSlice ranks)
{
  g_autoptr (GArray) group = g_array_new (FALSE, FALSE, sizeof (gint64));
  const char *cursor = NULL;
  TtJsonValue value;

  while (tt_json_item (ranks, &cursor, &value))
    {
      gint64 rank;

      /* Of long lists "..." stands for the rest. */
      if (!tt_json_int64 (&value, &rank) || rank < 0)
        rank = -1;
      g_array_append_val (group, rank);
    }
  g_ptr_array_add (self->groups, g_steal_pointer (&group));
}

void
tt_kineto_roots_groups (KinetoRoots *self, const TtJsonValue *job)
{
  const char *cursor = NULL, *at = NULL, *in = NULL;
  TtJsonValue key, groups, group, value;

  if (job->kind != TT_JSON_OBJECT)
    return;
  while (tt_json_member (job->raw, &cursor, &key, &groups))
    if (TT_JSON_KEY_IS (key, "pg_config") && groups.kind == TT_JSON_ARRAY)
      for (at = NULL; self->groups->len <= MAX_GROUPS && tt_json_item (groups.raw, &at, &group);)
        for (in = NULL; group.kind == TT_JSON_OBJECT && tt_json_member (group.raw, &in, &key, &value);)
          if (TT_JSON_KEY_IS (key, "ranks") && value.kind == TT_JSON_ARRAY)
            add_group (self, value.raw);
}

guint
tt_kineto_roots_n_groups (const KinetoRoots *self)
{
  g_autoptr (GHashTable) members = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);

  for (guint i = 0; i < self->groups->len; i++)
    {
      const GArray *group = self->groups->pdata[i];
      guint64 hash = XXH3_64bits (group->data, group->len * sizeof (gint64));

      g_hash_table_add (members, g_memdup2 (&hash, sizeof hash));
    }
  return g_hash_table_size (members);
}

/* The rank that has @number in each group that has as many. */
static gint64
rank_of_number (const KinetoRoots *self, gint64 number)
{
  gint64 found = -1;

  if (number < 0 || self->groups->len > MAX_GROUPS)
    return -1;
  for (guint i = 0; i < self->groups->len; i++)
    {
      const GArray *group = self->groups->pdata[i];

      if (number >= group->len)
        continue;
      gint64 rank = g_array_index (group, gint64, number);
      if (rank < 0 || (found >= 0 && rank != found))
        return -1;
      found = rank;
    }
  return found;
}

/* -- calls ------------------------------------------------------------------------------------------------------------- */

static void
add_call (GArray *calls, guint32 process, guint function, gint64 ts_ns, gint64 value)
{
  const Call call = { (guint64) process << 8 | function, ts_ns, value };

  if (calls->len <= MAX_CALLS)
    g_array_append_val (calls, call);
}

void
tt_kineto_roots_ask (KinetoRoots *self, guint32 process, gint64 ts_ns, TtSlice name, const TtJsonValue *inputs)
{
  for (guint i = 0; i < G_N_ELEMENTS (functions); i++)
    if (tt_slice_is (name, functions[i].op, strlen (functions[i].op)))
      {
        const char *cursor = NULL;
        TtJsonValue value = { 0 };
        gint64 root = -1;
        gboolean has = inputs->kind == TT_JSON_ARRAY;

        for (guint k = 0; has && k <= functions[i].argument; k++)
          has = tt_json_item (inputs->raw, &cursor, &value);
        /* They are texts. */
        if (has && value.kind == TT_JSON_STRING && !value.has_escapes)
          {
            g_autofree char *text = tt_json_text (&value);

            if (!g_ascii_string_to_signed (text, 10, 0, G_MAXINT32, &root, NULL))
              root = -1;
          }
        add_call (self->asked, process, i, ts_ns, root);
      }
}

guint32
tt_kineto_roots_work (KinetoRoots *self, guint32 process, gint64 ts_ns, TtSlice name)
{
  const char *word = memchr (name.bytes, ':', name.len);

  if (word == NULL || self->work->len > MAX_CALLS)
    return 0;
  word++;
  for (guint i = 0; i < G_N_ELEMENTS (functions); i++)
    if (tt_slice_is ((TtSlice){ word, name.len - (gsize) (word - name.bytes) }, functions[i].work,
                     strlen (functions[i].work)))
      {
        add_call (self->work, process, i, ts_ns, self->work->len);
        return self->work->len;
      }
  return 0;
}

static int
compare_calls (gconstpointer a, gconstpointer b)
{
  const Call *x = a, *y = b;

  if (x->key != y->key)
    return x->key < y->key ? -1 : 1;
  if (x->ts_ns != y->ts_ns)
    return x->ts_ns < y->ts_ns ? -1 : 1;
  return (x->value > y->value) - (x->value < y->value);
}

static guint
end_of_key (const GArray *calls, guint first, guint64 key)
{
  while (first < calls->len && g_array_index (calls, Call, first).key == key)
    first++;
  return first;
}

/* Those that began before the first was asked for were asked for before the profiler began. Each group has threads of its
 * own, so that of calls in several groups one may overtake another. */
static void
pair (KinetoRoots *self, guint asked, guint n_asked, guint work, guint n_work)
{
  const Call *ask = &g_array_index (self->asked, Call, asked);
  const Call *done = &g_array_index (self->work, Call, work);
  gboolean fits;

  for (; n_work > 0 && n_asked > 0 && done->ts_ns < ask->ts_ns; n_work--)
    done++;
  fits = n_work == n_asked;
  for (guint i = 0; i < n_work && fits; i++)
    fits = done[i].ts_ns >= ask[i].ts_ns &&
           (self->groups->len == 1 || i + 1 == n_work || ask[i + 1].ts_ns >= done[i].ts_ns);
  for (guint i = 0; i < n_work && fits; i++)
    self->roots[done[i].value] = rank_of_number (self, ask[i].value);
}

void
tt_kineto_roots_finish (KinetoRoots *self)
{
  guint asked = 0;

  self->roots = g_new (gint64, (gsize) self->work->len + 1);
  for (guint i = 0; i < self->work->len; i++)
    self->roots[i] = -1;
  if (self->work->len > MAX_CALLS || self->asked->len > MAX_CALLS)
    return;
  g_array_sort (self->asked, compare_calls);
  g_array_sort (self->work, compare_calls);
  for (guint work = 0, end; work < self->work->len; work = end)
    {
      guint64 key = g_array_index (self->work, Call, work).key;

      end = end_of_key (self->work, work, key);
      while (asked < self->asked->len && g_array_index (self->asked, Call, asked).key < key)
        asked++;
      guint end_asked = end_of_key (self->asked, asked, key);
      if (end_asked > asked)
        pair (self, asked, end_asked - asked, work, end - work);
      asked = end_asked;
    }
}

gint64
tt_kineto_roots_of_work (const KinetoRoots *self, guint32 number)
{
  return number == 0 || number > self->work->len || self->roots == NULL ? -1 : self->roots[number - 1];
}

/* -- kernels ----------------------------------------------------------------------------------------------------------- */

static gboolean
has_root (TtSlice collective)
{
  for (guint i = 0; i < G_N_ELEMENTS (functions); i++)
    for (guint k = 0; k < G_N_ELEMENTS (functions[i].collectives) && functions[i].collectives[k] != NULL; k++)
      if (tt_slice_is (collective, functions[i].collectives[k], strlen (functions[i].collectives[k])))
        return TRUE;
  return FALSE;
}

gint64
tt_kineto_root_of_kernel (TtSlice collective, gint64 root, const TtJsonValue *ranks)
{
  const char *cursor = NULL;
  TtJsonValue value;
  gint64 rank;

  if (root < 0 || ranks->kind != TT_JSON_STRING || ranks->has_escapes || !has_root (collective))
    return -1;
  while (tt_json_item (ranks->raw, &cursor, &value))
    if (root-- == 0)
      return tt_json_int64 (&value, &rank) && rank >= 0 ? rank : -1;
  return -1;
}
