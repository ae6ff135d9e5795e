/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/gpu/weave/operands.h"

#include "src/base/error.h"

#include <string.h>

static gboolean
fail (const TtGpuOperands *self, GError **error, const char *what, const char *fault)
{
  g_set_error (error, TT_ERROR, TT_ERROR_FORMAT, "%s: line %u: %s: %s: %s", self->file, self->instruction->line,
               self->instruction->opcode, what, fault);
  return FALSE;
}

/* -- copies ---------------------------------------------------------------------------------------- */

static void
copy_register (const TtGpuOperands *self, const TtPtxOperand *operand, const char *to, GString *text)
{
  const char *p = self->prefix;
  TtPtxType type = tt_ptx_register_at (self->function, operand->reg)->type;
  const TtPtxRegister *reg = tt_ptx_register_at (self->function, operand->reg);
  g_autofree char *name =
      reg->number == G_MAXUINT ? g_strdup (reg->stem) : g_strdup_printf ("%s%u", reg->stem, reg->number);

  switch (tt_ptx_type_bits (type))
    {
    case 64:
      g_string_append_printf (text, "mov.b64 %%%s%s, %s;\n", p, to, name);
      break;
    case 32:
      g_string_append_printf (text, "mov.b32 %%%sw, %s; cvt.u64.u32 %%%s%s, %%%sw;\n", p, name, p, to, p);
      break;
    case 16:
      g_string_append_printf (text, "mov.b16 %%%sh, %s; cvt.u64.u16 %%%s%s, %%%sh;\n", p, name, p, to, p);
      break;
    case 1:
      g_string_append_printf (text, "selp.u64 %%%s%s, 1, 0, %s;\n", p, to, name);
      break;
    default:
      g_string_append_printf (text, "cvt.u64.u8 %%%s%s, %s;\n", p, to, name);
    }
}

static gboolean
is_wide_special (const char *name)
{
  return strstr (name, "64") != NULL || g_str_equal (name, "%globaltimer") || g_str_equal (name, "%gridid");
}

static guint64
float_bits (const TtGpuOperands *self, guint64 bits)
{
  double wide;
  float narrow;
  guint32 result;

  if (strstr (self->instruction->opcode, "f32") == NULL)
    return bits;
  memcpy (&wide, &bits, sizeof wide);
  narrow = (float) wide;
  memcpy (&result, &narrow, sizeof result);
  return result;
}

static gboolean
copy_address (const TtGpuOperands *self,
              const TtPtxOperand *address,
              const char *what,
              const char *to,
              GString *text,
              GError **error)
{
  const TtPtxOperand *base = &address->items[0];
  const char *p = self->prefix;

  switch (base->kind)
    {
    case TT_PTX_REGISTER:
      copy_register (self, base, to, text);
      if (address->value != 0)
        g_string_append_printf (text, "add.s64 %%%s%s, %%%s%s, %" G_GINT64_FORMAT ";\n", p, to, p, to,
                                (gint64) address->value);
      return TRUE;
    case TT_PTX_INTEGER:
      g_string_append_printf (text, "mov.u64 %%%s%s, %" G_GUINT64_FORMAT ";\n", p, to, base->value + address->value);
      return TRUE;
    case TT_PTX_NAME:
      if (base->variable == NULL || base->variable->space == TT_PTX_PARAM)
        return fail (self, error, what, "a parameter has no address that can be read");
      g_string_append_printf (text, "mov.u64 %%%s%s, %s;\nadd.s64 %%%s%s, %%%s%s, %" G_GINT64_FORMAT ";\n", p, to,
                              base->name, p, to, p, to, (gint64) (base->value + address->value));
      return TRUE;
    default:
      return fail (self, error, what, "an address of this form cannot be read");
    }
}

static gboolean
copy_operand (const TtGpuOperands *self,
              const TtPtxOperand *operand,
              const char *what,
              const char *to,
              GString *text,
              GError **error)
{
  const char *p = self->prefix;

  switch (operand->kind)
    {
    case TT_PTX_REGISTER:
      copy_register (self, operand, to, text);
      return TRUE;
    case TT_PTX_ADDRESS:
      return copy_address (self, operand, what, to, text, error);
    case TT_PTX_PAIR:
      return copy_operand (self, &operand->items[0], what, to, text, error);
    case TT_PTX_INTEGER:
    case TT_PTX_FLOAT32:
      g_string_append_printf (text, "mov.u64 %%%s%s, %" G_GUINT64_FORMAT ";\n", p, to, operand->value);
      return TRUE;
    case TT_PTX_FLOAT64:
      g_string_append_printf (text, "mov.u64 %%%s%s, %" G_GUINT64_FORMAT ";\n", p, to,
                              float_bits (self, operand->value));
      return TRUE;
    case TT_PTX_SPECIAL:
      if (is_wide_special (operand->name))
        g_string_append_printf (text, "mov.u64 %%%s%s, %s;\n", p, to, operand->name);
      else
        g_string_append_printf (text, "mov.u32 %%%sw, %s; cvt.u64.u32 %%%s%s, %%%sw;\n", p, operand->name, p, to, p);
      return TRUE;
    case TT_PTX_VECTOR:
      return fail (self, error, what, "it is a vector here, not one register: take another position");
    default:
      return fail (self, error, what, "an operand of this form cannot be read");
    }
}

gboolean
tt_gpu_operands_copy (const TtGpuOperands *self, const char *word, GString *to, GError **error)
{
  const TtPtxInstruction *instruction = self->instruction;
  guint place = g_str_equal (word, "OUT") ? 0 : (guint) (word[2] - '0');

  if (!g_str_equal (word, "ADDR"))
    return place < instruction->n_operands ? copy_operand (self, &instruction->operands[place], word, word, to, error)
                                           : fail (self, error, word, "the instruction has fewer operands");
  for (guint i = 0; i < instruction->n_operands; i++)
    if (instruction->operands[i].kind == TT_PTX_ADDRESS)
      {
        if (!copy_address (self, &instruction->operands[i], word, word, to, error))
          return FALSE;
        g_string_append_printf (to, "cvt.u32.u64 %%%sADDR_32, %%%sADDR;\n", self->prefix, self->prefix);
        return TRUE;
      }
  return fail (self, error, word, "the instruction has no address");
}

/* -- bytes ---------------------------------------------------------------------------------------------- */

gboolean
tt_gpu_operands_bytes (const TtGpuOperands *self, guint *bytes, GError **error)
{
  static const char *const movers[] = { "ld", "ldu", "st", "atom", "red" };
  const char *opcode = self->instruction->opcode;
  g_auto (GStrv) words = g_strsplit (opcode, ".", -1);
  guint n = 1, bits = 0;
  gboolean is_mover = FALSE;

  for (guint i = 0; i < G_N_ELEMENTS (movers); i++)
    is_mover |= g_str_equal (words[0], movers[i]);
  for (char **word = words; *word != NULL; word++)
    {
      TtPtxType type = tt_ptx_type_find (*word);

      if (type != TT_PTX_VOID)
        bits = tt_ptx_type_bits (type);
      if ((*word)[0] == 'v' && g_ascii_isdigit ((*word)[1]) && (*word)[2] == '\0')
        n = (guint) ((*word)[1] - '0');
    }
  if (is_mover && bits > 0)
    {
      *bytes = n * bits / 8;
      return TRUE;
    }
  if (tt_ptx_opcode_is (opcode, "cp.async") && self->instruction->n_operands > 2 &&
      self->instruction->operands[2].kind == TT_PTX_INTEGER)
    {
      *bytes = (guint) self->instruction->operands[2].value;
      return TRUE;
    }
  return fail (self, error, "BYTES", "how many bytes the instruction moves is not known");
}
