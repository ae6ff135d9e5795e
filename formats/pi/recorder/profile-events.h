/* SPDX-License-Identifier: Apache-2.0 */
/*
 * UR's and PI's functions of events, called below what reports calls: what the recorder asks is no call of the program.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Numbers that differ between UR and PI. */
typedef struct
{
  uint32_t event_queue, event_status, event_references; /* of questions for an event */
  uint32_t queue_flags;                                 /* and for a queue */
  uint32_t first_time;                                  /* queued; submitted, begin and end follow */
  int32_t no_times;                                     /* the result "there are no times" */
} TtRecordCodes;

typedef struct
{
  const TtRecordCodes *codes;
  int32_t (*info) (void *event, uint32_t what, size_t size, void *value, size_t *size_ret);
  int32_t (*times) (void *event, uint32_t what, size_t size, void *value, size_t *size_ret);
  int32_t (*retain) (void *event);
  int32_t (*release) (void *event);
  int32_t (*clock) (void *device, uint64_t *of_device, uint64_t *of_host); /* NULL: not found */
} TtRecordEvents;

extern const TtRecordCodes tt_record_codes_of_pi;

/* Of the UR that @object, any handle of its, belongs to; for ever. NULL: they are not found. */
const TtRecordEvents *tt_record_events (uint64_t object);
