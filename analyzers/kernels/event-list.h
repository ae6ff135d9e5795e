/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtEventList: events one by one, by begin: the work of devices, the calls to their runtimes, or ranges. Memory: 250
 * bytes an event.
 */
#pragma once

#include "src/store/scan.h"
#include "src/trace/activity.h"
#include "src/trace/device-facts.h"

typedef struct
{
  guint32 thread, name;
  gint64 begin_ns, end_ns;
  gboolean is_async;
  TtActivityRole role;
  TtDeviceFacts facts;
} TtListedEvent;

typedef struct _TtEventList TtEventList;

/* @reader: of arguments. */
TtEventList *tt_event_list_new (TtDeviceFactsReader reader);
void tt_event_list_free (TtEventList *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtEventList, tt_event_list_free)

/* A span, under @name. */
void tt_event_list_add (TtEventList *self, const TtEvent *event, TtActivityRole role, guint32 name);
/* After the last. */
void tt_event_list_finish (TtEventList *self);
/* After finish; of TtListedEvent; of those that begin together the longest first; borrowed. */
const GArray *tt_event_list_events (const TtEventList *self);
