/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Types of PTX, as registers, variables and instructions name them.
 */
#pragma once

#include <glib.h>

typedef enum
{
  TT_PTX_VOID, /* none */
  TT_PTX_PRED,
  TT_PTX_U8,
  TT_PTX_U16,
  TT_PTX_U32,
  TT_PTX_U64,
  TT_PTX_S8,
  TT_PTX_S16,
  TT_PTX_S32,
  TT_PTX_S64,
  TT_PTX_B8,
  TT_PTX_B16,
  TT_PTX_B32,
  TT_PTX_B64,
  TT_PTX_B128,
  TT_PTX_F16,
  TT_PTX_F16X2,
  TT_PTX_BF16,
  TT_PTX_BF16X2,
  TT_PTX_F32,
  TT_PTX_F64,
  TT_PTX_N_TYPES,
} TtPtxType;

typedef enum
{
  TT_PTX_GENERIC,
  TT_PTX_GLOBAL,
  TT_PTX_SHARED,
  TT_PTX_LOCAL,
  TT_PTX_CONST,
  TT_PTX_PARAM,
  TT_PTX_N_SPACES,
} TtPtxSpace;

extern const char *const tt_ptx_spaces[TT_PTX_N_SPACES]; /* "global" */

/* "u32" -> TT_PTX_U32; TT_PTX_VOID: it is no type. */
TtPtxType tt_ptx_type_find (const char *word);
const char *tt_ptx_type_name (TtPtxType type);
/* 1 for a predicate. */
guint tt_ptx_type_bits (TtPtxType type);

static inline gboolean
tt_ptx_type_is_signed (TtPtxType type)
{
  return type >= TT_PTX_S8 && type <= TT_PTX_S64;
}

static inline gboolean
tt_ptx_type_is_float (TtPtxType type)
{
  return type >= TT_PTX_F16 && type <= TT_PTX_F64;
}

/* The lower @bits of @value. */
static inline guint64
tt_ptx_cut (guint64 value, guint bits)
{
  return bits >= 64 ? value : value & ((G_GUINT64_CONSTANT (1) << bits) - 1);
}

static inline gint64
tt_ptx_extend (guint64 value, guint bits)
{
  guint64 sign = G_GUINT64_CONSTANT (1) << (bits - 1);

  return bits >= 64 ? (gint64) value : (gint64) ((tt_ptx_cut (value, bits) ^ sign) - sign);
}
