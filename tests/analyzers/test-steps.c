/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "src/trace/step-finder.h"

#include "tests/require.h"
#include "tests/rounds.h"

#define MAX_PROCESS 4

typedef struct
{
  guint32 process;
  guint32 name;
  const char *text;
  gint64 ts_ns;
  TtStepClass klass;
  gint32 step;
  guint order;
  gboolean is_told;
} Event;

static const char *const op_cats[] = { "FW", "BW", "UPDATE_", "OUTPUT", "I/O", "Comm" };

static guint32
intern (TtNames *names, const char *op_cat, const char *op, const char *suffix)
{
  TtRawName raw = { .raw = op, .op_cat = op_cat, .suffix = suffix };
  gboolean is_new;

  return tt_names_intern (names, &raw, &is_new);
}

/* -- plain cases ------------------------------------------------------------------------------- */

/* One letter an event, a microsecond apart: F B U O I as classes, C = asked about but not told; a digit after it is
 * its explicit step. Returns the steps found, '-' for none. */
static char *
find_steps (TtStepRule rule, gboolean keep_numbers, const char *events)
{
  static const char letters[] = "FBUOIC";
  g_autoptr (TtNames) names = tt_names_new (NULL);
  g_autoptr (TtStepFinder) finder = tt_step_finder_new (rule);
  g_autoptr (GError) error = NULL;
  GString *found = g_string_new (NULL);
  guint32 ids[G_N_ELEMENTS (op_cats)];

  for (guint i = 0; i < G_N_ELEMENTS (op_cats); i++)
    ids[i] = intern (names, op_cats[i], "x", NULL);
  if (keep_numbers)
    tt_step_finder_keep_numbers (finder);
  for (int pass = 0; pass < 2; pass++)
    {
      for (const char *at = events; *at != '\0'; at++)
        {
          guint kind = (guint) (strchr (letters, *at) - letters);
          gint64 ts_ns = (at - events) * 1000;
          gint32 step = g_ascii_isdigit (at[1]) ? at[1] - '0' : TT_NO_STEP;

          if (pass == 0)
            tt_step_finder_add (finder, 1, ids[kind], ts_ns, tt_step_class (op_cats[kind]), step);
          else
            {
              gint32 answer = tt_step_finder_step (finder, 1, ids[kind], ts_ns, step);
              g_string_append_c (found, answer == TT_NO_STEP ? '-' : (char) ('0' + answer));
            }
          at += step != TT_NO_STEP;
        }
      if (pass == 0)
        g_assert_true (tt_step_finder_finish (finder, names, &error));
      g_assert_no_error (error);
    }
  return g_string_free (found, FALSE);
}

static void
assert_steps (TtStepRule rule, const char *events, const char *expected)
{
  g_autofree char *found = find_steps (rule, FALSE, events);

  g_assert_cmpstr (found, ==, expected);
}

static void
test_seed_rule (void)
{
  assert_steps (TT_STEP_RULE_SEED, "IFFBBCUIFBU", "00000001111");
  assert_steps (TT_STEP_RULE_SEED, "CFBCFBC", "0000111");
  assert_steps (TT_STEP_RULE_SEED, "BFOIFB", "011222");
  assert_steps (TT_STEP_RULE_SEED, "FBFBU", "00111");
  assert_steps (TT_STEP_RULE_SEED, "FFIIF", "00000");
  assert_steps (TT_STEP_RULE_SEED, "CC", "--");
  assert_steps (TT_STEP_RULE_SEED, "B", "0");
}

static void
test_strict_rule (void)
{
  assert_steps (TT_STEP_RULE_STRICT, "IFFBBCUIFBU", "00000001111");
  assert_steps (TT_STEP_RULE_STRICT, "FBFBUFBU", "00000111");
  assert_steps (TT_STEP_RULE_STRICT, "FBUIUUFBU", "000100111");
  assert_steps (TT_STEP_RULE_STRICT, "FUFU", "0010");
}

static void
test_explicit (void)
{
  assert_steps (TT_STEP_RULE_SEED, "F3BCF7BC", "000111");
  assert_steps (TT_STEP_RULE_SEED, "CIF5F9F7C", "000211");
  assert_steps (TT_STEP_RULE_SEED, "F2C4F3C", "0211");
  assert_steps (TT_STEP_RULE_SEED, "C2FC4F", "0011");
  assert_steps (TT_STEP_RULE_NONE, "FBUFBU", "------");
  assert_steps (TT_STEP_RULE_NONE, "F1BF2B", "0011");

  g_autofree char *kept = find_steps (TT_STEP_RULE_SEED, TRUE, "CF3BCF7BC");
  g_assert_cmpstr (kept, ==, "3333777");
}

static void
test_class (void)
{
  g_assert_cmpint (tt_step_class ("FW"), ==, TT_STEP_FW);
  g_assert_cmpint (tt_step_class ("BW"), ==, TT_STEP_BW);
  g_assert_cmpint (tt_step_class ("UPDATE_"), ==, TT_STEP_UPDATE);
  g_assert_cmpint (tt_step_class ("OUTPUT"), ==, TT_STEP_OUTPUT);
  g_assert_cmpint (tt_step_class ("I/O"), ==, TT_STEP_IO);
  g_assert_cmpint (tt_step_class ("Comm"), ==, TT_STEP_OTHER);
  g_assert_cmpint (tt_step_class (""), ==, TT_STEP_OTHER);
  g_assert_cmpint (tt_step_class (NULL), ==, TT_STEP_OTHER);
}

/* Not one event told. */
static void
test_nothing (void)
{
  g_autoptr (TtNames) names = tt_names_new (NULL);
  g_autoptr (TtStepFinder) finder = tt_step_finder_new (TT_STEP_RULE_SEED);
  g_autoptr (GError) error = NULL;

  g_assert_true (tt_step_finder_finish (finder, names, &error));
  require_no_error (error);
  g_assert_cmpint (tt_step_finder_step (finder, 1, 1, 0, TT_NO_STEP), ==, TT_NO_STEP);
  g_assert_cmpint (tt_step_finder_step (finder, 1, 1, 0, 5), ==, 5);
}

/* -- against the rules followed event by event ------------------------------------------------- */

static int
compare_events (const void *a, const void *b)
{
  const Event *x = a, *y = b;

  if (x->process != y->process)
    return x->process < y->process ? -1 : 1;
  if (x->ts_ns != y->ts_ns)
    return x->ts_ns < y->ts_ns ? -1 : 1;
  int order = strcmp (x->text, y->text);
  return order != 0 ? order : (x->order > y->order) - (x->order < y->order);
}

static gint32
count_smaller (const Event *events, guint n, guint32 process, gint32 step)
{
  gint32 count = 0;

  for (gint32 number = 0; number < step; number++)
    {
      gboolean is_there = FALSE;
      for (guint i = 0; i < n && !is_there; i++)
        is_there = events[i].process == process && events[i].step == number;
      count += is_there;
    }
  return count;
}

static gboolean
sets_step (const Event *event, gboolean is_operator_explicit)
{
  return event->step != TT_NO_STEP && (event->klass != TT_STEP_OTHER || !is_operator_explicit);
}

/* The page's words, an event at a time; @events in order of (process, ts, name); @found: the step of each. */
static void
follow_rules (const Event *events, guint n, TtStepRule rule, gint32 *found)
{
  for (guint begin = 0, end; begin < n; begin = end)
    {
      gboolean is_explicit = FALSE, is_operator_explicit = FALSE, is_told = FALSE;
      gint32 step = TT_NO_STEP;
      const char *before = NULL;

      for (end = begin; end < n && events[end].process == events[begin].process; end++)
        {
          is_explicit |= events[end].step != TT_NO_STEP;
          is_operator_explicit |= events[end].step != TT_NO_STEP && events[end].klass != TT_STEP_OTHER;
          is_told |= events[end].klass != TT_STEP_OTHER;
        }
      if (is_explicit)
        for (guint i = begin; i < end && step == TT_NO_STEP; i++)
          step = sets_step (&events[i], is_operator_explicit)
                     ? count_smaller (events, n, events[i].process, events[i].step)
                     : TT_NO_STEP;
      else if (is_told && rule != TT_STEP_RULE_NONE)
        step = 0;
      for (guint i = begin; i < end; i++)
        {
          const Event *event = &events[i];
          gboolean starts = event->klass == TT_STEP_FW || event->klass == TT_STEP_IO;
          const char *category = event->text;

          if (is_explicit && sets_step (event, is_operator_explicit))
            step = count_smaller (events, n, event->process, event->step);
          if (!is_explicit && event->klass != TT_STEP_OTHER && rule != TT_STEP_RULE_NONE)
            {
              gboolean started = before != NULL && (before[0] == 'F' || before[0] == 'I');
              if (rule == TT_STEP_RULE_SEED && before != NULL && !started && starts)
                step++;
              if (rule == TT_STEP_RULE_STRICT && before != NULL && before[0] == 'U' && starts)
                step++;
              if (rule == TT_STEP_RULE_STRICT && started && category[0] == 'U' && step > 0)
                step--;
              before = category;
            }
          found[i] = event->step == TT_NO_STEP ? step : count_smaller (events, n, event->process, event->step);
        }
    }
}

/* Events without a step that share (ts, name) with one that has another cannot be told apart: no such pair is made. */
static void
check_random (TtStepRule rule, guint n, gint64 span_ns, guint explicit_percent)
{
  g_autoptr (TtNames) names = tt_names_new (NULL);
  g_autoptr (TtStepFinder) finder = tt_step_finder_new (rule);
  g_autoptr (GError) error = NULL;
  g_autofree Event *events = g_new0 (Event, n);
  g_autofree gint32 *expected = g_new0 (gint32, n);
  g_autoptr (GHashTable) with_step = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GStringChunk) texts = g_string_chunk_new (256);
  gboolean is_explicit[MAX_PROCESS + 1] = { FALSE };

  for (guint process = 1; process <= MAX_PROCESS; process++)
    is_explicit[process] = (guint) g_test_rand_int_range (0, 100) < explicit_percent;
  for (guint i = 0; i < n; i++)
    {
      Event *event = &events[i];
      guint kind = (guint) g_test_rand_int_range (0, G_N_ELEMENTS (op_cats));
      g_autofree char *op = g_strdup_printf ("op%d", g_test_rand_int_range (0, 5));
      const char *suffix = g_test_rand_int_range (0, 3) == 0 ? "0_1_2_3" : NULL;
      TtName name;

      event->process = (guint32) g_test_rand_int_range (1, MAX_PROCESS + 1);
      event->name = intern (names, op_cats[kind], op, suffix);
      tt_names_get (names, event->name, &name);
      event->text = g_string_chunk_insert_const (texts, name.text);
      event->ts_ns = g_test_rand_int_range (0, (gint32) span_ns) - span_ns / 2;
      event->klass = tt_step_class (op_cats[kind]);
      event->order = i;
      event->step = is_explicit[event->process] ? g_test_rand_int_range (-1, 6) : TT_NO_STEP;
      char *key = g_strdup_printf ("%u %" G_GINT64_FORMAT " %s", event->process, event->ts_ns, event->text);
      if (is_explicit[event->process] && g_hash_table_contains (with_step, key))
        event->step = GPOINTER_TO_INT (g_hash_table_lookup (with_step, key));
      g_hash_table_insert (with_step, key, GINT_TO_POINTER (event->step));
      tt_step_finder_add (finder, event->process, event->name, event->ts_ns, event->klass, event->step);
    }
  g_assert_true (tt_step_finder_finish (finder, names, &error));
  require_no_error (error);
  qsort (events, n, sizeof *events, compare_events);
  follow_rules (events, n, rule, expected);
  guint n_wrong = 0;
  for (guint i = 0; i < 2 * n; i++)
    {
      guint asked = i < n ? i : (guint) g_test_rand_int_range (0, (gint32) n);
      const Event *event = &events[asked];
      gint32 step = tt_step_finder_step (finder, event->process, event->name, event->ts_ns, event->step);

      if (step != expected[asked])
        g_test_message ("%u: process %u %s at %" G_GINT64_FORMAT ": %d, not %d", asked, event->process, event->text,
                        event->ts_ns, step, expected[asked]);
      n_wrong += step != expected[asked];
    }
  g_assert_cmpuint (n_wrong, ==, 0);
}

static void
test_random (void)
{
  for (guint i = 0; i < test_rounds (300); i++)
    {
      TtStepRule rule = (TtStepRule) (i % 3);
      guint n = (guint) g_test_rand_int_range (1, 200);

      check_random (rule, n, 1000000, 30);
      check_random (rule, n, g_test_rand_int_range (2, 60), 30);
    }
}

/* So many that runs are merged and begins leave memory. */
static void
test_many (void)
{
  g_autoptr (TtNames) names = tt_names_new (NULL);
  g_autoptr (TtStepFinder) finder = tt_step_finder_new (TT_STEP_RULE_SEED);
  g_autoptr (GError) error = NULL;
  guint32 fw = intern (names, "FW", "a", NULL), bw = intern (names, "BW", "a", NULL);
  guint n = 1600000, n_wrong = 0;

  for (guint i = 0; i < n; i++)
    {
      guint at = (guint) ((guint64) i * 7919 % n);
      tt_step_finder_add (finder, 1 + at % 2, at / 2 % 2 == 0 ? fw : bw, at, at / 2 % 2 == 0 ? TT_STEP_FW : TT_STEP_BW,
                          TT_NO_STEP);
    }
  g_assert_true (tt_step_finder_finish (finder, names, &error));
  require_no_error (error);
  for (guint i = 0; i < n; i++)
    {
      guint at = i < n / 2 ? i : (guint) ((guint64) i * 7919 % n);
      gint32 step = tt_step_finder_step (finder, 1 + at % 2, at / 2 % 2 == 0 ? fw : bw, at, TT_NO_STEP);
      n_wrong += step != (gint32) (at / 4);
    }
  g_assert_cmpuint (n_wrong, ==, 0);
  g_assert_true (tt_step_finder_check (finder, &error));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_set_nonfatal_assertions ();
  g_test_add_func ("/steps/seed-rule", test_seed_rule);
  g_test_add_func ("/steps/strict-rule", test_strict_rule);
  g_test_add_func ("/steps/explicit-steps", test_explicit);
  g_test_add_func ("/steps/class-of-a-category", test_class);
  g_test_add_func ("/steps/nothing-told", test_nothing);
  g_test_add_func ("/steps/agrees-with-the-rules-on-random-input", test_random);
  g_test_add_func ("/steps/many-events", test_many);
  return g_test_run ();
}
