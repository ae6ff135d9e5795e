/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/neutrino/gcn-table.h"

#define HALVES(instruction) \
  .narrow = instruction " $dl, $al, $bl", .wide = instruction " $dl, $al, $bl\n" instruction " $dh, $ah, $bh"
#define COMPARE(how) \
  .narrow = "v_cmp_" how "_u32_e64 $dp, $al, $bl", .wide = "v_cmp_" how "_u64_e64 $dp, $ap, $bp", .is_whole = TRUE
#define COMPARE_FLOATS(how) \
  .narrow = "v_cmp_" how "_f32_e64 $dp, $al, $bl", .wide = "v_cmp_" how "_f64_e64 $dp, $ap, $bp", .is_whole = TRUE
/* Of the f64 in q, halves by halves: what is below 0 or no number is 0, from 2^64 on all ones. */
#define TO_U64                                                                      \
  "v_trunc_f64_e32 $qp, $qp\nv_max_f64 $qp, $qp, 0\n"                               \
  "v_mov_b32_e32 $kl, 0xffffffe0\nv_ldexp_f64 $rp, $qp, $kl\n"                      \
  "v_floor_f64_e32 $rp, $rp\nv_mov_b32_e32 $kl, 0\nv_mov_b32_e32 $kh, 0xc1f00000\n" \
  "v_fma_f64 $zp, $rp, $kp, $qp\nv_mov_b32_e32 $kh, 0x43f00000\n"                   \
  "v_cmp_ge_f64_e64 $cc, $qp, $kp\nv_cvt_u32_f64_e32 $dl, $zp\n"                    \
  "v_cvt_u32_f64_e32 $dh, $rp\nv_cndmask_b32_e64 $dl, $dl, -1, $cc"
#define READ_SCALAR(instruction) \
  .wide = instruction " $sp\ns_waitcnt lgkmcnt(0)\nv_mov_b32_e32 $dl, $sl\nv_mov_b32_e32 $dh, $sh"

/* 64 steps of restoring division: quotient in q, remainder in r. Division by 0 gives all ones and the dividend. */
#define DIVISION_STEPS                          \
  "v_mov_b32_e32 $rl, 0\n"                      \
  "v_mov_b32_e32 $rh, 0\n"                      \
  ".rept 64\n"                                  \
  "v_cmp_gt_i32_e64 $cc, 0, $rh\n"              \
  "v_lshrrev_b32_e64 $kl, 31, $qh\n"            \
  "v_lshlrev_b64 $rp, 1, $rp\n"                 \
  "v_or_b32_e64 $rl, $rl, $kl\n"                \
  "v_lshlrev_b64 $qp, 1, $qp\n"                 \
  "v_cmp_ge_u64_e64 $sp, $rp, $zp\n"            \
  "s_or_b64 $sp, $sp, $cc\n"                    \
  "v_cndmask_b32_e64 $kl, 0, $zl, $sp\n"        \
  "v_cndmask_b32_e64 $kh, 0, $zh, $sp\n"        \
  "v_sub_co_u32_e64 $rl, $cc, $rl, $kl\n"       \
  "v_subb_co_u32_e64 $rh, $cc, $rh, $kh, $cc\n" \
  "v_cndmask_b32_e64 $kl, 0, 1, $sp\n"          \
  "v_or_b32_e64 $ql, $ql, $kl\n"                \
  ".endr\n"
#define DIVISION(low, high)                                                                                         \
  .narrow =                                                                                                         \
      "v_mov_b32_e32 $ql, $al\nv_mov_b32_e32 $qh, 0\nv_mov_b32_e32 $zl, $bl\nv_mov_b32_e32 $zh, 0\n" DIVISION_STEPS \
      "v_mov_b32_e32 $dl, " low,                                                                                    \
  .wide = "v_mov_b32_e32 $ql, $al\nv_mov_b32_e32 $qh, $ah\nv_mov_b32_e32 $zl, $bl\nv_mov_b32_e32 $zh, "             \
          "$bh\n" DIVISION_STEPS "v_mov_b32_e32 $dl, " low "\nv_mov_b32_e32 $dh, " high,                            \
  .takes_literals = TRUE, .changes_scc = TRUE

const TtNlGcnTemplate tt_nl_gcn_table[TT_NL_N_OPS] = {
  [TT_NL_MOV] = { .narrow = "v_mov_b32_e32 $dl, $al",
                  .wide = "v_mov_b32_e32 $dl, $al\nv_mov_b32_e32 $dh, $ah",
                  .takes_literals = TRUE },
  [TT_NL_ADD] = { .narrow = "v_add_u32_e64 $dl, $al, $bl",
                  .wide = "v_add_co_u32_e64 $dl, $cc, $al, $bl\nv_addc_co_u32_e64 $dh, $cc, $ah, $bh, $cc" },
  [TT_NL_SUB] = { .narrow = "v_sub_u32_e64 $dl, $al, $bl",
                  .wide = "v_sub_co_u32_e64 $dl, $cc, $al, $bl\nv_subb_co_u32_e64 $dh, $cc, $ah, $bh, $cc" },
  [TT_NL_MUL] = { .narrow = "v_mul_lo_u32 $dl, $al, $bl",
                  .wide = "v_mul_lo_u32 $ml, $al, $bh\nv_mul_lo_u32 $mh, $ah, $bl\nv_add_u32_e64 $ml, $ml, $mh\n"
                          "v_mul_hi_u32 $mh, $al, $bl\nv_mul_lo_u32 $dl, $al, $bl\nv_add_u32_e64 $dh, $ml, $mh" },
  [TT_NL_DIV] = { DIVISION ("$ql", "$qh") },
  [TT_NL_MOD] = { DIVISION ("$rl", "$rh") },
  [TT_NL_AND] = { HALVES ("v_and_b32_e64") },
  [TT_NL_OR] = { HALVES ("v_or_b32_e64") },
  [TT_NL_XOR] = { HALVES ("v_xor_b32_e64") },
  [TT_NL_SHL] = { .narrow = "v_lshlrev_b32_e64 $dl, $bl, $al",
                  .wide = "v_lshlrev_b64 $dp, $bl, $ap",
                  .is_whole = TRUE },
  [TT_NL_SHR] = { .narrow = "v_lshrrev_b32_e64 $dl, $bl, $al",
                  .wide = "v_lshrrev_b64 $dp, $bl, $ap",
                  .is_whole = TRUE },
  [TT_NL_NEG] = { .narrow = "v_sub_u32_e64 $dl, 0, $al",
                  .wide = "v_sub_co_u32_e64 $dl, $cc, 0, $al\nv_subb_co_u32_e64 $dh, $cc, 0, $ah, $cc" },
  [TT_NL_NOT] = { .narrow = "v_not_b32_e32 $dl, $al", .wide = "v_not_b32_e32 $dl, $al\nv_not_b32_e32 $dh, $ah" },
  [TT_NL_ZEXT] = { .wide = "v_mov_b32_e32 $dl, $al\nv_mov_b32_e32 $dh, 0" },
  [TT_NL_TRUNC] = { .narrow = "v_mov_b32_e32 $dl, $al" },
  [TT_NL_TIME] = { READ_SCALAR ("s_memrealtime") },
  [TT_NL_CLOCK] = { READ_SCALAR ("s_memtime") },
  /* Of the hardware's id: compute unit, shader array, shader engine. */
  [TT_NL_SMID] = { .narrow = "s_getreg_b32 $sl, hwreg(HW_REG_HW_ID, 8, 8)\nv_mov_b32_e32 $dl, $sl" },
  [TT_NL_POPC] = { .narrow = "v_bcnt_u32_b32 $dl, $al, 0",
                   .wide = "v_bcnt_u32_b32 $dl, $al, 0\nv_bcnt_u32_b32 $dl, $ah, $dl" },
  [TT_NL_SEXT] = { .wide = "v_mov_b32_e32 $dl, $al\nv_ashrrev_i32_e64 $dh, 31, $al" },
  [TT_NL_LANE] = { .narrow = "v_mbcnt_lo_u32_b32 $dl, -1, 0\nv_mbcnt_hi_u32_b32 $dl, -1, $dl" },
  [TT_NL_FLOAT_TO_U32] = { .narrow = "v_cvt_u32_f32_e32 $dl, $al", .wide = "v_cvt_u32_f64_e32 $dl, $ap" },
  [TT_NL_FLOAT_TO_S32] = { .narrow = "v_cvt_i32_f32_e32 $dl, $al", .wide = "v_cvt_i32_f64_e32 $dl, $ap" },
  [TT_NL_FLOAT_TO_U64] = { .narrow = "v_cvt_f64_f32_e32 $qp, $al\n" TO_U64,
                           .wide = "v_mov_b32_e32 $ql, $al\nv_mov_b32_e32 $qh, $ah\n" TO_U64 },
  [TT_NL_FLOAT_EQ] = { COMPARE_FLOATS ("eq") },
  [TT_NL_FLOAT_NE] = { COMPARE_FLOATS ("neq") },
  [TT_NL_FLOAT_LT] = { COMPARE_FLOATS ("lt") },
  [TT_NL_FLOAT_LE] = { COMPARE_FLOATS ("le") },
  [TT_NL_FLOAT_GT] = { COMPARE_FLOATS ("gt") },
  [TT_NL_FLOAT_GE] = { COMPARE_FLOATS ("ge") },
  [TT_NL_CMP_EQ] = { COMPARE ("eq") },
  [TT_NL_CMP_NE] = { COMPARE ("ne") },
  [TT_NL_CMP_LT] = { COMPARE ("lt") },
  [TT_NL_CMP_LE] = { COMPARE ("le") },
  [TT_NL_CMP_GT] = { COMPARE ("gt") },
  [TT_NL_CMP_GE] = { COMPARE ("ge") },
  [TT_NL_PAND] = { .wide = "s_and_b64 $dp, $ap, $bp", .changes_scc = TRUE },
  [TT_NL_POR] = { .wide = "s_or_b64 $dp, $ap, $bp", .changes_scc = TRUE },
  [TT_NL_PNOT] = { .wide = "s_not_b64 $dp, $ap", .changes_scc = TRUE },
  /* The value for false comes first. */
  [TT_NL_SEL] = { .narrow = "v_cndmask_b32_e64 $dl, $cl, $bl, $ap",
                  .wide = "v_cndmask_b32_e64 $dl, $cl, $bl, $ap\nv_cndmask_b32_e64 $dh, $ch, $bh, $ap" },
  [TT_NL_IF] = { .wide = "s_and_saveexec_b64 $ee, $ap", .changes_scc = TRUE },
  [TT_NL_ELSE] = { .wide = "s_xor_b64 exec, exec, $ee", .changes_scc = TRUE },
  [TT_NL_ENDIF] = { .wide = "s_mov_b64 exec, $ee" },
};

const TtNlGcnTemplate tt_nl_gcn_shl_counted = {
  .narrow = "v_cmp_gt_u32_e64 $cc, 32, $bl\nv_lshlrev_b32_e64 $dl, $bl, $al\nv_cndmask_b32_e64 $dl, 0, $dl, $cc",
  .wide = "v_cmp_gt_u32_e64 $cc, 64, $bl\nv_lshlrev_b64 $dp, $bl, $ap\n"
          "v_cndmask_b32_e64 $dl, 0, $dl, $cc\nv_cndmask_b32_e64 $dh, 0, $dh, $cc",
  .is_whole = TRUE,
};

const TtNlGcnTemplate tt_nl_gcn_shr_counted = {
  .narrow = "v_cmp_gt_u32_e64 $cc, 32, $bl\nv_lshrrev_b32_e64 $dl, $bl, $al\nv_cndmask_b32_e64 $dl, 0, $dl, $cc",
  .wide = "v_cmp_gt_u32_e64 $cc, 64, $bl\nv_lshrrev_b64 $dp, $bl, $ap\n"
          "v_cndmask_b32_e64 $dl, 0, $dl, $cc\nv_cndmask_b32_e64 $dh, 0, $dh, $cc",
  .is_whole = TRUE,
};

const char *const tt_nl_gcn_die_id = "s_getreg_b32 $sl, hwreg(HW_REG_XCC_ID, 0, 4)\nv_lshl_or_b32 $dl, $sl, 8, $dl";
