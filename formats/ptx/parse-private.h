/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Between the files of the parser. Functions return FALSE with an error set; every place that recurs is limited.
 */
#pragma once

#include "formats/neutrino/arena.h"
#include "formats/ptx/lexer.h"
#include "formats/ptx/module.h"

#define TT_PTX_MAX_NESTING 32u

typedef struct
{
  TtPtxLexer lexer;
  TtPtxModule *module;
  TtNlArena *arena;
  GError **error;
  GHashTable *variables;              /* of the module, by name */
  guint64 n_registers, initial_bytes; /* of all functions and variables, for their limits */

  /* Of the function that is read. */
  TtPtxFunction *function;
  GArray *scopes;     /* of GHashTable: names of registers and variables in the scopes that are open */
  GArray *scope_ids;  /* of guint, the same */
  GHashTable *labels; /* "SCOPE NAME" -> index + 1 */
} TtPtxParser;

/* What a name of a scope is. */
typedef struct
{
  const TtPtxVariable *variable; /* NULL: registers */
  guint first, n;                /* n 0: the name alone; else NAME0 to NAME(n - 1) */
} TtPtxBinding;

/* -- tokens -- */
gboolean tt_ptx_next (TtPtxParser *self);
/* Past tokens that say nothing about what a program does: up to and with the next semicolon, or those of this line (.loc,
 * .file). */
gboolean tt_ptx_skip_statement (TtPtxParser *self);
gboolean tt_ptx_skip_line (TtPtxParser *self);
gboolean tt_ptx_fail (TtPtxParser *self, const char *fault);
/* Takes the mark @mark; anything else is an error. */
gboolean tt_ptx_expect (TtPtxParser *self, char mark);
/* Takes @mark if it is here: *is_here. */
gboolean tt_ptx_accept (TtPtxParser *self, char mark, gboolean *is_here);
/* The text of the current token, kept. */
const char *tt_ptx_word (TtPtxParser *self);
/* Takes a word as a name. */
gboolean tt_ptx_read_name (TtPtxParser *self, const char **name);
gboolean tt_ptx_read_integer (TtPtxParser *self, guint64 *value);

/* -- the rest -- */
/* What follows ".reg". */
gboolean tt_ptx_read_registers (TtPtxParser *self);
/* What follows the word of a space, up to its end; appends to @list. @is_formal: a parameter in brackets. */
gboolean
tt_ptx_read_variables (TtPtxParser *self, TtPtxSpace space, gboolean is_extern, gboolean is_formal, GPtrArray *list);
gboolean tt_ptx_read_initial (TtPtxParser *self, TtPtxVariable *variable);
gboolean tt_ptx_read_body (TtPtxParser *self);
/* At the word of an opcode, or at @. */
gboolean tt_ptx_read_instruction (TtPtxParser *self);
void tt_ptx_open_scope (TtPtxParser *self);
void tt_ptx_close_scope (TtPtxParser *self);
void tt_ptx_bind (TtPtxParser *self, const char *name, TtPtxBinding binding);
/* FALSE: there is no such name. */
gboolean tt_ptx_lookup_register (TtPtxParser *self, const char *name, guint *reg);
const TtPtxVariable *tt_ptx_lookup_variable (TtPtxParser *self, const char *name);
