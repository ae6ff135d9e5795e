/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/gpu/gcn/machine.h"

#include "src/base/error.h"

#include <string.h>

static gboolean
fail (const TtGcnLaunch *self, const TtGcnInstruction *source, const char *why, GError **error)
{
  g_set_error (error, TT_ERROR, TT_ERROR_FORMAT, "%s: line %u: %s: %s", self->name, source->line, source->name, why);
  return FALSE;
}

/* -- symbols ---------------------------------------------------------------------------------------- */

/* Its place; made if it is the first to ask for it. 0: there is no such constant, or no memory. */
static guint64
place_data (TtGcnLaunch *self, const char *name)
{
  const TtGcnData *data = tt_gcn_module_data (self->module, name);
  guint64 *place = data == NULL ? NULL : g_hash_table_lookup (self->places, data);
  guint64 address;
  guint8 *bytes;

  if (data == NULL || data->bytes->len == 0 || place != NULL)
    return place == NULL ? 0 : *place;
  bytes = tt_gpu_regions_add (&self->regions, name, data->bytes->len, TRUE, &address, NULL);
  if (bytes == NULL)
    return 0;
  memcpy (bytes, data->bytes->data, data->bytes->len);
  g_hash_table_insert (self->places, (gpointer) data, g_memdup2 (&address, sizeof address));
  return address;
}

/* "primes@rel32@lo+4": how far it is from where s_getpc_b64 says that we are. */
static gboolean
find_symbol (TtGcnLaunch *self, const char *text, guint64 *value)
{
  g_auto (GStrv) parts = g_strsplit (text, "@", 3);
  guint64 address = g_strv_length (parts) == 3 && g_str_equal (parts[1], "rel32") ? place_data (self, parts[0]) : 0;

  if (address == 0)
    return FALSE;
  address -= TT_GCN_CODE_BASE;
  *value = g_str_has_prefix (parts[2], "hi") ? address >> 32 : address & G_MAXUINT32;
  return TRUE;
}

static gboolean
find_word (TtGcnLaunch *self, TtGcnOp *op, const char *text)
{
  guint label = GPOINTER_TO_UINT (g_hash_table_lookup (self->module->labels, text));

  if (g_str_has_prefix (op->source->name, "s_branch") || g_str_has_prefix (op->source->name, "s_cbranch"))
    {
      op->target = label - 1;
      return label != 0;
    }
  return g_str_has_prefix (text, "hwreg(") || find_symbol (self, text, &op->constant);
}

/* -- registers -------------------------------------------------------------------------------------- */

/* The kernel's descriptor says how many there are. */
static gboolean
has_registers (const TtGcnLaunch *self, const TtGcnOperand *operand)
{
  guint64 n_vectors = tt_gcn_kernel_number (self->kernel, "next_free_vgpr");
  guint64 accum = tt_gcn_kernel_number (self->kernel, "accum_offset");
  guint64 n_scalars = tt_gcn_kernel_number (self->kernel, "next_free_sgpr");

  switch (operand->kind)
    {
    case TT_GCN_VECTOR:
      return operand->index + operand->n <= (accum > 0 ? MIN (accum, n_vectors) : n_vectors);
    case TT_GCN_ACCUM:
      return operand->index + operand->n + accum <= n_vectors;
    case TT_GCN_SCALAR:
      return operand->index + operand->n <= n_scalars;
    default:
      return TRUE;
    }
}

/* Pairs of vector registers begin at even numbers on these machines, those of scalar ones everywhere. */
static gboolean
is_aligned (const TtGcnOperand *operand)
{
  if (operand->kind == TT_GCN_SCALAR)
    return operand->n < 2 || operand->index % (operand->n == 2 ? 2 : 4) == 0;
  return (operand->kind != TT_GCN_VECTOR && operand->kind != TT_GCN_ACCUM) || operand->n < 2 || operand->index % 2 == 0;
}

/* -- all ---------------------------------------------------------------------------------------------- */

static gboolean
decode (TtGcnLaunch *self, guint i, GError **error)
{
  TtGcnOp *op = &self->ops[i];
  const TtGcnInstruction *source = op->source = tt_gcn_module_at (self->module, i);
  g_autofree char *name = g_strdup (source->name);

  if (g_str_has_suffix (name, "_e32") || g_str_has_suffix (name, "_e64"))
    name[strlen (name) - 4] = '\0';
  for (guint o = 0; o < source->n; o++)
    {
      const TtGcnOperand *operand = &source->operands[o];

      if (operand->kind == TT_GCN_WORD && !find_word (self, op, operand->text))
        return fail (self, source,
                     g_str_has_prefix (operand->text, "flat_scratch")
                         ? "memory of each thread (scratch) cannot be run here"
                         : "an operand is a label or symbol that cannot be found here",
                     error);
      if (!has_registers (self, operand))
        return fail (self, source, "the kernel's descriptor gives it fewer registers", error);
      if (!is_aligned (operand))
        return fail (self, source,
                     "registers of a pair begin at an even number, of four scalar ones at a multiple of 4", error);
    }
  if (!tt_gcn_decode_memory (op, name) && !tt_gcn_decode_scalar (op, name) && !tt_gcn_decode_vector (op, name))
    return fail (self, source, "this instruction cannot be run here", error);
  return TRUE;
}

gboolean
tt_gcn_decode (TtGcnLaunch *self, GError **error)
{
  g_autoptr (GArray) todo = g_array_new (FALSE, FALSE, sizeof (guint));

  self->n_ops = self->module->instructions->len;
  self->ops = g_new0 (TtGcnOp, MAX (self->n_ops, 1));
  g_array_append_val (todo, self->kernel->entry);
  while (todo->len > 0)
    {
      guint i = g_array_index (todo, guint, todo->len - 1);

      g_array_set_size (todo, todo->len - 1);
      for (; i < self->n_ops && self->ops[i].run == NULL; i++)
        {
          const char *name = tt_gcn_module_at (self->module, i)->name;

          if (!decode (self, i, error))
            return FALSE;
          if (g_str_has_prefix (name, "s_branch") || g_str_has_prefix (name, "s_cbranch"))
            g_array_append_val (todo, self->ops[i].target);
          if (g_str_equal (name, "s_branch") || g_str_equal (name, "s_endpgm"))
            break;
        }
    }
  return TRUE;
}
