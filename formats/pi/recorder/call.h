/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the framework reports of a call, when it begins and when it ends. Calls of a thread may nest.
 */
#pragma once

#include "formats/pi/api.h"

#include <stddef.h>
#include <stdint.h>

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

void tt_record_begin (TtPiApi api, uint64_t instance, const TtRecordPayload *payload);
void tt_record_end (TtPiApi api, uint64_t instance, const TtRecordPayload *payload);
