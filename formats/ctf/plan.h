/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtCtfPlan: how events of one type are read: a flat list of steps that fills the slots of an event, made once.
 *
 * The slots of the packet's context come first; they are filled once a packet, by a plan of their own. What slots point to
 * lies in a tail (event.h). Plans are made before events are read, and not changed then: several threads may run them.
 */
#pragma once

#include "formats/ctf/event.h"
#include "formats/ctf/values.h"

typedef struct _TtCtfStep TtCtfStep;

typedef struct
{
  TtCtfClass *klass; /* owned; NULL of a packet's context */
  guint n_slots;     /* with those of the packet */
  guint n_steps;
  TtCtfStep *steps;
  gpointer fields; /* of the steps */
} TtCtfPlan;

/* @names: of all events of the trace; borrowed. */
TtCtfPlan *tt_ctf_plan_new (const TtCtfStreamType *stream, const TtCtfEventType *event, GHashTable *names);
/* Of the packet's context alone; NULL: it has none. */
TtCtfPlan *tt_ctf_plan_new_packet (const TtCtfStreamType *stream);
void tt_ctf_plan_free (TtCtfPlan *self);

/* Fills @slots and appends to @tail. Without @with_json what would be JSON is passed over. */
gboolean tt_ctf_plan_run (const TtCtfPlan *self, TtCtfBits *bits, guint8 *slots, GString *tail, gboolean with_json);
