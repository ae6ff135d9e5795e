/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/neutrino/gcn-waits.h"

#include <string.h>

#define MOST_OPERANDS 8u
#define MOST_STATES_OF_A_NOP 16u

/* -- rules ------------------------------------------------------------------------------------------ */

/* Until a vector instruction may read what a matrix or dot instruction wrote, the slowest of each. */
static const struct
{
  const char *mnemonic;
  guint states;
} slow_results[] = { { "v_mfma_", 19 }, { "v_smfmac_", 19 }, { "v_dot", 3 } };

/* Instructions that begin so write no register by the vector unit. */
static const char *const other_units[] = { "s_", "ds_", "flat_", "global_", "scratch_", "buffer_", "tbuffer_" };

static gboolean
may_find (const char *part, const char *mnemonic)
{
  return strstr (part, mnemonic) != NULL || strstr (mnemonic, part) != NULL;
}

/* Between the instruction at @position and a vector instruction that reads what it wrote. On gfx942 that is as much as
 * for scalar registers, which covers transcendental ones and those that write a part of a register, too. */
static guint
states_after (const TtNlTarget *target, const char *position)
{
  g_auto (GStrv) parts = g_strsplit (position, ":", -1);
  guint most = 0;

  for (char **part = parts; *part != NULL; part++)
    {
      gboolean is_vector = TRUE;

      for (guint i = 0; i < G_N_ELEMENTS (other_units); i++)
        is_vector = is_vector && !g_str_has_prefix (*part, other_units[i]);
      if (is_vector)
        most = MAX (most, target->scalar_wait);
      for (guint i = 0; i < G_N_ELEMENTS (slow_results) && is_vector; i++)
        if (may_find (*part, slow_results[i].mnemonic))
          most = MAX (most, slow_results[i].states);
    }
  return most;
}

/* -- lines ------------------------------------------------------------------------------------------ */

typedef struct
{
  const TtNlTarget *target;
  char **lines;
  guint n;
  guint *states;          /* that s_nop adds before each line */
  gboolean *waits;        /* before each line for what was loaded */
  GHashTable *written_at; /* scalar register -> when a vector instruction wrote it */
  guint now;              /* wait states that have passed; 1 is the first */
  guint operand_states;   /* between the instruction and a vector instruction that reads a register of it */
  gboolean is_after, is_at_instruction, has_waited;
} Pass;

/* "s[nt_c:nt_c+1]" is nt_c; NULL: no scalar register. */
static char *
scalar_name (char *operand)
{
  if (!g_str_has_prefix (operand, "s["))
    return NULL;
  operand[strcspn (operand, "+:]")] = '\0';
  return operand + 2;
}

/* ADDR and its like, but for BYTES, which becomes a number. */
static gboolean
is_injected (const char *operand, gboolean *is_out)
{
  *is_out = g_str_equal (operand, tt_nl_helper_words[TT_NL_OUT]);
  for (guint i = 0; i < TT_NL_BYTES; i++)
    if (g_str_equal (operand, tt_nl_helper_words[i]))
      return TRUE;
  return FALSE;
}

static guint
states_missing (const Pass *self, guint since, guint wanted)
{
  guint passed = self->now - since;

  return passed >= wanted ? 0 : wanted - passed;
}

/* How many states operand @operand of a vector instruction must still wait. */
static guint
read_operand (Pass *self, guint line, char *operand)
{
  gboolean is_out;
  gpointer since;

  if (self->is_at_instruction && is_injected (operand, &is_out))
    {
      if (!self->has_waited && (self->is_after || is_out))
        {
          self->waits[line] = self->has_waited = TRUE;
          self->now++;
        }
      return states_missing (self, 1, self->operand_states);
    }
  const char *name = scalar_name (operand);
  if (name == NULL || (since = g_hash_table_lookup (self->written_at, name)) == NULL)
    return 0;
  return states_missing (self, GPOINTER_TO_UINT (since) + 1, self->target->scalar_wait);
}

static void
scan_vector (Pass *self, guint line, char **operands, guint n)
{
  gboolean has_carry = strstr (self->lines[line], "_co_u32") != NULL;
  guint n_written = has_carry ? 2 : 1, missing = 0;

  for (guint i = n_written; i < n; i++)
    missing = MAX (missing, read_operand (self, line, operands[i]));
  self->now += missing;
  self->states[line] += missing;
  for (guint i = 0; i < MIN (n_written, n); i++)
    {
      const char *name = scalar_name (operands[i]);
      if (name != NULL)
        g_hash_table_insert (self->written_at, g_strdup (name), GUINT_TO_POINTER (self->now));
    }
}

static void
scan_line (Pass *self, guint line)
{
  g_autofree char *copy = g_strdup (self->lines[line]);
  char *operands[MOST_OPERANDS], *rest = copy, *word;
  guint n = 0;

  if (*copy == '.' || *copy == '\0')
    return;
  self->now += self->states[line];
  while (n < MOST_OPERANDS && (word = strsep (&rest, " ,")) != NULL)
    if (*word != '\0')
      operands[n++] = word;
  if (g_str_has_prefix (copy, "v_"))
    scan_vector (self, line, operands + 1, n - 1);
  else if (g_str_equal (copy, "s_nop") && n == 2)
    self->now += (guint) g_ascii_strtoull (operands[1], NULL, 0) % MOST_STATES_OF_A_NOP;
  self->now++;
}

/* What is repeated follows itself, too. */
static void
scan (Pass *self)
{
  guint first = 0;
  gboolean is_again = FALSE;

  for (guint i = 0; i < self->n; i++)
    {
      scan_line (self, i);
      if (g_str_has_prefix (self->lines[i], ".rept"))
        {
          first = i;
          is_again = FALSE;
        }
      else if (g_str_equal (self->lines[i], ".endr") && !is_again)
        {
          i = first;
          is_again = TRUE;
        }
    }
}

static void
write_lines (const Pass *self, GString *text)
{
  g_string_truncate (text, 0);
  for (guint i = 0; i < self->n; i++)
    {
      if (self->waits[i])
        tt_nl_line (text, "s_waitcnt vmcnt(0) lgkmcnt(0)");
      for (guint left = self->states[i], now; left > 0; left -= now)
        {
          now = MIN (left, MOST_STATES_OF_A_NOP);
          tt_nl_line (text, "s_nop %u", now - 1);
        }
      tt_nl_line (text, "%s", self->lines[i]);
    }
}

void
tt_nl_gcn_add_waits (GString *text, const TtNlTarget *target, const char *position, gboolean is_after)
{
  g_auto (GStrv) lines = g_strsplit (text->str, "\n", -1);
  g_autoptr (GHashTable) written_at = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  guint n = g_strv_length (lines);
  g_autofree guint *states = g_new0 (guint, n + 1);
  g_autofree gboolean *waits = g_new0 (gboolean, n + 1);
  Pass self = {
    .target = target,
    .lines = lines,
    .n = n,
    .states = states,
    .waits = waits,
    .written_at = written_at,
    .now = 1,
    .is_after = is_after,
    .is_at_instruction = position != NULL,
  };

  if (position != NULL)
    self.operand_states = is_after ? states_after (target, position) : target->scalar_wait;
  scan (&self);
  write_lines (&self, text);
}
