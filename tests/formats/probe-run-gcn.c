/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/neutrino/save-line.h"
#include "tests/formats/probe-run.h"

#include <math.h>
#include <string.h>

/*
 * The part of GCN that probes are made of, on N_LANES lanes of one wave. Registers begin where the consumer says, at even
 * numbers; those that nobody has set hold garbage, and so does SCC, which a probe at an instruction must leave as it was.
 */

#define N_VECTORS 256u
#define N_SCALARS 102u
#define FIRST_VECTOR 16u
#define FIRST_SCALAR 16u

typedef struct
{
  const TtNlToml *toml;
  ProbeRun *run;
  guint32 vectors[N_VECTORS + 2][N_LANES];
  guint32 scalars[N_SCALARS + 2];
  guint written_at[N_SCALARS + 2]; /* when a vector instruction did; 0: none */
  guint now;                       /* wait states that have passed */
  gboolean has_waited;             /* for what the instruction loads */
  gboolean is_after;
  guint64 exec;
  gboolean scc;
  GHashTable *symbols;
} Machine;

/* One operand, as it is written. */
typedef struct
{
  char file; /* 'v', 's', 'e' (exec), 'c' (a constant), 'i' (an operand of the instruction) */
  guint index;
  gboolean is_pair;
  guint64 value;
} Operand;

static guint
find_symbol (Machine *self, const char *text)
{
  g_auto (GStrv) parts = g_strsplit (text, "+", 2);
  gpointer value;

  if (!g_hash_table_lookup_extended (self->symbols, parts[0], NULL, &value))
    {
      probe_run_fail (self->run, "no symbol %s", parts[0]);
      return 0;
    }
  return GPOINTER_TO_UINT (value) + (parts[1] != NULL ? (guint) g_ascii_strtoull (parts[1], NULL, 10) : 0);
}

static Operand
parse_operand (Machine *self, const char *text)
{
  Operand operand = { .file = *text };
  int helper = probe_helper (text);

  if (g_str_equal (text, "exec"))
    return operand;
  if (helper >= 0)
    return (Operand){ .file = 'i', .index = (guint) helper };
  if (g_str_equal (text, "-1"))
    return (Operand){ .file = 'c', .value = G_MAXUINT64 };
  if (g_ascii_isdigit (*text))
    return (Operand){ .file = 'c', .value = g_ascii_strtoull (text, NULL, 0) };
  if (text[1] != '[')
    {
      probe_run_fail (self->run, "no operand: %s", text);
      return (Operand){ .file = 'c' };
    }
  g_autofree char *inner = g_strndup (text + 2, strlen (text) - 3);
  g_auto (GStrv) ends = g_strsplit (inner, ":", 2);
  operand.is_pair = ends[1] != NULL;
  operand.index = find_symbol (self, ends[0]);
  if (operand.is_pair && (find_symbol (self, ends[1]) != operand.index + 1 || operand.index % 2 != 0))
    probe_run_fail (self->run, "no pair: %s", text);
  if (operand.index >= (operand.file == 'v' ? N_VECTORS : N_SCALARS))
    probe_run_fail (self->run, "no such register: %s", text);
  return operand;
}

static guint64
read_operand (Machine *self, const Operand *o, guint lane)
{
  switch (o->file)
    {
    case 'e':
      return self->exec;
    case 'c':
      return o->value;
    case 'i':
      return self->run->machine->operands[o->index][lane];
    case 'v':
      return self->vectors[o->index][lane] | (o->is_pair ? (guint64) self->vectors[o->index + 1][lane] << 32 : 0);
    default:
      return self->scalars[o->index] | (o->is_pair ? (guint64) self->scalars[o->index + 1] << 32 : 0);
    }
}

static void
write_operand (Machine *self, const Operand *o, guint lane, guint64 value)
{
  switch (o->file)
    {
    case 'e':
      self->exec = value;
      break;
    case 'v':
      self->vectors[o->index][lane] = (guint32) value;
      if (o->is_pair)
        self->vectors[o->index + 1][lane] = (guint32) (value >> 32);
      break;
    case 's':
      self->scalars[o->index] = (guint32) value;
      if (o->is_pair)
        self->scalars[o->index + 1] = (guint32) (value >> 32);
      break;
    default:
      probe_run_fail (self->run, "a constant is written");
    }
}

/* -- vector instructions -------------------------------------------------------------------------------- */

typedef guint64 (*Compute) (guint64 a, guint64 b, guint64 c);

static guint64
op_mov (guint64 a, guint64 b, guint64 c)
{
  return a;
}

static guint64
op_not (guint64 a, guint64 b, guint64 c)
{
  return ~a;
}

static guint64
op_add (guint64 a, guint64 b, guint64 c)
{
  return a + b;
}

static guint64
op_sub (guint64 a, guint64 b, guint64 c)
{
  return a - b;
}

static guint64
op_mul (guint64 a, guint64 b, guint64 c)
{
  return a * b;
}

static guint64
op_mul_hi (guint64 a, guint64 b, guint64 c)
{
  return a * b >> 32;
}

static guint64
op_and (guint64 a, guint64 b, guint64 c)
{
  return a & b;
}

static guint64
op_or (guint64 a, guint64 b, guint64 c)
{
  return a | b;
}

static guint64
op_xor (guint64 a, guint64 b, guint64 c)
{
  return a ^ b;
}

/* Only the low bits of a count are looked at. */
static guint64
op_shl32 (guint64 a, guint64 b, guint64 c)
{
  return b << (a & 31);
}

static guint64
op_shr32 (guint64 a, guint64 b, guint64 c)
{
  return (guint32) b >> (a & 31);
}

static guint64
op_shl64 (guint64 a, guint64 b, guint64 c)
{
  return b << (a & 63);
}

static guint64
op_shr64 (guint64 a, guint64 b, guint64 c)
{
  return b >> (a & 63);
}

static guint64
op_shl_or (guint64 a, guint64 b, guint64 c)
{
  return a << (b & 31) | c;
}

static guint64
op_bcnt (guint64 a, guint64 b, guint64 c)
{
  return (guint64) __builtin_popcountll (a) + b;
}

static guint64
op_ashr32 (guint64 a, guint64 b, guint64 c)
{
  return (guint64) ((gint32) (guint32) b >> (a & 31));
}

static guint64
bits_of (double value)
{
  guint64 bits;

  memcpy (&bits, &value, sizeof bits);
  return bits;
}

#define F(bits) probe_float (bits, 32)
#define D(bits) probe_float (bits, 64)
#define FLOAT(name, value)                              \
  static guint64 name (guint64 a, guint64 b, guint64 c) \
  {                                                     \
    return value;                                       \
  }

FLOAT (op_u32_f32, probe_float_cut (F (a), 32, FALSE))
FLOAT (op_u32_f64, probe_float_cut (D (a), 32, FALSE))
FLOAT (op_i32_f32, probe_float_cut (F (a), 32, TRUE))
FLOAT (op_i32_f64, probe_float_cut (D (a), 32, TRUE))
FLOAT (op_f64_f32, bits_of (F (a)))
FLOAT (op_trunc, bits_of (trunc (D (a))))
FLOAT (op_floor, bits_of (floor (D (a))))
FLOAT (op_max, bits_of (fmax (D (a), D (b))))
FLOAT (op_ldexp, bits_of (ldexp (D (a), (gint32) (guint32) b)))
FLOAT (op_fma, bits_of (fma (D (a), D (b), D (c))))

static const struct
{
  const char *name;
  Compute compute;
} vector_operations[] = {
  { "v_mov_b32_e32", op_mov },         { "v_not_b32_e32", op_not },
  { "v_add_u32_e64", op_add },         { "v_sub_u32_e64", op_sub },
  { "v_mul_lo_u32", op_mul },          { "v_mul_hi_u32", op_mul_hi },
  { "v_and_b32_e64", op_and },         { "v_or_b32_e64", op_or },
  { "v_xor_b32_e64", op_xor },         { "v_lshlrev_b32_e64", op_shl32 },
  { "v_lshrrev_b32_e64", op_shr32 },   { "v_lshlrev_b64", op_shl64 },
  { "v_bcnt_u32_b32", op_bcnt },       { "v_ashrrev_i32_e64", op_ashr32 },
  { "v_lshrrev_b64", op_shr64 },       { "v_lshl_or_b32", op_shl_or },
  { "v_cvt_u32_f32_e32", op_u32_f32 }, { "v_cvt_u32_f64_e32", op_u32_f64 },
  { "v_cvt_i32_f32_e32", op_i32_f32 }, { "v_cvt_i32_f64_e32", op_i32_f64 },
  { "v_cvt_f64_f32_e32", op_f64_f32 }, { "v_trunc_f64_e32", op_trunc },
  { "v_floor_f64_e32", op_floor },     { "v_max_f64", op_max },
  { "v_ldexp_f64", op_ldexp },         { "v_fma_f64", op_fma },
};

/* What is read too early is not there yet. */
static void
check_waits (Machine *self, const char *word, const Operand *o, guint n)
{
  guint n_written = strstr (word, "_co_u32_e64") != NULL ? 2 : 1;

  for (guint i = 0; i < n; i++)
    for (guint half = 0; half <= (guint) o[i].is_pair && o[i].file == 's'; half++)
      {
        guint *written_at = &self->written_at[o[i].index + half];

        if (i >= n_written && *written_at != 0 && self->now - *written_at <= self->run->scalar_wait)
          probe_run_fail (self->run, "%s reads a scalar register too early", word);
      }
  for (guint i = 0; i < n; i++)
    if (i >= n_written && o[i].file == 'i' && o[i].index == TT_NL_OUT && self->is_after && !self->has_waited)
      probe_run_fail (self->run, "%s reads what may not be loaded yet", word);
  for (guint i = 0; i < n_written; i++)
    for (guint half = 0; half <= (guint) o[i].is_pair && o[i].file == 's'; half++)
      self->written_at[o[i].index + half] = self->now;
}

/* Constants have room only in moves, unless they are small. */
static void
check_constants (Machine *self, const char *word, const Operand *o, guint n)
{
  for (guint i = 1; i < n; i++)
    if (o[i].file == 'c' && o[i].value > 64 && o[i].value != G_MAXUINT64 && !g_str_equal (word, "v_mov_b32_e32"))
      probe_run_fail (self->run, "%s has no room for a constant", word);
}

/* Two results: a sum of halves, and the carries of all lanes. */
static gboolean
run_carry (Machine *self, const char *word, const Operand *o, guint n)
{
  gboolean is_sub = g_str_has_prefix (word, "v_sub"), has_in = n == 5;
  guint64 carries = 0, in = has_in ? read_operand (self, &o[4], 0) : 0;

  for (guint lane = 0; lane < N_LANES; lane++)
    {
      guint64 a = read_operand (self, &o[2], lane), b = read_operand (self, &o[3], lane), c = in >> lane & 1;

      if (!(self->exec >> lane & 1))
        continue;
      guint64 result = is_sub ? a - b - c : a + b + c;
      carries |= (guint64) (is_sub ? a < b + c : result >> 32 != 0) << lane;
      write_operand (self, &o[0], lane, result);
    }
  write_operand (self, &o[1], 0, carries);
  return TRUE;
}

/* "v_cmp_neq_f32_e64" */
static gboolean
run_float_compare (Machine *self, const char *word, const Operand *o)
{
  static const char *const names[] = { "eq_", "neq_", "lt_", "le_", "gt_", "ge_" };
  guint width = strstr (word, "_f32") != NULL ? 32 : 64, how = 0;
  guint64 lanes = 0;

  while (how < G_N_ELEMENTS (names) && !g_str_has_prefix (word + strlen ("v_cmp_"), names[how]))
    how++;
  for (guint lane = 0; lane < N_LANES && how < G_N_ELEMENTS (names); lane++)
    if (self->exec >> lane & 1)
      lanes |= (guint64) probe_float_compare (how, probe_float (read_operand (self, &o[1], lane), width),
                                              probe_float (read_operand (self, &o[2], lane), width))
               << lane;
  write_operand (self, &o[0], 0, lanes);
  return how < G_N_ELEMENTS (names);
}

/* "v_cmp_gt_u64_e64" */
static gboolean
run_compare (Machine *self, const char *word, const Operand *o)
{
  static const char *const names[] = { "eq", "ne", "lt", "le", "gt", "ge" };
  gboolean is_signed = strstr (word, "_i32") != NULL;
  guint64 lanes = 0;
  guint how = 0;

  while (how < G_N_ELEMENTS (names) && strncmp (word + strlen ("v_cmp_"), names[how], 2) != 0)
    how++;
  for (guint lane = 0; lane < N_LANES; lane++)
    {
      guint64 a = read_operand (self, &o[1], lane), b = read_operand (self, &o[2], lane);
      guint64 bias = is_signed ? 0x80000000u : 0;
      guint64 x = is_signed ? (guint32) (a + bias) : a, y = is_signed ? (guint32) (b + bias) : b;
      const gboolean results[] = { x == y, x != y, x<y, x <= y, x> y, x >= y, FALSE };

      if (self->exec >> lane & 1)
        lanes |= (guint64) results[how] << lane;
    }
  write_operand (self, &o[0], 0, lanes);
  return how < G_N_ELEMENTS (names);
}

static gboolean
run_vector (Machine *self, const char *word, const Operand *o, guint n)
{
  guint i = 0;

  check_constants (self, word, o, n);
  check_waits (self, word, o, n);
  if (strstr (word, "_co_u32_e64") != NULL && n >= 4)
    return run_carry (self, word, o, n);
  if (g_str_has_prefix (word, "v_cmp_") && strstr (word, "_f") != NULL)
    return run_float_compare (self, word, o);
  if (g_str_has_prefix (word, "v_cmp_"))
    return run_compare (self, word, o);
  while (i < G_N_ELEMENTS (vector_operations) && !g_str_equal (word, vector_operations[i].name))
    i++;
  for (guint lane = 0; lane < N_LANES; lane++)
    {
      guint64 values[4] = { 0 };

      if (!(self->exec >> lane & 1))
        continue;
      for (guint k = 1; k < n; k++)
        values[k] = read_operand (self, &o[k], lane);
      if (g_str_equal (word, "v_cndmask_b32_e64"))
        write_operand (self, &o[0], lane, values[values[3] >> lane & 1 ? 2 : 1]);
      else if (i < G_N_ELEMENTS (vector_operations))
        write_operand (self, &o[0], lane, vector_operations[i].compute (values[1], values[2], values[3]));
      else
        return FALSE;
    }
  return TRUE;
}

/* -- scalar instructions ---------------------------------------------------------------------------------- */

static gboolean
run_scalar (Machine *self, const char *word, const char *line, const Operand *o)
{
  guint64 a = read_operand (self, &o[1], 0), b = read_operand (self, &o[2], 0), result;
  const ProbeMachine *machine = self->run->machine;

  if (g_str_equal (word, "s_waitcnt"))
    {
      self->has_waited = self->has_waited || strstr (line, "vmcnt(0) lgkmcnt(0)") != NULL;
      return TRUE;
    }
  if (g_str_equal (word, "s_nop"))
    {
      self->now += (guint) o[0].value;
      return o[0].file == 'c' && o[0].value < 16;
    }
  if (g_str_equal (word, "s_cmp_lg_u32"))
    {
      self->scc = read_operand (self, &o[0], 0) != a;
      return TRUE;
    }
  if (g_str_equal (word, "s_and_saveexec_b64"))
    {
      write_operand (self, &o[0], 0, self->exec);
      self->exec &= a;
      self->scc = self->exec != 0;
      return TRUE;
    }
  if (g_str_equal (word, "s_memtime") || g_str_equal (word, "s_memrealtime"))
    result = word[5] == 't' ? machine->clock : machine->time;
  else if (g_str_equal (word, "s_getreg_b32"))
    result = strstr (line, "hwreg(HW_REG_HW_ID, 8, 8)") != NULL    ? machine->smid & 255
             : strstr (line, "hwreg(HW_REG_XCC_ID, 0, 4)") != NULL ? machine->smid >> 8
                                                                   : G_MAXUINT64;
  else if (g_str_equal (word, "s_cselect_b32"))
    result = self->scc ? a : b;
  else if (g_str_equal (word, "s_mov_b64"))
    result = a;
  else
    {
      if (g_str_equal (word, "s_and_b64"))
        result = a & b;
      else if (g_str_equal (word, "s_or_b64"))
        result = a | b;
      else if (g_str_equal (word, "s_xor_b64"))
        result = a ^ b;
      else if (g_str_equal (word, "s_not_b64"))
        result = ~a;
      else
        return FALSE;
      self->scc = result != 0;
    }
  write_operand (self, &o[0], 0, result);
  return TRUE;
}

/* -- lines ------------------------------------------------------------------------------------------------- */

static void
run_instruction (Machine *self, const char *line)
{
  g_auto (GStrv) halves = g_strsplit (line, " ", 2);
  const char *end = halves[1] == NULL ? NULL : strstr (halves[1], ", hwreg");
  g_autofree char *list = halves[1] == NULL
                              ? g_strdup ("")
                              : g_strndup (halves[1], end != NULL ? (gsize) (end - halves[1]) : strlen (halves[1]));
  g_auto (GStrv) texts = g_strsplit (list, ", ", -1);
  Operand o[5] = { { .file = 'c' }, { .file = 'c' }, { .file = 'c' }, { .file = 'c' }, { .file = 'c' } };
  guint n = g_strv_length (texts);

  for (guint i = 0; i < MIN (n, 5) && !g_str_equal (halves[0], "s_waitcnt"); i++)
    o[i] = parse_operand (self, texts[i]);
  self->now++;
  if (self->run->why == NULL &&
      (*line == 'v' ? !run_vector (self, halves[0], o, n) : !run_scalar (self, halves[0], line, o)))
    probe_run_fail (self->run, "not GCN: %s", line);
}

static void
run_save (Machine *self, const TtNlSaveLine *save)
{
  for (guint i = 0; save->items[i] != NULL; i++)
    {
      guint width = probe_item_width (self->toml, save->map, save->width, i);
      Operand item = { .file = 'v', .index = find_symbol (self, save->items[i]), .is_pair = width == 64 };

      if (width == 64 && item.index % 2 != 0)
        probe_run_fail (self->run, "%s is no pair", save->items[i]);
      for (guint lane = 0; lane < N_LANES && self->run->why == NULL; lane++)
        if (self->exec >> lane & 1)
          probe_run_save (self->run, lane, width, read_operand (self, &item, lane));
    }
}

static void
set_symbol (Machine *self, const char *line)
{
  g_auto (GStrv) words = g_strsplit_set (line, " ,+", -1);
  gboolean is_vector = g_strcmp0 (words[3], "NT_VGPR") == 0;
  guint first = is_vector ? FIRST_VECTOR : FIRST_SCALAR;

  g_hash_table_insert (self->symbols, g_strdup (words[1]),
                       GUINT_TO_POINTER (first + (guint) g_ascii_strtoull (words[4], NULL, 10)));
}

static void
run_lines (Machine *self, char **lines, guint n)
{
  for (guint i = 0; i < n && self->run->why == NULL; i++)
    {
      g_auto (TtNlSaveLine) save = { 0 };
      guint inner = 0, times;

      if (*lines[i] == '\0')
        continue;
      if (g_str_has_prefix (lines[i], ".set "))
        set_symbol (self, lines[i]);
      else if (tt_nl_save_line_read (&save, lines[i], strlen (lines[i])))
        run_save (self, &save);
      else if (g_str_has_prefix (lines[i], ".rept "))
        {
          times = (guint) g_ascii_strtoull (lines[i] + strlen (".rept "), NULL, 10);
          while (i + 1 + inner < n && !g_str_equal (lines[i + 1 + inner], ".endr"))
            inner++;
          for (guint k = 0; k < times; k++)
            run_lines (self, lines + i + 1, inner);
          i += inner + 1;
        }
      else
        run_instruction (self, lines[i]);
    }
}

static void
run_text (Machine *self, gboolean at_kernel, const char *when)
{
  g_autofree char *text = probe_text (self->toml, at_kernel, when);
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  gboolean scc = self->scc = g_rand_boolean (self->run->garbage);

  self->has_waited = FALSE;
  self->is_after = g_str_equal (when, "after");
  run_lines (self, lines, g_strv_length (lines));
  if (self->exec != ((guint64) 1 << N_LANES) - 1)
    probe_run_fail (self->run, "lanes are left masked");
  if (!at_kernel && self->scc != scc)
    probe_run_fail (self->run, "SCC is not as it was");
}

void
probe_run_gcn (const TtNlToml *toml, ProbeRun *run)
{
  g_autofree Machine *self = g_new0 (Machine, 1);

  self->toml = toml;
  self->run = run;
  self->exec = ((guint64) 1 << N_LANES) - 1;
  self->symbols = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  for (guint i = 0; i < N_VECTORS; i++)
    for (guint lane = 0; lane < N_LANES; lane++)
      self->vectors[i][lane] = g_rand_int (run->garbage);
  for (guint i = 0; i < N_SCALARS; i++)
    self->scalars[i] = g_rand_int (run->garbage);
  run_text (self, TRUE, "before");
  run_text (self, FALSE, "before");
  run_text (self, FALSE, "after");
  run_text (self, TRUE, "after");
  g_hash_table_unref (self->symbols);
}
