/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "graphs/schedule/fair-share.h"

#include "src/base/array.h"

#include <math.h>

/* Times are whole ns: so much of a ns may be left of a flow that has passed. */
#define HARDLY_NS 0.5
#define LEAST_RATE 1e-9

void
tt_fair_share_init (TtFairShare *self)
{
  self->flows = g_array_new (FALSE, FALSE, sizeof (TtFairFlow));
  self->left = g_array_new (FALSE, FALSE, sizeof (double));
  self->users = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->now_ns = 0;
}

void
tt_fair_share_clear (TtFairShare *self)
{
  g_clear_pointer (&self->flows, g_array_unref);
  g_clear_pointer (&self->left, g_array_unref);
  g_clear_pointer (&self->users, g_array_unref);
}

void
tt_fair_share_reset (TtFairShare *self)
{
  g_array_set_size (self->flows, 0);
  self->now_ns = 0;
}

void
tt_fair_share_advance (TtFairShare *self, gint64 now_ns)
{
  TtFairFlow *flows = TT_ARRAY (self->flows, TtFairFlow);
  double passed_ns = (double) (now_ns - self->now_ns);

  for (guint i = 0; i < self->flows->len; i++)
    flows[i].passed += passed_ns * flows[i].rate;
  self->now_ns = now_ns;
}

void
tt_fair_share_add (TtFairShare *self, guint32 id, const guint32 ports[2], double all)
{
  const TtFairFlow flow = { .id = id, .ports = { ports[0], ports[1] }, .all = all };

  g_array_append_val (self->flows, flow);
}

double
tt_fair_share_remove (TtFairShare *self, guint32 id)
{
  for (guint i = 0; i < self->flows->len; i++)
    {
      const TtFairFlow *flow = &g_array_index (self->flows, TtFairFlow, i);
      double passed = flow->passed;
      if (flow->id != id)
        continue;
      g_array_remove_index_fast (self->flows, i);
      return passed;
    }
  return 0;
}

/* -- rates --------------------------------------------------------------------------------------------------------- */

static void
count_users (TtFairShare *self)
{
  TtFairFlow *flows = TT_ARRAY (self->flows, TtFairFlow);
  guint32 n_ports = 1;

  for (guint i = 0; i < self->flows->len; i++)
    n_ports = MAX (n_ports, MAX (flows[i].ports[0], flows[i].ports[1]) + 1);
  g_array_set_size (self->left, n_ports);
  g_array_set_size (self->users, n_ports);
  for (guint32 port = 0; port < n_ports; port++)
    {
      g_array_index (self->left, double, port) = 1;
      g_array_index (self->users, guint32, port) = 0;
    }
  for (guint i = 0; i < self->flows->len; i++)
    {
      /* Without a port nothing is shared. */
      flows[i].rate = flows[i].ports[0] == TT_NO_PORT && flows[i].ports[1] == TT_NO_PORT ? 1 : 0;
      for (guint side = 0; side < 2; side++)
        g_array_index (self->users, guint32, flows[i].ports[side])++;
    }
  g_array_index (self->users, guint32, TT_NO_PORT) = 0;
}

/* The port that gives each of its users least, and how much. TT_NO_PORT: none has users. */
static guint32
find_tightest (const TtFairShare *self, double *share)
{
  const double *left = TT_ARRAY (self->left, double);
  const guint32 *users = TT_ARRAY (self->users, guint32);
  guint32 tightest = TT_NO_PORT;

  for (guint32 port = 1; port < self->users->len; port++)
    {
      double each = users[port] > 0 ? left[port] / users[port] : 0;
      if (users[port] > 0 && (tightest == TT_NO_PORT || each < *share))
        {
          tightest = port;
          *share = each;
        }
    }
  return tightest;
}

static void
bind_flow (TtFairShare *self, TtFairFlow *flow, double rate)
{
  flow->rate = rate;
  for (guint side = 0; side < 2; side++)
    if (flow->ports[side] != TT_NO_PORT)
      {
        g_array_index (self->left, double, flow->ports[side]) -= rate;
        g_array_index (self->users, guint32, flow->ports[side])--;
      }
}

void
tt_fair_share_settle (TtFairShare *self)
{
  double share = 1;

  count_users (self);
  for (guint32 port; (port = find_tightest (self, &share)) != TT_NO_PORT;)
    for (guint i = 0; i < self->flows->len; i++)
      {
        TtFairFlow *flow = &g_array_index (self->flows, TtFairFlow, i);
        if (flow->rate == 0 && (flow->ports[0] == port || flow->ports[1] == port))
          bind_flow (self, flow, MAX (share, LEAST_RATE));
      }
}

/* -- ends ---------------------------------------------------------------------------------------------------------- */

gboolean
tt_fair_share_take (TtFairShare *self, guint32 *id)
{
  for (guint i = 0; i < self->flows->len; i++)
    {
      const TtFairFlow *flow = &g_array_index (self->flows, TtFairFlow, i);
      if (flow->all - flow->passed > HARDLY_NS * flow->rate)
        continue;
      *id = flow->id;
      g_array_remove_index (self->flows, i);
      return TRUE;
    }
  return FALSE;
}

gint64
tt_fair_share_next_ns (const TtFairShare *self)
{
  double soonest_ns = 0x1p60;

  for (guint i = 0; i < self->flows->len; i++)
    {
      const TtFairFlow *flow = &g_array_index (self->flows, TtFairFlow, i);
      soonest_ns = MIN (soonest_ns, MAX (flow->all - flow->passed, 0) / flow->rate);
    }
  return self->flows->len == 0 ? -1 : self->now_ns + (gint64) ceil (soonest_ns);
}
