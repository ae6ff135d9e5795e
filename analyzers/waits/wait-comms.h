/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtWaitComms: the communicators of the calls and messages in which threads wait.
 *
 * A wait in a collective is of the call's communicator, one for a message of the message's; others are of none. That
 * of a collective is told with the ranks that call it, and marked where it was inferred from times.
 *
 * Memory: 12 bytes a wait, and what the communicators' ranks take.
 */
#pragma once

#include "analyzers/waits/waits.h"

/* Waits of no communicator. */
#define TT_NO_WAIT_COMM 0u

typedef struct _TtWaitComms TtWaitComms;

/* Reads collectives, and messages where somebody waits for one. */
TtWaitComms *tt_wait_comms_new (TtStore *store, const TtWaits *waits, GError **error);
void tt_wait_comms_free (TtWaitComms *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtWaitComms, tt_wait_comms_free)

/* Of the wait with that index: a number for tt_wait_comms_text(). */
guint32 tt_wait_comms_get (const TtWaitComms *self, guint wait);
/* "3", "0: ranks 0-7", "1: ranks 0,4,8,12 (inferred)". NULL: TT_NO_WAIT_COMM. Free it. */
char *tt_wait_comms_text (const TtWaitComms *self, guint32 comm);
