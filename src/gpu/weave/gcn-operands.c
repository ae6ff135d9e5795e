/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/gpu/weave/gcn-operands.h"

#include "src/base/error.h"

#include <string.h>

static gboolean
fail (const TtGpuGcnOperands *self, const char *what, const char *fault, GError **error)
{
  g_set_error (error, TT_ERROR, TT_ERROR_FORMAT, "%s: line %u: %s: %s: %s", self->file, self->instruction->line,
               self->instruction->name, what, fault);
  return FALSE;
}

static gboolean
is_named (const TtGpuGcnOperands *self, const char *start)
{
  return g_str_has_prefix (self->instruction->name, start);
}

static gboolean
has (const TtGpuGcnOperands *self, const char *part)
{
  return strstr (self->instruction->name, part) != NULL;
}

/* -- values ------------------------------------------------------------------------------------------- */

/* The name of scalar register @half of @operand; EXEC is kept in another one meanwhile. */
static void
append_scalar (const TtGpuGcnOperands *self, const TtGcnOperand *operand, guint half, GString *to)
{
  static const char *const vcc[] = { "vcc_lo", "vcc_hi" };

  if (operand->kind == TT_GCN_VCC)
    g_string_append (to, vcc[(operand->index + half) & 1]);
  else if (operand->kind == TT_GCN_EXEC)
    tt_gpu_gcn_append (self->text, to, "s{exec+%u}", operand->index + half);
  else if (operand->kind == TT_GCN_M0)
    g_string_append (to, "m0");
  else
    g_string_append_printf (to, "s%u", operand->index + half);
}

static void
copy_half (const TtGpuGcnOperands *self, const TtGcnOperand *operand, guint half, const char *word, GString *to)
{
  gboolean is_accum = operand->kind == TT_GCN_ACCUM;

  tt_gpu_gcn_append (self->text, to, "%s v{%s+%u}, ", is_accum ? "v_accvgpr_read_b32" : "v_mov_b32_e32", word, half);
  if (half >= operand->n)
    g_string_append (to, "0");
  else if (operand->kind == TT_GCN_VECTOR || is_accum)
    g_string_append_printf (to, "%c%u", is_accum ? 'a' : 'v', operand->index + half);
  else
    append_scalar (self, operand, half, to);
  g_string_append_c (to, '\n');
}

static void
copy_constant (const TtGpuGcnOperands *self, guint64 value, const char *word, GString *to)
{
  tt_gpu_gcn_append (self->text, to, "v_mov_b32_e32 v{%s}, 0x%x\nv_mov_b32_e32 v{%s+1}, 0x%x\n", word, (guint32) value,
                     word, (guint32) (value >> 32));
}

static guint64
real_bits (const TtGpuGcnOperands *self, double real)
{
  float narrow = (float) real;
  guint64 wide;
  guint32 bits;

  memcpy (&wide, &real, sizeof wide);
  memcpy (&bits, &narrow, sizeof bits);
  return has (self, "64") ? wide : bits;
}

/* As many bits as the instruction reads; of an f64 a large number is the upper half. */
static guint64
number_bits (const TtGpuGcnOperands *self, gint64 value)
{
  if (has (self, "f64") && (value < -16 || value > 64))
    return (guint64) value << 32;
  return has (self, "64") ? (guint64) value : (guint32) value;
}

static gboolean
copy_value (const TtGpuGcnOperands *self,
            const TtGcnOperand *operand,
            const char *what,
            const char *word,
            GString *to,
            GError **error)
{
  switch (operand->kind)
    {
    case TT_GCN_VECTOR:
    case TT_GCN_ACCUM:
    case TT_GCN_SCALAR:
    case TT_GCN_VCC:
    case TT_GCN_EXEC:
    case TT_GCN_M0:
      if (operand->n > 2)
        return fail (self, what, "it is a vector here, not one or two registers: take another position", error);
      copy_half (self, operand, 0, word, to);
      if (operand->n < 2)
        tt_gpu_gcn_append (self->text, to, "v_mov_b32_e32 v{%s+1}, 0\n", word);
      else
        copy_half (self, operand, 1, word, to);
      return TRUE;
    case TT_GCN_NUMBER:
      copy_constant (self, number_bits (self, operand->value), word, to);
      return TRUE;
    case TT_GCN_REAL:
      if (has (self, "16"))
        return fail (self, what, "a constant of 16 bits cannot be read", error);
      copy_constant (self, real_bits (self, operand->real), word, to);
      return TRUE;
    default:
      return fail (self, what, "an operand of this form cannot be read", error);
    }
}

/* -- addresses ---------------------------------------------------------------------------------------- */

static void
add_constant (const TtGpuGcnOperands *self, gint64 value, GString *to)
{
  if (value == 0)
    return;
  tt_gpu_gcn_append (self->text, to,
                     "v_mov_b32_e32 v{x}, 0x%x\nv_add_co_u32_e64 v{ADDR}, s<cc>, v{ADDR}, v{x}\n"
                     "v_mov_b32_e32 v{x}, 0x%x\nv_addc_co_u32_e64 v{ADDR+1}, s<cc>, v{ADDR+1}, v{x}, s<cc>\n",
                     (guint32) value, (guint32) ((guint64) value >> 32));
}

/* One or two scalar registers. */
static void
add_scalar (const TtGpuGcnOperands *self, const TtGcnOperand *operand, GString *to)
{
  for (guint half = 0; half < 2; half++)
    {
      tt_gpu_gcn_append (self->text, to, "v_mov_b32_e32 v{x}, ");
      if (half < operand->n)
        append_scalar (self, operand, half, to);
      else
        g_string_append_c (to, '0');
      tt_gpu_gcn_append (self->text, to,
                         half == 0 ? "\nv_add_co_u32_e64 v{ADDR}, s<cc>, v{ADDR}, v{x}\n"
                                   : "\nv_addc_co_u32_e64 v{ADDR+1}, s<cc>, v{ADDR+1}, v{x}, s<cc>\n");
    }
}

static gboolean
is_address (const TtGcnOperand *operand, TtGcnOperandKind kind, guint n)
{
  return operand->kind == kind && operand->n == n;
}

guint
tt_gpu_gcn_operands_address (const TtGpuGcnOperands *self)
{
  gboolean is_load = has (self, "_load_") && !has (self, "_load_lds_");

  return is_load || (has (self, "_atomic_") && self->instruction->returns) ||
                 (is_named (self, "ds_") && (has (self, "_read_") || has (self, "_rtn_")))
             ? 1
             : 0;
}

static gboolean
copy_global (const TtGpuGcnOperands *self, GString *to, GError **error)
{
  const TtGcnInstruction *instruction = self->instruction;
  guint place = tt_gpu_gcn_operands_address (self);

  if (instruction->n <= place)
    return fail (self, "ADDR", "an address of this form cannot be read", error);
  const TtGcnOperand *address = &instruction->operands[place], *last = &instruction->operands[instruction->n - 1];
  gboolean has_base = is_named (self, "global_") && is_address (last, TT_GCN_SCALAR, 2);
  if (!is_address (address, TT_GCN_VECTOR, has_base ? 1 : 2))
    return fail (self, "ADDR", "an address of this form cannot be read", error);
  if (!copy_value (self, address, "ADDR", "ADDR", to, error))
    return FALSE;
  if (has_base)
    add_scalar (self, last, to);
  add_constant (self, instruction->offset, to);
  return TRUE;
}

static gboolean
copy_shared (const TtGpuGcnOperands *self, GString *to, GError **error)
{
  static const char *const others[] = { "2", "permute", "swizzle", "gws", "append", "consume", "addtid", "nop" };
  const TtGcnInstruction *instruction = self->instruction;
  guint place = tt_gpu_gcn_operands_address (self);
  g_auto (GStrv) words = g_strsplit (instruction->name, "_", 3);

  for (guint i = 0; i < G_N_ELEMENTS (others) && words[1] != NULL; i++)
    if (strstr (words[1], others[i]) != NULL)
      return fail (self, "ADDR", "it has no address, or two", error);
  if (instruction->n <= place || !is_address (&instruction->operands[place], TT_GCN_VECTOR, 1))
    return fail (self, "ADDR", "an address of this form cannot be read", error);
  if (!copy_value (self, &instruction->operands[place], "ADDR", "ADDR", to, error))
    return FALSE;
  add_constant (self, instruction->offset, to);
  return TRUE;
}

static gboolean
copy_scalar (const TtGpuGcnOperands *self, GString *to, GError **error)
{
  const TtGcnInstruction *instruction = self->instruction;
  const TtGcnOperand *offset = &instruction->operands[2];

  if (instruction->n != 3 || !is_address (&instruction->operands[1], TT_GCN_SCALAR, 2) ||
      (offset->kind != TT_GCN_NUMBER && offset->kind != TT_GCN_SCALAR && offset->kind != TT_GCN_M0))
    return fail (self, "ADDR", "an address of this form cannot be read", error);
  if (!copy_value (self, &instruction->operands[1], "ADDR", "ADDR", to, error))
    return FALSE;
  if (offset->kind != TT_GCN_NUMBER)
    add_scalar (self, offset, to);
  add_constant (self, instruction->offset + (offset->kind == TT_GCN_NUMBER ? offset->value : 0), to);
  return TRUE;
}

static gboolean
copy_address (const TtGpuGcnOperands *self, GString *to, GError **error)
{
  if (is_named (self, "global_") || is_named (self, "flat_"))
    return copy_global (self, to, error);
  if (is_named (self, "ds_"))
    return copy_shared (self, to, error);
  if (is_named (self, "s_load_") || is_named (self, "s_store_"))
    return copy_scalar (self, to, error);
  return fail (self, "ADDR",
               is_named (self, "buffer_") || is_named (self, "tbuffer_") || is_named (self, "scratch_")
                   ? "an address of this form cannot be read"
                   : "the instruction has no address",
               error);
}

gboolean
tt_gpu_gcn_operands_copy (const TtGpuGcnOperands *self, const char *word, GString *to, GError **error)
{
  const TtGcnInstruction *instruction = self->instruction;
  guint place = g_str_equal (word, "OUT") ? 0 : (guint) (word[2] - '0');

  if (g_str_equal (word, "ADDR"))
    return copy_address (self, to, error);
  return place < instruction->n ? copy_value (self, &instruction->operands[place], word, word, to, error)
                                : fail (self, word, "the instruction has fewer operands", error);
}

/* -- bytes ---------------------------------------------------------------------------------------------- */

gboolean
tt_gpu_gcn_operands_bytes (const TtGpuGcnOperands *self, guint *bytes, GError **error)
{
  static const char *const movers[] = { "global_",  "flat_",   "scratch_", "buffer_",       "ds_read",
                                        "ds_write", "s_load_", "s_store_", "s_buffer_load_" };
  static const struct
  {
    const char *part;
    guint bytes;
  } sizes[] = {
    { "dwordx16", 64 }, { "dwordx8", 32 }, { "dwordx4", 16 }, { "dwordx3", 12 }, { "dwordx2", 8 },
    { "dword", 4 },     { "_b128", 16 },   { "_b96", 12 },    { "_ubyte", 1 },   { "_sbyte", 1 },
    { "_byte", 1 },     { "_ushort", 2 },  { "_sshort", 2 },  { "_short", 2 },   { "_b64", 8 },
    { "_f64", 8 },      { "_x2", 8 },      { "_b32", 4 },     { "_b16", 2 },     { "_u16", 2 },
    { "_i16", 2 },      { "_b8", 1 },      { "_u8", 1 },      { "_i8", 1 },      { "_atomic_", 4 },
  };
  gboolean is_mover = FALSE;

  for (guint i = 0; i < G_N_ELEMENTS (movers); i++)
    is_mover |= is_named (self, movers[i]);
  for (guint i = 0; i < G_N_ELEMENTS (sizes) && is_mover; i++)
    if (has (self, sizes[i].part))
      {
        gboolean is_two = is_named (self, "ds_read2") || is_named (self, "ds_write2");
        *bytes = sizes[i].bytes * (is_two ? 2 : 1);
        return TRUE;
      }
  return fail (self, "BYTES", "how many bytes the instruction moves is not known", error);
}
