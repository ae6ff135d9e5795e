/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/training-job/collective-private.h"

#include <math.h>

#define CREDITS 4

/* -- time -------------------------------------------------------------------------------------------------------- */

static gboolean
is_before (const TtCollectiveEvent *a, const TtCollectiveEvent *b)
{
  return a->ns != b->ns ? a->ns < b->ns : a->number < b->number;
}

static void
push_event (TtCollectivePlay *self, double ns, TtCollectiveEventKind kind, guint32 subject, double size)
{
  const TtCollectiveEvent event = { ns, self->n_events++, kind, subject, size };
  guint at = self->heap->len;

  g_array_append_val (self->heap, event);
  TtCollectiveEvent *heap = &g_array_index (self->heap, TtCollectiveEvent, 0);
  while (at > 0 && is_before (&event, &heap[(at - 1) / 2]))
    {
      heap[at] = heap[(at - 1) / 2];
      at = (at - 1) / 2;
    }
  heap[at] = event;
}

static TtCollectiveEvent
pop_event (TtCollectivePlay *self)
{
  TtCollectiveEvent *heap = &g_array_index (self->heap, TtCollectiveEvent, 0), first = heap[0];
  guint n = self->heap->len - 1, at = 0;
  const TtCollectiveEvent last = heap[n];

  while (2 * at + 1 < n)
    {
      guint child = 2 * at + 1;
      if (child + 1 < n && is_before (&heap[child + 1], &heap[child]))
        child++;
      if (!is_before (&heap[child], &last))
        break;
      heap[at] = heap[child];
      at = child;
    }
  heap[at] = last;
  g_array_set_size (self->heap, n);
  return first;
}

/* -- links ------------------------------------------------------------------------------------------------------- */

/* The flows that share links with @changed, directly or through others, into self->found. */
static void
find_sharing (TtCollectivePlay *self, guint32 changed)
{
  self->mark++;
  self->found->len = 0;
  g_array_append_val (self->found, changed);
  self->flows[changed].mark = self->mark;
  for (guint i = 0; i < self->found->len; i++)
    {
      const TtCollectiveFlow *flow = &self->flows[g_array_index (self->found, guint32, i)];
      for (guint k = 0; k < flow->n_links; k++)
        {
          const GArray *on = self->on_link[flow->links[k]];
          for (guint m = 0; m < on->len; m++)
            {
              guint32 other = g_array_index (on, guint32, m);
              if (self->flows[other].mark == self->mark)
                continue;
              self->flows[other].mark = self->mark;
              g_array_append_val (self->found, other);
            }
        }
    }
}

static double
capacity_of (const TtCollectivePlay *self, guint link)
{
  gboolean is_between = link < self->first_own ? link >= self->first_nic : (link - self->first_own) % 2 == 1;

  const TtLinkModel *model = is_between ? &self->network->between : &self->network->within;
  if (link >= self->first_own)
    return model->sharing != TT_LINK_OF_CHANNEL ? model->limit_bytes_per_ns : model->bytes_per_ns;
  gboolean is_slow = is_between && self->network->slow_part > 0 &&
                     (link - self->first_nic) / (2 * self->collective->n_nics) == self->network->slow_host;
  return is_slow ? model->bytes_per_ns * self->network->slow_part : model->bytes_per_ns;
}

/* The smallest share of a link among those with flows that have no rate yet. */
static guint
find_tightest (TtCollectivePlay *self, double *share)
{
  guint tightest = G_MAXUINT;

  for (guint i = 0; i < self->found->len; i++)
    {
      const TtCollectiveFlow *flow = &self->flows[g_array_index (self->found, guint32, i)];
      for (guint k = 0; flow->is_active && flow->new_rate < 0 && k < flow->n_links; k++)
        {
          guint link = flow->links[k];
          double own = self->left[link] / self->n_open[link];
          if (tightest == G_MAXUINT || own < *share || (own == *share && link < tightest))
            {
              tightest = link;
              *share = own;
            }
        }
    }
  return tightest;
}

/* The most for those that have least, then for the next ones. */
static void
share_links (TtCollectivePlay *self, guint32 changed)
{
  guint link;
  double share = 0;

  find_sharing (self, changed);
  for (guint i = 0; i < self->found->len; i++)
    {
      TtCollectiveFlow *flow = &self->flows[g_array_index (self->found, guint32, i)];
      flow->new_rate = -1;
      for (guint k = 0; k < flow->n_links; k++)
        {
          self->left[flow->links[k]] = capacity_of (self, flow->links[k]);
          self->n_open[flow->links[k]] = self->on_link[flow->links[k]]->len;
        }
    }
  while ((link = find_tightest (self, &share)) != G_MAXUINT)
    for (guint i = 0; i < self->on_link[link]->len; i++)
      {
        TtCollectiveFlow *flow = &self->flows[g_array_index (self->on_link[link], guint32, i)];
        if (flow->new_rate >= 0)
          continue;
        flow->new_rate = share;
        for (guint k = 0; k < flow->n_links; k++)
          {
            self->left[flow->links[k]] = MAX (self->left[flow->links[k]] - share, 0);
            self->n_open[flow->links[k]]--;
          }
      }
  for (guint i = 0; i < self->found->len; i++)
    {
      guint32 number = g_array_index (self->found, guint32, i);
      TtCollectiveFlow *flow = &self->flows[number];
      if (!flow->is_active || (flow->new_rate == flow->rate && number != changed))
        continue;
      flow->left_bytes -= (self->now_ns - flow->since_ns) * flow->rate;
      flow->since_ns = self->now_ns;
      flow->rate = MAX (flow->new_rate, 1e-9);
      flow->version++;
      push_event (self, self->now_ns + MAX (flow->left_bytes, 0) / flow->rate, TT_COLLECTIVE_GONE, number,
                  flow->version);
    }
}

static void
start_flow (TtCollectivePlay *self, guint32 number, double size)
{
  TtCollectiveFlow *flow = &self->flows[number];

  flow->is_active = TRUE;
  flow->left_bytes = size;
  flow->since_ns = self->now_ns;
  flow->rate = 0;
  for (guint k = 0; k < flow->n_links; k++)
    g_array_append_val (self->on_link[flow->links[k]], number);
  share_links (self, number);
}

static void
end_flow (TtCollectivePlay *self, guint32 number)
{
  TtCollectiveFlow *flow = &self->flows[number];

  flow->is_active = FALSE;
  flow->version++;
  for (guint k = 0; k < flow->n_links; k++)
    {
      GArray *on = self->on_link[flow->links[k]];
      for (guint i = 0; i < on->len; i++)
        if (g_array_index (on, guint32, i) == number)
          {
            g_array_remove_index (on, i);
            break;
          }
    }
  share_links (self, number);
}

/* -- blocks ------------------------------------------------------------------------------------------------------ */

static void
inject (TtCollectivePlay *self, guint32 number)
{
  TtCollectiveFlow *flow = &self->flows[number];

  if (flow->is_busy || flow->n_queued == 0 || flow->n_injected >= CREDITS + flow->n_taken)
    return;
  double size = flow->queue[flow->n_injected % CREDITS];
  flow->is_busy = TRUE;
  flow->n_queued--;
  flow->asked_ns[CREDITS] =
      MAX (flow->asked_ns[flow->n_injected % CREDITS], flow->posted_ns[flow->n_injected % CREDITS]);
  flow->wire_from_ns = self->now_ns;
  flow->n_injected++;
  start_flow (self, number, size);
}

static void
advance (TtCollectivePlay *self, guint32 number)
{
  TtCollectiveBlock *block = &self->blocks[number];

  if (block->is_running || block->at == block->n_ops)
    return;
  tt_collective_next_op (self, block);
  for (guint i = 0; i < block->op.n_in; i++)
    if (self->flows[block->op.in[i]].n_arrived <= self->flows[block->op.in[i]].n_taken)
      return;
  for (guint i = 0; i < block->op.n_out; i++)
    if (self->flows[block->op.out[i]].n_sent - self->flows[block->op.out[i]].n_taken >= CREDITS)
      return;
  block->is_running = TRUE;
  push_event (self, self->now_ns + self->network->slice_ns, TT_COLLECTIVE_TRANSFER, number, 0);
}

static void
transfer (TtCollectivePlay *self, guint32 number)
{
  TtCollectiveBlock *block = &self->blocks[number];
  double copied_ns = self->now_ns + block->op.size / TT_COLLECTIVE_COPY;

  block->n_open = MAX (block->op.n_out, 1);
  if (block->op.n_out == 0)
    push_event (self, copied_ns, TT_COLLECTIVE_SENT, number, 0);
  for (guint i = 0; i < block->op.n_out; i++)
    {
      TtCollectiveFlow *flow = &self->flows[block->op.out[i]];
      flow->n_sent++;
      if (flow->is_between)
        {
          push_event (self, copied_ns, TT_COLLECTIVE_QUEUE, block->op.out[i], block->op.size);
          push_event (self, copied_ns, TT_COLLECTIVE_SENT, number, 0);
          continue;
        }
      flow->asked_ns[CREDITS] = flow->wire_from_ns = self->now_ns;
      start_flow (self, block->op.out[i], block->op.size);
    }
}

static void
on_sent (TtCollectivePlay *self, guint32 number)
{
  TtCollectiveBlock *block = &self->blocks[number];

  if (--block->n_open > 0)
    return;
  const TtCollectiveOp op = block->op;
  block->is_running = FALSE;
  block->at++;
  for (guint i = 0; i < op.n_in; i++)
    {
      TtCollectiveFlow *flow = &self->flows[op.in[i]];
      flow->posted_ns[flow->n_taken % CREDITS] = self->now_ns;
      flow->n_taken++;
      if (flow->is_between)
        inject (self, op.in[i]);
      advance (self, flow->sender);
    }
  advance (self, number);
}

static void
on_gone (TtCollectivePlay *self, guint32 number, double version)
{
  TtCollectiveFlow *flow = &self->flows[number];
  TtSendTimes *times = flow->is_slow      ? &self->times.slow
                       : flow->is_between ? &self->times.between
                                          : &self->times.within;
  const TtLinkModel *link = flow->is_between ? &self->network->between : &self->network->within;

  if (!flow->is_active || flow->version != (guint64) version)
    return;
  end_flow (self, number);
  times->sum_ns += self->now_ns + link->latency_ns - flow->asked_ns[CREDITS];
  times->wire_ns += self->now_ns + link->latency_ns - flow->wire_from_ns;
  times->n++;
  push_event (self, self->now_ns + link->latency_ns, TT_COLLECTIVE_ARRIVED, number, 0);
  if (flow->is_between)
    {
      flow->is_busy = FALSE;
      inject (self, number);
    }
  else
    push_event (self, self->now_ns + link->latency_ns, TT_COLLECTIVE_SENT, flow->sender, 0);
}

static void
play_event (TtCollectivePlay *self, const TtCollectiveEvent *event)
{
  TtCollectiveFlow *flow =
      event->kind == TT_COLLECTIVE_TRANSFER || event->kind == TT_COLLECTIVE_SENT ? NULL : &self->flows[event->subject];

  switch (event->kind)
    {
    case TT_COLLECTIVE_TRANSFER:
      transfer (self, event->subject);
      break;
    case TT_COLLECTIVE_SENT:
      on_sent (self, event->subject);
      break;
    case TT_COLLECTIVE_QUEUE:
      flow->queue[(flow->n_injected + flow->n_queued) % CREDITS] = event->size;
      flow->asked_ns[(flow->n_injected + flow->n_queued) % CREDITS] = self->now_ns;
      flow->n_queued++;
      inject (self, event->subject);
      break;
    case TT_COLLECTIVE_GONE:
      on_gone (self, event->subject, event->size);
      break;
    case TT_COLLECTIVE_ARRIVED:
      flow->n_arrived++;
      advance (self, flow->receiver);
      break;
    }
}

static TtCollectiveTimes
play (const TtAllReduce *collective, const TtNetworkModel *network)
{
  TtCollectivePlay self = { .collective = collective, .network = network };

  tt_collective_play_init (&self);
  for (guint32 i = 0; i < self.n_blocks; i++)
    advance (&self, i);
  while (self.heap->len > 0)
    {
      const TtCollectiveEvent event = pop_event (&self);
      self.now_ns = event.ns;
      if (event.kind == TT_COLLECTIVE_SENT || event.kind == TT_COLLECTIVE_ARRIVED)
        self.times.ns = MAX (self.times.ns, event.ns);
      play_event (&self, &event);
    }
  tt_collective_play_clear (&self);
  return self.times;
}

/* The time by ranks is a line where chunks are as large: beyond a number it goes on as it went up to there. */
TtCollectiveTimes
tt_collective_play_blocks (const TtAllReduce *self, const TtNetworkModel *network)
{
  guint n_ranks = self->n_hosts * self->n_gpus, per_host = MIN (self->n_gpus, TT_COLLECTIVE_MAX_RANKS / 2);
  TtAllReduce large = *self, small = *self;

  if (n_ranks < 2)
    return (TtCollectiveTimes){ 0 };
  if (n_ranks <= TT_COLLECTIVE_MAX_RANKS)
    return play (self, network);
  TtNetworkModel near = *network;
  double steps = log2 (self->n_hosts), large_steps;
  large.n_gpus = small.n_gpus = per_host;
  large.n_hosts = TT_COLLECTIVE_MAX_RANKS / per_host;
  small.n_hosts = large.n_hosts / 2;
  if (near.slow_host < self->n_hosts)
    near.slow_host = MIN (near.slow_host, small.n_hosts - 1);
  if (self->algo == TT_COLLECTIVE_TREE)
    {
      TtCollectiveTimes times = play (&large, &near), before = play (&small, &near);
      large_steps = log2 (large.n_hosts);
      times.ns += (times.ns - before.ns) * MAX (steps - large_steps, 0);
      return times;
    }
  /* A chunk is that of all the ranks. */
  double n_large = (double) large.n_hosts * per_host;
  large.bytes = self->bytes * n_large / n_ranks;
  small.bytes = large.bytes / 2;
  TtCollectiveTimes times = play (&large, &near), before = play (&small, &near);
  times.ns += (times.ns - before.ns) * (n_ranks - n_large) / (n_large / 2);
  return times;
}
