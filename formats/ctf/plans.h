/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtCtfPlans: the plans of all that a trace declares, found by the ids in its packets.
 */
#pragma once

#include "formats/ctf/header.h"
#include "formats/ctf/plan.h"

typedef struct _TtCtfPlans TtCtfPlans;

/* @schema: borrowed. */
TtCtfPlans *tt_ctf_plans_new (const TtCtfSchema *schema);
void tt_ctf_plans_free (TtCtfPlans *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtCtfPlans, tt_ctf_plans_free)

const TtCtfSchema *tt_ctf_plans_schema (const TtCtfPlans *self);
/* That an event of any type has at most. */
guint tt_ctf_plans_most_slots (const TtCtfPlans *self);
/* NULL: it has no context. */
const TtCtfPlan *tt_ctf_plans_packet (const TtCtfStreamType *stream);
/* Of its events. */
const TtCtfHeader *tt_ctf_plans_header (const TtCtfStreamType *stream);
/* NULL: there is none of that id. */
const TtCtfPlan *tt_ctf_plans_event (const TtCtfStreamType *stream, guint64 id);
