/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which queues take times, by their handles; and the properties that a queue is made with.
 */
#pragma once

#include "formats/pi/recorder/function.h"

#include <stdbool.h>

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

/* As the program gives them: UR's structure, PI's flags, or PI's list of names and values that ends with 0. */
typedef struct
{
  uint64_t flags;
  bool is_value;        /* the flags themselves */
  unsigned at, n_bytes; /* of the flags in the copy */
  uint64_t copy[8];
} TtRecordProperties;

/* @given: the parameter of a call that makes a queue; false: they are not understood. */
bool tt_record_properties (const TtRecordFunction *function, uint64_t given, TtRecordProperties *self);
/* What is to be given instead so that @flags are set, too; it may be in @room. */
void *tt_record_properties_with (const TtRecordProperties *self, uint64_t flags, uint64_t room[8]);

/* The same of a command buffer that is to take times, which queues with times may ask for; NULL: it does, or its releases
 * have no such property. */
void *tt_record_buffer_properties_with_times (const TtRecordFunction *function, uint64_t given, uint64_t room[8]);

void tt_record_profile_queues_after_fork (void);
