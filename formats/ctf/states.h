/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the kernel's scheduler says of threads, by its events sched_switch, sched_wakeup (or sched_waking) and sched_wakeup_new: each
 * thread has a lane with spans of its states. Running; preempted (taken off the processor while it could go on); waiting (it went to
 * sleep); ready (woken, and not yet on a processor).
 *
 * They also say whose an event is that names no thread: of the one that runs on its processor.
 */
#pragma once

#include "formats/ctf/session.h"

TtCtfStates *tt_ctf_states_new (void);
void tt_ctf_states_free (TtCtfStates *self);

/* Before and after anything else is made of an event, in the order of time. */
void tt_ctf_states_see (TtCtfSession *self, const TtCtfBinding *binding, const TtCtfEvent *event);
void tt_ctf_states_change (TtCtfSession *self, const TtCtfBinding *binding, const TtCtfEvent *event);
/* Events are missing. States in which they may have been are marked. */
void tt_ctf_states_lose (TtCtfSession *self, const TtCtfLoss *loss);
/* The trace ends: writes all spans. */
gboolean tt_ctf_states_finish (TtCtfSession *self, GError **error);
/* The thread that runs on the processor @cpu; -1: not known, 0: none. */
gint64 tt_ctf_states_running (const TtCtfStates *self, gint64 cpu);
