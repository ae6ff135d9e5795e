/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Instructions of memory: scalar loads, global memory, and that which a block's waves share (LDS).
 */
#include "config.h"

#include "src/gpu/gcn/machine.h"

#include <string.h>

enum
{
  LOAD,
  LOAD_SIGNED,
  STORE,
  ADD,
  SUB,
  MIN_U,
  MAX_U,
  MIN_I,
  MAX_I,
  AND,
  OR,
  XOR,
  SWAP,
  CMPSWAP,
  PERMUTE,
  LOAD_TWO,
  STORE_TWO,
};

static const struct
{
  const char *name;
  guint8 does, bytes;
} ends[] = {
  { "load_ubyte", LOAD, 1 },
  { "load_sbyte", LOAD_SIGNED, 1 },
  { "load_ushort", LOAD, 2 },
  { "load_sshort", LOAD_SIGNED, 2 },
  { "load_dword", LOAD, 4 },
  { "load_dwordx2", LOAD, 8 },
  { "load_dwordx3", LOAD, 12 },
  { "load_dwordx4", LOAD, 16 },
  { "store_byte", STORE, 1 },
  { "store_short", STORE, 2 },
  { "store_dword", STORE, 4 },
  { "store_dwordx2", STORE, 8 },
  { "store_dwordx3", STORE, 12 },
  { "store_dwordx4", STORE, 16 },
  { "atomic_add", ADD, 4 },
  { "atomic_sub", SUB, 4 },
  { "atomic_umin", MIN_U, 4 },
  { "atomic_umax", MAX_U, 4 },
  { "atomic_smin", MIN_I, 4 },
  { "atomic_smax", MAX_I, 4 },
  { "atomic_and", AND, 4 },
  { "atomic_or", OR, 4 },
  { "atomic_xor", XOR, 4 },
  { "atomic_swap", SWAP, 4 },
  { "atomic_cmpswap", CMPSWAP, 4 },
  { "atomic_add_x2", ADD, 8 },
  { "read_b32", LOAD, 4 },
  { "read_b64", LOAD, 8 },
  { "read_b96", LOAD, 12 },
  { "read_b128", LOAD, 16 },
  { "read_u8", LOAD, 1 },
  { "read_i8", LOAD_SIGNED, 1 },
  { "read_u16", LOAD, 2 },
  { "read_i16", LOAD_SIGNED, 2 },
  { "write_b8", STORE, 1 },
  { "write_b16", STORE, 2 },
  { "write_b32", STORE, 4 },
  { "write_b64", STORE, 8 },
  { "write_b96", STORE, 12 },
  { "write_b128", STORE, 16 },
  { "read2_b32", LOAD_TWO, 4 },
  { "read2_b64", LOAD_TWO, 8 },
  { "write2_b32", STORE_TWO, 4 },
  { "write2_b64", STORE_TWO, 8 },
  { "read2st64_b32", LOAD_TWO, 4 },
  { "read2st64_b64", LOAD_TWO, 8 },
  { "write2st64_b32", STORE_TWO, 4 },
  { "write2st64_b64", STORE_TWO, 8 },
  { "add_u32", ADD, 4 },
  { "sub_u32", SUB, 4 },
  { "min_u32", MIN_U, 4 },
  { "max_u32", MAX_U, 4 },
  { "min_i32", MIN_I, 4 },
  { "max_i32", MAX_I, 4 },
  { "and_b32", AND, 4 },
  { "or_b32", OR, 4 },
  { "xor_b32", XOR, 4 },
  { "bpermute_b32", PERMUTE, 4 },
};

/* -- one lane ------------------------------------------------------------------------------------------- */

static guint
first_register (const TtGcnOperand *operand)
{
  return operand->index + (operand->kind == TT_GCN_ACCUM ? TT_GCN_N_VECTORS : 0);
}

static guint64
get_bytes (const guint8 *at, guint n)
{
  guint64 value = 0;

  for (guint i = 0; i < n; i++)
    value |= (guint64) at[i] << (8 * i);
  return value;
}

static void
put_bytes (guint8 *at, guint n, guint64 value)
{
  for (guint i = 0; i < n; i++)
    at[i] = (guint8) (value >> (8 * i));
}

static void
load (const guint8 *at, const TtGcnOp *op, TtGcnWave *wave, guint reg, guint lane, guint bytes)
{
  if (bytes < 4)
    {
      guint64 value = get_bytes (at, bytes);

      if (op->detail == LOAD_SIGNED)
        value = (guint64) ((gint64) (value << (64 - 8 * bytes)) >> (64 - 8 * bytes));
      wave->vectors[reg][lane] = (guint32) value;
    }
  for (guint i = 0; 4 * i < bytes && bytes >= 4; i++)
    wave->vectors[reg + i][lane] = (guint32) get_bytes (at + 4 * i, 4);
}

static void
store (guint8 *at, const TtGcnWave *wave, guint reg, guint lane, guint bytes)
{
  for (guint i = 0; 4 * i < bytes; i++)
    put_bytes (at + 4 * i, MIN (bytes, 4), wave->vectors[reg + i][lane]);
}

static guint64
combine (guint does, guint64 old, guint64 value)
{
  gint32 a = (gint32) (guint32) old, b = (gint32) (guint32) value;

  switch (does)
    {
    case ADD:
      return old + value;
    case SUB:
      return old - value;
    case MIN_U:
      return MIN (old, value);
    case MAX_U:
      return MAX (old, value);
    case MIN_I:
      return (guint32) MIN (a, b);
    case MAX_I:
      return (guint32) MAX (a, b);
    case AND:
      return old & value;
    case OR:
      return old | value;
    case XOR:
      return old ^ value;
    default:
      return value;
    }
}

/* The value that was there. */
static guint64
change (guint8 *at, const TtGcnOp *op, const TtGcnWave *wave, guint reg, guint lane)
{
  guint64 old = get_bytes (at, op->bytes), value = wave->vectors[reg][lane];

  if (op->bytes == 8)
    value |= (guint64) wave->vectors[reg + 1][lane] << 32;
  if (op->detail == CMPSWAP)
    value = old == wave->vectors[reg + 1][lane] ? value : old;
  put_bytes (at, op->bytes, combine (op->detail, old, value));
  return old;
}

/* -- global memory ---------------------------------------------------------------------------------- */

/* Operands: what is loaded or returned, the address, what is stored, a scalar base or off. */
typedef struct
{
  const TtGcnOperand *result, *address, *data, *base;
} Global;

static Global
find_global (const TtGcnOp *op)
{
  const TtGcnOperand *o = op->source->operands;

  if (op->detail == LOAD || op->detail == LOAD_SIGNED)
    return (Global){ &o[0], &o[1], NULL, &o[2] };
  if (op->detail != STORE && op->source->returns)
    return (Global){ &o[0], &o[1], &o[2], &o[3] };
  return (Global){ NULL, &o[0], &o[1], &o[2] };
}

static void
run_global (TtGcnLaunch *self, TtGcnWave *wave, const TtGcnOp *op)
{
  Global global = find_global (op);
  gboolean has_base = global.base->kind != TT_GCN_OFF;
  guint64 exec = tt_gcn_exec (wave);

  for (guint lane = 0; lane < TT_GCN_WAVE && self->fault == NULL; lane++)
    {
      if ((exec >> lane & 1) == 0)
        continue;
      guint64 address = tt_gcn_read (op, wave, global.address, lane, has_base ? 'w' : 'q');
      if (has_base)
        address += tt_gcn_read (op, wave, global.base, lane, 'q');
      guint8 *at = tt_gcn_bytes (self, wave, address + (guint64) op->source->offset, op->bytes,
                                 op->detail != LOAD && op->detail != LOAD_SIGNED);
      if (at == NULL)
        break;
      if (op->detail == STORE)
        store (at, wave, first_register (global.data), lane, op->bytes);
      else if (global.data == NULL)
        load (at, op, wave, first_register (global.result), lane, op->bytes);
      else
        {
          guint64 old = change (at, op, wave, first_register (global.data), lane);
          if (global.result != NULL)
            tt_gcn_write (wave, global.result, lane, old, op->bytes == 8);
        }
    }
  tt_gcn_add_pending (self, wave, TT_GCN_COUNT_VECTOR, global.result);
}

static gboolean
decode_global (TtGcnOp *op)
{
  Global global = find_global (op);
  guint n = 3 + (global.result != NULL && global.data != NULL), words = (op->bytes + 3) / 4;
  gboolean has_base = global.base->kind != TT_GCN_OFF;

  op->run = run_global;
  return op->source->n == n && op->source->modifier == NULL &&
         (!has_base || (global.base->kind == TT_GCN_SCALAR && global.base->n == 2)) &&
         global.address->kind == TT_GCN_VECTOR && global.address->n == (has_base ? 1 : 2) &&
         (global.result == NULL || (global.result->n == words && global.result->kind <= TT_GCN_ACCUM)) &&
         (global.data == NULL ||
          (global.data->n == words * (op->detail == CMPSWAP ? 2 : 1) && global.data->kind <= TT_GCN_ACCUM));
}

/* -- shared memory ------------------------------------------------------------------------------------ */

static guint8 *
shared_bytes (TtGcnLaunch *self, const TtGcnWave *wave, guint64 address, guint bytes)
{
  if (bytes <= self->shared_bytes && address <= self->shared_bytes - bytes)
    return self->shared + address;
  tt_gcn_fault (self, wave, "%u bytes at 0x%" G_GINT64_MODIFIER "x of shared memory: there are %" G_GUINT64_FORMAT,
                bytes, address, self->shared_bytes);
  return NULL;
}

/* Two accesses, at offsets that count values, or 64 of them. */
static void
run_two (TtGcnLaunch *self, TtGcnWave *wave, const TtGcnOp *op, guint lane)
{
  const TtGcnOperand *o = op->source->operands;
  gboolean is_load = op->detail == LOAD_TWO;
  guint64 address = tt_gcn_read (op, wave, &o[is_load ? 1 : 0], lane, 'w');
  guint64 stride = op->bytes * (strstr (op->source->name, "st64") != NULL ? 64u : 1u);
  guint8 *first = shared_bytes (self, wave, address + op->source->offset0 * stride, op->bytes);
  guint8 *second = shared_bytes (self, wave, address + op->source->offset1 * stride, op->bytes);

  if (first == NULL || second == NULL)
    return;
  if (is_load)
    {
      load (first, op, wave, first_register (&o[0]), lane, op->bytes);
      load (second, op, wave, first_register (&o[0]) + op->bytes / 4, lane, op->bytes);
    }
  else
    {
      store (first, wave, first_register (&o[1]), lane, op->bytes);
      store (second, wave, first_register (&o[2]), lane, op->bytes);
    }
}

static void
run_permute (TtGcnWave *wave, const TtGcnOp *op)
{
  const TtGcnOperand *o = op->source->operands;
  guint64 exec = tt_gcn_exec (wave);
  guint32 result[TT_GCN_WAVE];

  for (guint lane = 0; lane < TT_GCN_WAVE; lane++)
    {
      guint from = (guint) (tt_gcn_read (op, wave, &o[1], lane, 'w') + (guint64) op->source->offset) / 4 % TT_GCN_WAVE;

      result[lane] = (exec >> from & 1) != 0 ? (guint32) tt_gcn_read (op, wave, &o[2], from, 'w') : 0;
    }
  for (guint lane = 0; lane < TT_GCN_WAVE; lane++)
    if ((exec >> lane & 1) != 0)
      tt_gcn_write (wave, &o[0], lane, result[lane], FALSE);
}

static void
run_one (TtGcnLaunch *self, TtGcnWave *wave, const TtGcnOp *op, guint lane)
{
  const TtGcnOperand *o = op->source->operands;
  gboolean is_load = op->detail == LOAD || op->detail == LOAD_SIGNED;
  guint64 address = tt_gcn_read (op, wave, &o[is_load ? 1 : 0], lane, 'w') + (guint64) op->source->offset;
  guint8 *at = shared_bytes (self, wave, address, op->bytes);

  if (at == NULL)
    return;
  if (is_load)
    load (at, op, wave, first_register (&o[0]), lane, op->bytes);
  else if (op->detail == STORE)
    store (at, wave, first_register (&o[1]), lane, op->bytes);
  else
    change (at, op, wave, first_register (&o[1]), lane);
}

static gboolean
loads (const TtGcnOp *op)
{
  return op->detail == LOAD || op->detail == LOAD_SIGNED || op->detail == LOAD_TWO || op->detail == PERMUTE;
}

static void
run_shared (TtGcnLaunch *self, TtGcnWave *wave, const TtGcnOp *op)
{
  guint64 exec = tt_gcn_exec (wave);

  if (op->detail == PERMUTE)
    run_permute (wave, op);
  for (guint lane = 0; lane < TT_GCN_WAVE && self->fault == NULL && op->detail != PERMUTE; lane++)
    if ((exec >> lane & 1) != 0)
      {
        if (op->detail == LOAD_TWO || op->detail == STORE_TWO)
          run_two (self, wave, op, lane);
        else
          run_one (self, wave, op, lane);
      }
  tt_gcn_add_pending (self, wave, TT_GCN_COUNT_LDS, loads (op) ? &op->source->operands[0] : NULL);
}

static gboolean
decode_shared (TtGcnOp *op)
{
  const TtGcnOperand *o = op->source->operands;
  guint words = (op->bytes + 3) / 4, n = op->detail == STORE_TWO || op->detail == PERMUTE ? 3 : 2;
  guint wanted[3] = { loads (op) ? words * (op->detail == LOAD_TWO ? 2 : 1) : 1, loads (op) ? 1 : words,
                      op->detail == PERMUTE ? 1 : words };

  op->run = run_shared;
  if (op->source->n != n || op->source->modifier != NULL || op->source->returns)
    return FALSE;
  for (guint i = 0; i < n; i++)
    if ((o[i].kind != TT_GCN_VECTOR && o[i].kind != TT_GCN_ACCUM) || o[i].n != wanted[i])
      return FALSE;
  return TRUE;
}

/* -- scalar loads --------------------------------------------------------------------------------------- */

static void
run_scalar_load (TtGcnLaunch *self, TtGcnWave *wave, const TtGcnOp *op)
{
  const TtGcnOperand *o = op->source->operands;
  guint64 address = tt_gcn_read (op, wave, &o[1], 0, 'q') + (guint64) op->source->offset;

  if (op->source->n > 2)
    address += tt_gcn_read (op, wave, &o[2], 0, 'w');
  const guint8 *at = tt_gcn_bytes (self, wave, address & ~G_GUINT64_CONSTANT (3), op->bytes, FALSE);
  for (guint i = 0; at != NULL && 4 * i < op->bytes; i++)
    wave->scalars[tt_gcn_place (&o[0]) + i] = (guint32) get_bytes (at + 4 * i, 4);
  tt_gcn_add_pending (self, wave, TT_GCN_COUNT_SCALAR, &o[0]);
}

static gboolean
decode_scalar_load (TtGcnOp *op, const char *size)
{
  guint words = *size == '\0' ? 1 : *size == 'x' ? (guint) g_ascii_strtoull (size + 1, NULL, 10) : 0;
  const TtGcnOperand *o = op->source->operands;

  op->run = run_scalar_load;
  op->bytes = 4 * words;
  return words > 0 && words <= 16 && op->source->n >= 2 && op->source->n <= 3 && op->source->modifier == NULL &&
         o[0].n == words && (o[0].kind == TT_GCN_SCALAR || (o[0].kind == TT_GCN_VCC && o[0].index == 0)) &&
         o[1].kind == TT_GCN_SCALAR && o[1].n == 2 &&
         (o[2].kind == TT_GCN_NONE || o[2].kind == TT_GCN_NUMBER || (o[2].kind == TT_GCN_SCALAR && o[2].n == 1));
}

static void
run_fence (TtGcnLaunch *self, TtGcnWave *wave, const TtGcnOp *op)
{
}

gboolean
tt_gcn_decode_memory (TtGcnOp *op, const char *name)
{
  gboolean is_global = g_str_has_prefix (name, "global_"), is_shared = g_str_has_prefix (name, "ds_");
  const char *end = name + (is_global ? 7 : 3);

  if (g_str_equal (name, "buffer_wbl2") || g_str_equal (name, "buffer_inv") || g_str_equal (name, "buffer_invl2") ||
      g_str_equal (name, "buffer_wbinvl1_vol") || g_str_equal (name, "buffer_wbinvl1"))
    {
      op->run = run_fence;
      return TRUE;
    }
  if (g_str_has_prefix (name, "s_load_dword"))
    return decode_scalar_load (op, name + 12);
  for (guint i = 0; i < G_N_ELEMENTS (ends) && (is_global || is_shared); i++)
    if (g_str_equal (end, ends[i].name))
      {
        gboolean is_of_global =
            g_str_has_prefix (end, "load_") || g_str_has_prefix (end, "store_") || g_str_has_prefix (end, "atomic_");

        op->detail = ends[i].does;
        op->bytes = ends[i].bytes;
        return is_of_global == is_global && (is_global ? decode_global (op) : decode_shared (op));
      }
  return FALSE;
}
