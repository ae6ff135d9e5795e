/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Words that all stages share: operations and widths.
 */
#pragma once

#include <glib.h>

/* Defined by syntax.h. */
typedef struct _TtNlStatement TtNlStatement;

/* Of a value, in bits. */
typedef enum
{
  TT_NL_U32 = 32,
  TT_NL_U64 = 64,
} TtNlWidth;

/* One step of the list that a probe is lowered to; ir.h has the table of their operands. */
typedef enum
{
  TT_NL_MOV,
  TT_NL_ADD,
  TT_NL_SUB,
  TT_NL_MUL,
  TT_NL_DIV,
  TT_NL_MOD,
  TT_NL_AND,
  TT_NL_OR,
  TT_NL_XOR,
  TT_NL_SHL,
  TT_NL_SHR,
  TT_NL_NEG,
  TT_NL_NOT,
  TT_NL_ZEXT,
  TT_NL_TRUNC,
  TT_NL_TIME,
  TT_NL_CLOCK,
  TT_NL_SMID,
  TT_NL_POPC,
  TT_NL_SEXT,
  TT_NL_LANE,
  TT_NL_WARP_ID,
  TT_NL_BLOCK,
  TT_NL_ACTIVEMASK,
  TT_NL_BALLOT,
  TT_NL_FLOAT_TO_U32,
  TT_NL_FLOAT_TO_S32,
  TT_NL_FLOAT_TO_U64,
  TT_NL_FLOAT_EQ,
  TT_NL_FLOAT_NE,
  TT_NL_FLOAT_LT,
  TT_NL_FLOAT_LE,
  TT_NL_FLOAT_GT,
  TT_NL_FLOAT_GE,
  TT_NL_CMP_EQ,
  TT_NL_CMP_NE,
  TT_NL_CMP_LT,
  TT_NL_CMP_LE,
  TT_NL_CMP_GT,
  TT_NL_CMP_GE,
  TT_NL_PAND,
  TT_NL_POR,
  TT_NL_PNOT,
  TT_NL_SEL,
  TT_NL_IF,
  TT_NL_ELSE,
  TT_NL_ENDIF,
  TT_NL_SAVE,
  TT_NL_N_OPS,
} TtNlOp;

/* What an injector puts in place of the operand of the instruction that was found. */
typedef enum
{
  TT_NL_ADDR,
  TT_NL_OUT,
  TT_NL_IN1,
  TT_NL_IN2,
  TT_NL_IN3,
  TT_NL_IN4,
  TT_NL_BYTES,
  TT_NL_N_HELPERS,
} TtNlHelper;

typedef enum
{
  TT_NL_THREAD,
  TT_NL_WARP,
} TtNlLevel;

/* "@nl.probe" of the seed, or "@probe" and "@Map" of today. */
typedef enum
{
  TT_NL_SEED,
  TT_NL_CURRENT,
} TtNlDialect;
