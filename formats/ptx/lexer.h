/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtPtxLexer: the tokens of a PTX text, one after the other.
 */
#pragma once

#include <glib.h>

typedef enum
{
  TT_PTX_TOKEN_END,
  TT_PTX_TOKEN_WORD,     /* mov, %r1, $L_2, _Z3addPf */
  TT_PTX_TOKEN_DOT_WORD, /* .reg, .L2::128B */
  TT_PTX_TOKEN_INTEGER,  /* value */
  TT_PTX_TOKEN_FLOAT32,  /* value: bits */
  TT_PTX_TOKEN_FLOAT64,  /* value: bits */
  TT_PTX_TOKEN_STRING,
  TT_PTX_TOKEN_MARK, /* one character: value */
} TtPtxTokenKind;

typedef struct
{
  TtPtxTokenKind kind;
  guint32 start, end;
  guint line;
  guint64 value;
} TtPtxToken;

typedef struct
{
  const char *name, *text;
  gsize len, at;
  guint line;
  TtPtxToken token; /* the current one */
  guint32 last_end; /* of the one before it */
} TtPtxLexer;

/* Reads the first token. */
gboolean tt_ptx_lexer_init (TtPtxLexer *self, const char *name, const char *text, gsize len, GError **error);
gboolean tt_ptx_lexer_next (TtPtxLexer *self, GError **error);

gboolean tt_ptx_lexer_is_mark (const TtPtxLexer *self, char mark);
/* The text of the current token is @text. */
gboolean tt_ptx_lexer_is (const TtPtxLexer *self, const char *text);
/* Sets @error at the current token: "k.ptx: line 7: ..., not 'x'"; returns FALSE. */
gboolean tt_ptx_lexer_fail (const TtPtxLexer *self, GError **error, const char *fault);
