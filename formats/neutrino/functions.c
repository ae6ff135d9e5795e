/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/neutrino/functions.h"

static const TtNlFunction functions[] = {
  { "time", TT_NL_TIME, TT_NL_U64 },
  { "clock", TT_NL_CLOCK, TT_NL_U64 },
  { "smid", TT_NL_SMID, TT_NL_U32 },
  { "cuid", TT_NL_SMID, TT_NL_U32 },
  { "lane", TT_NL_LANE, TT_NL_U32 },
  { "warp", TT_NL_WARP_ID, TT_NL_U32 },
  { "block", TT_NL_BLOCK, TT_NL_U32 },
  { "activemask", TT_NL_ACTIVEMASK, TT_NL_U32 },
  { "popc", TT_NL_POPC, TT_NL_U32, .is_of_value = TRUE },
  { "s32", TT_NL_SEXT, TT_NL_U64, .is_of_value = TRUE },
  { "ballot", TT_NL_BALLOT, TT_NL_U32, .is_of_condition = TRUE },
};

/* What one may look for, and what to write instead. */
static const struct
{
  const char *name, *instead;
} missing[] = {
  { "f16", "nl.u32(nl.in1) has the bits of an f16" },
  { "s64", "values are unsigned: x >> 63 is the sign of 64 bits" },
  { "shfl", "threads do not see each other's values: save them, with nl.lane()" },
};

const TtNlFunction *
tt_nl_function_find (const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (functions); i++)
    if (g_str_equal (name, functions[i].name))
      return &functions[i];
  return NULL;
}

gboolean
tt_nl_function_is_float (const char *name)
{
  return g_str_equal (name, "f32") || g_str_equal (name, "f64") || g_str_equal (name, "bits");
}

gboolean
tt_nl_function_is_name (const char *name)
{
  return tt_nl_function_find (name) != NULL || g_str_equal (name, "u32") || g_str_equal (name, "u64") ||
         g_str_equal (name, "save") || tt_nl_function_is_float (name);
}

const char *
tt_nl_function_instead (const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (missing); i++)
    if (g_str_equal (name, missing[i].name))
      return missing[i].instead;
  return NULL;
}

guint64
tt_nl_compute (TtNlOp op, guint64 a, guint64 b)
{
  switch (op)
    {
    case TT_NL_ADD:
      return a + b;
    case TT_NL_SUB:
      return a - b;
    case TT_NL_MUL:
      return a * b;
    case TT_NL_DIV:
      return a / b;
    case TT_NL_MOD:
      return a % b;
    case TT_NL_AND:
      return a & b;
    case TT_NL_OR:
      return a | b;
    case TT_NL_XOR:
      return a ^ b;
    case TT_NL_SHL:
      return a << b;
    case TT_NL_SHR:
      return a >> b;
    default:
      g_assert_not_reached ();
    }
}
