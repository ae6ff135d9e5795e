/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtRecordFunction: one function of the runtime, under the name the runtime gives it. Made at its first call, kept for
 * ever: it may be used without a lock.
 */
#pragma once

#include "formats/pi/native.h"
#include "formats/pi/shape.h"

#define TT_RECORD_MAX_FUNCTIONS 1024

typedef struct
{
  char name[TT_PI_NATIVE_MAX_NAME + 1];
  const char *runtime_name; /* the runtime's own string, compared first */
  uint32_t id, index;
  TtPiApi api;
  uint8_t major, minor; /* of UR */
  uint16_t release;
  const TtPiFunction *function; /* NULL: unknown */
  TtPiShapes shapes;
  bool is_select;   /* piextDeviceSelectBinary */
  bool is_doubtful; /* runtimes disagree about the parameters: a value in the place of a pointer may be none */
} TtRecordFunction;

/* NULL: out of memory, or too many functions. */
const TtRecordFunction *tt_record_function (TtPiApi api, uint32_t id, const char *name);

void tt_record_function_after_fork (void);
