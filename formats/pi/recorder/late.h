/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory that commands of UR fill after their call has returned, until a call proves that they have run: a wait for the
 * command's event or for one that follows from it, a wait for its queue, a status of "complete". Nothing is waited for
 * on the program's behalf. PI's memory is waited for instead (memory.h).
 */
#pragma once

#include "formats/pi/recorder/thread.h"

typedef struct
{
  uint64_t instance; /* of the call that asked for it */
  unsigned param;
  uint64_t address, size;
} TtRecordLate;

/* After a call that has succeeded: notes what it asks for, and takes out at most @max that are there now. If these are
 * all that there was room for, tt_record_late_more() takes out others. */
unsigned tt_record_late_end (const TtRecordCall *call, TtRecordLate *done, unsigned max);
unsigned tt_record_late_more (TtRecordLate *done, unsigned max);

void tt_record_late_after_fork (void);
