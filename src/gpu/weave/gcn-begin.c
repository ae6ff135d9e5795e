/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/gpu/weave/gcn-begin.h"

#include "src/gpu/weave/weave.h"

/* Scalar registers meanwhile: b the block along three axes; g blocks of the grid and threads of a block along them; t the
 * number of the block, and what is computed of it. */

static void
take_numbers (const TtGpuGcnText *self, const TtGpuGcnFrame *frame, GString *to)
{
  for (guint axis = 0; axis < 3; axis++)
    tt_gpu_gcn_append (self, to, "s_mov_b32 s{b+%u}, s%u\n", axis, frame->block[axis]);
  tt_gpu_gcn_append (self, to, "s_mov_b64 s<t>, s[%u:%u]\n", frame->kernarg, frame->kernarg + 1);
  for (guint i = 0; i < frame->n_moves; i++)
    tt_gpu_gcn_append (self, to, "s_mov_b32 s%u, s%u\n", frame->moves[i].to, frame->moves[i].from);
  tt_gpu_gcn_append (self, to, "s_mov_b64 s<all>, exec\ns_load_dwordx2 s<maps>, s<t>, 0x%x\ns_waitcnt lgkmcnt(0)\n",
                     (guint) frame->param_offset);
  for (guint i = 0; i < 3; i++)
    tt_gpu_gcn_append (self, to, "s_load_dwordx2 s[%sg+%u:%sg+%u], s<maps>, 0x%x\n", self->prefix, 2 * i, self->prefix,
                       2 * i + 1, TT_GPU_TABLE_ENTRY * self->probe->maps->len + 8 * i);
  tt_gpu_gcn_append (self, to, "s_waitcnt lgkmcnt(0)\n");
}

/* x is the thread in its block, t the block in its grid, of 64 bits. */
static void
number_thread (const TtGpuGcnText *self, const TtGpuGcnFrame *frame, GString *to)
{
  tt_gpu_gcn_append (self, to,
                     "s_mul_i32 s{t}, s{b+2}, s{g+1}\ns_add_u32 s{t}, s{t}, s{b+1}\n"
                     "s_mul_hi_u32 s{t+1}, s{t}, s{g}\ns_mul_i32 s{t}, s{t}, s{g}\n"
                     "s_add_u32 s{t}, s{t}, s{b}\ns_addc_u32 s{t+1}, s{t+1}, 0\n"
                     "v_and_b32_e32 v{x}, 0x3ff, v0\nv_bfe_u32 v{n}, v0, 10, 10\nv_bfe_u32 v{n+1}, v0, 20, 10\n"
                     "v_mov_b32_e32 v{x+1}, s{g+4}\nv_mul_lo_u32 v{n+1}, v{n+1}, v{x+1}\n"
                     "v_add_u32_e64 v{n}, v{n}, v{n+1}\nv_mov_b32_e32 v{x+1}, s{g+3}\n"
                     "v_mul_lo_u32 v{n}, v{n}, v{x+1}\nv_add_u32_e64 v{x}, v{x}, v{n}\n");
  if (frame->n_thread_axes < 2)
    tt_gpu_gcn_append (self, to, "v_and_b32_e32 v0, %s, v0\n", frame->n_thread_axes == 0 ? "0x3ff" : "0xfffff");
}

/* v<@unit> = t * g[5] + x */
static void
number_unit (const TtGpuGcnText *self, const char *unit, GString *to)
{
  tt_gpu_gcn_append (self, to,
                     "s_mul_hi_u32 s{t+3}, s{t}, s{g+5}\ns_mul_i32 s{t+2}, s{t}, s{g+5}\n"
                     "s_mul_i32 s{t+4}, s{t+1}, s{g+5}\ns_add_u32 s{t+3}, s{t+3}, s{t+4}\n"
                     "v_mov_b32_e32 v{%s+1}, s{t+3}\nv_add_co_u32_e64 v{%s}, s<cc>, s{t+2}, v{x}\n"
                     "v_addc_co_u32_e64 v{%s+1}, s<cc>, 0, v{%s+1}, s<cc>\n",
                     unit, unit, unit, unit);
}

static void
find_memory (const TtGpuGcnText *self, guint i, GString *to)
{
  const char *unit = tt_gpu_probe_map (self->probe, i)->is_warp ? "wave" : "thread";

  tt_gpu_gcn_append (self, to,
                     "s_load_dwordx2 s<t>, s<maps>, 0x%x\ns_load_dword s{t+2}, s<maps>, 0x%x\ns_waitcnt lgkmcnt(0)\n",
                     TT_GPU_TABLE_ENTRY * i, TT_GPU_TABLE_ENTRY * i + 8);
  tt_gpu_gcn_append (self, to,
                     "v_mov_b32_e32 v{x}, s{t}\nv_mov_b32_e32 v{x+1}, s{t+1}\nv_mov_b32_e32 v{e%u}, s{t+2}\n"
                     "v_mad_u64_u32 v<c%u>, s<cc>, v{%s}, v{e%u}, v<x>\n"
                     "v_mul_lo_u32 v{n}, v{%s+1}, v{e%u}\nv_add_u32_e64 v{c%u+1}, v{c%u+1}, v{n}\n",
                     i, i, unit, i, unit, i, i, i);
  tt_gpu_gcn_append (self, to,
                     "v_add_co_u32_e64 v{e%u}, s<cc>, v{c%u}, v{e%u}\nv_addc_co_u32_e64 v{e%u+1}, s<cc>, 0, v{c%u+1}, "
                     "s<cc>\nv_mov_b32_e32 v{u%u}, 0\nv_mov_b32_e32 v{u%u+1}, 0\n",
                     i, i, i, i, i, i, i);
}

void
tt_gpu_gcn_begin (const TtGpuGcnText *self, const TtGpuGcnFrame *frame, GString *to)
{
  take_numbers (self, frame, to);
  number_thread (self, frame, to);
  tt_gpu_gcn_append (self, to, "s_mul_i32 s{g+5}, s{g+5}, s{g+4}\ns_mul_i32 s{g+5}, s{g+5}, s{g+3}\n");
  number_unit (self, "thread", to);
  tt_gpu_gcn_append (self, to,
                     "s_add_u32 s{g+5}, s{g+5}, 63\ns_lshr_b32 s{g+5}, s{g+5}, 6\n"
                     "v_lshrrev_b32_e64 v{x}, 6, v{x}\n");
  number_unit (self, "wave", to);
  for (guint i = 0; i < self->probe->maps->len; i++)
    find_memory (self, i, to);
}

void
tt_gpu_gcn_end (const TtGpuGcnText *self, GString *to)
{
  for (guint i = 0; i < self->probe->maps->len; i++)
    {
      gboolean is_warp = tt_gpu_probe_map (self->probe, i)->is_warp;
      const char *unit = is_warp ? "wave" : "thread";

      tt_gpu_gcn_append (self, to, is_warp ? "s_and_b64 exec, s<all>, 1\n" : "s_mov_b64 exec, s<all>\n");
      tt_gpu_gcn_append (self, to,
                         "s_load_dwordx2 s<t>, s<maps>, 0x%x\nv_lshlrev_b64 v<n>, 3, v<%s>\ns_waitcnt lgkmcnt(0)\n"
                         "v_mov_b32_e32 v{x}, s{t+1}\nv_add_co_u32_e64 v{n}, s<cc>, s{t}, v{n}\n"
                         "v_addc_co_u32_e64 v{n+1}, s<cc>, v{n+1}, v{x}, s<cc>\n"
                         "global_store_dwordx2 v<n>, v<u%u>, off\n",
                         TT_GPU_TABLE_ENTRY * i + 16, unit, i);
    }
}
