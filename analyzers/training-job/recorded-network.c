/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/training-job/recorded-network.h"

#include "analyzers/training-job/factor.h"
#include "src/base/array.h"
#include "src/base/compare.h"
#include "src/base/error.h"

#include <math.h>

/* Of NCCL's tables (graph/tuning.cc): what the device itself needs, usual and at most, and from GPU to GPU likewise: large
 * messages over NVLink, over a network, and small ones over NVLink. */
#define BASE_NS 8000.0
#define MOST_BASE_NS 14000.0
#define HOP_NS 3400.0
#define MOST_HOP_NS 14000.0
#define LEAST_HOP_NS 600.0
/* Bytes a hop that differ less do not tell latency from bandwidth. */
#define SPREAD 4.0
/* What is farther off counts less. */
#define NEAR 0.05
/* What took longer than the fit, where waits are in it. */
#define WAIT_WEIGHT 0.05
#define N_ROUNDS 30

/* -- sizes --------------------------------------------------------------------------------------------------------- */

typedef struct
{
  guint32 group, n_hops;
  gboolean is_alone;
  double bytes, taken_ns; /* first of one transfer, then of all of a size */
  guint n;
} Size;

static int
compare_sizes (const void *a, const void *b)
{
  const Size *x = a, *y = b;
  int order = TT_COMPARE (x->group, y->group);

  order = order != 0 ? order : TT_COMPARE (x->n_hops, y->n_hops);
  order = order != 0 ? order : TT_COMPARE (x->bytes, y->bytes);
  order = order != 0 ? order : TT_COMPARE (x->is_alone, y->is_alone);
  return order != 0 ? order : TT_COMPARE (x->taken_ns, y->taken_ns);
}

static gboolean
is_one_size (const Size *a, const Size *b)
{
  return a->group == b->group && a->n_hops == b->n_hops && a->bytes == b->bytes && a->is_alone == b->is_alone;
}

/* Each size once, with the median of what its transfers took, or, of those that are alone, the least. */
static void
gather (GArray *sizes)
{
  guint n = 0;

  g_array_sort (sizes, compare_sizes);
  for (guint first = 0, end; first < sizes->len; first = end)
    {
      const Size *one = &g_array_index (sizes, Size, first);
      for (end = first + 1; end < sizes->len && is_one_size (one, &g_array_index (sizes, Size, end));)
        end++;
      Size size = *one;
      size.n = end - first;
      size.taken_ns = g_array_index (sizes, Size, one->is_alone ? first : first + size.n / 2).taken_ns;
      g_array_index (sizes, Size, n++) = size;
    }
  g_array_set_size (sizes, n);
}

static gint64
taken_by (const TtRecordedNetwork *self, const TtRecordedTransfer *transfer)
{
  return self->recording->durations_ns[transfer->node];
}

static GArray *
collect (TtRecordedNetwork *self)
{
  const GArray *transfers = self->recording->transfers;
  GArray *sizes = g_array_new (FALSE, FALSE, sizeof (Size));

  for (guint i = 0; i < transfers->len; i++)
    {
      const TtRecordedTransfer *one = &g_array_index (transfers, TtRecordedTransfer, i);
      const Size size = { one->group, one->n_hops, one->is_alone, one->bytes, (double) taken_by (self, one), 1 };

      if (one->n_hops == 0 || size.taken_ns <= 0)
        {
          self->n_unsized++;
          continue;
        }
      self->n_sized++;
      self->n_alone += one->is_alone;
      g_array_append_val (sizes, size);
    }
  return sizes;
}

/* -- fit ----------------------------------------------------------------------------------------------------------- */

static double
time_of (const TtRecordedLink *link, double n_hops, double bytes)
{
  return link->base_ns + link->hop_ns * n_hops + link->ns_per_byte * bytes;
}

static double
weight_of (const TtRecordedLink *link, const Size *size)
{
  double off = time_of (link, size->n_hops, size->bytes) / size->taken_ns - 1;
  double weight = size->n * MIN (1, NEAR / MAX (fabs (off), 1e-9));

  return size->is_alone && off < 0 ? WAIT_WEIGHT * weight : weight;
}

/* The least squares of fitted / taken - 1; neither hop time nor bytes take less than nothing. @weights: NULL: by number. */
static void
solve (TtRecordedLink *link, const Size *sizes, guint n, const double *weights)
{
  double hh = 0, hb = 0, bb = 0, hy = 0, by = 0;

  for (guint i = 0; i < n; i++)
    {
      double weight = weights != NULL ? weights[i] : sizes[i].n;
      double h = link->is_spread ? sizes[i].n_hops / sizes[i].taken_ns : 0, b = sizes[i].bytes / sizes[i].taken_ns;
      double fixed_ns = link->base_ns + (link->is_spread ? 0 : link->hop_ns * sizes[i].n_hops);
      double y = 1 - fixed_ns / sizes[i].taken_ns;
      hh += weight * h * h;
      hb += weight * h * b;
      bb += weight * b * b;
      hy += weight * h * y;
      by += weight * b * y;
    }
  if (!link->is_spread)
    {
      link->ns_per_byte = MAX (by / bb, 0);
      return;
    }
  double det = hh * bb - hb * hb;
  link->hop_ns = det > 0 ? (hy * bb - by * hb) / det : 0;
  link->ns_per_byte = det > 0 ? (by * hh - hy * hb) / det : by / bb;
  if (link->hop_ns < 0)
    {
      link->hop_ns = 0;
      link->ns_per_byte = MAX (by / bb, 0);
    }
  else if (link->ns_per_byte < 0)
    {
      link->ns_per_byte = 0;
      link->hop_ns = MAX (hy / hh, 0);
    }
  /* Waits look like latency. */
  if (link->is_alone && link->hop_ns > MOST_HOP_NS)
    {
      link->hop_ns = MOST_HOP_NS;
      link->ns_per_byte = MAX ((by - MOST_HOP_NS * hb) / bb, 0);
    }
}

/* What lies below everything: the base is no more than half of what the fastest took, nor are hops that are not told. */
static void
start (TtRecordedLink *link, const Size *sizes, guint n)
{
  double least = G_MAXDOUBLE, most = 0;
  gboolean is_alone = TRUE;

  link->base_ns = BASE_NS;
  link->hop_ns = HOP_NS;
  for (guint i = 0; i < n; i++)
    {
      double a_hop = sizes[i].bytes / sizes[i].n_hops;
      least = MIN (least, a_hop);
      most = MAX (most, a_hop);
      is_alone = is_alone && sizes[i].is_alone;
      link->base_ns = MIN (link->base_ns, sizes[i].taken_ns / 2);
    }
  for (guint i = 0; i < n; i++)
    link->hop_ns = MIN (link->hop_ns, (sizes[i].taken_ns - link->base_ns) / 2 / sizes[i].n_hops);
  link->is_spread = most >= SPREAD * least;
  link->is_alone = is_alone;
}

static void
fit (TtRecordedLink *link, const Size *sizes, guint n)
{
  g_autofree double *weights = g_new (double, n);
  double squares = 0, sum = 0;

  start (link, sizes, n);
  solve (link, sizes, n, NULL);
  for (guint round = 0; round < N_ROUNDS; round++)
    {
      for (guint i = 0; i < n; i++)
        weights[i] = weight_of (link, &sizes[i]);
      solve (link, sizes, n, weights);
    }
  for (guint i = 0; i < n; i++)
    {
      double off = time_of (link, sizes[i].n_hops, sizes[i].bytes) / sizes[i].taken_ns - 1;
      double taken_ns = sizes[i].n * sizes[i].taken_ns;
      link->n += sizes[i].n;
      link->taken_ns += taken_ns;
      if (sizes[i].is_alone && off < 0)
        continue;
      squares += taken_ns * off * off;
      sum += taken_ns;
    }
  link->residual = sum > 0 ? sqrt (squares / sum) : 0;
}

static void
fit_all (TtRecordedNetwork *self, const GArray *sizes)
{
  double squares = 0, sum = 0;

  for (guint first = 0, end; first < sizes->len; first = end)
    {
      guint32 group = g_array_index (sizes, Size, first).group;
      for (end = first + 1; end < sizes->len && g_array_index (sizes, Size, end).group == group;)
        end++;
      if (group >= self->links->len)
        g_array_set_size (self->links, group + 1);
      TtRecordedLink *link = &g_array_index (self->links, TtRecordedLink, group);
      fit (link, &g_array_index (sizes, Size, first), end - first);
      squares += link->taken_ns * link->residual * link->residual;
      sum += link->taken_ns;
    }
  self->residual = sum > 0 ? sqrt (squares / sum) : 0;
}

TtRecordedNetwork *
tt_recorded_network_new (const TtStepRecording *recording, GError **error)
{
  g_autoptr (TtRecordedNetwork) self = g_new0 (TtRecordedNetwork, 1);

  self->recording = recording;
  self->links = g_array_new (FALSE, TRUE, sizeof (TtRecordedLink));
  g_autoptr (GArray) sizes = collect (self);
  if (sizes->len == 0)
    {
      g_set_error_literal (error, TT_ERROR, TT_ERROR_USAGE,
                           self->n_unsized == 0
                               ? "nothing is known of the network: no device of this run communicates"
                               : "nothing is known of the network: the traces do not say how many bytes "
                                 "the collectives move (newer releases of PyTorch do)");
      return NULL;
    }
  gather (sizes);
  fit_all (self, sizes);
  return g_steal_pointer (&self);
}

void
tt_recorded_network_free (TtRecordedNetwork *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->links);
  g_free (self);
}

/* -- changes ------------------------------------------------------------------------------------------------------- */

/* Another share of the same time. */
static TtRecordedLink
seen_as (const TtRecordedLink *link, const TtRecordedTransfer *transfer, guint way)
{
  double all_ns = time_of (link, transfer->n_hops, transfer->bytes), n_hops = transfer->n_hops;
  TtRecordedLink other = *link;

  if ((way & TT_RECORDED_LEAST_LATENCY) != 0)
    {
      double latency_ns = link->is_spread ? link->base_ns + link->hop_ns * n_hops : 0;
      other.base_ns = MIN (latency_ns, MOST_BASE_NS);
      other.hop_ns = MIN ((latency_ns - other.base_ns) / n_hops, LEAST_HOP_NS);
    }
  else if ((way & TT_RECORDED_MOST_LATENCY) != 0)
    {
      double fitted_ns = link->is_spread ? link->hop_ns + link->base_ns / n_hops : 0;
      other.base_ns = 0;
      other.hop_ns = MAX (fitted_ns, MIN (MOST_HOP_NS, all_ns / n_hops));
    }
  else
    return other;
  other.ns_per_byte = MAX (all_ns - other.base_ns - other.hop_ns * n_hops, 0) / transfer->bytes;
  return other;
}

static double
ratio_of (const TtRecordedLink *link, const TtRecordedTransfer *transfer, const TtNetworkChange *change)
{
  TtRecordedLink changed = *link;
  double before_ns = time_of (link, transfer->n_hops, transfer->bytes);

  changed.hop_ns *= change->latency;
  changed.ns_per_byte *= (transfer->is_sum ? change->compression : 1) / change->bandwidth;
  return before_ns > 0 ? time_of (&changed, transfer->n_hops, transfer->bytes) / before_ns : 1;
}

/* Those without a size change by what changes most. */
static double
ratio_without_size (const TtNetworkChange *change, guint way)
{
  if ((way & TT_RECORDED_WAITLESS) == 0)
    return 1;
  return (way & TT_RECORDED_MOST_LATENCY) != 0 ? change->latency : change->compression / change->bandwidth;
}

void
tt_recorded_network_apply (const TtRecordedNetwork *self,
                           const TtNetworkChange *change,
                           guint way,
                           TtStepNodeTimes *times)
{
  const GArray *transfers = self->recording->transfers;

  for (guint i = 0; i < transfers->len; i++)
    {
      const TtRecordedTransfer *one = &g_array_index (transfers, TtRecordedTransfer, i);
      double taken_ns = (double) taken_by (self, one), part_ns = taken_ns, ratio = 1;

      if (one->n_hops == 0)
        ratio = ratio_without_size (change, way);
      else if (taken_ns > 0)
        {
          const TtRecordedLink link = seen_as (&g_array_index (self->links, TtRecordedLink, one->group), one, way);
          if (one->is_alone && (way & TT_RECORDED_WAITLESS) == 0)
            part_ns = MIN (part_ns, time_of (&link, one->n_hops, one->bytes));
          ratio = tt_recorded_network_is_shaped (change) ? tt_recorded_network_shaped (self, &link, one, change, way)
                                                         : ratio_of (&link, one, change);
        }
      times[one->node].avg_ns = tt_factor_round (taken_ns + part_ns * (ratio - 1));
    }
}

/* -- words --------------------------------------------------------------------------------------------------------- */

char *
tt_recorded_network_describe (const TtRecordedNetwork *self)
{
  const TtRecordedLink *links = TT_ARRAY (self->links, const TtRecordedLink);
  GString *text = g_string_new (NULL);
  guint longest = 0, n = 0;

  for (guint i = 0; i < self->links->len; i++)
    {
      n += links[i].n > 0;
      if (links[i].taken_ns > links[longest].taken_ns)
        longest = i;
    }
  g_string_append_printf (text, "the network, fitted to %u collectives%s: %.1f us + %.1f us a hop", self->n_sized,
                          n > 1 ? " (each group of ranks by itself; the one that took longest)" : "",
                          links[longest].base_ns / 1e3, links[longest].hop_ns / 1e3);
  if (links[longest].ns_per_byte > 0)
    g_string_append_printf (text, " + bytes / %.1f GB/s", 1 / links[longest].ns_per_byte);
  g_string_append_printf (text, "; they are %.1f %% off it", 100 * self->residual);
  if (!links[longest].is_spread)
    g_string_append (text, "; all are of about one size, so that what is latency and what is bandwidth is not told");
  if (self->n_alone > 0)
    g_string_append_printf (
        text, "; of %u the other ranks are not in the run: what they took beyond it is taken for waits", self->n_alone);
  if (self->n_unsized > 0)
    g_string_append_printf (text, "; of %u others the size is not known: they stay as they are", self->n_unsized);
  return g_string_free (text, FALSE);
}
