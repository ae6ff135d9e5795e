/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/waits/collectives.h"

#include "analyzers/communication/collective-shape.h"
#include "analyzers/imbalance/calls.h"
#include "analyzers/waits/completions.h"
#include "analyzers/waits/wait-names.h"
#include <string.h>

/* When TAU's own barrier in a collective was, the last of a thread. */
typedef struct
{
  gint64 begin_ns, end_ns; /* begin > end: none */
} SyncRegion;

struct _TtCollectiveWaits
{
  TtWaitWindow window;
  TtWaitCounts *counts;
  TtSyncs *syncs;
  const TtWaitHearer *hearer;
  GArray *waits;     /* of TtUnnamedWait, until they are all there */
  GArray *completed; /* the same, of calls that had returned at once */
  TtWaitNames names; /* of waits */
  TtCompletions *completions;
  SyncRegion *regions;         /* by thread; NULL until there is one */
  guint32 max_thread, n_begun; /* calls that return at once */
  gboolean has_regions;        /* TAU has a barrier in every call with a root, or in none */
  guint64 classes;             /* a bit set of 1 << TtCallClass: those of names of the run */
  gboolean is_region_missed;   /* a call began before the window, and its barrier may have ended there */
};

static void
add_wait (TtCollectiveWaits *self,
          const TtArrival *waiter,
          const TtArrival *cause,
          gint64 begin_ns,
          TtWaitKind kind,
          gboolean is_inferred)
{
  const TtUnnamedWait wait = {
    .thread = waiter->thread,
    .kind = (guint8) kind,
    .event = waiter->event,
    .begin_ns = begin_ns,
    .end_ns = MIN (cause->begin_ns, waiter->end_ns),
    .at_ns = cause->begin_ns,
    .from_event = cause->event,
    .from_thread = cause->thread,
    .from_name = cause->name,
    .is_inferred = is_inferred != FALSE,
  };

  if (waiter == cause || waiter->event == 0 || cause->event == 0 || wait.end_ns <= wait.begin_ns)
    return;
  self->counts->n_early += kind != TT_WAIT_SYNC_REGION && waiter->end_ns < cause->begin_ns;
  if (tt_wait_window_has (&self->window, wait.begin_ns, wait.end_ns))
    g_array_append_val (self->waits, wait);
}

/* -- waits of a call ---------------------------------------------------------------------------------------------- */

static void
add_waits_for_last (TtCollectiveWaits *self, const TtCall *call, TtWaitKind kind)
{
  for (guint i = 0; i < call->n; i++)
    add_wait (self, &call->ranks[i], &call->ranks[call->last], call->ranks[i].begin_ns, kind,
              call->is_inferred || call->ranks[i].end_ns < call->last_ns);
}

/* In TAU's barrier within a call with a root, where there is one: until the last comes, from when the call itself makes
 * nobody wait. */
static void
add_waits_in_region (TtCollectiveWaits *self, const TtCall *call, gint64 root_ns)
{
  for (guint i = 0; i < call->n; i++)
    add_wait (self, &call->ranks[i], &call->ranks[call->last], MAX (call->ranks[i].begin_ns, root_ns),
              TT_WAIT_SYNC_REGION, call->is_inferred);
}

static gboolean
is_root_inferred (const TtCall *call)
{
  return call->is_inferred || call->told_root == TT_CALL_NOBODY;
}

static void
add_waits_for_root (TtCollectiveWaits *self, const TtCall *call)
{
  guint root = call->root;

  for (guint i = 0; i < call->n && root != TT_CALL_NOBODY; i++)
    add_wait (self, &call->ranks[i], &call->ranks[root], call->ranks[i].begin_ns, TT_WAIT_LATE_BROADCAST,
              is_root_inferred (call));
  add_waits_in_region (self, call, root == TT_CALL_NOBODY ? G_MININT64 : call->ranks[root].begin_ns);
}

static void
add_wait_of_root (TtCollectiveWaits *self, const TtCall *call)
{
  for (guint i = 0; i < call->n; i++)
    if (i == call->root)
      add_wait (self, &call->ranks[i], &call->ranks[call->last], call->ranks[i].begin_ns, TT_WAIT_EARLY_REDUCE,
                is_root_inferred (call));
    else
      add_wait (self, &call->ranks[i], &call->ranks[call->last], call->ranks[i].begin_ns, TT_WAIT_SYNC_REGION,
                call->is_inferred);
}

/* Kernels that send and receive (NCCL): of which ranks is not told, so that all may need all. */
static void
add_waits_of_kernels (TtCollectiveWaits *self, const TtCall *call)
{
  for (guint i = 0; i < call->n; i++)
    if (call->ranks[i].end_ns >= call->last_ns)
      add_wait (self, &call->ranks[i], &call->ranks[call->last], call->ranks[i].begin_ns, TT_WAIT_NXN, TRUE);
}

/* The one that @rank needs in a call that returns at once. */
static guint
needed_by (const TtCall *call, TtCollectiveShape shape, guint rank)
{
  if (shape == TT_COLLECTIVE_FROM)
    return call->told_root;
  return shape == TT_COLLECTIVE_TO && rank != call->told_root ? rank : call->last;
}

static TtWaitKind
kind_of_shape (TtCollectiveShape shape)
{
  switch (shape)
    {
    case TT_COLLECTIVE_BARRIER:
      return TT_WAIT_BARRIER;
    case TT_COLLECTIVE_FROM:
      return TT_WAIT_LATE_BROADCAST;
    case TT_COLLECTIVE_TO:
      return TT_WAIT_EARLY_REDUCE;
    case TT_COLLECTIVE_OTHER:
    case TT_COLLECTIVE_FENCE:
    case TT_COLLECTIVE_ALL:
    case TT_COLLECTIVE_AGREE:
      break;
    }
  return TT_WAIT_NXN;
}

static gboolean
is_judged (const TtCall *call, TtCollectiveShape shape)
{
  return shape == TT_COLLECTIVE_ALL || shape == TT_COLLECTIVE_BARRIER ||
         ((shape == TT_COLLECTIVE_FROM || shape == TT_COLLECTIVE_TO) && call->told_root != TT_CALL_NOBODY);
}

static void
add_begun (TtCollectiveWaits *self, const TtCall *call)
{
  TtCollectiveShape shape = tt_collective_shape_at_completion (call->function);

  if (strstr (call->function, "SendRecv") != NULL)
    {
      add_waits_of_kernels (self, call);
      return;
    }
  if (!is_judged (call, shape))
    {
      self->counts->n_unjudged++;
      return;
    }
  gboolean has_root = shape == TT_COLLECTIVE_FROM || shape == TT_COLLECTIVE_TO;
  for (guint i = 0; i < call->n; i++)
    {
      const TtArrival *needed = &call->ranks[needed_by (call, shape, i)];
      const TtBegunPart part = {
        .call = self->n_begun,
        .name = TT_NO_ID,
        .event = call->ranks[i].event,
        .needed_ns = needed->begin_ns,
        .from_event = needed->event,
        .thread = call->ranks[i].thread,
        .from_thread = needed->thread,
        .kind = kind_of_shape (shape),
        .root = has_root ? call->ranks[call->told_root].thread : TT_NO_ID,
      };

      tt_completions_add (self->completions, &part);
    }
  self->n_begun++;
}

/* -- who met whom -------------------------------------------------------------------------------------------------- */

static TtSyncCall
sync_call (const TtArrival *part)
{
  return (TtSyncCall){ part->begin_ns, part->end_ns, part->thread };
}

static void
add_pairs (TtCollectiveWaits *self, const TtCall *call, guint root)
{
  const TtSyncCall of_root = sync_call (&call->ranks[root]);

  for (guint i = 0; i < call->n; i++)
    {
      const TtSyncCall other = sync_call (&call->ranks[i]);

      if (i != root)
        tt_syncs_add_pair (self->syncs, &of_root, &other);
    }
}

static void
add_syncs (TtCollectiveWaits *self, const TtCall *call)
{
  if (self->syncs == NULL || call->shape == TT_COLLECTIVE_OTHER)
    return;
  if (call->root != TT_CALL_NOBODY && !self->has_regions)
    {
      add_pairs (self, call, call->root);
      return;
    }
  g_autofree TtSyncCall *parts = g_new (TtSyncCall, call->n);
  for (guint i = 0; i < call->n; i++)
    parts[i] = sync_call (&call->ranks[i]);
  tt_syncs_add_call (self->syncs, parts, call->n);
}

static gboolean
on_call (const TtCall *call, gpointer data)
{
  TtCollectiveWaits *self = data;

  switch (call->shape)
    {
    case TT_COLLECTIVE_OTHER:
      add_begun (self, call);
      break;
    case TT_COLLECTIVE_AGREE:
      self->counts->n_unjudged++;
      break;
    case TT_COLLECTIVE_BARRIER:
    case TT_COLLECTIVE_FENCE:
      add_waits_for_last (self, call, TT_WAIT_BARRIER);
      break;
    case TT_COLLECTIVE_ALL:
      add_waits_for_last (self, call, TT_WAIT_NXN);
      break;
    case TT_COLLECTIVE_FROM:
      add_waits_for_root (self, call);
      break;
    case TT_COLLECTIVE_TO:
      add_wait_of_root (self, call);
      break;
    }
  add_syncs (self, call);
  if (self->hearer != NULL)
    self->hearer->on_call (call, self->hearer->data);
  return TRUE;
}

static gboolean
take_name (const TtStoredName *name, gpointer data)
{
  TtCollectiveWaits *self = data;

  self->classes |= G_GUINT64_CONSTANT (1) << tt_call_class (name->op_cat, name->op_name);
  self->has_regions = (self->classes >> TT_CALL_SYNC_REGION & 1) != 0;
  return TRUE;
}

/* -- the scan ------------------------------------------------------------------------------------------------------ */

TtCollectiveWaits *
tt_collective_waits_new (TtStore *store,
                         const TtRowRange *rows,
                         const TtWaitWindow *window,
                         TtWaitCounts *counts,
                         TtSyncs *syncs,
                         const TtWaitHearer *hearer,
                         GError **error)
{
  g_autoptr (TtCollectiveWaits) self = g_new0 (TtCollectiveWaits, 1);
  TtCallCounts calls;

  self->window = *window;
  self->counts = counts;
  self->syncs = syncs;
  self->hearer = hearer;
  self->max_thread = tt_store_max_thread (store);
  self->waits = g_array_new (FALSE, FALSE, sizeof (TtUnnamedWait));
  self->completed = g_array_new (FALSE, FALSE, sizeof (TtWait));
  self->completions = tt_completions_new (self->max_thread);
  if (!tt_store_each_name (store, take_name, self, error) ||
      !tt_each_call_of (store, rows, NULL, on_call, self, &calls, error))
    return NULL;
  counts->n_alone = calls.n_alone;
  counts->n_undecided = calls.n_undecided;
  return g_steal_pointer (&self);
}

void
tt_collective_waits_begin (TtCollectiveWaits *self)
{
  tt_completions_finish (self->completions);
  tt_wait_names_init (&self->names, self->waits, TRUE);
}

void
tt_collective_waits_deal (TtCollectiveWaits *self, const TtWaitDeal *deal, GByteArray **bytes)
{
  g_auto (TtDealt) waits = { NULL };
  GArray *own = g_array_new (FALSE, FALSE, sizeof (TtUnnamedWait));

  tt_dealt_init (&waits, deal->crew->n, sizeof (TtUnnamedWait));
  for (guint i = 0; i < self->waits->len; i++)
    {
      const TtUnnamedWait *wait = &g_array_index (self->waits, TtUnnamedWait, i);
      g_array_append_vals (waits.of[tt_wait_deal_of_event (deal, wait->event)], wait, 1);
    }
  g_array_unref (self->waits);
  self->waits = own;
  tt_dealt_give (&waits, deal->crew->rank, bytes, own);
  tt_completions_deal (self->completions, deal, bytes);
}

gboolean
tt_collective_waits_add (TtCollectiveWaits *self, TtUnpack *from)
{
  const guint n = self->waits->len;

  if (!tt_dealt_take (from, self->waits))
    return FALSE;
  for (guint i = n; i < self->waits->len; i++)
    {
      const TtUnnamedWait *wait = &g_array_index (self->waits, TtUnnamedWait, i);
      if (wait->thread > self->max_thread || wait->from_thread > self->max_thread || wait->kind >= TT_N_WAIT_KINDS)
        return FALSE;
    }
  return tt_completions_take_parts (self->completions, from);
}

void
tt_collective_waits_free (TtCollectiveWaits *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->waits);
  g_array_unref (self->completed);
  tt_completions_free (self->completions);
  tt_wait_names_clear (&self->names);
  g_free (self->regions);
  g_free (self);
}

static void
take_region (TtCollectiveWaits *self, const TtWaitSpan *span)
{
  if (self->regions == NULL)
    {
      self->regions = g_new (SyncRegion, (gsize) self->max_thread + 1);
      for (guint32 i = 0; i <= self->max_thread; i++)
        self->regions[i] = (SyncRegion){ G_MAXINT64, G_MININT64 };
    }
  self->regions[span->thread] = (SyncRegion){ span->begin_ns, span->end_ns };
}

static gboolean
has_region (const TtCollectiveWaits *self, const TtWaitSpan *span)
{
  return self->regions != NULL && self->regions[span->thread].begin_ns >= span->begin_ns &&
         self->regions[span->thread].end_ns <= span->end_ns;
}

guint64
tt_collective_waits_next (const TtCollectiveWaits *self)
{
  return MIN (tt_wait_names_next (&self->names), tt_completions_next (self->completions));
}

gboolean
tt_collective_waits_take (TtCollectiveWaits *self,
                          TtCallClass call_class,
                          const TtEvent *event,
                          const TtWaitSpan *span,
                          gboolean receives)
{
  guint kinds = ~0u, refused;

  if (span->thread > self->max_thread)
    return FALSE;
  if (call_class == TT_CALL_SYNC_REGION)
    take_region (self, span);
  if (!has_region (self, span))
    kinds &= ~(1u << TT_WAIT_SYNC_REGION);
  refused = tt_wait_names_take (&self->names, span, kinds);
  self->is_region_missed |= refused != 0 && self->has_regions && span->begin_ns < self->window.first_ns;
  return tt_completions_take (self->completions, call_class, event, span, receives, self->completed);
}

/* A message is waited for in the polls before its receive, and calls that return at once where they are completed: that may
 * be anywhere. */
gboolean
tt_collective_waits_can_narrow (const TtCollectiveWaits *self)
{
  return (self->classes >> TT_CALL_POLL_PROBE & 1) == 0 && self->n_begun == 0;
}

gboolean
tt_collective_waits_read_rest (TtCollectiveWaits *self, TtStore *store, gboolean is_all)
{
  return !self->is_region_missed && tt_wait_names_read_rest (&self->names, store, is_all);
}

void
tt_collective_waits_find (TtCollectiveWaits *self, GArray *waits)
{
  tt_wait_names_append (&self->names, waits);
  g_array_append_vals (waits, self->completed->data, self->completed->len);
  if (self->syncs != NULL)
    tt_completions_add_syncs (self->completions, self->syncs);
}
