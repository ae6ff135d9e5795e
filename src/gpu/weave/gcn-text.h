/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The text of a probe for AMD's machines, made into text of a kernel: its symbols get a prefix that the module does not
 * have, ADDR, OUT, IN1 ... and BYTES become registers and numbers, SAVE lines stores.
 *
 * With the prefix tt_: v[tt_c0:tt_c0+1] is where the next record of map 0 goes, tt_e0 the end of that memory, tt_u0 how
 * many bytes were to be saved, whether they fitted or not. s[tt_maps:tt_maps+1] is the address of the table of maps,
 * tt_all the threads that there are, tt_exec and tt_scc what code around the probe had. The probe's own nv_x is
 * tt_p_nv_x.
 */
#pragma once

#include "formats/neutrino/target.h"
#include "src/gpu/weave/probe.h"

#define TT_GPU_GCN_N_OPERANDS 6u

/* ADDR, OUT, IN1 ... IN4 */
extern const char *const tt_gpu_gcn_operands[TT_GPU_GCN_N_OPERANDS];

typedef struct
{
  const TtGpuProbe *probe;
  const char *file;   /* of the probe, for messages */
  const char *prefix; /* of names: "tt_" */
  const TtNlTarget *target;
  GPtrArray *symbols;         /* of the probe, in their order */
  GHashTable *names;          /* "nv_x": of these */
  guint n_vectors, n_scalars; /* that the probe has itself */
} TtGpuGcnText;

/* FALSE with @error: the probe is not for this machine. Clear it in any case. */
gboolean tt_gpu_gcn_text_init (TtGpuGcnText *self,
                               const TtGpuProbe *probe,
                               const char *file,
                               const char *prefix,
                               const TtNlTarget *target,
                               GError **error);
void tt_gpu_gcn_text_clear (TtGpuGcnText *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TtGpuGcnText, tt_gpu_gcn_text_clear)

/* How many registers all have, the probe's and those around it. */
void tt_gpu_gcn_text_count (const TtGpuGcnText *self, guint *n_vectors, guint *n_scalars);
/* .set lines, of registers from @vector and @scalar on. */
void tt_gpu_gcn_text_number (const TtGpuGcnText *self, guint vector, guint scalar, GString *to);

/* Of @format {x} is [tt_x] and <x> is [tt_x:tt_x+1]. */
void tt_gpu_gcn_append (const TtGpuGcnText *self, GString *to, const char *format, ...) G_GNUC_PRINTF (3, 4);
/* @bytes: what BYTES is. */
gboolean tt_gpu_gcn_text_expand (const TtGpuGcnText *self,
                                 const TtGpuSection *section,
                                 const char *code,
                                 guint bytes,
                                 GString *to,
                                 GError **error);
/* Puts in s_nop where this machine wants it. */
void tt_gpu_gcn_text_wait (const TtGpuGcnText *self, GString *text);
