/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtGraphLinks: messages, collectives, flows and waits for devices (span-links.h) as edges between nodes, which a reverse scan of the spans finds for
 * their ends: of all, or of the part that a rank of a crew has.
 */
#pragma once

#include "analyzers/dependencies/dep-graph.h"
#include "analyzers/devices/roles.h"
#include "analyzers/devices/work.h"
#include "analyzers/spans/shared-scan.h"
#include "graphs/edge-table.h"

/* Its ends become nodes as the scan passes the spans. */
typedef struct
{
  guint32 from, to;
  gint64 gap_ns;
  guint32 kind;
  /* Of a part, which has only those with an end there: its number among all, and whose the other end is. */
  guint32 number, owner;
  guint8 has_from, has_to; /* ends in the part */
} TtGraphLink;

typedef struct
{
  guint64 event;
  guint64 side; /* 2 * link, + 1 for its destination */
} TtGraphLinkEnd;

typedef struct
{
  const TtDepGraphOptions *options;
  GHashTable *members;  /* only those between them; NULL: all */
  TtSharedScan *shared; /* NULL: all; else only those with an end in the part. What cannot be told so makes it odd */
  gboolean has_devices; /* parts are whole sources, with the flows and the waits for devices that are in them */
  TtEventOwners owners; /* of `shared` */
  GArray *links;        /* of TtGraphLink */
  GArray *ends;         /* of TtGraphLinkEnd, the last event first */
  guint next_end;
  guint n_missed;  /* ends of events that the scan did not come to */
  guint32 n_known; /* links that all ranks have read, so far */
  TtDeviceRoles roles;
  TtDeviceWork *work; /* the caller's, of all, which is taken over; NULL or without spans: it is read */
  guint8 *claimed;    /* by thread, of a part: no other part may have work of devices there; NULL: of all */
} TtGraphLinks;

void tt_graph_links_init (TtGraphLinks *self, const TtDepGraphOptions *options, GHashTable *members);
void tt_graph_links_clear (TtGraphLinks *self);

/* With the roles of events. Where these are entangled there are no links. */
gboolean tt_graph_links_load (TtGraphLinks *self, TtStore *store, GError **error);
/* tt_graph_links_reach() where the next end is at @event, or the scan is beyond it. */
void tt_graph_links_take_ends (TtGraphLinks *self, guint64 event, guint32 node);
/* The scan is at @event, and what ends there ends at @node; TT_NO_NODE: at none. */
static inline void
tt_graph_links_reach (TtGraphLinks *self, guint64 event, guint32 node)
{
  if (self->next_end < self->ends->len && g_array_index (self->ends, TtGraphLinkEnd, self->next_end).event >= event)
    tt_graph_links_take_ends (self, event, node);
}
/* It is over. */
void tt_graph_links_end (TtGraphLinks *self);
/* Those that have both nodes. */
void tt_graph_links_add_edges (const TtGraphLinks *self, TtEdgeTable *edges);
