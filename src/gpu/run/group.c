/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/gpu/run/machine.h"

/* What threads of a warp do together: those of @mask are at the instruction. */

#define FOR_EACH(lane, mask)                       \
  for (guint lane = 0; lane < TT_GPU_WARP; lane++) \
    if (((mask) >> lane & 1) != 0)

static guint32
live_threads (const TtGpuWarp *warp)
{
  guint32 mask = 0;

  for (guint lane = 0; lane < warp->n; lane++)
    if (warp->threads[lane].state != TT_GPU_ENDED)
      mask |= 1u << lane;
  return mask;
}

static guint
first_lane (guint32 mask)
{
  return (guint) __builtin_ctz (mask);
}

/* Threads that have a mask of their own. Returns those that are complete; the others wait here. */
static guint32
gather (TtGpuLaunch *self, TtGpuWarp *warp, guint32 mask, const TtGpuOperand *operand)
{
  guint32 live = live_threads (warp), ready = 0;

  FOR_EACH (lane, mask)
  {
    TtGpuThread *thread = &warp->threads[lane];
    guint32 members = (guint32) tt_gpu_read (self, thread, operand);

    thread->member_mask = members;
    if ((members >> lane & 1) == 0)
      tt_gpu_fault (self, thread, "the thread is not in its own mask 0x%x", members);
    else if ((members & live & ~mask) == 0)
      ready |= 1u << lane;
  }
  FOR_EACH (lane, mask)
  {
    TtGpuThread *thread = &warp->threads[lane];
    gboolean is_ready = (ready >> lane & 1) != 0;

    if (!is_ready)
      tt_gpu_frame (thread)->pc--;
    thread->state = is_ready ? TT_GPU_RUNS : TT_GPU_AT_WARP_BARRIER;
  }
  return ready;
}

static void
write_second (TtGpuThread *thread, const TtGpuOp *op, guint64 value, guint64 second)
{
  if (op->n_vector[0] > 0)
    {
      tt_gpu_write (thread, &op->vector[0][0], value);
      tt_gpu_write (thread, &op->vector[0][1], second);
    }
  else
    tt_gpu_write (thread, &op->operands[0], value);
}

static gboolean
find_source (const TtGpuOp *op, guint lane, guint64 b, guint64 c, guint *from)
{
  int i = (int) lane, offset = (int) (b & 31), bound = (int) (c & 31), segment = (int) (c >> 8 & 31);
  int most = (i & segment) | (bound & ~segment), least = i & segment, j;
  gboolean is_inside;

  switch (op->value[TT_GPU_MODE])
    {
    case TT_GPU_UP:
      j = i - offset;
      is_inside = j >= most;
      break;
    case TT_GPU_DOWN:
      j = i + offset;
      is_inside = j <= most;
      break;
    case TT_GPU_BFLY:
      j = i ^ offset;
      is_inside = j <= most;
      break;
    default:
      j = least | (offset & ~segment);
      is_inside = j <= most;
    }
  *from = (guint) (is_inside ? j : i);
  return is_inside;
}

void
tt_gpu_group_shfl (TtGpuLaunch *self, TtGpuWarp *warp, guint32 mask, const TtGpuOp *op)
{
  guint32 ready = gather (self, warp, mask, &op->operands[4]);
  guint64 values[TT_GPU_WARP] = { 0 }, result[TT_GPU_WARP] = { 0 };
  gboolean inside[TT_GPU_WARP] = { FALSE };

  FOR_EACH (lane, ready)
  values[lane] = tt_gpu_read (self, &warp->threads[lane], &op->operands[1]);
  FOR_EACH (lane, ready)
  {
    TtGpuThread *thread = &warp->threads[lane];
    guint from;

    inside[lane] = find_source (op, lane, tt_gpu_read (self, thread, &op->operands[2]),
                                tt_gpu_read (self, thread, &op->operands[3]), &from);
    /* A value of a thread that is not here is not defined on a GPU; it is 0. */
    result[lane] = values[from & 31];
  }
  FOR_EACH (lane, ready)
  write_second (&warp->threads[lane], op, result[lane], (guint64) inside[lane]);
}

void
tt_gpu_group_vote (TtGpuLaunch *self, TtGpuWarp *warp, guint32 mask, const TtGpuOp *op)
{
  guint32 ready = gather (self, warp, mask, &op->operands[2]), ballot = 0;

  FOR_EACH (lane, ready)
  if (tt_gpu_read (self, &warp->threads[lane], &op->operands[1]) != 0)
    ballot |= 1u << lane;
  FOR_EACH (lane, ready)
  {
    TtGpuThread *thread = &warp->threads[lane];
    guint32 members = thread->member_mask & ready, mine = ballot & members;
    guint64 value;

    switch (op->value[TT_GPU_MODE])
      {
      case TT_GPU_ALL:
        value = mine == members;
        break;
      case TT_GPU_ANY:
        value = mine != 0;
        break;
      case TT_GPU_UNI:
        value = mine == members || mine == 0;
        break;
      default:
        value = mine;
      }
    tt_gpu_write (thread, &op->operands[0], value);
  }
}

void
tt_gpu_group_match (TtGpuLaunch *self, TtGpuWarp *warp, guint32 mask, const TtGpuOp *op)
{
  guint32 ready = gather (self, warp, mask, &op->operands[2]);
  guint bits = tt_ptx_type_bits (op->type);
  guint64 values[TT_GPU_WARP] = { 0 };

  FOR_EACH (lane, ready)
  values[lane] = tt_ptx_cut (tt_gpu_read (self, &warp->threads[lane], &op->operands[1]), bits);
  FOR_EACH (lane, ready)
  {
    guint32 members = warp->threads[lane].member_mask & ready, same = 0;

    FOR_EACH (other, members)
    if (values[other] == values[lane])
      same |= 1u << other;
    if (op->opcode->detail == TT_GPU_ANY)
      tt_gpu_write (&warp->threads[lane], &op->operands[0], same);
    else
      write_second (&warp->threads[lane], op, same == members ? members : 0, same == members);
  }
}

void
tt_gpu_group_redux (TtGpuLaunch *self, TtGpuWarp *warp, guint32 mask, const TtGpuOp *op)
{
  guint32 ready = gather (self, warp, mask, &op->operands[2]);
  guint64 results[TT_GPU_WARP] = { 0 };

  FOR_EACH (lane, ready)
  {
    guint32 members = warp->threads[lane].member_mask & ready;
    guint64 in[2] = { 0 };
    gboolean is_first = TRUE;

    FOR_EACH (other, members)
    {
      in[1] = tt_gpu_read (self, &warp->threads[other], &op->operands[1]);
      if (is_first)
        in[0] = in[1];
      else
        switch (op->value[TT_GPU_ATOMIC])
          {
          case TT_GPU_ATOMIC_MIN:
            in[0] = tt_gpu_pure_min (op, in);
            break;
          case TT_GPU_ATOMIC_MAX:
            in[0] = tt_gpu_pure_max (op, in);
            break;
          case TT_GPU_ATOMIC_AND:
            in[0] &= in[1];
            break;
          case TT_GPU_ATOMIC_OR:
            in[0] |= in[1];
            break;
          case TT_GPU_ATOMIC_XOR:
            in[0] ^= in[1];
            break;
          default:
            in[0] += in[1];
          }
      is_first = FALSE;
    }
    results[lane] = in[0];
  }
  FOR_EACH (lane, ready)
  tt_gpu_write (&warp->threads[lane], &op->operands[0], results[lane]);
}

void
tt_gpu_group_activemask (TtGpuLaunch *self, TtGpuWarp *warp, guint32 mask, const TtGpuOp *op)
{
  FOR_EACH (lane, mask)
  tt_gpu_write (&warp->threads[lane], &op->operands[0], mask);
}

void
tt_gpu_group_elect (TtGpuLaunch *self, TtGpuWarp *warp, guint32 mask, const TtGpuOp *op)
{
  guint32 ready = gather (self, warp, mask, &op->operands[1]);

  FOR_EACH (lane, ready)
  {
    guint leader = first_lane (warp->threads[lane].member_mask & ready);
    write_second (&warp->threads[lane], op, leader, lane == leader);
  }
}

/* -- barriers of blocks --------------------------------------------------------------------------------- */

static void
wait_at (TtGpuLaunch *self, TtGpuThread *thread, const TtGpuOp *op)
{
  gboolean is_red = op->opcode->detail == TT_GPU_RED;
  guint last = op->n - (is_red ? 1 : 0);
  guint64 id = tt_gpu_read (self, thread, &op->operands[is_red ? 1 : 0]);
  guint64 n = last > (is_red ? 2u : 1u) ? tt_gpu_read (self, thread, &op->operands[is_red ? 2 : 1]) : 0;

  if (id >= TT_GPU_N_BARRIERS)
    tt_gpu_fault (self, thread, "there are 16 barriers");
  else if (n % TT_GPU_WARP != 0 || n > TT_GPU_MAX_BLOCK)
    tt_gpu_fault (self, thread, "a barrier takes a multiple of 32 threads");
  else if (op->opcode->detail == TT_GPU_ARRIVE)
    self->n_arrived[id]++;
  else
    {
      thread->state = TT_GPU_AT_BARRIER;
      thread->barrier = (guint) id;
      thread->n_expected = (guint) n;
      thread->waiting = op;
      if (is_red)
        thread->value = tt_gpu_read (self, thread, &op->operands[op->n - 1]) != 0;
    }
}

void
tt_gpu_group_bar (TtGpuLaunch *self, TtGpuWarp *warp, guint32 mask, const TtGpuOp *op)
{
  if (op->opcode->detail == TT_GPU_WARP_SYNC)
    gather (self, warp, mask, &op->operands[0]);
  else
    FOR_EACH (lane, mask)
  wait_at (self, &warp->threads[lane], op);
}
