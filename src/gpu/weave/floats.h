/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Registers of the instruction that a probe reads as f32 or f64: they must be that, by the types that PTX declares and
 * instructions name, on AMD's machines by width and name. The probe's text says it in a comment behind the line that
 * reads: "mov.b64 %NR0, IN1; // f64"; text without such comments is not checked.
 */
#pragma once

#include "src/gpu/weave/gcn-operands.h"
#include "src/gpu/weave/operands.h"

/* Whether a line of @code reads @word as a float of @width bits. */
gboolean tt_gpu_reads_float (const char *code, const char *word, guint width);
/* @word: OUT, IN1 ... IN4. TRUE too where the instruction has no such operand. */
gboolean tt_gpu_ptx_check_floats (const TtGpuOperands *self, const char *code, const char *word, GError **error);
gboolean tt_gpu_gcn_check_floats (const TtGpuGcnOperands *self, const char *code, const char *word, GError **error);
