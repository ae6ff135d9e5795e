/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/statistics/pair-tally.h"

#include "src/base/readers.h"
#include "src/base/sorter.h"

#define MAX_SHARES 4u /* threads that count up */

/* In the order (whole, duration, part): 32 + 64 + 32 bits are just a sorter's key. */
typedef struct
{
  guint64 high, low;
} Record;

/* Where the quantiles of a row are, and how far its durations have come by. */
typedef struct
{
  guint64 seen, first, median, p95, p99;
} Places;

struct _TtPairTally
{
  TtSorter *sorter;
  GArray *parts, *wholes; /* of TtTallyRow */
};

TtPairTally *
tt_pair_tally_new (gsize memory_bytes)
{
  TtPairTally *self = g_new0 (TtPairTally, 1);

  self->sorter = tt_sorter_new (sizeof (Record), memory_bytes);
  self->parts = g_array_new (FALSE, TRUE, sizeof (TtTallyRow));
  self->wholes = g_array_new (FALSE, TRUE, sizeof (TtTallyRow));
  return self;
}

void
tt_pair_tally_free (TtPairTally *self)
{
  if (self == NULL)
    return;
  tt_sorter_free (self->sorter);
  g_array_unref (self->parts);
  g_array_unref (self->wholes);
  g_free (self);
}

static TtTallyRow *
row_of (GArray *rows, guint32 group)
{
  if (G_UNLIKELY (group >= rows->len))
    {
      guint n = rows->len;

      g_array_set_size (rows, group + 1);
      for (; n <= group; n++)
        g_array_index (rows, TtTallyRow, n).group = n;
    }
  return &g_array_index (rows, TtTallyRow, group);
}

/* Durations have 63 bits; of a whole those that are bounded come first. */
#define IS_EXACT (G_GUINT64_CONSTANT (1) << 63)

static inline void
add_duration (TtPairTally *self,
              guint32 part,
              guint32 whole,
              guint64 key,
              gint64 dur_ns,
              gint64 self_ns,
              gint64 total_ns)
{
  TtTallyRow *row = row_of (self->parts, part);
  Record *record = tt_sorter_add (self->sorter);

  /* `group` names the whole until the end: the wholes are summed up from their parts. */
  row->group = whole;
  tt_tally_row_add (row, dur_ns, self_ns, total_ns);
  row->n_bounded += (key & IS_EXACT) == 0;
  record->high = (guint64) whole << 32 | key >> 32;
  record->low = key << 32 | part;
}

void
tt_pair_tally_add (TtPairTally *self, guint32 part, guint32 whole, gint64 dur_ns, gint64 self_ns, gint64 total_ns)
{
  add_duration (self, part, whole, (guint64) dur_ns | IS_EXACT, dur_ns, self_ns, total_ns);
}

void
tt_pair_tally_add_bounded (TtPairTally *self,
                           guint32 part,
                           guint32 whole,
                           gint64 dur_ns,
                           gint64 self_ns,
                           gint64 total_ns)
{
  add_duration (self, part, whole, (guint64) dur_ns, dur_ns, self_ns, total_ns);
}

/* -- counting up ------------------------------------------------------------------------------------ */

static void
sum_up_wholes (TtPairTally *self)
{
  for (guint part = 0; part < self->parts->len; part++)
    {
      TtTallyRow *row = &g_array_index (self->parts, TtTallyRow, part);

      if (row->count > 0)
        tt_tally_row_merge (row_of (self->wholes, row->group), row);
      row->group = part;
    }
}

static Places *
places_of (const GArray *rows)
{
  Places *places = g_new0 (Places, MAX (rows->len, 1));

  for (guint i = 0; i < rows->len; i++)
    {
      const TtTallyRow *row = &g_array_index (rows, TtTallyRow, i);
      guint64 n_left_out = tt_tally_left_out (row), count = row->count - n_left_out;

      if (count > 0)
        places[i] = (Places){ .first = n_left_out,
                              .median = n_left_out + count / 2,
                              .p95 = n_left_out + tt_tally_percentile_index (count, 95),
                              .p99 = n_left_out + tt_tally_percentile_index (count, 99) };
    }
  return places;
}

static inline void
add_sorted (TtTallyRow *row, Places *places, gint64 dur_ns)
{
  guint64 i = places->seen++;

  if (G_UNLIKELY (i == places->first))
    row->min_ns = dur_ns;
  if (G_UNLIKELY (i == places->median))
    row->median_ns = dur_ns;
  if (G_UNLIKELY (i == places->p95))
    row->p95_ns = dur_ns;
  if (G_UNLIKELY (i == places->p99))
    row->p99_ns = dur_ns;
  row->max_ns = dur_ns;
}

/* Some of the wholes, all of them in its records. */
typedef struct
{
  TtSorter *sorter;
  TtTallyRow *parts, *wholes;
  Places *of_parts, *of_wholes;
  GError *error;
} Share;

static gpointer
count_up (gpointer data)
{
  Share *self = data;

  for (const Record *record; (record = tt_sorter_next (self->sorter, &self->error)) != NULL;)
    {
      guint32 whole = (guint32) (record->high >> 32), part = (guint32) record->low;
      gint64 dur_ns = (gint64) ((record->high << 32 | record->low >> 32) & ~IS_EXACT);

      add_sorted (&self->wholes[whole], &self->of_wholes[whole], dur_ns);
      add_sorted (&self->parts[part], &self->of_parts[part], dur_ns);
    }
  return NULL;
}

/* Where wholes begin that have about as many durations as those before. Fewer than @n_shares where there are few wholes. */
static guint
find_cuts (const GArray *wholes, guint n_shares, guint64 *highs)
{
  guint64 count = 0, seen = 0;
  guint n = 0;

  for (guint i = 0; i < wholes->len; i++)
    count += g_array_index (wholes, TtTallyRow, i).count;
  for (guint i = 0; i < wholes->len && n + 1 < n_shares; i++)
    {
      seen += g_array_index (wholes, TtTallyRow, i).count;
      if (seen >= count / n_shares * (n + 1))
        highs[n++] = ((guint64) i + 1) << 32;
    }
  return n;
}

static void
count_up_shares (Share *shares, guint n, GError **error)
{
  GThread *threads[MAX_SHARES] = { NULL };

  for (guint i = 1; i < n; i++)
    threads[i] = g_thread_try_new ("counter", count_up, &shares[i], NULL);
  for (guint i = 0; i < n; i++)
    if (threads[i] == NULL)
      count_up (&shares[i]);
  for (guint i = 0; i < n; i++)
    {
      if (threads[i] != NULL)
        g_thread_join (threads[i]);
      if (shares[i].error != NULL && *error == NULL)
        *error = g_steal_pointer (&shares[i].error);
      g_clear_error (&shares[i].error);
    }
}

gboolean
tt_pair_tally_finish (TtPairTally *self, GError **error)
{
  TtSorter *sorters[MAX_SHARES] = { NULL };
  Share shares[MAX_SHARES];
  guint64 highs[MAX_SHARES];
  guint n_readers;
  gboolean is_cut;
  GError *failed = NULL;

  sum_up_wholes (self);
  tt_readers_wanted (MAX_SHARES - 1, &n_readers);
  guint n_cuts = find_cuts (self->wholes, MIN (n_readers + 1, MAX_SHARES), highs);
  if (!tt_sorter_finish_parts (self->sorter, highs, n_cuts, sorters, &is_cut, error))
    return FALSE;

  g_autofree Places *of_parts = places_of (self->parts);
  g_autofree Places *of_wholes = places_of (self->wholes);
  const guint n_shares = is_cut ? n_cuts + 1 : 1;
  for (guint i = 0; i < n_shares; i++)
    shares[i] = (Share){ .sorter = is_cut ? sorters[i] : self->sorter,
                         .parts = (TtTallyRow *) (gpointer) self->parts->data,
                         .wholes = (TtTallyRow *) (gpointer) self->wholes->data,
                         .of_parts = of_parts,
                         .of_wholes = of_wholes };
  count_up_shares (shares, n_shares, &failed);
  for (guint i = 0; i < MAX_SHARES; i++)
    tt_sorter_free (sorters[i]);
  g_clear_pointer (&self->sorter, tt_sorter_free);
  if (failed == NULL)
    return TRUE;
  g_propagate_error (error, failed);
  return FALSE;
}

const GArray *
tt_pair_tally_parts (const TtPairTally *self)
{
  return self->parts;
}

const GArray *
tt_pair_tally_wholes (const TtPairTally *self)
{
  return self->wholes;
}
