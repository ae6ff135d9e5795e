/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/neutrino/registers.h"

#include <string.h>

/* A role and a clock in one word; 0: nothing known. */
#define CONTENT(role, clock) ((guint) (role) << 8 | (guint) (clock))

#define MOST_WORDS 8

struct _TtNeutrinoRegisters
{
  GHashTable *contents;  /* name -> content; only known ones */
  GHashTable *originals; /* name -> name of what it is a cut of */
};

TtNeutrinoRegisters *
tt_neutrino_registers_new (void)
{
  TtNeutrinoRegisters *self = g_new0 (TtNeutrinoRegisters, 1);

  self->contents = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->originals = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  return self;
}

void
tt_neutrino_registers_free (TtNeutrinoRegisters *self)
{
  if (self == NULL)
    return;
  g_hash_table_unref (self->contents);
  g_hash_table_unref (self->originals);
  g_free (self);
}

/* -- special registers and what writes them ---------------------------------------------------------------- */

static const struct
{
  const char *text;
  guint content;
} sources[] = {
  { "%globaltimer", CONTENT (TT_NEUTRINO_START, TT_NEUTRINO_NS) },
  { "%clock64", CONTENT (TT_NEUTRINO_START, TT_NEUTRINO_CYCLES) },
  { "%clock", CONTENT (TT_NEUTRINO_START, TT_NEUTRINO_CYCLES) },
  { "%smid", CONTENT (TT_NEUTRINO_UNIT, TT_NEUTRINO_NO_CLOCK) },
  { "s_memtime", CONTENT (TT_NEUTRINO_START, TT_NEUTRINO_CYCLES) },
  { "s_memrealtime", CONTENT (TT_NEUTRINO_START, TT_NEUTRINO_TEN_NS) },
  { "s_getreg_b32", CONTENT (TT_NEUTRINO_UNIT, TT_NEUTRINO_NO_CLOCK) },
};

static guint
content_of (const TtNeutrinoRegisters *self, const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (sources); i++)
    if (g_str_equal (sources[i].text, name))
      return sources[i].content;
  return GPOINTER_TO_UINT (g_hash_table_lookup (self->contents, name));
}

static void
set_content (TtNeutrinoRegisters *self, const char *name, guint content)
{
  if (content == 0)
    g_hash_table_remove (self->contents, name);
  else
    g_hash_table_insert (self->contents, g_strdup (name), GUINT_TO_POINTER (content));
}

/* What a PTX conversion, or on GCN a move of the lower half, cuts. */
static void
note_original (TtNeutrinoRegisters *self, char *const words[], guint n)
{
  gboolean cuts = n > 2 && (g_str_equal (words[0], "cvt.u32.u64") || g_str_equal (words[0], "v_mov_b32_e32"));

  if (cuts)
    g_hash_table_insert (self->originals, g_strdup (words[1]), g_strdup (words[2]));
  else
    g_hash_table_remove (self->originals, words[1]);
}

static guint
difference (guint a, guint b)
{
  return a == b && a >> 8 == TT_NEUTRINO_START ? CONTENT (TT_NEUTRINO_ELAPSED, a & 0xff) : 0;
}

/* -- lines -------------------------------------------------------------------------------------------------- */

/* "v[nv_a:nv_a+1]" and "s[nt_s]" are nv_a and nt_s; the upper half of a pair, "v[nv_a+1]", is nothing. */
static void
strip_brackets (char *word)
{
  char *open = strchr (word, '[');

  if (open == NULL)
    return;
  memmove (word, open + 1, strlen (open + 1) + 1);
  word[strcspn (word, ":]")] = '\0';
  if (strchr (word, '+') != NULL)
    *word = '\0';
}

static guint
split_line (char *line, char *words[MOST_WORDS])
{
  static const char separators[] = " \t,;{}\r";
  guint n = 0;
  char *rest = line, *word;

  while (n < MOST_WORDS && (word = strsep (&rest, separators)) != NULL)
    if (*word != '\0')
      words[n++] = word;
  return n;
}

static void
run_gcn (TtNeutrinoRegisters *self, char *const words[], guint n)
{
  if (g_str_has_prefix (words[0], "s_mem") || g_str_equal (words[0], "s_getreg_b32"))
    set_content (self, words[1], content_of (self, words[0]));
  else if (g_str_has_prefix (words[0], "v_mov_b32"))
    set_content (self, words[1], n > 2 ? content_of (self, words[2]) : 0);
  else if (g_str_has_prefix (words[0], "v_sub_co_u32"))
    set_content (self, words[1], n > 4 ? difference (content_of (self, words[3]), content_of (self, words[4])) : 0);
  else if (!g_str_has_prefix (words[0], "v_lshl_or_b32")) /* puts the die in front of the CU */
    set_content (self, words[1], 0);
}

static void
run_ptx (TtNeutrinoRegisters *self, char *const words[], guint n)
{
  guint a = n > 2 ? content_of (self, words[2]) : 0, b = n > 3 ? content_of (self, words[3]) : 0;

  if (g_str_has_prefix (words[0], "mov.") || g_str_has_prefix (words[0], "cvt.") || g_str_has_prefix (words[0], "and."))
    set_content (self, words[1], a);
  else if (g_str_has_prefix (words[0], "sub."))
    set_content (self, words[1], difference (a, b));
  else if (g_str_has_prefix (words[0], "selp."))
    set_content (self, words[1], a != 0 ? a : b);
  else
    set_content (self, words[1], 0);
}

static void
run_line (TtNeutrinoRegisters *self, char *line)
{
  char *words[MOST_WORDS];
  guint n = split_line (line, words), first = n > 0 && words[0][0] == '@' ? 1 : 0;

  if (n < first + 2 || words[first][0] == '.')
    return;
  for (guint i = first + 1; i < n; i++)
    strip_brackets (words[i]);
  if (words[first + 1][0] == '\0')
    return;
  note_original (self, words + first, n - first);
  if (words[first + 1][0] == '%')
    run_ptx (self, words + first, n - first);
  else
    run_gcn (self, words + first, n - first);
}

void
tt_neutrino_registers_run (TtNeutrinoRegisters *self, const char *line, gsize len)
{
  const char *comment = g_strstr_len (line, (gssize) len, "//");
  g_autofree char *copy = g_strndup (line, comment == NULL ? len : (gsize) (comment - line));

  run_line (self, copy);
}

void
tt_neutrino_registers_get (const TtNeutrinoRegisters *self,
                           const char *name,
                           TtNeutrinoRole *role,
                           TtNeutrinoClock *clock)
{
  guint content = content_of (self, name);

  *role = (TtNeutrinoRole) (content >> 8);
  *clock = (TtNeutrinoClock) (content & 0xff);
}

const char *
tt_neutrino_registers_original (const TtNeutrinoRegisters *self, const char *name)
{
  return g_hash_table_lookup (self->originals, name);
}
