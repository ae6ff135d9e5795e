/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtTsdlLexer: the tokens of TSDL, the language of CTF 1.8's metadata, one at a time.
 *
 * The token that comes next lies in the lexer until tt_tsdl_next(). The first fault stays, with its line, and from there on
 * all tokens are TT_TSDL_END. The text is borrowed and ends with a NUL.
 */
#pragma once

#include <glib.h>

/* Others are characters: '{', ';' ... */
typedef enum
{
  TT_TSDL_END = 256,
  TT_TSDL_WORD,   /* names and keywords */
  TT_TSDL_NUMBER, /* without a sign */
  TT_TSDL_TEXT,   /* "..." or '...' */
  TT_TSDL_ASSIGN, /* := */
  TT_TSDL_ARROW,  /* -> */
  TT_TSDL_DOTS,   /* ... */
} TtTsdlToken;

typedef struct
{
  const char *at;    /* after the token */
  const char *begin; /* of the token */
  guint line;        /* of the token, from 1 */
  guint line_before; /* of the token before it */
  int token;
  GString *text; /* of a word or text */
  guint64 number;
  char *fault; /* NULL: none */
} TtTsdlLexer;

/* Begins with the first token. */
void tt_tsdl_lexer_init (TtTsdlLexer *self, const char *text);
void tt_tsdl_lexer_clear (TtTsdlLexer *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TtTsdlLexer, tt_tsdl_lexer_clear)

void tt_tsdl_next (TtTsdlLexer *self);
/* Goes back to the token that begins at @at, in the line @line. */
void tt_tsdl_go_to (TtTsdlLexer *self, const char *at, guint line);

gboolean tt_tsdl_is_word (const TtTsdlLexer *self, const char *word);
/* Goes on if the token is that; FALSE: it is another. */
gboolean tt_tsdl_skip (TtTsdlLexer *self, int token);
gboolean tt_tsdl_skip_word (TtTsdlLexer *self, const char *word);
/* The same; if it is another, that is a fault. */
gboolean tt_tsdl_expect (TtTsdlLexer *self, int token);
/* FALSE, for what stands before the token. Keeps the first fault. */
gboolean tt_tsdl_fail (TtTsdlLexer *self, const char *format, ...) G_GNUC_PRINTF (2, 3);
/* "syntax error at ..." */
gboolean tt_tsdl_fail_syntax (TtTsdlLexer *self);
