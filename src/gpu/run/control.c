/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/gpu/run/machine.h"

#include <string.h>

void
tt_gpu_lane_bra (TtGpuLaunch *self, TtGpuThread *thread, const TtGpuOp *op)
{
  tt_gpu_frame (thread)->pc = op->target;
}

static const TtGpuFunction *
find_callee (TtGpuLaunch *self, TtGpuThread *thread, const TtGpuOp *op)
{
  guint64 address, index;

  if (op->callee != NULL)
    return op->callee;
  address = tt_gpu_read (self, thread, &op->operands[0]);
  index = (address - TT_GPU_CODE_WINDOW) / 16;
  if (address < TT_GPU_CODE_WINDOW || address % 16 != 0 || index >= self->functions->len)
    {
      tt_gpu_fault (self, thread, "there is no function at 0x%" G_GINT64_MODIFIER "x", address);
      return NULL;
    }
  return self->functions->pdata[index];
}

static gboolean
fits_callee (const TtGpuOp *op, const TtGpuFunction *callee)
{
  const TtPtxFunction *source = callee->source;

  if (op->n_results > source->results->len || op->n_arguments != source->params->len)
    return FALSE;
  for (guint i = 0; i < op->n_results; i++)
    if (op->arguments[i].reg != ((const TtPtxVariable *) source->results->pdata[i])->bytes)
      return FALSE;
  for (guint i = 0; i < op->n_arguments; i++)
    if (op->arguments[op->n_results + i].reg != ((const TtPtxVariable *) source->params->pdata[i])->bytes)
      return FALSE;
  return TRUE;
}

static gboolean
enter (TtGpuLaunch *self, TtGpuThread *thread, const TtGpuFunction *callee)
{
  TtGpuFrame *frame = &thread->frames[thread->depth + 1];
  guint last = thread->local->len, local = (last + 15) / 16 * 16;

  guint64 bytes = callee->n_registers * 8 + (guint64) callee->param_bytes + callee->local_bytes;

  if (self->frame_bytes + bytes > TT_GPU_MAX_FRAME_BYTES || thread->depth + 1 >= TT_GPU_MAX_DEPTH ||
      local + callee->local_bytes > TT_GPU_MAX_LOCAL)
    {
      tt_gpu_fault (self, thread, "calls are too deep, or have more than 512 KiB of local memory");
      return FALSE;
    }
  self->frame_bytes += bytes;
  *frame = (TtGpuFrame){ .function = callee, .local_base = local, .local_before = last };
  frame->registers = g_new0 (guint64, MAX (callee->n_registers, 1));
  frame->params = g_malloc0 (MAX (callee->param_bytes, 1));
  g_byte_array_set_size (thread->local, local + callee->local_bytes);
  if (thread->local->len > last)
    memset (thread->local->data + last, 0, thread->local->len - last);
  return TRUE;
}

void
tt_gpu_lane_call (TtGpuLaunch *self, TtGpuThread *thread, const TtGpuOp *op)
{
  const TtGpuFunction *callee = find_callee (self, thread, op);
  TtGpuFrame *caller = tt_gpu_frame (thread);

  if (callee == NULL)
    return;
  if (!callee->source->has_body)
    tt_gpu_fault (self, thread, "'%s' has no body in this module", callee->source->name);
  else if (!fits_callee (op, callee))
    tt_gpu_fault (self, thread, "the arguments are not those of '%s'", callee->source->name);
  else if (enter (self, thread, callee))
    {
      for (guint i = 0; i < op->n_arguments; i++)
        {
          const TtGpuOperand *argument = &op->arguments[op->n_results + i];
          const TtPtxVariable *formal = callee->source->params->pdata[i];
          memcpy (thread->frames[thread->depth + 1].params + formal->offset, caller->params + argument->value,
                  argument->reg);
        }
      thread->depth++;
    }
}

/* Of those that wait for threads of their warp some may have waited for this one alone. */
static void
end_thread (TtGpuThread *thread)
{
  thread->state = TT_GPU_ENDED;
  for (guint lane = 0; lane < thread->warp->n; lane++)
    if (thread->warp->threads[lane].state == TT_GPU_AT_WARP_BARRIER)
      thread->warp->threads[lane].state = TT_GPU_RUNS;
}

/* The caller is behind the call already. */
void
tt_gpu_lane_ret (TtGpuLaunch *self, TtGpuThread *thread, const TtGpuOp *op)
{
  TtGpuFrame *frame = tt_gpu_frame (thread), *caller;
  const TtGpuOp *call;

  if (thread->depth == 0)
    {
      end_thread (thread);
      return;
    }
  caller = &thread->frames[thread->depth - 1];
  call = &caller->function->ops[caller->pc - 1];
  for (guint i = 0; i < call->n_results; i++)
    {
      const TtPtxVariable *formal = frame->function->source->results->pdata[i];
      memcpy (caller->params + call->arguments[i].value, frame->params + formal->offset, formal->bytes);
    }
  self->frame_bytes -=
      frame->function->n_registers * 8 + (guint64) frame->function->param_bytes + frame->function->local_bytes;
  g_byte_array_set_size (thread->local, frame->local_before);
  g_clear_pointer (&frame->registers, g_free);
  g_clear_pointer (&frame->params, g_free);
  thread->depth--;
}

void
tt_gpu_lane_exit (TtGpuLaunch *self, TtGpuThread *thread, const TtGpuOp *op)
{
  end_thread (thread);
}

void
tt_gpu_lane_trap (TtGpuLaunch *self, TtGpuThread *thread, const TtGpuOp *op)
{
  tt_gpu_fault (self, thread, "the kernel stops here");
}
