/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/gpu/run/machine.h"

#include "src/base/error.h"

/* A warp's turn, in instructions. */
#define TURN 256u
/* Where threads of a warp have gone different ways, those behind go first, so that they meet again; for so many
 * instructions, then those in front: a thread may wait for one of its own warp. */
#define PATIENCE 4096u

typedef struct
{
  guint64 place; /* deeper calls first, then what comes first */
  guint32 mask;
} Group;

static guint64
place_of (const TtGpuThread *thread)
{
  const TtGpuFrame *frame = &thread->frames[thread->depth];

  return (guint64) (TT_GPU_MAX_DEPTH - thread->depth) << 52 | (guint64) frame->function->index << 32 | frame->pc;
}

/* FALSE: no thread of the warp can go on. */
static gboolean
choose_group (TtGpuWarp *warp, Group *group)
{
  guint64 least = G_MAXUINT64, most = 0;
  guint32 runs = 0;

  for (guint lane = 0; lane < warp->n; lane++)
    if (warp->threads[lane].state == TT_GPU_RUNS)
      {
        guint64 place = place_of (&warp->threads[lane]);
        least = MIN (least, place);
        most = MAX (most, place);
        runs |= 1u << lane;
      }
  if (runs == 0)
    return FALSE;
  if (least == most)
    warp->n_in_row = 0;
  group->place = warp->n_in_row++ / PATIENCE % 2 == 0 ? least : most;
  group->mask = 0;
  for (guint lane = 0; lane < warp->n; lane++)
    if ((warp->threads[lane].state == TT_GPU_RUNS || warp->threads[lane].state == TT_GPU_AT_WARP_BARRIER) &&
        place_of (&warp->threads[lane]) == group->place)
      group->mask |= 1u << lane;
  return TRUE;
}

static void
run_lane (TtGpuLaunch *self, TtGpuThread *thread, const TtGpuOp *op)
{
  guint64 in[TT_GPU_MAX_OPERANDS] = { 0 };

  if (op->opcode->lane != NULL)
    {
      op->opcode->lane (self, thread, op);
      return;
    }
  for (guint i = 1; i < op->n; i++)
    in[i - 1] = tt_gpu_read (self, thread, &op->operands[i]);
  tt_gpu_write (thread, &op->operands[0], op->opcode->pure (op, in));
}

static guint32
guarded (const TtGpuOp *op, TtGpuWarp *warp, guint32 mask)
{
  guint32 left = 0;

  for (guint lane = 0; lane < warp->n; lane++)
    if ((mask >> lane & 1) != 0)
      {
        TtGpuFrame *frame = tt_gpu_frame (&warp->threads[lane]);

        frame->pc++;
        if (op->guard == TT_PTX_NO_REGISTER || (frame->registers[op->guard] != 0) != op->guard_is_inverted)
          left |= 1u << lane;
      }
  return left;
}

static void
end_of_function (TtGpuLaunch *self, TtGpuWarp *warp, guint32 mask)
{
  for (guint lane = 0; lane < warp->n; lane++)
    if ((mask >> lane & 1) != 0)
      tt_gpu_lane_ret (self, &warp->threads[lane], NULL);
}

static void
run_group (TtGpuLaunch *self, TtGpuWarp *warp, const Group *group)
{
  guint first = (guint) __builtin_ctz (group->mask);
  const TtGpuFrame *frame = tt_gpu_frame (&warp->threads[first]);
  const TtGpuOp *op;
  guint32 mask;

  self->n_steps++;
  self->n_thread_steps += (guint) __builtin_popcount (group->mask);
  if (frame->pc >= frame->function->n_ops)
    {
      end_of_function (self, warp, group->mask);
      return;
    }
  op = self->op = &frame->function->ops[frame->pc];
  mask = guarded (op, warp, group->mask);
  if (mask == 0)
    return;
  if (op->opcode->group != NULL)
    {
      op->opcode->group (self, warp, mask, op);
      return;
    }
  for (guint lane = 0; lane < warp->n && self->fault == NULL; lane++)
    if ((mask >> lane & 1) != 0)
      run_lane (self, &warp->threads[lane], op);
}

/* -- barriers --------------------------------------------------------------------------------------------- */

static void
release (TtGpuLaunch *self, guint barrier)
{
  guint64 n = 0, sum = 0;

  for (guint i = 0; i < self->n_threads; i++)
    if (self->threads[i].state == TT_GPU_AT_BARRIER && self->threads[i].barrier == barrier)
      {
        n++;
        sum += self->threads[i].value;
      }
  for (guint i = 0; i < self->n_threads; i++)
    {
      TtGpuThread *thread = &self->threads[i];
      const TtGpuOp *op = thread->waiting;

      if (thread->state != TT_GPU_AT_BARRIER || thread->barrier != barrier)
        continue;
      thread->state = TT_GPU_RUNS;
      if (op->opcode->detail == TT_GPU_RED)
        tt_gpu_write (thread, &op->operands[0],
                      op->is_set[TT_GPU_BOOLEAN] ? (op->value[TT_GPU_BOOLEAN] == TT_GPU_AND ? sum == n : sum > 0)
                                                 : sum);
    }
  self->n_arrived[barrier] = 0;
}

/* Whether threads went on. */
static gboolean
release_barriers (TtGpuLaunch *self)
{
  guint waiting[TT_GPU_N_BARRIERS] = { 0 }, expected[TT_GPU_N_BARRIERS] = { 0 }, live = 0;
  gboolean has_moved = FALSE;

  for (guint i = 0; i < self->n_threads; i++)
    {
      const TtGpuThread *thread = &self->threads[i];

      live += thread->state != TT_GPU_ENDED;
      if (thread->state == TT_GPU_AT_BARRIER)
        {
          waiting[thread->barrier]++;
          expected[thread->barrier] = thread->n_expected;
        }
    }
  for (guint i = 0; i < TT_GPU_N_BARRIERS; i++)
    if (waiting[i] > 0 &&
        waiting[i] + self->n_arrived[i] >= (expected[i] > 0 ? MIN (expected[i], live + self->n_arrived[i]) : live))
      {
        release (self, i);
        has_moved = TRUE;
      }
  return has_moved;
}

static void
fail_deadlock (TtGpuLaunch *self)
{
  for (guint i = 0; i < self->n_threads; i++)
    {
      TtGpuThread *thread = &self->threads[i];

      if (thread->state == TT_GPU_ENDED)
        continue;
      const TtGpuFrame *frame = tt_gpu_frame (thread);
      guint at = thread->state == TT_GPU_AT_BARRIER ? frame->pc - 1 : frame->pc;
      self->op = &frame->function->ops[MIN (at, frame->function->n_ops - 1)];
      tt_gpu_fault (self, thread, "the block waits here for ever: other threads never come");
      return;
    }
}

/* -- blocks ------------------------------------------------------------------------------------------------- */

static gboolean
run_warp (TtGpuLaunch *self, TtGpuWarp *warp)
{
  gboolean has_moved = FALSE;
  Group group;

  for (guint i = 0; i < TURN && self->fault == NULL && choose_group (warp, &group); i++)
    {
      has_moved = TRUE;
      if (self->n_steps >= self->max_steps)
        {
          const TtGpuThread *thread = &warp->threads[__builtin_ctz (group.mask)];
          const TtGpuFrame *frame = &thread->frames[thread->depth];
          self->op = &frame->function->ops[MIN (frame->pc, frame->function->n_ops - 1)];
          tt_gpu_fault (self, thread, "more than %" G_GUINT64_FORMAT " instructions of warps (--max-steps)",
                        self->max_steps);
          break;
        }
      run_group (self, warp, &group);
    }
  return has_moved;
}

static gboolean
has_ended (const TtGpuLaunch *self)
{
  for (guint i = 0; i < self->n_threads; i++)
    if (self->threads[i].state != TT_GPU_ENDED)
      return FALSE;
  return TRUE;
}

gboolean
tt_gpu_run_block (TtGpuLaunch *self, GError **error)
{
  while (self->fault == NULL && !has_ended (self))
    {
      gboolean has_moved = FALSE;

      for (guint i = 0; i < self->n_warps; i++)
        has_moved |= run_warp (self, &self->warps[i]);
      has_moved |= release_barriers (self);
      if (!has_moved && self->fault == NULL)
        fail_deadlock (self);
    }
  if (self->fault == NULL)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&self->fault));
  return FALSE;
}
