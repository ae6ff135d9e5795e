/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Interrupts of a kernel trace: a lane for each processor, with spans of handlers of interrupts and of soft interrupts, those
 * that interrupt others inside them.
 *
 * What a processor does at the end of the trace, or where its events are missing, ends there, and is marked.
 */
#pragma once

#include "formats/ctf/session.h"

TtCtfInterrupts *tt_ctf_interrupts_new (void);
void tt_ctf_interrupts_free (TtCtfInterrupts *self);

void tt_ctf_interrupt (TtCtfSession *self, const TtCtfBinding *binding, const TtCtfEvent *event);
void tt_ctf_interrupts_lose (TtCtfSession *self, const TtCtfLoss *loss);
/* The trace ends. */
void tt_ctf_interrupts_finish (TtCtfSession *self);
