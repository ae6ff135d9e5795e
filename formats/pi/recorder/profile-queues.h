/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which queues take times, by their handles.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

typedef struct
{
  uint64_t handle;
  bool takes_times;
  bool is_changed; /* it does because the recorder wants it */
} TtRecordProfileQueue;

/* Handle 0: a queue that nobody has noted, or that is forgotten. */
TtRecordProfileQueue tt_record_profile_queue (uint64_t handle);
/* In the place of an earlier one with the same handle. */
void tt_record_profile_note_queue (const TtRecordProfileQueue *queue);

void tt_record_profile_queues_after_fork (void);
