/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "tests/formats/probe-source.h"
#include "tests/rounds.h"

#include <string.h>

static void
fill_machine (GRand *rand, gboolean has_die, ProbeMachine *machine)
{
  machine->time = (guint64) g_rand_int (rand) << 32 | g_rand_int (rand);
  machine->clock = g_rand_int (rand);
  machine->smid = g_rand_int (rand) & (has_die ? 0xfff : 0xff);
  for (guint i = 0; i < TT_NL_N_HELPERS; i++)
    for (guint lane = 0; lane < N_LANES; lane++)
      machine->operands[i][lane] =
          ((guint64) g_rand_int (rand) << 32 | g_rand_int (rand)) >> g_rand_int_range (rand, 0, 64);
  for (guint lane = 0; lane < N_LANES; lane++)
    machine->operands[TT_NL_BYTES][lane] = (guint64) 1 << (machine->clock & 7);
}

static gboolean
is_equal (const ProbeRun *a, const ProbeRun *b)
{
  for (guint lane = 0; lane < N_LANES; lane++)
    if (a->saved[lane]->len != b->saved[lane]->len ||
        memcmp (a->saved[lane]->data, b->saved[lane]->data, a->saved[lane]->len * sizeof (guint64)) != 0)
      return FALSE;
  return TRUE;
}

static void
check_equal (const ProbeRun *wanted, const ProbeRun *got, const char *who, const char *source, const char *output)
{
  if (got->why == NULL && is_equal (wanted, got))
    return;
  g_test_message ("%s: %s\n%s\n%s", who, got->why != NULL ? got->why : "other values are saved", source, output);
  for (guint lane = 0; lane < N_LANES; lane++)
    for (guint i = 0; i < MIN (wanted->saved[lane]->len, got->saved[lane]->len); i++)
      if (g_array_index (wanted->saved[lane], guint64, i) != g_array_index (got->saved[lane], guint64, i))
        g_test_message ("lane %u, value %u: %" G_GUINT64_FORMAT " instead of %" G_GUINT64_FORMAT, lane, i,
                        g_array_index (got->saved[lane], guint64, i), g_array_index (wanted->saved[lane], guint64, i));
  g_test_fail ();
}

typedef struct
{
  GRand *rand;
  guint n_refused; /* for want of registers */
  guint n_saved;
} Tally;

static void
check_target (TtNlProgram *program, const ProbeSource *source, const char *target_name, Tally *tally)
{
  const TtNlTarget *target = tt_nl_target_find (target_name, NULL);
  gboolean is_ptx = g_str_equal (target_name, "ptx");
  g_autoptr (GString) output = g_string_new (NULL);
  g_autoptr (GError) error = NULL;
  ProbeMachine machine;
  g_auto (ProbeRun) wanted = { 0 }, by_list = { 0 }, by_text = { 0 };

  fill_machine (tally->rand, target->has_die_id, &machine);
  probe_run_init (&wanted, &machine, g_rand_int (tally->rand));
  probe_run_init (&by_list, &machine, g_rand_int (tally->rand));
  probe_run_init (&by_text, &machine, g_rand_int (tally->rand));
  by_text.scalar_wait = g_str_equal (target_name, "gfx942") ? 2 : 0;
  probe_source_run (source, &wanted);
  probe_run_ir (tt_nl_program_unit (program), &by_list);
  check_equal (&wanted, &by_list, "list", probe_source_text (source), "");
  tally->n_saved += wanted.saved[0]->len;

  if (!tt_nl_program_write (program, target, output))
    {
      g_assert_false (is_ptx);
      tally->n_refused++;
      return;
    }
  g_autoptr (TtNlToml) toml = tt_nl_toml_read ("output", output->str, output->len, &error);
  g_assert_no_error (error);
  if (is_ptx)
    probe_run_ptx (toml, &by_text);
  else
    probe_run_gcn (toml, &by_text);
  check_equal (&wanted, &by_text, target_name, probe_source_text (source), output->str);
}

static void
check_program (TtNlDialect dialect, Tally *tally)
{
  static const char *const targets[] = { "ptx", "gfx90a", "gfx942" };
  g_autoptr (ProbeSource) source = probe_source_new (tally->rand, dialect);

  for (guint i = 0; i < G_N_ELEMENTS (targets) && !g_test_failed (); i++)
    {
      const char *text = probe_source_text (source);
      g_autoptr (TtNlProgram) program = tt_nl_program_new ("random.py", text, strlen (text));

      if (!tt_nl_program_is_good (program))
        {
          g_autoptr (GString) messages = g_string_new (NULL);
          tt_nl_program_print_messages (program, messages);
          g_test_message ("%s\n%s", text, messages->str);
          g_test_fail ();
          return;
        }
      check_target (program, source, targets[i], tally);
    }
}

static void
test_random (gconstpointer data)
{
  const TtNlDialect dialect = GPOINTER_TO_UINT (data);
  guint32 seed = (guint32) g_test_rand_int ();
  Tally tally = { .rand = g_rand_new_with_seed (seed) };
  /* 1200 meet every pair of operation and width in every place. */
  const guint n_programs = test_rounds (1200);

  for (guint i = 0; i < n_programs && !g_test_failed (); i++)
    check_program (dialect, &tally);
  g_test_message ("seed %u: %u values saved, %u programs too large for GCN", seed, tally.n_saved, tally.n_refused);
  g_assert_cmpuint (tally.n_saved, >, 3 * n_programs);
  g_assert_cmpuint (tally.n_refused, <, n_programs / 10);
  g_rand_free (tally.rand);
}

/* What PTX leaves open GCN's steps define: all ones, and the dividend. */
static void
test_division_by_zero (void)
{
  static const char source[] = "import neutrino.language as nl\nx: nl.u64 = 0\ny: nl.u32 = 0\n"
                               "@nl.probe(pos='ld', size=24)\ndef p():\n  x = nl.in1\n  y = nl.u32(nl.in1)\n"
                               "  nl.save((7 // x, (x + 9) % x), dtype=nl.u64)\n"
                               "  nl.save((7 // y, (y + 9) % y), dtype=nl.u32)\n";
  static const guint64 wanted[] = { G_MAXUINT64, 9, G_MAXUINT32, 9 };
  g_autoptr (TtNlProgram) program = tt_nl_program_new ("zero.py", source, sizeof source - 1);
  g_autoptr (GString) output = g_string_new (NULL);
  const ProbeMachine machine = { 0 };
  g_auto (ProbeRun) by_list = { 0 }, by_text = { 0 };

  probe_run_init (&by_list, &machine, 1);
  probe_run_init (&by_text, &machine, 2);
  g_assert_true (tt_nl_program_write (program, tt_nl_target_find ("gfx90a", NULL), output));
  g_autoptr (TtNlToml) toml = tt_nl_toml_read ("output", output->str, output->len, NULL);
  probe_run_ir (tt_nl_program_unit (program), &by_list);
  probe_run_gcn (toml, &by_text);
  check_equal (&by_list, &by_text, "gfx90a", source, output->str);
  g_assert_cmpmem (by_text.saved[0]->data, by_text.saved[0]->len * sizeof (guint64), wanted, sizeof wanted);
}

/* Each of the 200 lines has intermediate values of 64 bits of its own: more than 240 registers of 32 bits hold, unless
 * one takes the place of another that is read no more. */
static void
test_many_values (void)
{
  static const char *const targets[] = { "gfx90a", "gfx942" };
  g_autoptr (GString) source = g_string_new ("import neutrino.language as nl\nx: nl.u64 = 0\ny: nl.u32 = 0\n"
                                             "@nl.probe(pos='ld', size=24)\ndef p():\n  x = nl.in1\n"
                                             "  y = nl.u32(nl.in1)\n");
  const guint64 in1 = G_GUINT64_CONSTANT (0x123456789abcdef1);
  guint64 x = in1;
  guint32 y = (guint32) in1;
  ProbeMachine machine = { 0 };

  for (guint i = 0; i < 200; i++)
    {
      g_string_append (source, "  x = x * 3 + (x ^ nl.in1)\n  y = (y << 3) + (y ^ 77)\n");
      x = x * 3 + (x ^ in1);
      y = (y << 3) + (y ^ 77);
    }
  g_string_append (source, "  nl.save((x, x ^ nl.in1), dtype=nl.u64)\n  nl.save((y, y + 1), dtype=nl.u32)\n");
  const guint64 wanted[] = { x, x ^ in1, y, y + 1 };
  for (guint lane = 0; lane < N_LANES; lane++)
    machine.operands[TT_NL_IN1][lane] = in1;

  for (guint i = 0; i < G_N_ELEMENTS (targets); i++)
    {
      g_autoptr (TtNlProgram) program = tt_nl_program_new ("many.py", source->str, source->len);
      g_autoptr (GString) output = g_string_new (NULL);
      g_auto (ProbeRun) run = { 0 };

      probe_run_init (&run, &machine, i + 1);
      run.scalar_wait = g_str_equal (targets[i], "gfx942") ? 2 : 0;
      g_assert_true (tt_nl_program_write (program, tt_nl_target_find (targets[i], NULL), output));
      g_autoptr (TtNlToml) toml = tt_nl_toml_read ("output", output->str, output->len, NULL);
      probe_run_gcn (toml, &run);
      g_assert_cmpstr (run.why, ==, NULL);
      for (guint lane = 0; lane < N_LANES; lane++)
        g_assert_cmpmem (run.saved[lane]->data, run.saved[lane]->len * sizeof (guint64), wanted, sizeof wanted);
    }
}

/* What a warp's probe writes other threads do not see, as on PTX, where an injector guards its lines. */
static void
test_leader (void)
{
  static const char *const targets[] = { "gfx90a", "gfx942" };
  static const char source[] = "import neutrino.language as nl\nx: nl.u64 = 5\n"
                               "@nl.probe(pos='ld', level='warp')\ndef p():\n  if nl.in1 < 10: x += 1\n"
                               "@nl.probe(pos='kernel', after=True, size=8)\ndef q():\n"
                               "  nl.save(x, dtype=nl.u64)\n";
  const ProbeMachine machine = { 0 };

  for (guint i = 0; i < G_N_ELEMENTS (targets); i++)
    {
      g_autoptr (TtNlProgram) program = tt_nl_program_new ("leader.py", source, sizeof source - 1);
      g_autoptr (GString) output = g_string_new (NULL);
      g_auto (ProbeRun) run = { 0 };

      probe_run_init (&run, &machine, i + 1);
      g_assert_true (tt_nl_program_write (program, tt_nl_target_find (targets[i], NULL), output));
      g_autoptr (TtNlToml) toml = tt_nl_toml_read ("output", output->str, output->len, NULL);
      probe_run_gcn (toml, &run);
      g_assert_cmpstr (run.why, ==, NULL);
      for (guint lane = 0; lane < N_LANES && run.saved[lane]->len == 1; lane++)
        g_assert_cmpuint (g_array_index (run.saved[lane], guint64, 0), ==, lane == 0 ? 6 : 5);
      g_assert_cmpuint (run.saved[N_LANES - 1]->len, ==, 1);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_set_nonfatal_assertions ();
  g_test_add_data_func ("/probe/random/seed", GUINT_TO_POINTER (TT_NL_SEED), test_random);
  g_test_add_data_func ("/probe/random/current", GUINT_TO_POINTER (TT_NL_CURRENT), test_random);
  g_test_add_func ("/probe/division-by-zero", test_division_by_zero);
  g_test_add_func ("/probe/many-values", test_many_values);
  g_test_add_func ("/probe/leader", test_leader);
  return g_test_run ();
}
