/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/gpu/weave/floats.h"

#include "src/base/error.h"
#include "src/gpu/weave/text.h"

#include <string.h>

gboolean
tt_gpu_reads_float (const char *code, const char *word, guint width)
{
  g_auto (GStrv) lines = g_strsplit (code, "\n", -1);
  g_autofree char *note = g_strdup_printf ("// f%u", width);

  for (char **line = lines; *line != NULL; line++)
    if (g_str_has_suffix (g_strchomp (*line), note) && tt_gpu_text_has (*line, word))
      return TRUE;
  return FALSE;
}

/* -- types of PTX ------------------------------------------------------------------------------------- */

/* These move bits, whatever type they name. */
static gboolean
moves_bits (const char *opcode)
{
  static const char *const names[] = { "mov", "ld", "ldu", "st", "selp", "shfl" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (tt_ptx_opcode_is (opcode, names[i]))
      return TRUE;
  return strstr (opcode, ".exch.") != NULL || strstr (opcode, ".cas.") != NULL;
}

/* Of an operand the first type of the opcode for what it writes, the last for what it reads; VOID: it has none. */
static TtPtxType
stated_type (const char *opcode, guint place)
{
  g_auto (GStrv) words = g_strsplit (opcode, ".", -1);
  TtPtxType first = TT_PTX_VOID, last = TT_PTX_VOID;

  for (char **word = words; *word != NULL; word++)
    {
      TtPtxType type = tt_ptx_type_find (*word);

      if (type == TT_PTX_VOID)
        continue;
      first = first == TT_PTX_VOID ? type : first;
      last = type;
    }
  /* slct.f32.s32 d, a, b, c: only c has the second type. */
  return tt_ptx_opcode_is (opcode, "slct") ? (place < 3 ? first : last) : place == 0 ? first : last;
}

static gboolean
is_bits (TtPtxType type)
{
  return type >= TT_PTX_B8 && type <= TT_PTX_B128;
}

static TtPtxType
bits_of (guint width)
{
  return width == 16 ? TT_PTX_B16 : width == 32 ? TT_PTX_B32 : width == 64 ? TT_PTX_B64 : TT_PTX_B8;
}

/* What the instruction takes the bits of @declared for. */
static TtPtxType
type_of_bits (const TtGpuOperands *self, TtPtxType declared, guint place)
{
  const char *opcode = self->instruction->opcode;
  TtPtxType stated = stated_type (opcode, place);

  if (stated == TT_PTX_VOID || stated == TT_PTX_PRED)
    return declared;
  if (!tt_ptx_type_is_float (stated) && !is_bits (stated) && moves_bits (opcode))
    return bits_of (tt_ptx_type_bits (stated));
  return stated;
}

/* VOID: it is nothing that holds a float. */
static TtPtxType
type_of (const TtGpuOperands *self, const TtPtxOperand *operand, guint place)
{
  TtPtxType type;

  switch (operand->kind)
    {
    case TT_PTX_REGISTER:
      type = tt_ptx_register_at (self->function, operand->reg)->type;
      return is_bits (type) ? type_of_bits (self, type, place) : type;
    case TT_PTX_FLOAT32:
      return TT_PTX_F32;
    case TT_PTX_FLOAT64:
      return strstr (self->instruction->opcode, "f32") != NULL ? TT_PTX_F32 : TT_PTX_F64;
    case TT_PTX_INTEGER:
      return type_of_bits (self, TT_PTX_VOID, place);
    default:
      return TT_PTX_VOID;
    }
}

static gboolean
check_width (const TtGpuOperands *self, const char *word, guint place, guint width, GError **error)
{
  const TtPtxOperand *operand = &self->instruction->operands[place];
  TtPtxType type = type_of (self, operand, place);
  const char *what = operand->kind == TT_PTX_ADDRESS ? "an address"
                     : type == TT_PTX_VOID           ? "no float"
                                                     : tt_ptx_type_name (type);
  gboolean is_register = operand->kind == TT_PTX_REGISTER;
  guint declared = is_register ? tt_ptx_type_bits (tt_ptx_register_at (self->function, operand->reg)->type) : width;

  if (declared == width && (type == (width == 32 ? TT_PTX_F32 : TT_PTX_F64) || type == bits_of (width)))
    return TRUE;
  if (tt_ptx_type_is_float (type) || is_bits (type))
    g_set_error (error, TT_ERROR, TT_ERROR_FORMAT,
                 "%s: line %u: %s: %s: %s here, and the probe reads it as f%u: read it so, or take another position",
                 self->file, self->instruction->line, self->instruction->opcode, word, what, width);
  else
    g_set_error (error, TT_ERROR, TT_ERROR_FORMAT,
                 "%s: line %u: %s: %s: %s here, and the probe reads it as f%u: take another position, or its bits as "
                 "they are (nl.f%u(nl.u%u(...)))",
                 self->file, self->instruction->line, self->instruction->opcode, word, what, width, width, width);
  return FALSE;
}

gboolean
tt_gpu_ptx_check_floats (const TtGpuOperands *self, const char *code, const char *word, GError **error)
{
  guint place = g_str_equal (word, "OUT") ? 0 : (guint) (word[2] - '0');

  /* A vector has a message of its own. */
  if (g_str_equal (word, "ADDR") || place >= self->instruction->n_operands ||
      self->instruction->operands[place].kind == TT_PTX_VECTOR)
    return TRUE;
  for (guint width = 32; width <= 64; width += 32)
    if (tt_gpu_reads_float (code, word, width) && !check_width (self, word, place, width, error))
      return FALSE;
  return TRUE;
}
