/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/dependencies/graph-links.h"

#include "analyzers/dependencies/span-links.h"
#include "analyzers/dependencies/span-tree.h"
#include "src/base/array-sort.h"

void
tt_graph_links_init (TtGraphLinks *self, const TtDepGraphOptions *options, GHashTable *members)
{
  *self = (TtGraphLinks){ .options = options, .members = members };
  self->links = g_array_new (FALSE, FALSE, sizeof (TtGraphLink));
  self->ends = g_array_new (FALSE, FALSE, sizeof (TtGraphLinkEnd));
}

void
tt_graph_links_clear (TtGraphLinks *self)
{
  g_clear_pointer (&self->links, g_array_unref);
  g_clear_pointer (&self->ends, g_array_unref);
  g_clear_pointer (&self->claimed, g_free);
  tt_device_roles_clear (&self->roles);
  tt_event_owners_clear (&self->owners);
}

/* -- one link ------------------------------------------------------------------------------------------------------ */

/* Waits for devices and flows, which only this rank has read: they come behind those that all read. */
static gboolean
is_of_source (const TtGraphLinks *self, TtEdgeKind kind)
{
  return self->has_devices && (kind == TT_EDGE_SYNC || kind == TT_EDGE_FLOW || kind == TT_EDGE_INFERRED);
}

/* What has no end in the part is not kept. */
static gboolean
is_of_part (TtGraphLinks *self, guint64 from, guint64 to, TtGraphLink *link)
{
  const guint rank = self->shared->crew->rank;
  const guint from_owner = tt_event_owner (&self->owners, from), to_owner = tt_event_owner (&self->owners, to);

  link->has_from = from_owner == rank;
  link->has_to = to_owner == rank;
  link->owner = link->has_from ? to_owner : from_owner;
  link->number = self->n_known;
  if (is_of_source (self, link->kind))
    self->shared->is_odd |= !link->has_from || !link->has_to;
  else
    self->n_known++;
  return link->has_from || link->has_to;
}

static void
take_link (guint64 from, guint64 to, TtEdgeKind kind, gint64 gap_ns, gpointer data)
{
  TtGraphLinks *self = data;
  TtGraphLink link = {
    .from = TT_NO_NODE, .to = TT_NO_NODE, .kind = kind, .gap_ns = gap_ns, .has_from = TRUE, .has_to = TRUE
  };
  guint64 side = (guint64) self->links->len * 2;
  TtGraphLinkEnd ends[2] = { { from, side }, { to, side + 1 } };

  if (self->members != NULL && (!g_hash_table_contains (self->members, GSIZE_TO_POINTER (from)) ||
                                !g_hash_table_contains (self->members, GSIZE_TO_POINTER (to))))
    return;
  if (self->shared != NULL && !is_of_part (self, from, to, &link))
    return;
  g_array_append_val (self->links, link);
  if (link.has_from)
    g_array_append_val (self->ends, ends[0]);
  if (link.has_to)
    g_array_append_val (self->ends, ends[1]);
}

static TtArrayKey
key_of_end (gconstpointer element)
{
  const TtGraphLinkEnd *end = element;

  return (TtArrayKey){ ~end->event, end->side };
}

/* -- reading ------------------------------------------------------------------------------------------------------ */

/* What waits for what there is between spans of its streams. */
static void
claim_threads (TtGraphLinks *self, TtStore *store, const TtDeviceWork *work)
{
  const guint32 max_thread = tt_store_max_thread (store);

  tt_device_work_claim (work, self->claimed, max_thread);
  for (guint i = 0; i < work->spans->len; i++)
    if (tt_device_span_at (work, i)->thread <= max_thread)
      self->claimed[tt_device_span_at (work, i)->thread] = 1;
}

static gboolean
take_links (TtGraphLinks *self, TtStore *store, guint kinds, const TtSpanLinkRows *rows, GError **error)
{
  return tt_span_links_each (store, self->options->kinds & kinds, self->options->selection, rows, take_link, self,
                             error);
}

/* All but flows, and roles. @part: NULL: of all. */
static gboolean
load_waits (TtGraphLinks *self, TtStore *store, const TtDevicePart *part, GError **error)
{
  const guint kinds = 1u << TT_EDGE_MESSAGE | 1u << TT_EDGE_COLLECTIVE | 1u << TT_EDGE_SYNC;
  g_auto (TtDeviceWork) work = { 0 };
  const TtSpanLinkRows rows = { &work, TT_ROWS_ALL };
  gboolean is_ok;

  if (self->work != NULL && self->work->spans != NULL)
    {
      work = *self->work;
      *self->work = (TtDeviceWork){ 0 };
      is_ok = TRUE;
    }
  else if ((self->options->kinds & 1u << TT_EDGE_SYNC) == 0)
    is_ok = tt_device_roles_load_of (&work.roles, store, part, NULL, NULL, error);
  else
    is_ok = tt_device_work_collect_of (&work, store, part, error);
  if (is_ok && !work.roles.is_entangled)
    {
      if (part != NULL && work.spans != NULL)
        claim_threads (self, store, &work);
      is_ok = take_links (self, store, kinds, &rows, error);
    }
  self->roles = work.roles;
  work.roles = (TtDeviceRoles){ 0 };
  return is_ok;
}

gboolean
tt_graph_links_load (TtGraphLinks *self, TtStore *store, GError **error)
{
  const TtSharedScan *shared = self->shared;
  const TtDevicePart part = { shared == NULL ? 0 : shared->part.first, shared == NULL ? 0 : shared->part.last,
                              shared == NULL ? NULL : shared->crew };
  const gboolean is_part = shared != NULL && self->has_devices;
  TtSpanLinkRows rows = { NULL, TT_ROWS_ALL };

  if (shared != NULL)
    {
      tt_shared_scan_owners (shared, &self->owners);
      self->claimed = g_new0 (guint8, (gsize) tt_store_max_thread (store) + 1);
    }
  if (!load_waits (self, store, is_part ? &part : NULL, error))
    return FALSE;
  if (self->roles.is_entangled)
    return TRUE;
  if (is_part)
    rows.flows = (TtRowRange){ (gint64) part.first, (gint64) part.last };
  if (!take_links (self, store, 1u << TT_EDGE_FLOW | 1u << TT_EDGE_INFERRED, &rows, error))
    return FALSE;
  tt_array_sort_by_key (self->ends, key_of_end, NULL);
  return TRUE;
}

/* -- the scan ------------------------------------------------------------------------------------------------------ */

/* Events come with falling ids, and so do the ends. */
void
tt_graph_links_take_ends (TtGraphLinks *self, guint64 event, guint32 node)
{
  const TtGraphLinkEnd *ends = (const TtGraphLinkEnd *) self->ends->data;

  for (; self->next_end < self->ends->len && ends[self->next_end].event > event; self->next_end++)
    self->n_missed++;
  for (; self->next_end < self->ends->len && ends[self->next_end].event == event; self->next_end++)
    {
      TtGraphLink *link = &g_array_index (self->links, TtGraphLink, ends[self->next_end].side / 2);
      if (ends[self->next_end].side & 1)
        link->to = node;
      else
        link->from = node;
    }
}

void
tt_graph_links_add_edges (const TtGraphLinks *self, TtEdgeTable *edges)
{
  for (guint i = 0; i < self->links->len; i++)
    {
      const TtGraphLink *link = &g_array_index (self->links, TtGraphLink, i);
      if (link->from != TT_NO_NODE && link->to != TT_NO_NODE)
        tt_edge_table_add (edges, link->from, link->to, link->kind, 1, link->gap_ns);
    }
}

void
tt_graph_links_end (TtGraphLinks *self)
{
  self->n_missed += self->ends->len - self->next_end;
}
