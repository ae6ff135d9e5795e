/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtPairWaits: how long processes wait for each other's messages, as TtWaits has it: each moment of a thread counts once.
 */
#pragma once

#include "analyzers/waits/waits.h"
#include "src/base/packed.h"

typedef struct
{
  tt_int128 late_sender_ns; /* wrong order is that, too */
  tt_int128 late_receiver_ns;
} TtPairWait;

typedef struct _TtPairWaits TtPairWaits;

/* @selection: bound, or NULL; a wait counts where the thread that waits or the one waited for is selected, and of a time window
 * the part inside. */
TtPairWaits *tt_pair_waits_new (TtStore *store, const TtSelection *selection, GError **error);
/* As bytes, and others added. */
void tt_pair_waits_pack (const TtPairWaits *self, GByteArray *bytes);
void tt_pair_waits_unpack (TtPairWaits *self, TtUnpack *from);
/* Of waits that were found, of all spans of the window of @selection. */
TtPairWaits *tt_pair_waits_of (TtStore *store, const TtWaits *waits, const TtSelection *selection);
/* Of no process at all. */
TtPairWaits *tt_pair_waits_new_empty (void);
void tt_pair_waits_free (TtPairWaits *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtPairWaits, tt_pair_waits_free)

/* What @receiver waits for the sends of @sender, and @sender for the receives of @receiver. */
TtPairWait tt_pair_waits_get (const TtPairWaits *self, guint32 sender, guint32 receiver);
/* What others wait for the sends and the receives of @process. */
TtPairWait tt_pair_waits_caused (const TtPairWaits *self, guint32 process);
