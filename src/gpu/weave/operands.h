/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Operands of the instruction that was found, copied to registers of 64 bits, whatever they are.
 */
#pragma once

#include "formats/ptx/module.h"

typedef struct
{
  const TtPtxFunction *function;
  const TtPtxInstruction *instruction;
  const char *prefix;
  const char *file; /* for messages */
} TtGpuOperands;

/* Appends the copy of @word: ADDR, OUT, IN1 ... IN4. */
gboolean tt_gpu_operands_copy (const TtGpuOperands *self, const char *word, GString *to, GError **error);
/* How many bytes the instruction moves. */
gboolean tt_gpu_operands_bytes (const TtGpuOperands *self, guint *bytes, GError **error);
