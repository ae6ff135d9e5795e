/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/base/error.h"
#include "src/gpu/weave/floats.h"

#include <string.h>

/* Words of a name that are types, "v_cvt_f32_f64", and what stands in front of them, "16x16x4f64". */
typedef struct
{
  char first[8], last[8]; /* empty: there is none */
} Types;

static const char *
type_in (const char *word)
{
  const char *digits = word + strlen (word), *letters;

  while (digits > word && g_ascii_isdigit (digits[-1]))
    digits--;
  letters = digits;
  while (letters > word && g_ascii_isalpha (letters[-1]) && letters[-1] != 'x')
    letters--;
  if (*digits == '\0' || digits == letters || digits - letters > 2 || strlen (letters) > 5)
    return NULL;
  return strchr ("fuib", letters[0]) != NULL ? letters : NULL;
}

static Types
types_of (const char *name)
{
  g_auto (GStrv) words = g_strsplit (name, "_", -1);
  Types types = { "", "" };

  for (char **word = words; *word != NULL; word++)
    {
      const char *type = type_in (*word);

      if (type == NULL)
        continue;
      if (*types.first == '\0')
        g_strlcpy (types.first, type, sizeof types.first);
      g_strlcpy (types.last, type, sizeof types.last);
    }
  return types;
}

static gboolean
has (const TtGpuGcnOperands *self, const char *part)
{
  return strstr (self->instruction->name, part) != NULL;
}

static gboolean
starts (const TtGpuGcnOperands *self, const char *part)
{
  return g_str_has_prefix (self->instruction->name, part);
}

/* Masks, exponents and parts of registers, whatever types the name has. */
static gboolean
is_no_float (const TtGpuGcnOperands *self, guint place)
{
  if (has (self, "_sdwa") || has (self, "byte") || has (self, "short") || has (self, "_pk_") || has (self, "_cvt_pk"))
    return TRUE;
  if (place == 0)
    return starts (self, "v_cmp");
  return has (self, "_mix") || (place == 1 && has (self, "div_scale")) ||
         (place == 2 && (has (self, "_class") || has (self, "ldexp")));
}

/* Operands that say where in memory. */
static gboolean
is_address (const TtGpuGcnOperands *self, guint place)
{
  const TtGcnOperand *operand = &self->instruction->operands[place];

  if (starts (self, "s_load_") || starts (self, "s_store_") || starts (self, "s_buffer_"))
    return place > 0;
  if (!starts (self, "global_") && !starts (self, "flat_") && !starts (self, "ds_") && !starts (self, "buffer_") &&
      !starts (self, "tbuffer_") && !starts (self, "scratch_"))
    return FALSE;
  if (starts (self, "buffer_") || starts (self, "tbuffer_") || starts (self, "scratch_"))
    return place > 0;
  return place == tt_gpu_gcn_operands_address (self) || operand->kind == TT_GCN_SCALAR;
}

static gboolean
is_atomic_integer (const TtGpuGcnOperands *self, const Types *types)
{
  return has (self, "_atomic_") && *types->first == '\0' && !has (self, "swap");
}

/* NULL: it is one; else what it is. */
static const char *
find_fault (const TtGpuGcnOperands *self, guint place, guint width)
{
  const TtGcnOperand *operand = &self->instruction->operands[place];
  Types types = types_of (self->instruction->name);
  const char *type = place == 0 ? types.first : types.last;
  gboolean is_constant = operand->kind == TT_GCN_NUMBER || operand->kind == TT_GCN_REAL;
  guint bits = is_constant ? (has (self, "64") ? 64 : 32) : operand->n * 32u;

  if (is_address (self, place))
    return "an address";
  if (operand->kind == TT_GCN_VCC || operand->kind == TT_GCN_EXEC || operand->kind == TT_GCN_M0 ||
      is_no_float (self, place) || is_atomic_integer (self, &types))
    return "no float";
  /* v_cvt_f32_ubyte0 and its like have one type, of what they write. */
  if (*type == 'u' || *type == 'i')
    return "an integer";
  if (bits != width)
    return bits == 32 ? "32 bits" : bits == 64 ? "64 bits" : "no float";
  if (*type == '\0' || g_ascii_strtoull (type + strcspn (type, "0123456789"), NULL, 10) == width)
    return NULL;
  return *type == 'b' && type[1] != 'f' ? "bits of another size" : "another float";
}

gboolean
tt_gpu_gcn_check_floats (const TtGpuGcnOperands *self, const char *code, const char *word, GError **error)
{
  const TtGcnInstruction *instruction = self->instruction;
  guint place = g_str_equal (word, "OUT") ? 0 : (guint) (word[2] - '0');

  /* More than two registers have a message of their own. */
  if (g_str_equal (word, "ADDR") || place >= instruction->n || instruction->operands[place].n > 2)
    return TRUE;
  for (guint width = 32; width <= 64; width += 32)
    {
      const char *fault = tt_gpu_reads_float (code, word, width) ? find_fault (self, place, width) : NULL;

      if (fault == NULL)
        continue;
      g_set_error (error, TT_ERROR, TT_ERROR_FORMAT,
                   "%s: line %u: %s: %s: %s here, and the probe reads it as f%u: take another position, or its bits as "
                   "they are (nl.f%u(nl.u%u(...)))",
                   self->file, instruction->line, instruction->name, word, fault, width, width, width);
      return FALSE;
    }
  return TRUE;
}
