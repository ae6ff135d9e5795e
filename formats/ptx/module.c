/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/ptx/parse-private.h"

#include "src/base/error.h"

#include <string.h>

/* -- functions ------------------------------------------------------------------------------------------- */

static void
function_free (gpointer data)
{
  TtPtxFunction *self = data;

  g_ptr_array_unref (self->params);
  g_ptr_array_unref (self->results);
  g_ptr_array_unref (self->variables);
  g_array_unref (self->registers);
  g_array_unref (self->instructions);
  g_array_unref (self->scopes);
  g_hash_table_unref (self->prototypes);
  g_free (self);
}

static void
variable_free (gpointer data)
{
  TtPtxVariable *self = data;

  g_clear_pointer (&self->fixups, g_array_unref);
}

static TtPtxFunction *
function_new (gboolean is_entry, guint line)
{
  TtPtxFunction *self = g_new0 (TtPtxFunction, 1);

  self->is_entry = is_entry;
  self->line = line;
  self->params = g_ptr_array_new ();
  self->results = g_ptr_array_new ();
  self->variables = g_ptr_array_new_with_free_func (variable_free);
  self->registers = g_array_new (FALSE, TRUE, sizeof (TtPtxRegister));
  self->instructions = g_array_new (FALSE, TRUE, sizeof (TtPtxInstruction));
  self->scopes = g_array_new (FALSE, TRUE, sizeof (guint));
  self->prototypes = g_hash_table_new (g_str_hash, g_str_equal);
  return self;
}

/* (.param .u64 a, .reg .b32 b) */
static gboolean
read_formals (TtPtxParser *self, GPtrArray *list)
{
  gboolean is_here;

  if (!tt_ptx_expect (self, '(') || !tt_ptx_accept (self, ')', &is_here))
    return FALSE;
  while (!is_here)
    {
      if (!tt_ptx_lexer_is (&self->lexer, ".param"))
        return tt_ptx_fail (self, "expected '.param'");
      if (!tt_ptx_next (self) || !tt_ptx_read_variables (self, TT_PTX_PARAM, FALSE, TRUE, list) ||
          !tt_ptx_accept (self, ',', &is_here))
        return FALSE;
      if (!is_here && !tt_ptx_expect (self, ')'))
        return FALSE;
      is_here = !is_here;
    }
  return TRUE;
}

/* .maxntid 128, 1, 1 .noreturn ... up to the body or the ; */
static gboolean
read_tuning (TtPtxParser *self)
{
  TtPtxFunction *function = self->function;

  while (!tt_ptx_lexer_is_mark (&self->lexer, '{') && !tt_ptx_lexer_is_mark (&self->lexer, ';'))
    {
      gboolean is_required = tt_ptx_lexer_is (&self->lexer, ".reqntid");
      guint64 value = 0;
      guint i = 0;

      if (self->lexer.token.kind != TT_PTX_TOKEN_DOT_WORD)
        return tt_ptx_fail (self, "expected the body of the function");
      if (!tt_ptx_next (self))
        return FALSE;
      for (gboolean is_here = self->lexer.token.kind == TT_PTX_TOKEN_INTEGER; is_here; i++)
        {
          if (!tt_ptx_read_integer (self, &value) || !tt_ptx_accept (self, ',', &is_here))
            return FALSE;
          if (is_required && i < 3)
            function->required[i] = (guint) MIN (value, G_MAXUINT);
        }
      for (; is_required && i < 3; i++)
        function->required[i] = 1;
      if (self->lexer.token.kind == TT_PTX_TOKEN_STRING && !tt_ptx_next (self))
        return FALSE;
    }
  return TRUE;
}

static gboolean
read_function_parts (TtPtxParser *self)
{
  TtPtxFunction *function = self->function;
  gboolean is_here;

  if (tt_ptx_lexer_is_mark (&self->lexer, '(') && !read_formals (self, function->results))
    return FALSE;
  if (!tt_ptx_read_name (self, &function->name))
    return FALSE;
  function->params_start = function->params_end = self->lexer.last_end;
  if (tt_ptx_lexer_is_mark (&self->lexer, '('))
    {
      function->params_start = self->lexer.token.start;
      if (!read_formals (self, function->params))
        return FALSE;
      function->params_end = self->lexer.last_end;
    }
  if (!read_tuning (self) || !tt_ptx_accept (self, ';', &is_here))
    return FALSE;
  function->has_body = !is_here;
  return is_here || tt_ptx_read_body (self);
}

static gboolean
read_function (TtPtxParser *self, gboolean is_entry)
{
  GHashTable *names = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, g_free);
  gboolean ok;

  self->function = function_new (is_entry, self->lexer.token.line);
  g_ptr_array_add (self->module->functions, self->function);
  self->scopes = g_array_new (FALSE, FALSE, sizeof (GHashTable *));
  self->scope_ids = g_array_new (FALSE, FALSE, sizeof (guint));
  g_array_append_val (self->scopes, names);
  ok = tt_ptx_next (self) && read_function_parts (self);
  for (guint i = 0; i < self->scopes->len; i++)
    g_hash_table_unref (g_array_index (self->scopes, GHashTable *, i));
  g_array_unref (self->scopes);
  g_array_unref (self->scope_ids);
  self->function = NULL;
  return ok;
}

/* -- the module -------------------------------------------------------------------------------------------- */

static gboolean
read_version (TtPtxParser *self)
{
  const TtPtxToken *token = &self->lexer.token;
  double version;

  if (!tt_ptx_next (self))
    return FALSE;
  if (token->kind != TT_PTX_TOKEN_FLOAT64)
    return tt_ptx_fail (self, "a version is two numbers");
  memcpy (&version, &token->value, sizeof version);
  if (!(version >= 1.0 && version < 100.0))
    return tt_ptx_fail (self, "a version of PTX is at least 1.0");
  self->module->version = (guint) (version * 10 + 0.5);
  return tt_ptx_next (self);
}

static gboolean
read_target (TtPtxParser *self)
{
  gboolean is_here;

  if (!tt_ptx_next (self))
    return FALSE;
  do
    {
      const char *name = NULL;

      if (!tt_ptx_read_name (self, &name) || !tt_ptx_accept (self, ',', &is_here))
        return FALSE;
      if (self->module->target == NULL)
        self->module->target = name;
    }
  while (is_here);
  return TRUE;
}

/* .section .debug_info { ... }; @@DWARF is of compilers that are gone. */
static gboolean
skip_section (TtPtxParser *self)
{
  while (!tt_ptx_lexer_is_mark (&self->lexer, '}'))
    if (self->lexer.token.kind == TT_PTX_TOKEN_END)
      return tt_ptx_fail (self, "expected '}'");
    else if (!tt_ptx_next (self))
      return FALSE;
  return tt_ptx_next (self);
}

static gboolean
read_linked (TtPtxParser *self)
{
  static const char *const linkages[] = { ".visible", ".extern", ".weak", ".common" };
  gboolean is_extern = FALSE;

  for (guint i = 0; i < G_N_ELEMENTS (linkages); i++)
    if (tt_ptx_lexer_is (&self->lexer, linkages[i]))
      {
        is_extern = i == 1;
        if (!tt_ptx_next (self))
          return FALSE;
        break;
      }
  if (tt_ptx_lexer_is (&self->lexer, ".entry") || tt_ptx_lexer_is (&self->lexer, ".func"))
    return read_function (self, tt_ptx_lexer_is (&self->lexer, ".entry"));
  for (TtPtxSpace space = TT_PTX_GLOBAL; space <= TT_PTX_CONST; space++)
    if (self->lexer.token.kind == TT_PTX_TOKEN_DOT_WORD && strcmp (tt_ptx_word (self) + 1, tt_ptx_spaces[space]) == 0)
      return tt_ptx_next (self) && tt_ptx_read_variables (self, space, is_extern, FALSE, self->module->variables);
  return tt_ptx_fail (self, "a directive that is not known");
}

static gboolean
read_top (TtPtxParser *self)
{
  guint64 value;

  if (tt_ptx_lexer_is (&self->lexer, ".version"))
    return read_version (self);
  if (tt_ptx_lexer_is (&self->lexer, ".target"))
    return read_target (self);
  if (tt_ptx_lexer_is (&self->lexer, ".address_size"))
    {
      if (!tt_ptx_next (self) || !tt_ptx_read_integer (self, &value))
        return FALSE;
      self->module->address_size = (guint) value;
      return value == 32 || value == 64 || tt_ptx_fail (self, "addresses have 32 or 64 bits; then there is");
    }
  if (tt_ptx_lexer_is (&self->lexer, ".section"))
    return skip_section (self);
  if (tt_ptx_lexer_is (&self->lexer, ".file") || tt_ptx_lexer_is (&self->lexer, ".loc"))
    return tt_ptx_skip_line (self);
  if (tt_ptx_lexer_is (&self->lexer, ".pragma") || tt_ptx_lexer_is (&self->lexer, ".alias"))
    return tt_ptx_skip_statement (self);
  if (tt_ptx_lexer_is_mark (&self->lexer, ';'))
    return tt_ptx_next (self);
  if (self->lexer.token.kind == TT_PTX_TOKEN_DOT_WORD)
    return read_linked (self);
  return tt_ptx_fail (self, "expected a directive");
}

static gboolean
read_module (TtPtxParser *self, const char *name)
{
  if (!tt_ptx_lexer_init (&self->lexer, name, self->module->text, self->module->len, self->error))
    return FALSE;
  if (!tt_ptx_lexer_is (&self->lexer, ".version"))
    return tt_ptx_fail (self, "PTX begins with '.version'");
  while (self->lexer.token.kind != TT_PTX_TOKEN_END)
    if (!read_top (self))
      return FALSE;
  if (self->module->target == NULL)
    return tt_ptx_fail (self, "expected '.target'");
  return TRUE;
}

TtPtxModule *
tt_ptx_module_new (const char *name, const char *text, gsize len, GError **error)
{
  g_autoptr (TtPtxModule) module = g_new0 (TtPtxModule, 1);
  g_autoptr (GHashTable) variables = g_hash_table_new (g_str_hash, g_str_equal);
  GError *fault = NULL;
  TtPtxParser self = { .module = module, .variables = variables, .error = &fault };

  module->address_size = 32;
  module->arena = self.arena = tt_nl_arena_new ();
  module->variables = g_ptr_array_new_with_free_func (variable_free);
  module->functions = g_ptr_array_new_with_free_func (function_free);
  module->words = g_hash_table_new (g_str_hash, g_str_equal);
  if (len > TT_PTX_MAX_BYTES)
    {
      g_set_error (error, TT_ERROR, TT_ERROR_FORMAT, "%s: more than 16 MiB", name);
      return NULL;
    }
  module->text = g_strndup (text, len);
  module->len = len;
  if (len > 0 && memchr (text, '\0', len) != NULL)
    g_set_error (&fault, TT_ERROR, TT_ERROR_FORMAT, "%s: a NUL byte: this is no text", name);
  else
    read_module (&self, name);
  if (fault == NULL)
    return g_steal_pointer (&module);
  g_propagate_error (error, fault);
  return NULL;
}

void
tt_ptx_module_free (TtPtxModule *self)
{
  if (self == NULL)
    return;
  g_clear_pointer (&self->variables, g_ptr_array_unref);
  g_clear_pointer (&self->functions, g_ptr_array_unref);
  g_clear_pointer (&self->words, g_hash_table_unref);
  tt_nl_arena_free (self->arena);
  g_free (self->text);
  g_free (self);
}

/* -- looking up ------------------------------------------------------------------------------------------------ */

const TtPtxFunction *
tt_ptx_module_function (const TtPtxModule *self, const char *name)
{
  const TtPtxFunction *found = NULL;

  for (guint i = 0; i < self->functions->len; i++)
    {
      const TtPtxFunction *function = self->functions->pdata[i];
      if (strcmp (function->name, name) == 0 && (found == NULL || function->has_body))
        found = function;
    }
  return found;
}

const TtPtxVariable *
tt_ptx_module_variable (const TtPtxModule *self, const char *name)
{
  for (guint i = 0; i < self->variables->len; i++)
    if (strcmp (((const TtPtxVariable *) self->variables->pdata[i])->name, name) == 0)
      return self->variables->pdata[i];
  return NULL;
}

const TtPtxFunction *
tt_ptx_module_entry (const TtPtxModule *self, const char *name, GError **error)
{
  const TtPtxFunction *found = NULL;
  guint n = 0;

  for (guint i = 0; i < self->functions->len; i++)
    {
      const TtPtxFunction *function = self->functions->pdata[i];
      if (function->is_entry && function->has_body && (name == NULL || g_str_equal (function->name, name)))
        {
          found = function;
          n++;
        }
    }
  if (n == 0 && name != NULL)
    g_set_error (error, TT_ERROR, TT_ERROR_FORMAT, "there is no kernel '%s'", name);
  else if (n == 0)
    g_set_error (error, TT_ERROR, TT_ERROR_FORMAT, "there is no kernel (.entry) in it");
  else if (n > 1)
    g_set_error (error, TT_ERROR, TT_ERROR_FORMAT, "there are %u kernels: choose one with --kernel", n);
  else
    return found;
  return NULL;
}

gboolean
tt_ptx_opcode_is (const char *opcode, const char *name)
{
  gsize len = strlen (name);

  return strncmp (opcode, name, len) == 0 && (opcode[len] == '\0' || opcode[len] == '.');
}
