/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The syntax tree of a source: what the parser makes and the checks read.
 *
 * Everything lives in the arena of the compilation; lists are linked by `next` in the order of the source. Offsets are
 * places in the source, as in TtNlMessages, and are those that Python gives the same nodes.
 */
#pragma once

#include "formats/neutrino/lexer.h"
#include "formats/neutrino/types.h"

#define TT_NL_MAX_NESTED_IFS 64u     /* elif counts */
#define TT_NL_MAX_NESTED_VALUES 250u /* brackets, unary operators, conditional expressions within each other */
#define TT_NL_MAX_OPERANDS 1000u     /* in a row: 1 + 2 + 3 ... */

typedef enum
{
  TT_NL_EXPR_INTEGER,   /* value */
  TT_NL_EXPR_STRING,    /* text */
  TT_NL_EXPR_CONSTANT,  /* text: a type that programs cannot have */
  TT_NL_EXPR_NAME,      /* text */
  TT_NL_EXPR_ATTRIBUTE, /* a . text */
  TT_NL_EXPR_CALL,      /* a ( arguments ) */
  TT_NL_EXPR_UNARY,     /* op a */
  TT_NL_EXPR_BINARY,    /* a op b */
  TT_NL_EXPR_COMPARE,   /* a op b */
  TT_NL_EXPR_AND,       /* a and b */
  TT_NL_EXPR_OR,        /* a or b */
  TT_NL_EXPR_NOT,       /* not a */
  TT_NL_EXPR_CHOICE,    /* a if c else b */
  TT_NL_EXPR_SUBSCRIPT, /* a [ b ] */
  TT_NL_EXPR_TUPLE,     /* arguments, without names */
  TT_NL_EXPR_REFUSED,   /* Python that programs cannot have; text: what */

  /* What the checks turn names and calls into. */
  TT_NL_EXPR_VARIABLE, /* value: its index */
  TT_NL_EXPR_HELPER,   /* value: TtNlHelper */
  TT_NL_EXPR_FUNCTION, /* op */
  TT_NL_EXPR_CAST,     /* a, to width */
  TT_NL_EXPR_APPLY,    /* op of a */
  TT_NL_EXPR_ELEMENT,  /* of `most` variables from `value` on that with the number b */
} TtNlExprKind;

typedef struct _TtNlExpr TtNlExpr;
typedef struct _TtNlArgument TtNlArgument;
typedef struct _TtNlField TtNlField;
typedef struct _TtNlItem TtNlItem;

struct _TtNlArgument
{
  TtNlArgument *next;
  const char *name; /* NULL: by position */
  guint32 offset;
  TtNlExpr *value;
};

struct _TtNlExpr
{
  TtNlExprKind kind;
  TtNlOp op;
  guint32 offset;
  guint32 n_deep; /* 1 + the deepest of what it is made of */
  gboolean is_huge;
  guint64 value;
  const char *text;
  TtNlExpr *a, *b, *c;
  TtNlArgument *arguments;

  /* By the checks: the width of a value, of both sides of a comparison. 0: a value of constants that takes the width of
   * where it goes, if that can hold `most`. */
  guint width;
  guint64 most;         /* of a decimal, by the lexer: its bits as an f32, as those of an f64 are in `value` */
  gboolean is_float;    /* bits of an f32 or f64 */
  gboolean reads_float; /* a cast: a register of the instruction, which must hold that */
};

typedef enum
{
  TT_NL_STATEMENT_ASSIGN, /* target[index] [op]= value */
  TT_NL_STATEMENT_CALL,   /* value */
  TT_NL_STATEMENT_IF,     /* value: condition */
} TtNlStatementKind;

struct _TtNlStatement
{
  TtNlStatement *next;
  TtNlStatementKind kind;
  guint32 offset;
  const char *target;
  TtNlExpr *index;       /* NULL: none */
  gboolean is_augmented; /* the target is the left side of value, too */
  TtNlExpr *value;
  TtNlStatement *then, *otherwise;

  /* By the checks. */
  guint variable;      /* that is assigned */
  guint n_elements;    /* from that on, of which `index` says which; 0: that one alone */
  guint width;         /* of a save() in the seed's dialect */
  guint map;           /* of a save() in the current one */
  TtNlArgument *items; /* of a save() */
};

/* NAME: annotation, in a map. */
struct _TtNlField
{
  TtNlField *next;
  const char *name;
  guint32 offset;
  TtNlExpr *annotation;
};

typedef enum
{
  TT_NL_ITEM_IMPORT,   /* import text [as name] */
  TT_NL_ITEM_FROM,     /* from text import original [as name] */
  TT_NL_ITEM_DECLARE,  /* name: annotation [= value] */
  TT_NL_ITEM_CALLBACK, /* text */
  TT_NL_ITEM_MAP,      /* decorator, name, fields */
  TT_NL_ITEM_PROBE,    /* decorator, name, body */
} TtNlItemKind;

struct _TtNlItem
{
  TtNlItem *next;
  TtNlItemKind kind;
  guint32 offset;
  const char *name, *text, *original;
  TtNlExpr *annotation, *value, *decorator;
  TtNlField *fields;
  gboolean lacks_fields; /* some could not be read */
  TtNlStatement *body;
};

/* Never fails: errors are reported in @messages, and their items left out. */
TtNlItem *tt_nl_parse (const GArray *tokens, TtNlArena *arena, TtNlMessages *messages);
