/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Operands of an instruction of AMD's machines, copied to pairs of vector registers, whatever they are.
 */
#pragma once

#include "formats/gcn/module.h"
#include "src/gpu/weave/gcn-text.h"

typedef struct
{
  const TtGpuGcnText *text;
  const TtGcnInstruction *instruction;
  const char *file; /* for messages */
} TtGpuGcnOperands;

/* Appends the copy of @word: ADDR, OUT, IN1 ... IN4. */
gboolean tt_gpu_gcn_operands_copy (const TtGpuGcnOperands *self, const char *word, GString *to, GError **error);
/* Which operand begins the address of a load, a store, or an atomic instruction that may return a value. */
guint tt_gpu_gcn_operands_address (const TtGpuGcnOperands *self);
/* How many bytes the instruction moves for a thread, or for all. */
gboolean tt_gpu_gcn_operands_bytes (const TtGpuGcnOperands *self, guint *bytes, GError **error);
