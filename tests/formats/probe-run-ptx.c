/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/neutrino/save-line.h"
#include "tests/formats/probe-run.h"

#include <math.h>
#include <string.h>

/*
 * The part of PTX that probes are made of, one lane after the other. Registers must be declared, and have the width that
 * an instruction asks for.
 */

typedef struct
{
  guint width; /* 1: a predicate */
  guint64 value;
} Register;

typedef struct
{
  const TtNlToml *toml;
  ProbeRun *run;
  guint lane;
  GHashTable *registers; /* "%nt0" -> Register */
  gboolean is_current;   /* dialect */
  guint64 local;         /* the variable in local memory */
} Machine;

typedef struct
{
  const char *name;
  guint n; /* operands that are read */
  guint64 (*compute) (guint64 a, guint64 b, guint width);
} Operation;

static guint64
add (guint64 a, guint64 b, guint width)
{
  return a + b;
}

static guint64
sub (guint64 a, guint64 b, guint width)
{
  return a - b;
}

static guint64
mul (guint64 a, guint64 b, guint width)
{
  return a * b;
}

static guint64
divide (guint64 a, guint64 b, guint width)
{
  return probe_divide (a, b, FALSE, width);
}

static guint64
rem (guint64 a, guint64 b, guint width)
{
  return probe_divide (a, b, TRUE, width);
}

static guint64 and (guint64 a, guint64 b, guint width)
{
  return a & b;
}

static guint64 or (guint64 a, guint64 b, guint width)
{
  return a | b;
}

static guint64 xor (guint64 a, guint64 b, guint width) { return a ^ b; }

    static guint64 not(guint64 a, guint64 b, guint width)
{
  return ~a;
}

static guint64
neg (guint64 a, guint64 b, guint width)
{
  return -a;
}

/* PTX clamps counts. */
static guint64
shl (guint64 a, guint64 b, guint width)
{
  return b >= width ? 0 : a << b;
}

static guint64
shr (guint64 a, guint64 b, guint width)
{
  return b >= width ? 0 : a >> b;
}

static guint64
mov (guint64 a, guint64 b, guint width)
{
  return a;
}

/* With the types that ptxas takes. */
static const Operation operations[] = {
  { "mov.u", 1, mov },    { "mov.b", 1, mov }, { "add.u", 2, add }, { "sub.u", 2, sub }, { "mul.lo.u", 2, mul },
  { "div.u", 2, divide }, { "rem.u", 2, rem }, { "and.b", 2, and},  { "or.b", 2, or },   { "xor.b", 2, xor},
  { "not.b", 1, not },    { "neg.s", 1, neg }, { "shl.b", 2, shl }, { "shr.u", 2, shr },
};

static guint64
mask (guint width)
{
  return width == 64 ? G_MAXUINT64 : ((guint64) 1 << width) - 1;
}

static void
declare (Machine *self, const char *name, guint width)
{
  Register *new = g_new0 (Register, 1);

  new->width = width;
  new->value = ((guint64) g_rand_int (self->run->garbage) << 32 | g_rand_int (self->run->garbage)) & mask (width);
  g_hash_table_replace (self->registers, g_strdup (name), new);
}

/* ".reg .b64 %a;" and ".reg .b32 %nw<5>;" */
static void
declare_line (Machine *self, const char *line)
{
  g_auto (GStrv) words = g_strsplit_set (line, " ;", -1);
  guint width = g_str_equal (words[1], ".b64") ? 64 : g_str_equal (words[1], ".b32") ? 32 : 1;
  char *range = strchr (words[2], '<');

  if (range == NULL)
    {
      declare (self, words[2], width);
      return;
    }
  guint n = (guint) g_ascii_strtoull (range + 1, NULL, 10);
  *range = '\0';
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *name = g_strdup_printf ("%s%u", words[2], i);
      declare (self, name, width);
    }
}

static guint64
read_value (Machine *self, const char *text, guint width)
{
  int helper = probe_helper (text);
  const Register *found = g_hash_table_lookup (self->registers, text);

  if (helper >= 0)
    return self->run->machine->operands[helper][self->lane] & mask (width);
  if (g_str_equal (text, "%globaltimer"))
    return self->run->machine->time;
  if (g_str_equal (text, "%clock64"))
    return self->run->machine->clock;
  if (g_str_equal (text, "%smid"))
    return self->run->machine->smid;
  if (g_str_equal (text, "%laneid") || g_str_has_prefix (text, "%tid.") || g_str_has_prefix (text, "%ctaid."))
    return self->lane;
  if (g_str_has_prefix (text, "%ntid.") || g_str_has_prefix (text, "%nctaid."))
    return 32;
  if (g_ascii_isdigit (*text))
    return g_ascii_strtoull (text, NULL, 10);
  if (found == NULL || found->width != width)
    probe_run_fail (self->run, "%s is read with %u bits", text, width);
  return found == NULL ? 0 : found->value;
}

static void
write_value (Machine *self, const char *text, guint width, guint64 value)
{
  Register *found = g_hash_table_lookup (self->registers, text);

  if (found == NULL || found->width != width)
    probe_run_fail (self->run, "%s is written with %u bits", text, width);
  else
    found->value = value & mask (width);
}

static gboolean
run_compare (Machine *self, const char *how, guint width, char **o)
{
  static const char *const names[] = { "eq", "ne", "lt", "le", "gt", "ge" };
  guint64 a = read_value (self, o[1], width), b = read_value (self, o[2], width);
  const gboolean results[] = { a == b, a != b, a<b, a <= b, a> b, a >= b };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (strncmp (how, names[i], 2) == 0)
      {
        write_value (self, o[0], 1, results[i]);
        return TRUE;
      }
  return FALSE;
}

/* "setp.neu.f32" and "cvt.rzi.u64.f32" */
static gboolean
run_float (Machine *self, const char *word, guint width, char **o)
{
  static const char *const names[] = { "eq.", "neu.", "lt.", "le.", "gt.", "ge." };

  for (guint i = 0; i < G_N_ELEMENTS (names) && g_str_has_prefix (word, "setp."); i++)
    if (g_str_has_prefix (word + strlen ("setp."), names[i]))
      {
        double a = probe_float (read_value (self, o[1], width), width);
        double b = probe_float (read_value (self, o[2], width), width);

        write_value (self, o[0], 1, (guint64) probe_float_compare (i, a, b));
        return TRUE;
      }
  if (!g_str_has_prefix (word, "cvt.rzi."))
    return FALSE;
  guint result = strncmp (word + strlen ("cvt.rzi.") + 1, "64", 2) == 0 ? 64 : 32;
  double value = probe_float (read_value (self, o[1], width), width);
  /* Where one of both has 64 bits, no number is not 0. */
  gboolean is_odd = isnan (value) && (width == 64 || result == 64);
  write_value (self, o[0], result,
               is_odd ? (guint64) 1 << (result - 1)
                      : probe_float_cut (value, result, word[strlen ("cvt.rzi.")] == 's'));
  return TRUE;
}

static gboolean
run_operation (Machine *self, const char *word, char **o)
{
  for (guint i = 0; i < G_N_ELEMENTS (operations); i++)
    {
      const char *rest = word + strlen (operations[i].name);
      guint width = g_str_has_prefix (word, operations[i].name) ? (guint) g_ascii_strtoull (rest, NULL, 10) : 0;
      gboolean is_shift = operations[i].compute == shl || operations[i].compute == shr;

      if (width != 32 && width != 64)
        continue;
      guint64 a = read_value (self, o[1], width);
      guint64 b = operations[i].n > 1 ? read_value (self, o[2], is_shift ? 32 : width) : 0;
      write_value (self, o[0], width, operations[i].compute (a, b, width));
      return TRUE;
    }
  return FALSE;
}

static gboolean
run_predicate (Machine *self, const char *word, char **o)
{
  guint64 a = read_value (self, o[1], 1), b = o[2] != NULL ? read_value (self, o[2], 1) : 0;

  if (g_str_equal (word, "and.pred"))
    write_value (self, o[0], 1, a & b);
  else if (g_str_equal (word, "or.pred"))
    write_value (self, o[0], 1, a | b);
  else if (g_str_equal (word, "not.pred"))
    write_value (self, o[0], 1, !a);
  else
    return FALSE;
  return TRUE;
}

static void
run_instruction (Machine *self, const char *line)
{
  g_auto (GStrv) halves = g_strsplit (line, " ", 2);
  g_autofree char *list = halves[1] == NULL ? g_strdup ("") : g_strdelimit (g_strdup (halves[1]), ";", ' ');
  g_auto (GStrv) o = g_strsplit (list, ",", -1);
  const char *word = halves[0];
  guint width = g_str_has_suffix (word, "32") ? 32 : 64;

  for (char **operand = o; *operand != NULL; operand++)
    g_strstrip (*operand);
  if (g_str_has_suffix (word, ".pred") && run_predicate (self, word, o))
    return;
  if ((g_str_has_suffix (word, ".f32") || g_str_has_suffix (word, ".f64")) && run_float (self, word, width, o))
    return;
  if (g_str_has_prefix (word, "setp.") && run_compare (self, word + 5, width, o))
    return;
  if (g_str_equal (word, "st.local.b32"))
    self->local = read_value (self, o[1], g_str_has_prefix (o[1], "%NR") ? 64 : 32) & G_MAXUINT32;
  else if (g_str_equal (word, "ld.local.u32"))
    write_value (self, o[0], self->is_current ? 64 : 32, self->local);
  else if (g_str_has_prefix (word, "selp.b"))
    write_value (self, o[0], width, read_value (self, o[read_value (self, o[3], 1) ? 1 : 2], width));
  else if (g_str_equal (word, "activemask.b32"))
    write_value (self, o[0], 32, 1);
  else if (g_str_equal (word, "cvt.u32.u64"))
    write_value (self, o[0], 32, read_value (self, o[1], 64));
  else if (g_str_has_prefix (word, "popc.b"))
    write_value (self, o[0], 32, (guint64) __builtin_popcountll (read_value (self, o[1], width)));
  else if (g_str_equal (word, "cvt.s64.s32"))
    write_value (
        self, o[0], 64,
        (guint64) (gint64) (gint32) (guint32) read_value (self, o[1], g_str_has_prefix (o[1], "%NR") ? 64 : 32));
  else if (g_str_equal (word, "cvt.u64.u32"))
    /* A source may be wider than the conversion. */
    write_value (self, o[0], 64,
                 read_value (self, o[1], strncmp (o[1], "%NR", 3) == 0 || probe_helper (o[1]) >= 0 ? 64 : 32) &
                     G_MAXUINT32);
  else if (!run_operation (self, word, o))
    probe_run_fail (self->run, "not PTX: %s", line);
}

static void
run_save (Machine *self, const TtNlSaveLine *save)
{
  if (save->guard != NULL && !read_value (self, save->guard + 1, 1))
    return;
  for (guint i = 0; save->items[i] != NULL; i++)
    {
      guint width = probe_item_width (self->toml, save->map, save->width, i);
      guint64 value = read_value (self, save->items[i], save->map != NULL ? 64 : width);

      if (width == 0)
        probe_run_fail (self->run, "item %u of a save has no field", i);
      probe_run_save (self->run, self->lane, width, value);
    }
}

/* "@!%np0 bra NSKIP": the label if the jump is taken, empty if not; NULL: @statement is no jump. */
static const char *
find_jump (Machine *self, const char *statement)
{
  g_auto (GStrv) words = g_strsplit (statement, " ", -1);

  if (g_strv_length (words) != 3 || !g_str_equal (words[1], "bra") || !g_str_has_prefix (words[0], "@!"))
    return NULL;
  return read_value (self, words[0] + 2, 1) ? "" : strstr (statement, words[2]);
}

/* @skipped: the label that is looked for, or empty. */
static void
run_statement (Machine *self, char *statement, GString *skipped)
{
  char *at = g_strstrip (statement + strspn (statement, " {}")), *label = strchr (at, ':');

  if (label != NULL)
    {
      *label = '\0';
      if (g_str_equal (at, skipped->str))
        g_string_truncate (skipped, 0);
      return;
    }
  if (*at == '\0' || skipped->len > 0 || g_str_has_prefix (at, ".local"))
    return;
  const char *jump = find_jump (self, at);
  if (jump != NULL)
    g_string_assign (skipped, jump);
  else if (g_str_has_prefix (at, ".reg "))
    declare_line (self, at);
  else
    run_instruction (self, at);
}

static void
run_text (Machine *self, gboolean at_kernel, const char *when)
{
  g_autofree char *text = probe_text (self->toml, at_kernel, when);
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  g_autoptr (GString) skipped = g_string_new (NULL);

  for (char **line = lines; *line != NULL && self->run->why == NULL; line++)
    {
      g_auto (TtNlSaveLine) save = { 0 };

      if (tt_nl_save_line_read (&save, *line, strlen (*line)))
        {
          if (skipped->len == 0)
            run_save (self, &save);
          continue;
        }
      g_auto (GStrv) statements = g_strsplit (*line, ";", -1);
      for (char **statement = statements; *statement != NULL && self->run->why == NULL; statement++)
        run_statement (self, *statement, skipped);
    }
  if (skipped->len > 0)
    probe_run_fail (self->run, "no label %s", skipped->str);
}

void
probe_run_ptx (const TtNlToml *toml, ProbeRun *run)
{
  const TtNlTomlValue *regs = tt_nl_toml_find (tt_nl_toml_table (toml, 0), "regs");
  Machine self = { .toml = toml, .run = run, .is_current = regs != NULL };

  for (self.lane = 0; self.lane < N_LANES; self.lane++)
    {
      self.registers = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
      for (gint64 i = 0; regs != NULL && i < regs->number; i++)
        {
          g_autofree char *name = g_strdup_printf ("%%NR%" G_GINT64_FORMAT, i);
          declare (&self, name, 64);
        }
      run_text (&self, TRUE, "before");
      run_text (&self, FALSE, "before");
      run_text (&self, FALSE, "after");
      run_text (&self, TRUE, "after");
      g_hash_table_unref (self.registers);
    }
}
