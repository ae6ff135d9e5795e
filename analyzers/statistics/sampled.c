/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/statistics/sampled.h"

#include "analyzers/statistics/sampled-gaps.h"
#include "analyzers/student.h"

#include <math.h>
#include <string.h>

/* A site; found by the first two members. */
typedef struct
{
  TtSampledSite site;
  guint32 index;
  guint64 n;    /* recorded invocations */
  guint32 last; /* the greatest of their numbers */
  guint32 step; /* between any two that follow each other; 0: not the same everywhere */
} Site;

/* 64 numbers of a site: which of them are recorded. Found by the first two members. */
typedef struct
{
  guint64 site, block;
  guint64 bits;
} Block;

/* A row's part of an invocation. Found by the first two members. */
typedef struct
{
  guint64 row_site; /* row << 32 | site */
  guint64 number;
  gint64 count;
  double dur_ns;
} Part;

/* A row's part of a site. Found by row_site. */
typedef struct
{
  guint64 row_site;
  guint64 n; /* invocations that have any part */
  guint n_threads;
  double count, dur_ns;
  double count_sq, dur_sq; /* squared distances from the means of all recorded */
} Share;

struct _TtSampled
{
  GHashTable *sites, *blocks, *parts;
  GHashTable *threads; /* of row and site << 32 | thread, as two numbers */
  TtSampledGaps *gaps;
  GPtrArray *by_index; /* of Site; borrowed */
  TtSampledLimitFunc limit;
  gpointer limit_data;
};

/* All of them are found by their first sixteen bytes, and shares by their first eight. */
static guint
hash_pair (gconstpointer data)
{
  const guint64 *key = data;
  guint64 mixed = (key[0] * 31 + key[1]) * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);

  return (guint) (mixed >> 32);
}

static gboolean
equal_pairs (gconstpointer a, gconstpointer b)
{
  return memcmp (a, b, 2 * sizeof (guint64)) == 0;
}

TtSampled *
tt_sampled_new (TtSampledLimitFunc limit, gpointer data)
{
  TtSampled *self = g_new0 (TtSampled, 1);

  self->sites = g_hash_table_new_full (hash_pair, equal_pairs, g_free, NULL);
  self->blocks = g_hash_table_new_full (hash_pair, equal_pairs, g_free, NULL);
  self->parts = g_hash_table_new_full (hash_pair, equal_pairs, g_free, NULL);
  self->threads = g_hash_table_new_full (hash_pair, equal_pairs, g_free, NULL);
  self->gaps = tt_sampled_gaps_new ();
  self->by_index = g_ptr_array_new ();
  self->limit = limit;
  self->limit_data = data;
  return self;
}

void
tt_sampled_free (TtSampled *self)
{
  if (self == NULL)
    return;
  g_hash_table_unref (self->sites);
  g_hash_table_unref (self->blocks);
  g_hash_table_unref (self->parts);
  g_hash_table_unref (self->threads);
  tt_sampled_gaps_free (self->gaps);
  g_ptr_array_unref (self->by_index);
  g_free (self);
}

/* -- what is recorded ---------------------------------------------------------------------------------------------- */

void
tt_sampled_see (TtSampled *self, const TtSampledSite *of, guint32 number)
{
  Site *site = g_hash_table_lookup (self->sites, of);

  if (number == 0)
    return;
  if (site == NULL)
    {
      site = g_new0 (Site, 1);
      site->site = *of;
      site->index = self->by_index->len;
      g_ptr_array_add (self->by_index, site);
      g_hash_table_add (self->sites, site);
    }
  const Block key = { site->index, number >> 6, 0 };
  Block *block = g_hash_table_lookup (self->blocks, &key);
  if (block == NULL)
    {
      block = g_memdup2 (&key, sizeof key);
      g_hash_table_add (self->blocks, block);
    }
  guint64 bit = G_GUINT64_CONSTANT (1) << (number & 63);
  site->n += (block->bits & bit) == 0;
  block->bits |= bit;
  site->last = MAX (site->last, number);
}

static gboolean
has_gaps (const Site *site)
{
  return site->n < site->last;
}

gboolean
tt_sampled_has_gaps (TtSampled *self)
{
  for (guint i = 0; i < self->by_index->len; i++)
    if (has_gaps (self->by_index->pdata[i]))
      return TRUE;
  return FALSE;
}

void
tt_sampled_place (TtSampled *self, const TtSampledSite *of, guint32 number, gint64 ts_ns)
{
  const Site *site = g_hash_table_lookup (self->sites, of);

  if (site != NULL && number > 0 && has_gaps (site))
    tt_sampled_gaps_add (self->gaps, site->index, number, ts_ns);
}

void
tt_sampled_extend (TtSampled *self, gint64 ts_ns, gint64 end_ns)
{
  tt_sampled_gaps_extend (self->gaps, ts_ns, end_ns);
}

gboolean
tt_sampled_lacks (const TtSampled *self, const TtSampledSite *of, guint32 number)
{
  const Site *site = g_hash_table_lookup (self->sites, of);
  const Block key = { site == NULL ? 0 : site->index, number >> 6, 0 };
  const Block *block = site == NULL ? NULL : g_hash_table_lookup (self->blocks, &key);

  return site != NULL && (block == NULL || (block->bits >> (number & 63) & 1) == 0);
}

static int
by_place (gconstpointer a, gconstpointer b)
{
  const Block *x = *(const Block *const *) a, *y = *(const Block *const *) b;

  if (x->site != y->site)
    return x->site < y->site ? -1 : 1;
  return (x->block > y->block) - (x->block < y->block);
}

/* Finds out which sites are recorded at even steps, as a rate does it. */
static void
find_steps (TtSampled *self)
{
  g_autoptr (GPtrArray) blocks = g_ptr_array_new ();
  GHashTableIter iter;
  gpointer item;
  guint64 site = G_MAXUINT64;
  guint32 before = 0, step = 0;

  g_hash_table_iter_init (&iter, self->blocks);
  while (g_hash_table_iter_next (&iter, &item, NULL))
    g_ptr_array_add (blocks, item);
  g_ptr_array_sort (blocks, by_place);
  for (guint i = 0; i < blocks->len; i++)
    {
      const Block *block = blocks->pdata[i];
      for (guint bit = 0; bit < 64; bit++)
        {
          guint32 number = (guint32) (block->block << 6 | bit);
          if ((block->bits >> bit & 1) == 0)
            continue;
          Site *of = self->by_index->pdata[block->site];
          if (block->site != site)
            step = of->n < 2 ? of->last : 0;
          else if (step == 0)
            step = number - before;
          else if (number - before != step)
            step = G_MAXUINT32;
          of->step = step == G_MAXUINT32 ? 0 : step;
          site = block->site;
          before = number;
        }
    }
}

/* How many invocations follow the last that is recorded, and how far that may be wrong. At even steps it is any number below
 * the step; at others, about as many as there are between two of them. */
static double
rest_of (const Site *site, double *error)
{
  double mean = (double) site->last / (double) site->n;

  *error = 0;
  if (!has_gaps (site))
    return 0;
  *error = site->step > 0 ? (site->step - 1) / 2.0 : 2 * mean;
  return site->step > 0 ? *error : mean - 1;
}

static TtSampledEnd
end_of (const TtSampled *self, const Site *site)
{
  gint64 most =
      self->limit == NULL ? -2 : self->limit (site->site.codeptr, site->site.is_region != 0, self->limit_data);

  return most < -1                                ? TT_SAMPLED_NOT_KNOWN
         : most >= 0 && site->n >= (guint64) most ? TT_SAMPLED_TO_LIMIT
                                                  : TT_SAMPLED_TO_END;
}

/* -- what rows have of it -------------------------------------------------------------------------------------------- */

void
tt_sampled_add (TtSampled *self, guint32 row, const TtSampledSite *of, guint32 number, guint32 thread, gint64 dur_ns)
{
  const Site *site = g_hash_table_lookup (self->sites, of);

  if (site == NULL || number == 0)
    return;
  const Part key = { .row_site = (guint64) row << 32 | site->index, .number = number };
  Part *part = g_hash_table_lookup (self->parts, &key);
  if (part == NULL)
    {
      part = g_memdup2 (&key, sizeof key);
      g_hash_table_add (self->parts, part);
    }
  part->count++;
  part->dur_ns += (double) dur_ns;
  const guint64 of_thread[] = { key.row_site, thread };
  if (!g_hash_table_contains (self->threads, of_thread))
    g_hash_table_add (self->threads, g_memdup2 (of_thread, sizeof of_thread));
}

static GHashTable *
add_up (const TtSampled *self)
{
  GHashTable *shares = g_hash_table_new_full (g_int64_hash, g_int64_equal, NULL, g_free);
  GHashTableIter iter;
  gpointer item;

  g_hash_table_iter_init (&iter, self->parts);
  while (g_hash_table_iter_next (&iter, &item, NULL))
    {
      const Part *part = item;
      Share *share = g_hash_table_lookup (shares, &part->row_site);

      if (share == NULL)
        {
          share = g_new0 (Share, 1);
          share->row_site = part->row_site;
          g_hash_table_insert (shares, &share->row_site, share);
        }
      share->n++;
      share->count += (double) part->count;
      share->dur_ns += part->dur_ns;
    }
  g_hash_table_iter_init (&iter, self->threads);
  while (g_hash_table_iter_next (&iter, &item, NULL))
    {
      Share *share = g_hash_table_lookup (shares, item);
      share->n_threads++;
    }
  return shares;
}

static const Site *
site_of (const TtSampled *self, const Share *share)
{
  return self->by_index->pdata[(guint32) share->row_site];
}

static double
square (double value)
{
  return value * value;
}

/* Distances from the means, so that near values do not cancel each other's digits. */
static void
add_squares (const TtSampled *self, GHashTable *shares)
{
  GHashTableIter iter;
  gpointer item;

  g_hash_table_iter_init (&iter, self->parts);
  while (g_hash_table_iter_next (&iter, &item, NULL))
    {
      const Part *part = item;
      Share *share = g_hash_table_lookup (shares, &part->row_site);
      double n = (double) site_of (self, share)->n;

      share->count_sq += square ((double) part->count - share->count / n);
      share->dur_sq += square (part->dur_ns - share->dur_ns / n);
    }
  g_hash_table_iter_init (&iter, shares);
  while (g_hash_table_iter_next (&iter, NULL, &item))
    {
      Share *share = item;
      double n = (double) site_of (self, share)->n, n_none = n - (double) share->n;

      share->count_sq += n_none * square (share->count / n);
      share->dur_sq += n_none * square (share->dur_ns / n);
    }
}

/* -- estimates --------------------------------------------------------------------------------------------------------- */

typedef struct
{
  double count_variance, dur_variance, degrees;
  double count_rest, dur_rest; /* errors of what follows the last */
  double hidden;               /* in gaps */
  gboolean is_unknown;         /* a site with gaps has one invocation alone */
} Spread;

static void
add_site (TtSampledEstimate *estimate,
          Spread *spread,
          const Share *share,
          const Site *site,
          TtSampledEnd end,
          double hidden)
{
  double error, rest = rest_of (site, &error), n = (double) site->n;
  double all = site->last + (end == TT_SAMPLED_TO_LIMIT ? 0 : rest);

  estimate->n_recorded += site->n;
  estimate->n_invocations += all;
  estimate->count += share->count / n * all;
  estimate->total_ns += share->dur_ns / n * all;
  if (!has_gaps (site))
    return;
  estimate->is_sampled = TRUE;
  estimate->end = MAX (estimate->end, end);
  spread->is_unknown |= site->n < 2;
  spread->hidden += hidden * share->n_threads;
  if (site->n < 2)
    return;
  double weight = all * (all - n) / n / (n - 1);
  spread->degrees += n - 1;
  spread->count_variance += weight * share->count_sq;
  spread->dur_variance += weight * share->dur_sq;
  error = end == TT_SAMPLED_TO_LIMIT ? 0 : error;
  spread->count_rest += error * share->count / n;
  spread->dur_rest += error * share->dur_ns / n;
}

static void
add_errors (TtSampledEstimate *estimate, const Spread *spread)
{
  double t =
      estimate->is_sampled && spread->degrees > 0 ? tt_student_t (1 - TT_SAMPLED_CONFIDENCE, spread->degrees) : 0;

  estimate->count_error =
      spread->is_unknown ? NAN : sqrt (square (t) * spread->count_variance + square (spread->count_rest));
  estimate->total_error_ns =
      spread->is_unknown ? NAN : sqrt (square (t) * spread->dur_variance + square (spread->dur_rest));
  estimate->total_most_ns = estimate->total_ns + estimate->total_error_ns + spread->hidden;
}

/* By site. Free it. */
static double *
find_hidden (const TtSampled *self)
{
  g_autofree double *rest = g_new (double, self->by_index->len + 1);

  for (guint i = 0; i < self->by_index->len; i++)
    {
      const Site *site = self->by_index->pdata[i];
      double error;
      rest[i] = end_of (self, site) == TT_SAMPLED_TO_LIMIT ? -1 : rest_of (site, &error);
    }
  return tt_sampled_gaps_hidden (self->gaps, rest, self->by_index->len);
}

TtSampledEstimate *
tt_sampled_estimates (TtSampled *self, guint n)
{
  TtSampledEstimate *estimates = g_new0 (TtSampledEstimate, MAX (n, 1));
  g_autofree Spread *spreads = g_new0 (Spread, MAX (n, 1));
  g_autoptr (GHashTable) shares = add_up (self);
  GHashTableIter iter;
  gpointer item;

  find_steps (self);
  g_autofree double *hidden = find_hidden (self);
  add_squares (self, shares);
  g_hash_table_iter_init (&iter, shares);
  while (g_hash_table_iter_next (&iter, NULL, &item))
    {
      const Share *share = item;
      const Site *site = site_of (self, share);
      guint row = (guint) (share->row_site >> 32);

      if (row < n)
        add_site (&estimates[row], &spreads[row], share, site, end_of (self, site), hidden[site->index]);
    }
  for (guint row = 0; row < n; row++)
    add_errors (&estimates[row], &spreads[row]);
  return estimates;
}
