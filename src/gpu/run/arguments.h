/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Arguments of a kernel as words, as --arg takes them:
 *
 *   u32:7  s32:-1  f32:1.5  f64:1e-3 ...   a number
 *   bytes:0102ff                           a struct, as hexadecimal digits
 *   zero:SIZE                              memory of zeros
 *   fill:SIZE:TYPE:NUMBER                  memory of one number
 *   in:FILE                                memory with the bytes of FILE
 *   out:FILE:SIZE                          memory of zeros, written to FILE behind the launch
 *   inout:FILE:OUTPUT                      both
 */
#pragma once

#include <glib.h>

/* The launch that gets them. */
typedef struct
{
  gpointer launch;
  /* Memory of the device, zeroed; NULL with the error. The name is for messages. */
  guint8 *(*allocate) (gpointer launch, const char *name, guint64 bytes, guint64 *address, GError **error);
  /* The parameter @i of the kernel; @len must be its size. */
  gboolean (*set_param) (gpointer launch, guint i, gconstpointer bytes, gsize len, GError **error);
} TtGpuReceiver;

typedef struct _TtGpuArguments TtGpuArguments;

/* Of the parameters from 0 on; @receiver is copied; @words is NULL-ended, NULL: none. */
TtGpuArguments *tt_gpu_arguments_new (const TtGpuReceiver *receiver, char **words, GError **error);
/* What the memories were at first, for another run. */
void tt_gpu_arguments_reset (TtGpuArguments *self);
/* The files of `out` and `inout`. */
gboolean tt_gpu_arguments_write (const TtGpuArguments *self, GError **error);
void tt_gpu_arguments_free (TtGpuArguments *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtGpuArguments, tt_gpu_arguments_free)
