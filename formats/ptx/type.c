/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/ptx/type.h"

#include <string.h>

static const struct
{
  const char *name;
  guint bits;
} types[TT_PTX_N_TYPES] = {
  [TT_PTX_VOID] = { "none", 0 },      [TT_PTX_PRED] = { "pred", 1 },    [TT_PTX_U8] = { "u8", 8 },
  [TT_PTX_U16] = { "u16", 16 },       [TT_PTX_U32] = { "u32", 32 },     [TT_PTX_U64] = { "u64", 64 },
  [TT_PTX_S8] = { "s8", 8 },          [TT_PTX_S16] = { "s16", 16 },     [TT_PTX_S32] = { "s32", 32 },
  [TT_PTX_S64] = { "s64", 64 },       [TT_PTX_B8] = { "b8", 8 },        [TT_PTX_B16] = { "b16", 16 },
  [TT_PTX_B32] = { "b32", 32 },       [TT_PTX_B64] = { "b64", 64 },     [TT_PTX_B128] = { "b128", 128 },
  [TT_PTX_F16] = { "f16", 16 },       [TT_PTX_F16X2] = { "f16x2", 32 }, [TT_PTX_BF16] = { "bf16", 16 },
  [TT_PTX_BF16X2] = { "bf16x2", 32 }, [TT_PTX_F32] = { "f32", 32 },     [TT_PTX_F64] = { "f64", 64 },
};

const char *const tt_ptx_spaces[TT_PTX_N_SPACES] = { "generic", "global", "shared", "local", "const", "param" };

TtPtxType
tt_ptx_type_find (const char *word)
{
  for (TtPtxType type = TT_PTX_PRED; type < TT_PTX_N_TYPES; type++)
    if (strcmp (types[type].name, word) == 0)
      return type;
  return TT_PTX_VOID;
}

const char *
tt_ptx_type_name (TtPtxType type)
{
  return types[type].name;
}

guint
tt_ptx_type_bits (TtPtxType type)
{
  return types[type].bits;
}
