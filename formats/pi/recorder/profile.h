/* SPDX-License-Identifier: Apache-2.0 */
/*
 * `pi record --profile`: the recorder asks Unified Runtime when each kernel, copy and fill was queued, submitted, begun
 * and ended, whether or not the program does.
 *
 * The layer that reports calls passes pointers to its own parameters and makes the call with them afterwards: so a queue
 * gets the property that it takes times, and a command the place for an event that the program did not want. The event
 * is retained, asked when a call of the program has proved that it has ended, and released. Nothing is waited for.
 * Questions of the recorder's own go to the functions below the layer (profile-events.h).
 *
 * The program does not see it: the flags of such a queue and the number of references to a held event are answered as
 * they would be, and times that the program asks for without the property are refused. On the thread's file go records
 * of kind TIMES.
 */
#pragma once

#include "formats/pi/recorder/thread.h"

/* Before the call is recorded. @params: the layer's pointers to the parameters. */
void tt_record_profile_begin (TtRecordThread *thread, TtRecordCall *call, const void *params);
/* When it has returned, before its end is recorded: puts back what was swapped, and hides from the program what it did
 * not ask for; the result is what the program gets, in *@result too. */
int32_t tt_record_profile_hide (TtRecordCall *call, void *result);
/* After its end is recorded. */
void tt_record_profile_end (TtRecordThread *thread, TtRecordCall *call, int32_t result);

void tt_record_profile_after_fork (void);
