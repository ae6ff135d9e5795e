/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which team a task belongs to. PInsight names a region by code pointer and number, and numbers the regions of each thread by
 * themselves: where several threads begin regions (native threads, or threads of a team that open regions inside), teams of
 * one name run side by side, and the end of a region does not tell whose tasks end with it.
 *
 * A task is in a team that began before it, had not ended when the task's thread was last seen in the region, has its size and
 * no other thread of its number, and is not over before the thread has come to the join. Of several such teams it is that of
 * the thread's last known master, if that began its regions outside of all others: runtimes keep those teams together. Who
 * is woken for the next region was in a team that has ended. What stays in doubt until the next task of the thread, and is
 * not told by that, ends with the first of the teams, and says between which ends it did.
 */
#pragma once

#include "formats/ctf/closing.h"

/* @open begins on @thread: a parallel region or an implicit task. */
void tt_ctf_team_begins (TtCtfSession *self,
                         TtCtfThread *thread,
                         TtCtfOpen *open,
                         const TtCtfBinding *binding,
                         const TtCtfEvent *event);
/* @thread has ended the region @match, at @event: ends the tasks of its team. */
void tt_ctf_team_ends (TtCtfSession *self, TtCtfThread *thread, const gint64 *match, const TtCtfEvent *event);
/* Before @event of @thread is read: ends its task, if it was in doubt when and this tells. TRUE: the event is such an end as
 * workers tell when they are woken, and the doubt stays: there is nothing to do with it. */
gboolean
tt_ctf_team_hears (TtCtfSession *self, TtCtfThread *thread, const TtCtfBinding *binding, const TtCtfEvent *event);
/* The trace is over: ends what is in doubt. */
void tt_ctf_team_settle_all (TtCtfSession *self, TtCtfProcess *process);
