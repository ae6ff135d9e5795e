/* SPDX-License-Identifier: Apache-2.0 */
/*
 * UR's functions of events, called below the layer that reports calls: what the recorder asks is no call of the program.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct
{
  int32_t (*info) (void *event, uint32_t what, size_t size, void *value, size_t *size_ret);
  int32_t (*times) (void *event, uint32_t what, size_t size, void *value, size_t *size_ret);
  int32_t (*retain) (void *event);
  int32_t (*release) (void *event);
  int32_t (*clock) (void *device, uint64_t *of_device, uint64_t *of_host); /* NULL: not found */
} TtRecordEvents;

/* Of the runtime that @object, any handle of its, belongs to; for ever. NULL: they are not found. */
const TtRecordEvents *tt_record_events (uint64_t object);
