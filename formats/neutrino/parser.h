/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the files of the parser share: walking over the tokens (parser.c), nodes (parse-node.c), expressions
 * (parse-expr.c) and blocks (parse-statement.c).
 *
 * A function that parses something returns NULL (or FALSE) after it has reported an error; the statement is then
 * skipped.
 */
#pragma once

#include "formats/neutrino/syntax.h"

typedef struct
{
  const TtNlToken *tokens; /* the last is END */
  gsize at;
  TtNlArena *arena;
  TtNlMessages *messages;
  guint n_nested; /* values within values */
  guint n_ifs;
} TtNlParser;

const TtNlToken *tt_nl_parser_peek (const TtNlParser *self);
const TtNlToken *tt_nl_parser_next (TtNlParser *self);

/* The offset of the next token. */
static inline guint32
tt_nl_parser_here (const TtNlParser *self)
{
  return tt_nl_parser_peek (self)->offset;
}

/* Names and operators by their text. */
gboolean tt_nl_parser_is (const TtNlParser *self, const char *text);
gboolean tt_nl_parser_accept (TtNlParser *self, const char *text);
gboolean tt_nl_parser_expect (TtNlParser *self, const char *text);
/* Reports "expected WHAT, found THAT", unless the lexer has reported the token. */
void tt_nl_parser_unexpected (TtNlParser *self, const char *what);
/* A name that is no keyword; @what it is, for the message. */
const TtNlToken *tt_nl_parser_name (TtNlParser *self, const char *what);
/* To the next statement: after the line, and after the block that belongs to it. */
void tt_nl_parser_skip_statement (TtNlParser *self);
void tt_nl_parser_skip_block (TtNlParser *self);
gboolean tt_nl_is_keyword (const char *text);

/* Nodes. NULL: too deep, which was reported. */
TtNlExpr *tt_nl_parser_expr (TtNlParser *self, TtNlExprKind kind, guint32 offset);
TtNlExpr *tt_nl_parser_refuse (TtNlParser *self, guint32 offset, const char *what);
/* @a and @b (or NULL) become parts of @expr. */
TtNlExpr *tt_nl_parser_join (TtNlParser *self, TtNlExpr *expr, TtNlExpr *a, TtNlExpr *b);
/* Appends to a list at @end. */
TtNlArgument *
tt_nl_parser_append (TtNlParser *self, TtNlArgument ***end, const char *name, guint32 offset, TtNlExpr *value);
/* One value deeper, until the caller counts n_nested down; FALSE: too deep. */
gboolean tt_nl_parser_go_in (TtNlParser *self);

/* A value; "a, b" is a tuple in the second. */
TtNlExpr *tt_nl_parse_value (TtNlParser *self);
TtNlExpr *tt_nl_parse_values (TtNlParser *self);

/* The block after the colon of @owner ("if", "def"). Statements with errors are skipped. */
void tt_nl_parse_block (TtNlParser *self, const char *owner, TtNlStatement **block);
/* The Python name of the statement that begins here, if programs cannot have it: "For". */
const char *tt_nl_parser_refused_statement (const TtNlParser *self);
