/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/gpu/run/machine.h"

#include "src/base/error.h"

#include <string.h>

typedef struct
{
  TtGpuLaunch *launch;
  TtGpuFunction *function;
  const TtPtxInstruction *source;
  TtGpuOp *op;
  GError **error;
} Decoder;

static gboolean fail (const Decoder *self, const char *format, ...) G_GNUC_PRINTF (2, 3);

static gboolean
fail (const Decoder *self, const char *format, ...)
{
  g_autofree char *text = NULL;
  va_list args;

  va_start (args, format);
  text = g_strdup_vprintf (format, args);
  va_end (args);
  g_set_error (self->error, TT_ERROR, TT_ERROR_FORMAT, "%s: line %u: %s: %s", self->launch->name, self->source->line,
               self->source->opcode, text);
  return FALSE;
}

/* -- modifiers -------------------------------------------------------------------------------------- */

static gboolean
read_modifier (Decoder *self, const char *word, guint *n_types)
{
  TtGpuOp *op = self->op;
  TtGpuClass class;
  guint8 value;

  if (!tt_gpu_word_find (word, op->opcode->classes, &class, &value))
    return fail (self, "'.%s' cannot be run here", word);
  if (class == TT_GPU_TYPE)
    {
      if (*n_types == 0)
        op->type = op->from = value;
      else if (*n_types == 1)
        op->from = value;
      if (++*n_types > 2)
        return fail (self, "three types cannot be run here");
      return TRUE;
    }
  if (class == TT_GPU_MODE && op->is_set[class])
    op->mode2 = op->value[class];
  op->is_set[class] = 1;
  op->value[class] = value;
  return TRUE;
}

static gboolean
read_modifiers (Decoder *self)
{
  const char *rest = self->source->opcode + strlen (self->op->opcode->name);
  g_auto (GStrv) words = g_strsplit (*rest == '.' ? rest + 1 : rest, ".", -1);
  guint n_types = 0;

  for (char **word = words; *word != NULL; word++)
    if (!read_modifier (self, *word, &n_types))
      return FALSE;
  if ((self->op->opcode->classes & 1u << TT_GPU_TYPE) != 0 && n_types == 0 && self->op->opcode->detail == 0)
    return fail (self, "it has no type");
  if (self->op->type == TT_PTX_B128)
    return fail (self, "'.b128' cannot be run here");
  return TRUE;
}

/* -- operands ------------------------------------------------------------------------------------------ */

static gboolean
read_variable (Decoder *self, const TtPtxOperand *from, TtGpuOperand *to)
{
  const TtPtxVariable *variable = from->variable;
  const guint64 *place;

  to->value = from->value;
  if (variable->space == TT_PTX_LOCAL || variable->space == TT_PTX_PARAM)
    {
      to->kind = variable->space == TT_PTX_LOCAL ? TT_GPU_LOCAL : TT_GPU_PARAM;
      to->value += variable->offset;
      return TRUE;
    }
  place = g_hash_table_lookup (self->launch->places, variable);
  if (place == NULL)
    return fail (self, "'%s' is a variable of another module", variable->name);
  to->kind = TT_GPU_VALUE;
  to->value += *place;
  return TRUE;
}

static gboolean
read_name (Decoder *self, const TtPtxOperand *from, TtGpuOperand *to)
{
  const TtPtxFunction *function;

  if (from->variable != NULL)
    return read_variable (self, from, to);
  function = tt_ptx_module_function (self->launch->module, from->name);
  if (function == NULL)
    return fail (self, "there is no '%s'", from->name);
  to->kind = TT_GPU_VALUE;
  to->value = TT_GPU_CODE_WINDOW + 16u * tt_gpu_function_of (self->launch, function)->index;
  return TRUE;
}

static guint64
convert_float (const Decoder *self, guint64 bits)
{
  double wide;
  float narrow;
  guint32 result;

  if (self->op->from != TT_PTX_F32)
    return bits;
  memcpy (&wide, &bits, sizeof wide);
  narrow = (float) wide;
  memcpy (&result, &narrow, sizeof result);
  return result;
}

static gboolean
read_operand (Decoder *self, const TtPtxOperand *from, TtGpuOperand *to)
{
  int special;

  to->is_inverted = from->is_inverted;
  switch (from->kind)
    {
    case TT_PTX_REGISTER:
      to->kind = TT_GPU_REGISTER;
      to->reg = from->reg;
      to->bits = (guint8) tt_ptx_type_bits (tt_ptx_register_at (self->function->source, from->reg)->type);
      if (to->bits > 64)
        return fail (self, "registers of 128 bits cannot be run here");
      return !to->is_inverted || to->bits == 1 || fail (self, "only a predicate can be inverted");
    case TT_PTX_SPECIAL:
      special = tt_gpu_special_find (from->name);
      if (special < 0)
        return fail (self, "there is no register '%s'", from->name);
      to->kind = TT_GPU_SPECIAL;
      to->reg = (guint32) special;
      return TRUE;
    case TT_PTX_INTEGER:
    case TT_PTX_FLOAT32:
      to->kind = TT_GPU_VALUE;
      to->value = from->value;
      return TRUE;
    case TT_PTX_FLOAT64:
      to->kind = TT_GPU_VALUE;
      to->value = convert_float (self, from->value);
      return TRUE;
    case TT_PTX_NAME:
      return read_name (self, from, to);
    case TT_PTX_SINK:
      to->kind = TT_GPU_SINK;
      return TRUE;
    default:
      return fail (self, "an operand of this form cannot be run here");
    }
}

static gboolean
read_vector (Decoder *self, guint place, const TtPtxOperand *from)
{
  TtGpuOp *op = self->op;
  guint slot = place;

  if (slot >= TT_GPU_MAX_VECTORS)
    return fail (self, "an operand of this form cannot be run here");
  if (from->n_items == 0 || from->n_items > 8)
    return fail (self, "a vector has up to 8 elements");
  op->vector[slot] = g_new0 (TtGpuOperand, from->n_items);
  g_ptr_array_add (self->launch->memory, op->vector[slot]);
  op->n_vector[slot] = from->n_items;
  for (guint i = 0; i < from->n_items; i++)
    if (!read_operand (self, &from->items[i], &op->vector[slot][i]))
      return FALSE;
  return TRUE;
}

static gboolean
read_address (Decoder *self, const TtPtxOperand *from, TtGpuOperand *to)
{
  if (from->kind != TT_PTX_ADDRESS)
    return fail (self, "expected an address");
  if (!read_operand (self, &from->items[0], to))
    return FALSE;
  to->value += from->value;
  if (to->kind == TT_GPU_SPECIAL || to->kind == TT_GPU_SINK || to->is_inverted)
    return fail (self, "this is no address");
  return TRUE;
}

static gboolean
is_written (char letter, const TtPtxOperand *from)
{
  return (letter != 'd' && letter != 'v' && letter != 'P') || from->kind == TT_PTX_REGISTER ||
         from->kind == TT_PTX_SINK;
}

static gboolean
read_label (Decoder *self, const TtPtxOperand *from)
{
  if (from->kind != TT_PTX_NAME || from->label == G_MAXUINT)
    return fail (self, "there is no such label");
  self->op->target = from->label;
  return TRUE;
}

static gboolean
read_by_letter (Decoder *self, char letter, guint place)
{
  const TtPtxOperand *from = &self->source->operands[place];
  gboolean takes_vectors = letter == 'v' || letter == 'V';

  if (letter == 'l')
    return read_label (self, from);
  if (letter == 'a')
    return read_address (self, from, &self->op->operands[place]);
  if ((takes_vectors && from->kind == TT_PTX_VECTOR) || (letter == 'P' && from->kind == TT_PTX_PAIR))
    {
      for (guint i = 0; i < from->n_items; i++)
        if (!is_written (letter, &from->items[i]))
          return fail (self, "only registers can be written");
      return read_vector (self, place, from);
    }
  if (!is_written (letter, from))
    return fail (self, "only a register can be written");
  return read_operand (self, from, &self->op->operands[place]);
}

static gboolean
read_operands (Decoder *self)
{
  gboolean is_optional = FALSE;
  guint place = 0;

  for (const char *letter = self->op->opcode->operands; *letter != '\0'; letter++)
    {
      if (*letter == '?')
        {
          is_optional = TRUE;
          continue;
        }
      if (place >= self->source->n_operands)
        {
          if (is_optional)
            break;
          return fail (self, "operands are missing");
        }
      if (!read_by_letter (self, *letter, place++))
        return FALSE;
    }
  if (place < self->source->n_operands)
    return fail (self, "so many operands cannot be run here");
  self->op->n = place;
  return TRUE;
}

/* -- calls ------------------------------------------------------------------------------------------------ */

/* Results and arguments are variables in the space of parameters. */
static gboolean
read_call_list (Decoder *self, const TtPtxOperand *list, guint *n, guint first)
{
  for (guint i = 0; i < list->n_items; i++)
    {
      TtGpuOperand *to = &self->op->arguments[first + i];

      if (list->items[i].kind != TT_PTX_NAME || list->items[i].variable == NULL ||
          list->items[i].variable->space != TT_PTX_PARAM)
        return fail (self, "an argument is a variable of .param");
      to->value = list->items[i].variable->offset;
      to->reg = (guint32) list->items[i].variable->bytes;
    }
  *n = list->n_items;
  return TRUE;
}

static gboolean
read_call (Decoder *self)
{
  const TtPtxInstruction *source = self->source;
  guint at = source->n_operands > 0 && source->operands[0].kind == TT_PTX_LIST ? 1 : 0;
  const TtPtxOperand *results = at == 1 ? &source->operands[0] : NULL, *callee = &source->operands[at];
  const TtPtxOperand *arguments;
  const TtPtxFunction *function;

  if (at >= source->n_operands)
    return fail (self, "it calls nothing");
  arguments =
      at + 1 < source->n_operands && source->operands[at + 1].kind == TT_PTX_LIST ? &source->operands[at + 1] : NULL;
  self->op->arguments = g_new0 (TtGpuOperand, 1 + (results != NULL ? results->n_items : 0) +
                                                  (arguments != NULL ? arguments->n_items : 0));
  g_ptr_array_add (self->launch->memory, self->op->arguments);
  if (results != NULL && !read_call_list (self, results, &self->op->n_results, 0))
    return FALSE;
  if (arguments != NULL && !read_call_list (self, arguments, &self->op->n_arguments, self->op->n_results))
    return FALSE;
  if (callee->kind == TT_PTX_REGISTER)
    return read_operand (self, callee, &self->op->operands[0]);
  function = callee->kind == TT_PTX_NAME ? tt_ptx_module_function (self->launch->module, callee->name) : NULL;
  if (function == NULL)
    return fail (self, "there is no such function");
  self->op->callee = tt_gpu_function_of (self->launch, function);
  return TRUE;
}

/* -- functions --------------------------------------------------------------------------------------------- */

static gboolean
decode_instruction (Decoder *self)
{
  TtGpuOp *op = self->op;

  op->source = self->source;
  op->guard = self->source->guard;
  op->guard_is_inverted = self->source->guard_is_inverted;
  op->opcode = tt_gpu_opcode_find (self->source->opcode);
  if (op->opcode == NULL)
    return fail (self, "this instruction cannot be run here");
  if (!read_modifiers (self))
    return FALSE;
  return g_str_equal (op->opcode->operands, "*") ? read_call (self) : read_operands (self);
}

static guint64
place_one (TtPtxVariable *variable, guint64 at)
{
  at = (at + variable->align - 1) & ~(variable->align - 1);
  variable->offset = at;
  return at + variable->bytes;
}

/* Parameters first, then results, then those of calls: one piece of memory for each call. */
static gboolean
place_frame (TtGpuFunction *function)
{
  const TtPtxFunction *source = function->source;
  guint64 params = 0, local = 0;

  for (guint i = 0; i < source->params->len; i++)
    params = place_one (source->params->pdata[i], params);
  for (guint i = 0; i < source->results->len; i++)
    params = place_one (source->results->pdata[i], params);
  for (guint i = 0; i < source->variables->len; i++)
    {
      TtPtxVariable *variable = source->variables->pdata[i];
      if (variable->space == TT_PTX_PARAM)
        params = place_one (variable, params);
      else if (variable->space == TT_PTX_LOCAL)
        local = place_one (variable, local);
      if (params > TT_GPU_PARAM_FRAME || local > TT_GPU_MAX_LOCAL)
        return FALSE;
    }
  function->param_bytes = (guint) params;
  function->local_bytes = (guint) local;
  return params <= TT_GPU_PARAM_FRAME;
}

static gboolean
decode_function (TtGpuLaunch *launch, TtGpuFunction *function, GError **error)
{
  const TtPtxFunction *source = function->source;
  Decoder self = { .launch = launch, .function = function, .error = error };

  if (!place_frame (function))
    {
      g_set_error (error, TT_ERROR, TT_ERROR_FORMAT,
                   "%s: line %u: '%s' has more than 64 KiB of parameters, or 512 KiB of local variables", launch->name,
                   source->line, source->name);
      return FALSE;
    }
  function->n_registers = source->registers->len;
  function->ops = g_try_new0 (TtGpuOp, MAX (source->instructions->len, 1));
  if (function->ops == NULL)
    {
      g_set_error (error, TT_ERROR, TT_ERROR_INPUT, "%s: no memory for '%s'", launch->name, source->name);
      return FALSE;
    }
  for (guint i = 0; i < source->instructions->len; i++)
    {
      self.op = &function->ops[i];
      self.source = tt_ptx_function_at (source, i);
      function->n_ops = i + 1;
      if (!decode_instruction (&self))
        return FALSE;
    }
  return TRUE;
}

gboolean
tt_gpu_decode (TtGpuLaunch *self, GError **error)
{
  for (guint i = 0; i < self->functions->len; i++)
    {
      TtGpuFunction *function = self->functions->pdata[i];
      if (function->source->has_body && !decode_function (self, function, error))
        return FALSE;
    }
  return TRUE;
}
