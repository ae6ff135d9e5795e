/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The name and the arguments that an event gets in the store.
 */
#pragma once

#include "formats/ctf/session.h"

/* *is_zero: the rule has an own name for events whose code pointer is 0, and this is one. */
guint32 tt_ctf_event_name (TtCtfSession *self, TtCtfBinding *binding, const TtCtfEvent *event, gboolean *is_zero);
/* The event's arguments, added to the sink; 0: none. */
guint64 tt_ctf_event_args (TtCtfSession *self, const TtCtfBinding *binding, const TtCtfEvent *event);
/* The same of a begin or an end, for nest alone. */
guint64 tt_ctf_side_args (TtCtfSession *self, const TtCtfBinding *binding, const TtCtfEvent *event);
