/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/gpu/weave/gcn-flow.h"

#include "src/base/error.h"

#define MOST_BRANCH_BYTES 131068

static gboolean
fail (const char *name, const TtGcnInstruction *instruction, const char *why, GError **error)
{
  g_set_error (error, TT_ERROR, TT_ERROR_FORMAT, "%s: line %u: %s: %s", name, instruction->line, instruction->name,
               why);
  return FALSE;
}

static gboolean
is_branch (const TtGcnInstruction *instruction)
{
  return g_str_equal (instruction->name, "s_branch") ||
         (g_str_has_prefix (instruction->name, "s_cbranch_") && !g_str_has_suffix (instruction->name, "_fork"));
}

/* Of a branch; FALSE: there is no such label. */
static gboolean
find_target (const TtGcnModule *module, const TtGcnInstruction *instruction, guint *target)
{
  const TtGcnOperand *label = &instruction->operands[0];
  guint found = label->kind != TT_GCN_WORD ? 0 : GPOINTER_TO_UINT (g_hash_table_lookup (module->labels, label->text));

  *target = found - 1;
  return found > 0;
}

static gboolean
leaves (const TtGcnInstruction *instruction)
{
  static const char *const words[] = { "s_setpc_b64", "s_cbranch_i_fork", "s_cbranch_g_fork", "s_cbranch_join",
                                       "s_rfe_b64" };

  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    if (g_str_equal (instruction->name, words[i]))
      return TRUE;
  return FALSE;
}

gboolean
tt_gpu_gcn_reach (const TtGcnModule *module,
                  const TtGcnKernel *kernel,
                  const char *name,
                  gboolean *reached,
                  guint *end,
                  GError **error)
{
  guint most = kernel->entry;
  g_autoptr (GArray) todo = g_array_new (FALSE, FALSE, sizeof (guint));
  const TtGcnInstruction *instruction = NULL;
  guint n = module->instructions->len, target;

  g_array_append_val (todo, kernel->entry);
  while (todo->len > 0)
    {
      guint i = g_array_index (todo, guint, todo->len - 1);

      g_array_set_size (todo, todo->len - 1);
      for (; i < n && !reached[i]; i++)
        {
          instruction = tt_gcn_module_at (module, i);
          reached[i] = TRUE;
          most = MAX (most, i + 1);
          if (i < kernel->entry)
            return fail (name, instruction, "a kernel comes here that begins behind it, so it cannot be woven", error);
          if (leaves (instruction))
            return fail (name, instruction, "it goes where only a register knows, so the kernel cannot be woven",
                         error);
          if (is_branch (instruction) && !find_target (module, instruction, &target))
            return fail (name, instruction, "there is no such label", error);
          if (is_branch (instruction))
            g_array_append_val (todo, target);
          if (g_str_equal (instruction->name, "s_branch") || g_str_equal (instruction->name, "s_endpgm"))
            break;
        }
      if (i == n)
        {
          g_set_error (error, TT_ERROR, TT_ERROR_FORMAT, "%s: kernel '%s' goes on behind the end of the text", name,
                       kernel->name);
          return FALSE;
        }
    }
  if (end != NULL)
    *end = most;
  return TRUE;
}

/* How many instructions from s_getpc_b64 at @i on are one address. */
static guint
address_length (const TtGcnModule *module, guint i)
{
  static const char *const rest[] = { "s_add_u32", "s_addc_u32" };
  guint n = 1;

  while (n <= G_N_ELEMENTS (rest) && i + n < module->instructions->len &&
         g_str_equal (tt_gcn_module_at (module, i + n)->name, rest[n - 1]))
    n++;
  return n;
}

void
tt_gpu_gcn_group (const TtGcnModule *module, guint i, guint *first, guint *last)
{
  *first = *last = i;
  for (guint back = 0; back <= 2 && back <= i; back++)
    if (g_str_equal (tt_gcn_module_at (module, i - back)->name, "s_getpc_b64"))
      {
        guint n = address_length (module, i - back);

        if (back < n)
          {
            *first = i - back;
            *last = i - back + n - 1;
          }
        return;
      }
}

/* -- distances ---------------------------------------------------------------------------------------- */

static gboolean
has_literal (const TtGcnInstruction *instruction)
{
  for (guint i = 0; i < instruction->n; i++)
    {
      const TtGcnOperand *operand = &instruction->operands[i];

      if (operand->kind == TT_GCN_REAL || operand->kind == TT_GCN_WORD ||
          (operand->kind == TT_GCN_NUMBER && (operand->value < -16 || operand->value > 64)))
        return TRUE;
    }
  return FALSE;
}

/* At most. */
static guint
instruction_bytes (const TtGcnInstruction *instruction)
{
  const char *name = instruction->name;

  if (is_branch (instruction) || g_str_equal (name, "s_waitcnt") || g_str_equal (name, "s_getreg_b32"))
    return 4;
  if (g_str_has_prefix (name, "s_load") || g_str_has_prefix (name, "s_mem") || g_str_has_prefix (name, "s_buffer") ||
      g_str_has_prefix (name, "s_store") || g_str_has_prefix (name, "s_dcache") ||
      g_str_has_prefix (name, "s_atomic") || g_str_has_prefix (name, "s_scratch"))
    return 8;
  if (g_str_has_prefix (name, "s_") || g_str_has_suffix (name, "_e32"))
    return has_literal (instruction) ? 8 : 4;
  return 8;
}

gboolean
tt_gpu_gcn_check_branches (const TtGcnModule *module, const char *name, GError **error)
{
  guint n = module->instructions->len, target;
  g_autofree guint64 *at = g_new0 (guint64, n + 1);

  for (guint i = 0; i < n; i++)
    at[i + 1] = at[i] + instruction_bytes (tt_gcn_module_at (module, i));
  for (guint i = 0; i < n; i++)
    {
      const TtGcnInstruction *instruction = tt_gcn_module_at (module, i);

      if (!is_branch (instruction) || !find_target (module, instruction, &target))
        continue;
      if (MAX (at[i + 1], at[target]) - MIN (at[i + 1], at[target]) > MOST_BRANCH_BYTES)
        {
          g_set_error (error, TT_ERROR, TT_ERROR_FORMAT,
                       "%s: the branch to '%s' would be further than the 128 KiB that there are: take a probe with "
                       "fewer positions or less code",
                       name, instruction->operands[0].text);
          return FALSE;
        }
    }
  return TRUE;
}
