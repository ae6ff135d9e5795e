/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Vector instructions on integers, for one lane.
 */
#include "config.h"

#include "src/base/int128.h"
#include "src/gpu/gcn/operation.h"

OPERATION (mov, A)
OPERATION (not, ~A)
OPERATION (and, A &B)
OPERATION (or, A | B)
OPERATION (xor, A ^ B)
OPERATION (xnor, ~(A ^ B))
OPERATION (add, A + B)
OPERATION (sub, A - B)
OPERATION (subrev, B - A)
OPERATION (add3, A + B + C)
OPERATION (lshl_add, (A << (B & 31)) + C)
OPERATION (lshl_add64, (A << (B & 7)) + C)
OPERATION (add_lshl, (A + B) << (C & 31))
OPERATION (lshl_or, A << (B & 31) | C)
OPERATION (and_or, (A & B) | C)
OPERATION (or3, A | B | C)
OPERATION (xad, (A ^ B) + C)
OPERATION (mul, A *B)
OPERATION (mul_hi, A *B >> 32)
OPERATION (mul_hi_i, SIGNED (A) * SIGNED (B) >> 32)
OPERATION (mul_u24, (A & 0xffffff) * (B & 0xffffff))
OPERATION (mad_u24, (A & 0xffffff) * (B & 0xffffff) + C)
OPERATION (mul_i24, (SIGNED (A << 8) >> 8) * (SIGNED (B << 8) >> 8))
OPERATION (mad_i24, (SIGNED (A << 8) >> 8) * (SIGNED (B << 8) >> 8) + SIGNED (C))
OPERATION (lshl, B << (A & 31))
OPERATION (lshr, (guint32) B >> (A & 31))
OPERATION (ashr, SIGNED (B) >> (A & 31))
OPERATION (lshl64, B << (A & 63))
OPERATION (lshr64, B >> (A & 63))
OPERATION (ashr64, (gint64) B >> (A & 63))
OPERATION (min_u, MIN ((guint32) A, (guint32) B))
OPERATION (max_u, MAX ((guint32) A, (guint32) B))
OPERATION (min_i, MIN (SIGNED (A), SIGNED (B)))
OPERATION (max_i, MAX (SIGNED (A), SIGNED (B)))
OPERATION (bfe_u, (guint32) A >> (B & 31) & ((G_GUINT64_CONSTANT (1) << (C & 31)) - 1))
OPERATION (bfi, (A & B) | (~A & C))
OPERATION (bcnt, (guint) __builtin_popcount ((guint32) A) + B)
OPERATION (ffbh, (guint32) A == 0 ? G_MAXUINT32 : (guint) __builtin_clz ((guint32) A))
OPERATION (ffbl, (guint32) A == 0 ? G_MAXUINT32 : (guint) __builtin_ctz ((guint32) A))
OPERATION (alignbit, ((A & G_MAXUINT32) << 32 | (B & G_MAXUINT32)) >> (C & 31))
OPERATION (alignbyte, ((A & G_MAXUINT32) << 32 | (B & G_MAXUINT32)) >> 8 * (C & 3))
OPERATION (choose, v->bit ? B : A)

static guint64
bfe_i (TtGcnValues *v)
{
  guint width = C & 31, offset = B & 31;

  if (width == 0)
    return 0;
  guint64 part = (guint64) (SIGNED (A) >> offset);
  return (guint64) ((gint64) (part << (64 - width)) >> (64 - width));
}

static guint64
bfrev (TtGcnValues *v)
{
  guint64 result = 0;

  for (guint i = 0; i < 32; i++)
    result |= (A >> i & 1) << (31 - i);
  return result;
}

static guint64
perm (TtGcnValues *v)
{
  guint64 bytes = A << 32 | (B & G_MAXUINT32), result = 0;

  for (guint i = 0; i < 4; i++)
    {
      guint which = C >> (8 * i) & 255;
      guint64 byte = which < 8     ? bytes >> (8 * which) & 255
                     : which < 12  ? (bytes >> (15 + 16 * (which - 8)) & 1) * 255
                     : which == 12 ? 0
                                   : 255;
      result |= byte << (8 * i);
    }
  return result;
}

static guint64
mbcnt_lo (TtGcnValues *v)
{
  guint64 below = (G_GUINT64_CONSTANT (1) << MIN (v->lane, 32)) - 1;

  return (guint) __builtin_popcountll (A & below & G_MAXUINT32) + B;
}

static guint64
mbcnt_hi (TtGcnValues *v)
{
  guint64 below = v->lane < 32 ? 0 : (G_GUINT64_CONSTANT (1) << (v->lane - 32)) - 1;

  return (guint) __builtin_popcountll (A & below) + B;
}

/* -- with carries ------------------------------------------------------------------------------------- */

static guint64
add_carry (TtGcnValues *v)
{
  guint64 sum = A + B + v->bit;

  v->carry = sum >> 32 != 0;
  return sum;
}

static guint64
sub_carry (TtGcnValues *v)
{
  v->carry = A < B + v->bit;
  return A - B - v->bit;
}

static guint64
subrev_carry (TtGcnValues *v)
{
  v->carry = B < A + v->bit;
  return B - A - v->bit;
}

static guint64
mad_u64 (TtGcnValues *v)
{
  tt_uint128 sum = (tt_uint128) (A * B) + C;

  v->carry = sum >> 64 != 0;
  return (guint64) sum;
}

static guint64
mad_i64 (TtGcnValues *v)
{
  tt_int128 sum = (tt_int128) (SIGNED (A) * SIGNED (B)) + (gint64) C;

  v->carry = sum != (gint64) sum;
  return (guint64) sum;
}

const TtGcnAlu tt_gcn_integers[] = {
  { "v_mov_b32", "w=w", mov, 0 },
  { "v_mov_b64", "q=q", mov, 0 },
  { "v_accvgpr_read_b32", "w=w", mov, 0 },
  { "v_accvgpr_write_b32", "w=w", mov, 0 },
  { "v_not_b32", "w=w", not, 0 },
  { "v_and_b32", "w=ww", and, 0 },
  { "v_or_b32", "w=ww", or, 0 },
  { "v_xor_b32", "w=ww", xor, 0 },
  { "v_xnor_b32", "w=ww", xnor, 0 },
  { "v_add_u32", "w=ww", add, 0 },
  { "v_sub_u32", "w=ww", sub, 0 },
  { "v_subrev_u32", "w=ww", subrev, 0 },
  { "v_add3_u32", "w=www", add3, 0 },
  { "v_lshl_add_u32", "w=www", lshl_add, 0 },
  { "v_lshl_add_u64", "q=qwq", lshl_add64, 0 },
  { "v_add_lshl_u32", "w=www", add_lshl, 0 },
  { "v_lshl_or_b32", "w=www", lshl_or, 0 },
  { "v_and_or_b32", "w=www", and_or, 0 },
  { "v_or3_b32", "w=www", or3, 0 },
  { "v_xad_u32", "w=www", xad, 0 },
  { "v_mul_lo_u32", "w=ww", mul, 0 },
  { "v_mul_hi_u32", "w=ww", mul_hi, 0 },
  { "v_mul_hi_i32", "w=ww", mul_hi_i, 0 },
  { "v_mul_u32_u24", "w=ww", mul_u24, 0 },
  { "v_mad_u32_u24", "w=www", mad_u24, 0 },
  { "v_mul_i32_i24", "w=ww", mul_i24, 0 },
  { "v_mad_i32_i24", "w=www", mad_i24, 0 },
  { "v_lshlrev_b32", "w=ww", lshl, 0 },
  { "v_lshrrev_b32", "w=ww", lshr, 0 },
  { "v_ashrrev_i32", "w=ww", ashr, 0 },
  { "v_lshlrev_b64", "q=wq", lshl64, 0 },
  { "v_lshrrev_b64", "q=wq", lshr64, 0 },
  { "v_ashrrev_i64", "q=wq", ashr64, 0 },
  { "v_min_u32", "w=ww", min_u, 0 },
  { "v_max_u32", "w=ww", max_u, 0 },
  { "v_min_i32", "w=ww", min_i, 0 },
  { "v_max_i32", "w=ww", max_i, 0 },
  { "v_bfe_u32", "w=www", bfe_u, 0 },
  { "v_bfe_i32", "w=www", bfe_i, 0 },
  { "v_bfi_b32", "w=www", bfi, 0 },
  { "v_bfrev_b32", "w=w", bfrev, 0 },
  { "v_bcnt_u32_b32", "w=ww", bcnt, 0 },
  { "v_ffbh_u32", "w=w", ffbh, 0 },
  { "v_ffbl_b32", "w=w", ffbl, 0 },
  { "v_alignbit_b32", "w=www", alignbit, 0 },
  { "v_alignbyte_b32", "w=www", alignbyte, 0 },
  { "v_perm_b32", "w=www", perm, 0 },
  { "v_mbcnt_lo_u32_b32", "w=ww", mbcnt_lo, 0 },
  { "v_mbcnt_hi_u32_b32", "w=ww", mbcnt_hi, 0 },
  { "v_cndmask_b32", "f=ffm", choose, 0 },
  { "v_add_co_u32", "wm=ww", add_carry, 0 },
  { "v_addc_co_u32", "wm=wwm", add_carry, 0 },
  { "v_sub_co_u32", "wm=ww", sub_carry, 0 },
  { "v_subb_co_u32", "wm=wwm", sub_carry, 0 },
  { "v_subrev_co_u32", "wm=ww", subrev_carry, 0 },
  { "v_subbrev_co_u32", "wm=wwm", subrev_carry, 0 },
  { "v_mad_u64_u32", "qm=wwq", mad_u64, 0 },
  { "v_mad_i64_i32", "qm=wwq", mad_i64, 0 },
  { NULL, NULL, NULL, 0 },
};
