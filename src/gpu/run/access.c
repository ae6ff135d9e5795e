/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/gpu/run/real.h"

#include <string.h>

static TtPtxSpace
space_of (const TtGpuOp *op)
{
  return op->is_set[TT_GPU_SPACE] ? op->value[TT_GPU_SPACE] : TT_PTX_GENERIC;
}

static guint64
load (const guint8 *bytes, guint n)
{
  guint64 value = 0;

  memcpy (&value, bytes, n);
  return GUINT64_FROM_LE (value);
}

static void
store (guint8 *bytes, guint n, guint64 value)
{
  value = GUINT64_TO_LE (value);
  memcpy (bytes, &value, n);
}

/* -- loads and stores -------------------------------------------------------------------------------- */

static const TtGpuOperand *
elements_of (const TtGpuOp *op, guint place, guint *n)
{
  guint slot = place == 0 ? 0 : 1;

  *n = op->n_vector[slot] > 0 ? op->n_vector[slot] : 1;
  return op->n_vector[slot] > 0 ? op->vector[slot] : &op->operands[place];
}

static guint8 *
find_elements (TtGpuLaunch *self, TtGpuThread *thread, const TtGpuOp *op, guint place, guint n, const char *does)
{
  guint bytes = tt_ptx_type_bits (op->type) / 8, wanted = op->is_set[TT_GPU_VECTOR] ? op->value[TT_GPU_VECTOR] : 1;

  if (n != wanted)
    {
      tt_gpu_fault (self, thread, "%u elements, and %u registers", wanted, n);
      return NULL;
    }
  return tt_gpu_find_bytes (self, thread, space_of (op), tt_gpu_read (self, thread, &op->operands[place]), bytes * n,
                            bytes * n, does);
}

void
tt_gpu_lane_ld (TtGpuLaunch *self, TtGpuThread *thread, const TtGpuOp *op)
{
  guint bits = tt_ptx_type_bits (op->type), n;
  const TtGpuOperand *to = elements_of (op, 0, &n);
  const guint8 *from = find_elements (self, thread, op, 1, n, "load");
  guint64 values[8];

  if (from == NULL)
    return;
  for (guint i = 0; i < n; i++)
    {
      values[i] = load (from + i * bits / 8, bits / 8);
      if (tt_ptx_type_is_signed (op->type))
        values[i] = (guint64) tt_ptx_extend (values[i], bits);
    }
  for (guint i = 0; i < n; i++)
    tt_gpu_write (thread, &to[i], values[i]);
}

void
tt_gpu_lane_st (TtGpuLaunch *self, TtGpuThread *thread, const TtGpuOp *op)
{
  guint bytes = tt_ptx_type_bits (op->type) / 8, n;
  const TtGpuOperand *from = elements_of (op, 1, &n);
  guint8 *to = find_elements (self, thread, op, 0, n, "store");

  for (guint i = 0; to != NULL && i < n; i++)
    store (to + i * bytes, bytes, tt_gpu_read (self, thread, &from[i]));
}

void
tt_gpu_lane_cp_async (TtGpuLaunch *self, TtGpuThread *thread, const TtGpuOp *op)
{
  guint64 n = tt_gpu_read (self, thread, &op->operands[2]);
  guint64 n_read = op->n > 3 ? MIN (n, tt_gpu_read (self, thread, &op->operands[3])) : n;
  guint8 *to;
  const guint8 *from;

  if (n != 4 && n != 8 && n != 16)
    {
      tt_gpu_fault (self, thread, "it copies 4, 8 or 16 bytes");
      return;
    }
  to = tt_gpu_find_bytes (self, thread, TT_PTX_SHARED, tt_gpu_read (self, thread, &op->operands[0]), (guint) n,
                          (guint) n, "store");
  from = to == NULL || n_read == 0
             ? NULL
             : tt_gpu_find_bytes (self, thread, TT_PTX_GLOBAL, tt_gpu_read (self, thread, &op->operands[1]),
                                  (guint) n_read, (guint) n, "load");
  if (to == NULL || self->fault != NULL)
    return;
  memset (to, 0, n);
  if (from != NULL)
    memcpy (to, from, n_read);
}

/* -- atomics ----------------------------------------------------------------------------------------- */

static guint64
compute_atomic (const TtGpuOp *op, guint64 old, guint64 a, guint64 b)
{
  const guint64 in[] = { old, a };
  guint bits = tt_ptx_type_bits (op->type);

  old = tt_ptx_cut (old, bits);
  a = tt_ptx_cut (a, bits);
  switch ((TtGpuAtomic) op->value[TT_GPU_ATOMIC])
    {
    case TT_GPU_ATOMIC_ADD:
      return tt_gpu_pure_add (op, in);
    case TT_GPU_ATOMIC_MIN:
      return tt_gpu_pure_min (op, in);
    case TT_GPU_ATOMIC_MAX:
      return tt_gpu_pure_max (op, in);
    case TT_GPU_ATOMIC_INC:
      return old >= a ? 0 : old + 1;
    case TT_GPU_ATOMIC_DEC:
      return old == 0 || old > a ? a : old - 1;
    case TT_GPU_ATOMIC_EXCH:
      return a;
    case TT_GPU_ATOMIC_CAS:
      return old == a ? b : old;
    case TT_GPU_ATOMIC_AND:
      return old & a;
    case TT_GPU_ATOMIC_OR:
      return old | a;
    default:
      return old ^ a;
    }
}

static void
run_atomic (TtGpuLaunch *self, TtGpuThread *thread, const TtGpuOp *op, guint place)
{
  guint bytes = tt_ptx_type_bits (op->type) / 8;
  guint64 address = tt_gpu_read (self, thread, &op->operands[place]);
  guint64 a = tt_gpu_read (self, thread, &op->operands[place + 1]);
  gboolean is_swap = op->value[TT_GPU_ATOMIC] == TT_GPU_ATOMIC_CAS;
  guint64 b = op->n > place + 2 ? tt_gpu_read (self, thread, &op->operands[place + 2]) : 0;
  guint8 *at;
  guint64 old;

  if (!op->is_set[TT_GPU_ATOMIC] || is_swap != (op->n > place + 2) || (is_swap && place == 0))
    {
      tt_gpu_fault (self, thread, "so many operands cannot be run here");
      return;
    }
  at = tt_gpu_find_bytes (self, thread, space_of (op), address, bytes, bytes, "atomic access");
  if (at == NULL)
    return;
  old = load (at, bytes);
  store (at, bytes, compute_atomic (op, old, a, b));
  if (place == 1)
    tt_gpu_write (thread, &op->operands[0], old);
}

void
tt_gpu_lane_atom (TtGpuLaunch *self, TtGpuThread *thread, const TtGpuOp *op)
{
  run_atomic (self, thread, op, 1);
}

void
tt_gpu_lane_red (TtGpuLaunch *self, TtGpuThread *thread, const TtGpuOp *op)
{
  run_atomic (self, thread, op, 0);
}

/* -- addresses ---------------------------------------------------------------------------------------- */

static guint64
window_of (TtPtxSpace space)
{
  return space == TT_PTX_SHARED ? TT_GPU_SHARED_WINDOW : space == TT_PTX_LOCAL ? TT_GPU_LOCAL_WINDOW : 0;
}

/* Parameters, globals and constants have the same addresses in their space as in all. */
void
tt_gpu_lane_cvta (TtGpuLaunch *self, TtGpuThread *thread, const TtGpuOp *op)
{
  guint64 window = window_of (space_of (op)), address = tt_gpu_read (self, thread, &op->operands[1]);

  tt_gpu_write (thread, &op->operands[0], op->is_set[TT_GPU_TO] ? address - window : address + window);
}

void
tt_gpu_lane_isspacep (TtGpuLaunch *self, TtGpuThread *thread, const TtGpuOp *op)
{
  guint64 window = tt_gpu_read (self, thread, &op->operands[1]) & ~(TT_GPU_WINDOW_BYTES - 1);
  TtPtxSpace space = space_of (op);
  gboolean is_special =
      window == TT_GPU_SHARED_WINDOW || window == TT_GPU_LOCAL_WINDOW || window == TT_GPU_PARAM_WINDOW;

  if (space == TT_PTX_SHARED || space == TT_PTX_LOCAL)
    tt_gpu_write (thread, &op->operands[0], window == window_of (space));
  else if (space == TT_PTX_PARAM)
    tt_gpu_write (thread, &op->operands[0], window == TT_GPU_PARAM_WINDOW);
  else
    tt_gpu_write (thread, &op->operands[0], !is_special);
}

/* -- moves ---------------------------------------------------------------------------------------------- */

/* From many to one, from one to many, or the same number. */
void
tt_gpu_lane_mov (TtGpuLaunch *self, TtGpuThread *thread, const TtGpuOp *op)
{
  guint n_to, n_from, bits = tt_ptx_type_bits (op->type);
  const TtGpuOperand *to = elements_of (op, 0, &n_to), *from = elements_of (op, 1, &n_from);
  guint64 value = 0;

  if (n_to > 1 && n_from > 1)
    {
      tt_gpu_fault (self, thread, "vectors on both sides");
      return;
    }
  for (guint i = 0; i < n_from; i++)
    value |= tt_ptx_cut (tt_gpu_read (self, thread, &from[i]), bits / n_from) << (i * (bits / n_from) & 63);
  for (guint i = 0; i < n_to; i++)
    tt_gpu_write (thread, &to[i], tt_ptx_cut (value >> (i * (bits / n_to) & 63), bits / n_to));
}

/* Additions and products in pieces. */
void
tt_gpu_lane_carry (TtGpuLaunch *self, TtGpuThread *thread, const TtGpuOp *op)
{
  guint bits = tt_ptx_type_bits (op->type);
  guint64 in[3] = { 0 };
  gboolean takes = g_str_equal (op->opcode->name, "addc") || g_str_equal (op->opcode->name, "subc") ||
                   g_str_equal (op->opcode->name, "madc");
  gboolean gives = !takes || op->is_set[TT_GPU_CARRY], subtracts = op->opcode->name[0] == 's';
  tt_uint128 sum;

  for (guint i = 0; i + 1 < op->n; i++)
    in[i] = tt_ptx_cut (tt_gpu_read (self, thread, &op->operands[i + 1]), bits);
  if (op->opcode->name[0] == 'm')
    {
      TtGpuOp product = *op;

      if (!takes)
        product.value[TT_GPU_PART] = op->opcode->name[4] == 'h' ? TT_GPU_PART_HI : TT_GPU_PART_LO;
      in[0] = tt_ptx_cut (tt_gpu_pure_mul (&product, in), bits);
      in[1] = in[2];
    }
  sum = subtracts ? (tt_uint128) in[0] - in[1] - (takes && thread->carry)
                  : (tt_uint128) in[0] + in[1] + (takes && thread->carry);
  tt_gpu_write (thread, &op->operands[0], tt_ptx_cut ((guint64) sum, bits));
  if (gives)
    thread->carry = (sum >> bits & 1) != 0;
}

void
tt_gpu_lane_nothing (TtGpuLaunch *self, TtGpuThread *thread, const TtGpuOp *op)
{
}
