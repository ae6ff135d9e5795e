/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/neutrino/ir.h"

const TtNlOpInfo tt_nl_ops[TT_NL_N_OPS] = {
  [TT_NL_MOV] = { "mov", TT_NL_SAME, TT_NL_SAME, .has_width = TRUE },
  [TT_NL_ADD] = { "add", TT_NL_SAME, TT_NL_SAME, TT_NL_SAME, .has_width = TRUE },
  [TT_NL_SUB] = { "sub", TT_NL_SAME, TT_NL_SAME, TT_NL_SAME, .has_width = TRUE },
  [TT_NL_MUL] = { "mul", TT_NL_SAME, TT_NL_SAME, TT_NL_SAME, .has_width = TRUE },
  [TT_NL_DIV] = { "div", TT_NL_SAME, TT_NL_SAME, TT_NL_SAME, .has_width = TRUE },
  [TT_NL_MOD] = { "mod", TT_NL_SAME, TT_NL_SAME, TT_NL_SAME, .has_width = TRUE },
  [TT_NL_AND] = { "and", TT_NL_SAME, TT_NL_SAME, TT_NL_SAME, .has_width = TRUE },
  [TT_NL_OR] = { "or", TT_NL_SAME, TT_NL_SAME, TT_NL_SAME, .has_width = TRUE },
  [TT_NL_XOR] = { "xor", TT_NL_SAME, TT_NL_SAME, TT_NL_SAME, .has_width = TRUE },
  [TT_NL_SHL] = { "shl", TT_NL_SAME, TT_NL_SAME, TT_NL_IS_32, .has_width = TRUE },
  [TT_NL_SHR] = { "shr", TT_NL_SAME, TT_NL_SAME, TT_NL_IS_32, .has_width = TRUE },
  [TT_NL_NEG] = { "neg", TT_NL_SAME, TT_NL_SAME, .has_width = TRUE },
  [TT_NL_NOT] = { "not", TT_NL_SAME, TT_NL_SAME, .has_width = TRUE },
  [TT_NL_ZEXT] = { "zext", TT_NL_IS_64, TT_NL_IS_32 },
  [TT_NL_TRUNC] = { "trunc", TT_NL_IS_32, TT_NL_IS_64 },
  [TT_NL_TIME] = { "time", TT_NL_IS_64 },
  [TT_NL_CLOCK] = { "clock", TT_NL_IS_64 },
  [TT_NL_SMID] = { "smid", TT_NL_IS_32 },
  [TT_NL_POPC] = { "popc", TT_NL_IS_32, TT_NL_SAME, .has_width = TRUE },
  [TT_NL_SEXT] = { "sext", TT_NL_IS_64, TT_NL_IS_32 },
  [TT_NL_LANE] = { "lane", TT_NL_IS_32 },
  [TT_NL_WARP_ID] = { "warp", TT_NL_IS_32 },
  [TT_NL_BLOCK] = { "block", TT_NL_IS_32 },
  [TT_NL_ACTIVEMASK] = { "activemask", TT_NL_IS_32 },
  [TT_NL_BALLOT] = { "ballot", TT_NL_IS_32, TT_NL_TRUTH },
  [TT_NL_FLOAT_TO_U32] = { "to_u32", TT_NL_IS_32, TT_NL_SAME, .has_width = TRUE, .is_float = TRUE },
  [TT_NL_FLOAT_TO_S32] = { "to_s32", TT_NL_IS_32, TT_NL_SAME, .has_width = TRUE, .is_float = TRUE },
  [TT_NL_FLOAT_TO_U64] = { "to_u64", TT_NL_IS_64, TT_NL_SAME, .has_width = TRUE, .is_float = TRUE },
  [TT_NL_FLOAT_EQ] = { "cmp.eq", TT_NL_TRUTH, TT_NL_SAME, TT_NL_SAME, .has_width = TRUE, .is_float = TRUE },
  [TT_NL_FLOAT_NE] = { "cmp.ne", TT_NL_TRUTH, TT_NL_SAME, TT_NL_SAME, .has_width = TRUE, .is_float = TRUE },
  [TT_NL_FLOAT_LT] = { "cmp.lt", TT_NL_TRUTH, TT_NL_SAME, TT_NL_SAME, .has_width = TRUE, .is_float = TRUE },
  [TT_NL_FLOAT_LE] = { "cmp.le", TT_NL_TRUTH, TT_NL_SAME, TT_NL_SAME, .has_width = TRUE, .is_float = TRUE },
  [TT_NL_FLOAT_GT] = { "cmp.gt", TT_NL_TRUTH, TT_NL_SAME, TT_NL_SAME, .has_width = TRUE, .is_float = TRUE },
  [TT_NL_FLOAT_GE] = { "cmp.ge", TT_NL_TRUTH, TT_NL_SAME, TT_NL_SAME, .has_width = TRUE, .is_float = TRUE },
  [TT_NL_CMP_EQ] = { "cmp.eq", TT_NL_TRUTH, TT_NL_SAME, TT_NL_SAME, .has_width = TRUE },
  [TT_NL_CMP_NE] = { "cmp.ne", TT_NL_TRUTH, TT_NL_SAME, TT_NL_SAME, .has_width = TRUE },
  [TT_NL_CMP_LT] = { "cmp.lt", TT_NL_TRUTH, TT_NL_SAME, TT_NL_SAME, .has_width = TRUE },
  [TT_NL_CMP_LE] = { "cmp.le", TT_NL_TRUTH, TT_NL_SAME, TT_NL_SAME, .has_width = TRUE },
  [TT_NL_CMP_GT] = { "cmp.gt", TT_NL_TRUTH, TT_NL_SAME, TT_NL_SAME, .has_width = TRUE },
  [TT_NL_CMP_GE] = { "cmp.ge", TT_NL_TRUTH, TT_NL_SAME, TT_NL_SAME, .has_width = TRUE },
  [TT_NL_PAND] = { "pand", TT_NL_TRUTH, TT_NL_TRUTH, TT_NL_TRUTH },
  [TT_NL_POR] = { "por", TT_NL_TRUTH, TT_NL_TRUTH, TT_NL_TRUTH },
  [TT_NL_PNOT] = { "pnot", TT_NL_TRUTH, TT_NL_TRUTH },
  [TT_NL_SEL] = { "sel", TT_NL_SAME, TT_NL_TRUTH, TT_NL_SAME, TT_NL_SAME, .has_width = TRUE },
  [TT_NL_IF] = { "if", TT_NL_NO_OPERAND, TT_NL_TRUTH },
  [TT_NL_ELSE] = { "else" },
  [TT_NL_ENDIF] = { "endif" },
  [TT_NL_SAVE] = { "save" },
};

const char *const tt_nl_helper_words[TT_NL_N_HELPERS] = {
  [TT_NL_ADDR] = "ADDR", [TT_NL_OUT] = "OUT", [TT_NL_IN1] = "IN1",     [TT_NL_IN2] = "IN2",
  [TT_NL_IN3] = "IN3",   [TT_NL_IN4] = "IN4", [TT_NL_BYTES] = "BYTES",
};

TtNlCode *
tt_nl_code_new (void)
{
  TtNlCode *self = g_new0 (TtNlCode, 1);

  self->list = g_array_new (FALSE, TRUE, sizeof (TtNlInstruction));
  return self;
}

void
tt_nl_code_free (TtNlCode *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->list);
  g_free (self);
}
