/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtRecordFunction: one function of the runtime, under the name the runtime gives it. Made at its first call, kept for
 * ever: it may be used without a lock.
 */
#pragma once

#include "formats/pi/native.h"
#include "formats/pi/shape.h"

#include <stddef.h>
#include <stdint.h>

#define TT_RECORD_MAX_FUNCTIONS 1024

/* The framework's structure function_with_args. */
typedef struct
{
  uint32_t function_id;
  const char *function_name;
  void *args_data;
  void *ret_data;
  void *user_data;
} TtRecordPayload;

_Static_assert(offsetof (TtRecordPayload, function_name) == 8, "layout of function_with_args");
_Static_assert(offsetof (TtRecordPayload, args_data) == 16, "layout of function_with_args");
_Static_assert(offsetof (TtRecordPayload, ret_data) == 24, "layout of function_with_args");
_Static_assert(offsetof (TtRecordPayload, user_data) == 32 && sizeof (TtRecordPayload) == 40,
               "layout of function_with_args");

typedef struct
{
  char name[TT_PI_NATIVE_MAX_NAME + 1];
  const char *runtime_name; /* the runtime's own string, compared first */
  uint32_t id, index;
  TtPiApi api;
  uint8_t major, minor; /* of the API */
  uint16_t release;
  const TtPiFunction *function; /* NULL: unknown */
  TtPiShapes shapes;
  uint8_t late;    /* tt_record_late_kind() */
  uint8_t profile; /* tt_record_profile_kind() */
  bool is_select;  /* piextDeviceSelectBinary */
} TtRecordFunction;

/* NULL: out of memory, or too many functions. */
const TtRecordFunction *tt_record_function (TtPiApi api, const TtRecordPayload *payload);

void tt_record_function_after_fork (void);
