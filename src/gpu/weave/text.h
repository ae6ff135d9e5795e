/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The text of a probe, made into text of a kernel: its registers get names that the kernel does not have, ADDR, OUT, IN1
 * ... and BYTES become registers and numbers, SAVE lines stores.
 *
 * With the prefix tt_: %tt_c0 is where the next record of map 0 goes, %tt_e0 the end of that memory, %tt_u0 how many bytes
 * were to be saved, whether they fitted or not.
 */
#pragma once

#include "src/gpu/weave/probe.h"

typedef struct
{
  const TtGpuProbe *probe;
  const char *file;   /* of the probe, for messages */
  const char *prefix; /* of names: "tt_" */
  GHashTable *names;  /* declared by the probe: "%x", or "%nt<" of a family */
  guint n_labels;
} TtGpuText;

void tt_gpu_text_init (TtGpuText *self, const TtGpuProbe *probe, const char *file, const char *prefix);
void tt_gpu_text_clear (TtGpuText *self);

/* Whether @code has @word, standing alone. */
gboolean tt_gpu_text_has (const char *code, const char *word);
/* Appends @code to @to, but for declarations of registers outside of braces, which go to @declarations if it is not NULL.
 * @bytes: what BYTES is. */
gboolean tt_gpu_text_expand (TtGpuText *self,
                             const TtGpuSection *section,
                             const char *code,
                             guint bytes,
                             GString *declarations,
                             GString *to,
                             GError **error);
