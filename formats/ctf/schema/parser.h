/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtTsdlParser: types of TSDL: parser.c has names and values, numbers.c integers and reals, compound.c the rest.
 *
 * A scope holds the types that are declared in it, by name ("uint8_t", "struct point"). Who gets a type from here owns a
 * copy of his own, within the schema. NULL and FALSE: the lexer has the fault.
 */
#pragma once

#include "formats/ctf/schema/lexer.h"
#include "formats/ctf/schema/schema.h"

typedef struct _TtTsdlScope TtTsdlScope;

struct _TtTsdlScope
{
  TtTsdlScope *outer;
  GHashTable *types;
};

typedef struct
{
  TtTsdlLexer lexer;
  TtCtfSchema *schema;
  TtTsdlScope *scope; /* the innermost */
  guint depth;        /* of types that are being read */
} TtTsdlParser;

typedef enum
{
  TT_TSDL_VALUE_UNSIGNED,
  TT_TSDL_VALUE_SIGNED,
  TT_TSDL_VALUE_WORDS, /* a.b.c */
  TT_TSDL_VALUE_TEXT,
} TtTsdlValueKind;

typedef struct
{
  TtTsdlValueKind kind;
  guint64 number; /* a signed one as its bits */
  char *text;
} TtTsdlValue;

void tt_tsdl_value_clear (TtTsdlValue *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TtTsdlValue, tt_tsdl_value_clear)

/* -- names and values (parser.c) -------------------------------------------------------------------------------- */

void tt_tsdl_push_scope (TtTsdlParser *self, TtTsdlScope *scope);
void tt_tsdl_pop_scope (TtTsdlParser *self);
/* A copy of the type; NULL: none is declared. */
TtCtfType *tt_tsdl_find_type (TtTsdlParser *self, const char *name);
/* Declares a copy of @type here. */
gboolean tt_tsdl_declare (TtTsdlParser *self, const char *name, const TtCtfType *type);

/* Words with dots between them. Free it. */
char *tt_tsdl_read_words (TtTsdlParser *self);
gboolean tt_tsdl_read_value (TtTsdlParser *self, TtTsdlValue *value);
/* "{ name = value; ... }": @take gets each, once. */
typedef gboolean (*TtTsdlTakeFunc) (TtTsdlParser *self, const char *name, const TtTsdlValue *value, gpointer data);
gboolean tt_tsdl_read_attributes (TtTsdlParser *self, TtTsdlTakeFunc take, gpointer data);
gboolean tt_tsdl_read_byte_order (TtTsdlParser *self, const TtTsdlValue *value, gboolean *is_big_endian);
/* What a value is, or the fault that it is none of those. */
gboolean tt_tsdl_is_number (TtTsdlParser *self, const char *name, const TtTsdlValue *value);
gboolean tt_tsdl_is_string (TtTsdlParser *self, const char *name, const TtTsdlValue *value);

/* "There are too many": what stops trees that grow by copies. */
TtCtfType *tt_tsdl_new_type (TtTsdlParser *self, TtCtfTypeKind kind);
TtCtfType *tt_tsdl_copy_type (TtTsdlParser *self, const TtCtfType *type);

/* -- numbers (numbers.c) ---------------------------------------------------------------------------------------- */

/* After "integer", "floating_point", "string". */
TtCtfType *tt_tsdl_read_integer (TtTsdlParser *self);
TtCtfType *tt_tsdl_read_real (TtTsdlParser *self);
TtCtfType *tt_tsdl_read_string (TtTsdlParser *self);

/* -- compounds and declarations (compound.c) -------------------------------------------------------------------- */

/* A type without a declarator. */
TtCtfType *tt_tsdl_read_type (TtTsdlParser *self);
/* "typedef ...;", "typealias ...;", "struct name { ... };" and so on. */
gboolean tt_tsdl_read_declaration (TtTsdlParser *self);
/* Whether such a one comes. */
gboolean tt_tsdl_is_declaration (const TtTsdlParser *self);
