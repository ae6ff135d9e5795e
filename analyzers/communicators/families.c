/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/communicators/families.h"

#include <stdlib.h>
#include <string.h>

#define MIN_TOGETHER 2u      /* times that ranks leave together before their set is tried */
#define MAX_SETS_OF_RANK 16u /* of those that leave together */
#define NARROWEST_NS 1000    /* how close they leave, at first */
#define N_WIDTHS 10
#define WIDER 2

typedef struct
{
  TtMemberSets *sets;
  GPtrArray *families;
  GArray *callers; /* guint32: ranks with calls */
} Maker;

static GArray *
add_family (Maker *self)
{
  GArray *family = g_array_new (FALSE, FALSE, sizeof (guint32));

  g_ptr_array_add (self->families, family);
  return family;
}

static void
add_set (Maker *self, GArray *family, const GArray *ranks)
{
  if (ranks->len < 2)
    return;
  guint32 set = tt_member_sets_add (self->sets, (const guint32 *) (gpointer) ranks->data, ranks->len);
  g_array_append_val (family, set);
}

/* -- by number --------------------------------------------------------------------------------------------------- */

static void
add_lines (Maker *self, guint stride, guint length)
{
  GArray *family = add_family (self);
  g_autoptr (GArray) ranks = g_array_new (FALSE, FALSE, sizeof (guint32));

  for (guint block = 0; block < self->callers->len; block += stride * length)
    for (guint offset = 0; offset < stride; offset++)
      {
        g_array_set_size (ranks, 0);
        for (guint i = 0; i < length; i++)
          g_array_append_val (ranks, g_array_index (self->callers, guint32, block + offset + i * stride));
        add_set (self, family, ranks);
      }
}

static void
add_grids (Maker *self)
{
  guint n = self->callers->len;

  for (guint length = 2; length < n; length++)
    for (guint stride = 1; n % length == 0 && stride <= n / length; stride++)
      if (n / length % stride == 0)
        add_lines (self, stride, length);
}

/* -- by what they call ------------------------------------------------------------------------------------------- */

static void
add_ranks_of_same (Maker *self, GHashTable *of_key, const GPtrArray *keys)
{
  GArray *family = add_family (self);

  for (guint i = 0; i < keys->len; i++)
    {
      const GArray *ranks = g_hash_table_lookup (of_key, g_ptr_array_index (keys, i));

      if (ranks->len < self->callers->len)
        add_set (self, family, ranks);
    }
}

static void
add_equal_callers (Maker *self)
{
  const TtRankCalls *calls = self->sets->calls;
  guint n_kinds = calls->kinds->len;
  g_autoptr (GHashTable) of_key = g_hash_table_new_full (g_bytes_hash, g_bytes_equal, (GDestroyNotify) g_bytes_unref,
                                                         (GDestroyNotify) g_array_unref);
  g_autoptr (GPtrArray) keys = g_ptr_array_new ();
  g_autofree guint32 *counts = g_new (guint32, (gsize) n_kinds + 1);

  for (guint i = 0; i < self->callers->len; i++)
    {
      guint32 rank = g_array_index (self->callers, guint32, i);

      memset (counts, 0, n_kinds * sizeof *counts);
      for (guint w = calls->first_waiting[rank]; w < calls->first_waiting[rank + 1]; w++)
        counts[tt_rank_call (calls, calls->waiting[w])->kind]++;
      GBytes *key = g_bytes_new (counts, n_kinds * sizeof *counts);
      GArray *ranks = g_hash_table_lookup (of_key, key);
      if (ranks == NULL)
        {
          ranks = g_array_new (FALSE, FALSE, sizeof (guint32));
          g_hash_table_insert (of_key, key, ranks);
          g_ptr_array_add (keys, key);
        }
      else
        g_bytes_unref (key);
      g_array_append_val (ranks, rank);
    }
  add_ranks_of_same (self, of_key, keys);
}

static void
add_callers_of_kinds (Maker *self)
{
  const TtRankCalls *calls = self->sets->calls;
  GArray *family = add_family (self);
  g_autoptr (GPtrArray) callers = g_ptr_array_new_with_free_func ((GDestroyNotify) g_array_unref);

  for (guint i = 0; i < calls->kinds->len; i++)
    g_ptr_array_add (callers, g_array_new (FALSE, FALSE, sizeof (guint32)));
  for (guint w = 0; w < calls->first_waiting[calls->n_ranks]; w++)
    {
      const TtRankCall *call = tt_rank_call (calls, calls->waiting[w]);
      GArray *ranks = g_ptr_array_index (callers, call->kind);

      if (ranks->len == 0 || g_array_index (ranks, guint32, ranks->len - 1) != call->rank)
        g_array_append_val (ranks, call->rank);
    }
  for (guint i = 0; i < callers->len; i++)
    {
      const GArray *ranks = g_ptr_array_index (callers, i);

      if (ranks->len < self->callers->len)
        add_set (self, family, ranks);
    }
}

/* -- by when they leave -------------------------------------------------------------------------------------------- */

typedef struct
{
  GBytes *ranks;
  guint count; /* at one width */
  guint most;
} Together;

typedef struct
{
  GHashTable *of_ranks; /* GBytes -> Together */
  GPtrArray *all;       /* of Together, as found */
  GArray *ranks;        /* guint32: of the group that is open */
  guint8 *is_in;        /* by rank */
  gint64 last_end_ns, first_end_ns;
  guint32 kind;
} Group;

static int
compare_ranks (gconstpointer a, gconstpointer b)
{
  guint32 x = *(const guint32 *) a, y = *(const guint32 *) b;

  return (x > y) - (x < y);
}

static void
free_together (gpointer data)
{
  g_bytes_unref (((Together *) data)->ranks);
  g_free (data);
}

static void
end_group (Group *self)
{
  for (guint i = 0; i < self->ranks->len; i++)
    self->is_in[g_array_index (self->ranks, guint32, i)] = 0;
  if (self->ranks->len >= 2)
    {
      g_array_sort (self->ranks, compare_ranks);
      GBytes *key = g_bytes_new (self->ranks->data, self->ranks->len * sizeof (guint32));
      Together *found = g_hash_table_lookup (self->of_ranks, key);
      if (found == NULL)
        {
          found = g_new0 (Together, 1);
          found->ranks = key;
          g_hash_table_insert (self->of_ranks, key, found);
          g_ptr_array_add (self->all, found);
        }
      else
        g_bytes_unref (key);
      found->count++;
    }
  g_array_set_size (self->ranks, 0);
}

static void
add_leaver (Group *self, const TtRankCalls *calls, const TtRankCall *call, gint64 width_ns)
{
  if (self->ranks->len > 0 && (call->kind != self->kind || call->end_ns - self->last_end_ns > width_ns ||
                               self->is_in[call->rank] || call->begin_ns > self->first_end_ns + calls->slack_ns))
    end_group (self);
  if (self->ranks->len == 0)
    self->first_end_ns = call->end_ns;
  self->kind = call->kind;
  self->last_end_ns = call->end_ns;
  self->is_in[call->rank] = 1;
  g_array_append_val (self->ranks, call->rank);
}

static int
compare_leavers (gconstpointer a, gconstpointer b, gpointer data)
{
  const TtRankCall *x = tt_rank_call (data, *(const guint32 *) a), *y = tt_rank_call (data, *(const guint32 *) b);

  if (x->kind != y->kind)
    return x->kind < y->kind ? -1 : 1;
  if (x->end_ns != y->end_ns)
    return x->end_ns < y->end_ns ? -1 : 1;
  return (x->rank > y->rank) - (x->rank < y->rank);
}

static int
compare_together (gconstpointer a, gconstpointer b)
{
  const Together *x = *(Together *const *) a, *y = *(Together *const *) b;
  guint64 of_x = (guint64) x->most * g_bytes_get_size (x->ranks),
          of_y = (guint64) y->most * g_bytes_get_size (y->ranks);

  if (of_x != of_y)
    return of_x > of_y ? -1 : 1;
  return g_bytes_compare (x->ranks, y->ranks);
}

static void
add_sets_together (Maker *self, GPtrArray *all)
{
  GArray *family = add_family (self);
  g_autofree guint *n_sets = g_new0 (guint, (gsize) self->sets->calls->n_ranks + 1);

  g_ptr_array_sort (all, compare_together);
  for (guint i = 0; i < all->len; i++)
    {
      const Together *together = g_ptr_array_index (all, i);
      gsize size;
      const guint32 *ranks = g_bytes_get_data (together->ranks, &size);
      guint n = (guint) (size / sizeof *ranks);
      gboolean is_wanted =
          (together->most >= MIN_TOGETHER || (n > 2 && tt_ranks_are_regular (ranks, n))) && n < self->callers->len;

      for (guint r = 0; r < n && is_wanted; r++)
        is_wanted = n_sets[ranks[r]] < MAX_SETS_OF_RANK;
      for (guint r = 0; r < n && is_wanted; r++)
        n_sets[ranks[r]]++;
      if (!is_wanted)
        continue;
      guint32 set = tt_member_sets_add (self->sets, ranks, n);
      g_array_append_val (family, set);
    }
}

static void
add_those_who_leave_together (Maker *self)
{
  const TtRankCalls *calls = self->sets->calls;
  guint n = calls->first_waiting[calls->n_ranks];
  g_autofree guint32 *leavers = g_memdup2 (calls->waiting, ((gsize) n + 1) * sizeof *leavers);
  g_autoptr (GHashTable) of_ranks = g_hash_table_new (g_bytes_hash, g_bytes_equal);
  g_autoptr (GPtrArray) all = g_ptr_array_new_with_free_func (free_together);
  g_autoptr (GArray) ranks = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autofree guint8 *is_in = g_new0 (guint8, (gsize) calls->n_ranks + 1);
  Group group = { of_ranks, all, ranks, is_in, 0, 0, 0 };
  gint64 width_ns = NARROWEST_NS;

  g_qsort_with_data (leavers, (gint) n, sizeof *leavers, compare_leavers, (gpointer) calls);
  for (int i = 0; i < N_WIDTHS; i++, width_ns *= WIDER)
    {
      for (guint l = 0; l < n; l++)
        add_leaver (&group, calls, tt_rank_call (calls, leavers[l]), width_ns);
      end_group (&group);
      for (guint t = 0; t < all->len; t++)
        {
          Together *together = g_ptr_array_index (all, t);

          together->most = MAX (together->most, together->count);
          together->count = 0;
        }
    }
  add_sets_together (self, all);
}

GPtrArray *
tt_families_new (TtMemberSets *sets)
{
  const TtRankCalls *calls = sets->calls;
  g_autoptr (GArray) callers = g_array_new (FALSE, FALSE, sizeof (guint32));
  Maker self = { sets, g_ptr_array_new_with_free_func ((GDestroyNotify) g_array_unref), callers };

  for (guint32 rank = 0; rank < calls->n_ranks; rank++)
    if (calls->first[rank] < calls->first[rank + 1])
      g_array_append_val (callers, rank);
  add_set (&self, add_family (&self), callers);
  add_those_who_leave_together (&self);
  add_equal_callers (&self);
  add_callers_of_kinds (&self);
  add_grids (&self);
  return self.families;
}
