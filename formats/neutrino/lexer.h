/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The first stage: source text to tokens, by Python's rules of lines and indentation.
 *
 * INDENT and DEDENT come in pairs, every line of code ends in NEWLINE, the last token is END. Within brackets lines
 * and indentation mean nothing; comments and blank lines leave no token. A lexical mistake is reported in @messages and
 * leaves a BAD token, with which the parser gives up the statement.
 */
#pragma once

#include "formats/neutrino/arena.h"
#include "formats/neutrino/messages.h"

#define TT_NL_MAX_BYTES (1024u * 1024u) /* of a source */
#define TT_NL_MAX_BRACKETS 200u         /* open at once */
#define TT_NL_MAX_INDENTS 100u

typedef enum
{
  TT_NL_END,
  TT_NL_NEWLINE,
  TT_NL_INDENT,
  TT_NL_DEDENT,
  TT_NL_NAME,     /* identifiers and keywords */
  TT_NL_INTEGER,  /* @value; @is_huge: it does not fit 64 bits */
  TT_NL_CONSTANT, /* a constant of a type that programs cannot have; @text is the type: "float" */
  TT_NL_STRING,   /* @text, decoded */
  TT_NL_OPERATOR,
  TT_NL_BAD,
} TtNlTokenKind;

typedef struct
{
  TtNlTokenKind kind;
  guint32 offset, len; /* in the source */
  gboolean is_huge;
  guint64 value;    /* of a float: bits of the nearest f64 */
  guint64 narrow;   /* and of the nearest f32 */
  const char *text; /* of NAME, STRING, OPERATOR, CONSTANT; otherwise NULL */
} TtNlToken;

/* @text has at most TT_NL_MAX_BYTES bytes. Returns a GArray of TtNlToken, never empty. */
GArray *tt_nl_lex (const char *text, gsize len, TtNlArena *arena, TtNlMessages *messages);
