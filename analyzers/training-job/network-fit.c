/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/training-job/network-private.h"

#include <math.h>

/* SENDs that may be played through in all. */
#define MAX_SENDS 6e6
#define MAX_TRIES 160
/* A part of the bandwidth of others. */
#define HARDLY 0.8

static int
compare_doubles (gconstpointer a, gconstpointer b, gpointer data)
{
  const double *values = data;
  double x = values[*(const guint *) a], y = values[*(const guint *) b];

  return x < y ? -1 : x > y ? 1 : 0;
}

/* Some of the groups whose bytes are known, of all sizes. */
void
tt_network_choose_fitted (TtNetworkFit *self)
{
  TtJobNetwork *network = self->network;
  g_autoptr (GArray) known = g_array_new (FALSE, FALSE, sizeof (guint));
  double n_sends = 0;

  for (guint i = 0; i < network->n_groups; i++)
    if (network->bytes[i] > 0 && network->measured_ns[i] > 0)
      g_array_append_val (known, i);
  g_array_sort_with_data (known, compare_doubles, network->bytes);
  guint n = MIN (known->len, TT_NETWORK_MAX_FITTED);
  for (guint i = 0; i < n; i++)
    {
      guint group = g_array_index (known, guint, n == 1 ? known->len - 1 : i * (known->len - 1) / (n - 1));
      const TtAllReduce collective = tt_job_network_collective (network, group);
      n_sends += tt_collective_n_sends (&collective) * MAX_TRIES;
      if (self->n_fitted > 0 && n_sends > MAX_SENDS)
        break;
      self->fitted[self->n_fitted++] = group;
    }
}

double
tt_network_square_log (double played, double measured)
{
  if (played <= 0 || measured <= 0)
    return 0;
  double ln = log (played / measured);
  return ln * ln;
}

static double
mean_of (const TtNetworkSends *sends)
{
  return sends->n > 0 ? sends->sum_ns / (double) sends->n : 0;
}

static void
add_between (const TtSendTimes *played, const TtNetworkSends *sends, double *asked, double *wire)
{
  if (played->n == 0)
    return;
  *asked += tt_network_square_log (played->sum_ns / (double) played->n, mean_of (sends));
  *wire += tt_network_square_log (played->wire_ns / (double) played->n, mean_of (sends));
}

static double
cost_of (const TtNetworkFit *self, const TtNetworkModel *model)
{
  double whole = 0, asked = 0, wire = 0;

  for (guint i = 0; i < self->n_fitted; i++)
    {
      guint group = self->fitted[i];
      const TtAllReduce collective = tt_job_network_collective (self->network, group);
      const TtCollectiveTimes times = tt_collective_play (&collective, model);
      double within = mean_of (&self->within[group]);
      whole += 4 * tt_network_square_log (times.ns, self->network->measured_ns[group]);
      if (times.within.n > 0)
        whole += tt_network_square_log (times.within.sum_ns / (double) times.within.n, within);
      add_between (&times.between, &self->between[group], &asked, &wire);
      add_between (&times.slow, &self->slow[group], &asked, &wire);
    }
  return whole + MIN (asked, wire);
}

/* What is not known of it: where the links are, the limit is not. */
static double *
free_bandwidth (TtLinkModel *link)
{
  return link->limit_bytes_per_ns > 0 ? &link->limit_bytes_per_ns : &link->bytes_per_ns;
}

/* Changes one number at a time, by less and less. */
static double
descend (const TtNetworkFit *self, TtNetworkModel *model)
{
  static const double factors[] = { 2, 1.5, 1.25, 1.1, 1.04, 1.015 };
  double *numbers[6], best = cost_of (self, model);
  guint n = 0, n_tries = 0;

  if (self->network->has_within)
    {
      numbers[n++] = free_bandwidth (&model->within);
      numbers[n++] = &model->within.latency_ns;
    }
  if (self->network->has_between)
    {
      numbers[n++] = free_bandwidth (&model->between);
      numbers[n++] = &model->between.latency_ns;
    }
  if (model->slow_part > 0)
    numbers[n++] = &model->slow_part;
  numbers[n++] = &model->slice_ns;
  for (guint step = 0; step < G_N_ELEMENTS (factors); step++)
    for (gboolean is_better = TRUE, again = 0; is_better && again < 3 && n_tries < MAX_TRIES; again++)
      {
        is_better = FALSE;
        for (guint k = 0; k < 2 * n && n_tries < MAX_TRIES; k++)
          {
            double kept = *numbers[k / 2];
            *numbers[k / 2] = k % 2 == 0 ? kept * factors[step] : kept / factors[step];
            double cost = cost_of (self, model);
            n_tries++;
            if (cost < best * (1 - 1e-9))
              {
                best = cost;
                is_better = TRUE;
              }
            else
              *numbers[k / 2] = kept;
          }
      }
  return best;
}

/* A bandwidth to begin with: that of the largest group's SENDs. */
static double
first_guess (const TtNetworkFit *self, const TtNetworkSends *sends)
{
  const TtJobNetwork *network = self->network;
  guint group = self->fitted[self->n_fitted - 1];
  const TtAllReduce collective = tt_job_network_collective (network, group);
  double n_sends = tt_collective_n_sends (&collective);
  double bytes = 2.0 * (self->job->n_ranks - 1) * collective.bytes;
  double ns = mean_of (&sends[group]);

  return ns > 0 && n_sends > 0 ? MAX (bytes / n_sends / ns, 1e-3) : 10;
}

/* -- who shares links ---------------------------------------------------------------------------------------------- */

/* Ports are shared on most machines: another way must explain the times clearly better. */
#define CLEARLY 0.5
/* How far apart the errors of two ways are, of which the trace does not tell which is right. */
#define ALIKE 0.02
/* Likewise of a change after which pieces go other ways: what a trace of the other ways tells little of. */
#define HARDLY_WORSE 0.08

typedef struct
{
  TtNetworkModel model;
  double cost;
} Way;

/* How far off, and for each class of links that is not as usual half of what cannot be told more: more numbers fit better. */
static double
score_of (const TtNetworkFit *self, const Way *way, const TtNetworkModel *usual)
{
  guint n_unusual = (way->model.within.sharing != usual->within.sharing || way->model.within.limit_bytes_per_ns > 0) +
                    (way->model.between.sharing != usual->between.sharing || way->model.between.limit_bytes_per_ns > 0);

  return sqrt (way->cost / self->n_fitted) + n_unusual * ALIKE / 2;
}

/* Keeps those whose errors are more than @from above that of the best, and at most @to; how many. */
static guint
keep_others (const TtNetworkFit *self, const Way *ways, guint n, guint best, double from, double to)
{
  TtJobNetwork *network = self->network;
  double least = sqrt (ways[best].cost / self->n_fitted);
  guint kept = 0, first = from > 0 ? network->n_others : 0;

  for (guint i = 0; i < n && first + kept < TT_NETWORK_MAX_OTHERS; i++)
    {
      double above = sqrt (ways[i].cost / self->n_fitted) - least;
      if (i != best && above <= to && (from <= 0 || above > from))
        network->others[first + kept++] = ways[i].model;
    }
  return kept;
}

/* The chosen one and those that cannot be told from it. */
static void
choose_way (const TtNetworkFit *self, const Way *ways, guint n, const TtNetworkModel *usual)
{
  TtJobNetwork *network = self->network;
  guint best = 0;

  for (guint i = 1; i < n; i++)
    if (score_of (self, &ways[i], usual) < score_of (self, &ways[best], usual) &&
        (best > 0 || ways[i].cost < ways[0].cost * CLEARLY))
      best = i;
  network->model = ways[best].model;
  network->n_others = keep_others (self, ways, n, best, 0, ALIKE);
  network->n_unlikely = keep_others (self, ways, n, best, ALIKE, HARDLY_WORSE);
}

static double
told_within (const TtNetworkFit *self)
{
  return self->machine != NULL && self->network->has_within ? self->machine->within_bytes_per_ns : 0;
}

static double
told_between (const TtNetworkFit *self)
{
  return self->machine != NULL && self->network->has_between ? self->machine->between_bytes_per_ns : 0;
}

/* Leaves those that do not go with what is told, if any does. */
static guint
keep_told (TtNetworkFit *self, Way *ways, guint n)
{
  guint kept = 0;

  for (guint i = 0; i < n; i++)
    if (!tt_job_machine_contradicts (&ways[i].model.within, told_within (self)) &&
        !tt_job_machine_contradicts (&ways[i].model.between, told_between (self)))
      ways[kept++] = ways[i];
  self->network->is_contradicted = kept == 0;
  return kept > 0 ? kept : n;
}

/* Half as fast or as fast as others: from which begin the fit gets nearer. */
static void
descend_from (const TtNetworkFit *self, Way *way)
{
  Way half = *way;

  way->cost = descend (self, &way->model);
  if (way->model.slow_part == 0)
    return;
  half.model.slow_part = 0.5;
  half.cost = descend (self, &half.model);
  if (half.cost < way->cost)
    *way = half;
}

/* The first is what is told, or usual. */
static void
fit_ways (TtNetworkFit *self)
{
  static const TtLinkSharing sharings[] = { TT_LINK_OF_PORT, TT_LINK_OF_CHANNEL, TT_LINK_OF_HOST };
  TtJobNetwork *network = self->network;
  TtLinkSharing told = network->model.within.sharing;
  guint n_within = network->has_within && network->traced.n_gpus > 1 ? G_N_ELEMENTS (sharings) : 1, n = 1;
  Way ways[1 + TT_NETWORK_MAX_OTHERS];

  const TtNetworkModel first = { .within = { 3000, first_guess (self, self->within), told, 0 },
                                 .between = { 10000, first_guess (self, self->between), TT_LINK_OF_PORT, 0 },
                                 .slice_ns = 1000,
                                 .slow_host = self->slow_host,
                                 .slow_part = self->slow_host != TT_NETWORK_NO_HOST ? 1 : 0 };
  for (guint i = 0; i < G_N_ELEMENTS (ways); i++)
    ways[i].model = first;
  for (guint i = 0; i < n_within; i++)
    for (guint k = 0; k < (network->has_between ? 2 : 1); k++)
      {
        TtLinkSharing within = n_within == 1 ? told : sharings[i];
        if ((within == told && sharings[k] == TT_LINK_OF_PORT) ||
            (self->is_bus_known && within != told && within != TT_LINK_OF_CHANNEL))
          continue;
        ways[n].model.within.sharing = within;
        ways[n].model.between.sharing = sharings[k];
        tt_job_machine_limit_channels (&ways[n].model.within, told_within (self), told);
        tt_job_machine_limit_channels (&ways[n++].model.between, told_between (self), TT_LINK_OF_PORT);
      }
  for (guint i = 0; i < n; i++)
    descend_from (self, &ways[i]);
  choose_way (self, ways, keep_told (self, ways, n), &first);
}

/* NICs that are hardly slower than others are as fast. */
void
tt_network_fit (TtNetworkFit *self)
{
  TtJobNetwork *network = self->network;
  const TtJobNetwork empty = *network;

  fit_ways (self);
  if (network->model.slow_part == 0 || network->model.slow_part < HARDLY)
    return;
  for (guint i = 0; i < network->n_groups; i++)
    {
      self->between[i].sum_ns += self->slow[i].sum_ns;
      self->between[i].n += self->slow[i].n;
      self->slow[i] = (TtNetworkSends){ 0 };
    }
  *network = empty;
  self->slow_host = TT_NETWORK_NO_HOST;
  fit_ways (self);
}
