/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The events that the recorder holds until they can be asked, oldest first; no more than TT_RECORD_MAX_HELD.
 */
#pragma once

#include "formats/pi/recorder/profile-events.h"

#define TT_RECORD_MAX_HELD 16384u

typedef struct
{
  void *event;
  const TtRecordEvents *functions;
  uint64_t queue;
  uint64_t instance; /* of the call that put the command into its queue */
  uint64_t number;   /* grows with each that is held; set by tt_record_hold() */
} TtRecordHeld;

/* Where there is no room the oldest is taken out first, into @oldest: true. Without memory that is @held itself. */
bool tt_record_hold (const TtRecordHeld *held, TtRecordHeld *oldest);
bool tt_record_take (void *event, TtRecordHeld *held);
/* Takes out at most @max of the oldest of @queue (0: of all) whose number is less than @before. */
unsigned tt_record_take_some (uint64_t queue, uint64_t before, TtRecordHeld *held, unsigned max);
bool tt_record_is_held (void *event);
bool tt_record_holds_any (void);
/* The number that the next one gets. */
uint64_t tt_record_next_held (void);
/* Those of the parent are not the child's. */
void tt_record_held_after_fork (void);
