/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/pinsight/trace-config.h"

#include <stdlib.h>
#include <string.h>

static TtConfigDomains *domains;

static TtConfig *
parse (const char *text)
{
  return tt_config_parse (domains, "test.conf", text, strlen (text));
}

/* "2:1 E-KEY, 3:5 W-EVENT" */
static char *
list_faults (const TtConfig *config)
{
  g_autoptr (GString) list = g_string_new (NULL);

  for (guint i = 0; i < config->faults->len; i++)
    {
      const TtConfigFault *fault = config->faults->pdata[i];
      g_string_append_printf (list, "%s%u:%u %s", i > 0 ? ", " : "", fault->line, fault->column, fault->code);
      g_assert_cmpint (fault->is_error, ==, fault->code[0] == 'E');
    }
  return g_string_free (g_steal_pointer (&list), FALSE);
}

/* What it means, without the lines where it says so. */
static char *
meaning (const TtConfig *config)
{
  g_autoptr (GString) json = g_string_new (NULL);
  g_autoptr (GRegex) lines = g_regex_new ("\"line\": [0-9]+,\\n *", 0, 0, NULL);

  tt_config_write_json (config, json);
  return g_regex_replace_literal (lines, json->str, -1, 0, "", 0, NULL);
}

/* -- mistakes ------------------------------------------------------------------------------------- */

static const struct
{
  const char *text, *faults;
} mistakes[] = {
  { "", "" },
  { "\xef\xbb\xbf[OpenMP.default]\r\nomp_work = OFF\r\n", "" },
  { "[OpenMP.default]\nomp_work = 0\nomp_masked=On", "" },
  { "  # \xff not UTF-8\n", "" },
  { "[OpenMP.default]\nomp_work = \xff\n", "2:12 E-ENCODING" },
  { "[OpenMP.default\xff]\nrubbish\n", "1:16 E-ENCODING" },
  /* A header without its bracket hides its section. */
  { "[OpenMP.default\nrubbish\n[MPI.default]\nrubbish\n", "1:16 E-HEADER, 4:1 E-SYNTAX" },
  { "  [OpenMP.default  \n", "1:18 E-HEADER" },
  { "[ ]", "1:3 E-HEADER" },
  { "[OpenMP]", "1:2 E-SPEC" },
  { "[Lexgion]", "1:2 E-SPEC" },
  { "[Lexgio.default]", "1:2 E-DOMAIN" },
  { "[OpenMP.thread]", "1:9 E-SPEC" },
  { "[OpenMP.default, MPI.default]", "1:18 E-SPEC" },
  { "[OpenMP.thread(0), MPI.rank(0)]", "1:20 E-SPEC" },
  { "[OpenMP.thread(0)x]", "1:18 E-SPEC" },
  { "[OpenMP.thread (0) , OpenMP.team ( 1 - 2 )]", "" },
  { "[OpenMP.thread(*)]", "1:16 E-RANGE" },
  { "[REMOVE OpenMP.thread(*)]", "1:9 W-ACTION" },
  { "[REMOVE OpenMP.nothing(*)]", "1:16 E-PUNIT" },
  { "[REMOVE Nope.thread(*)]", "1:9 E-DOMAIN" },
  { "[remove MPI.rank(3)]", "1:9 W-ACTION" },
  { "[RESET OpenMP.thread(0)]\nanything = on", "1:8 W-ACTION" },
  { "[OpenMP.thread(1,,2)]", "1:18 E-RANGE" },
  { "[OpenMP.thread(1,2,)]", "1:20 E-RANGE" },
  { "[OpenMP.thread(99999999999)]", "1:16 E-RANGE" },
  { "[OpenMP.thread(0x1)]", "1:16 E-RANGE" },
  { "[OpenMP.thread(1-)]", "1:18 E-RANGE" },
  { "[OpenMP.thread(5-1, 7-3): MPI.default: MPI.rank(2-1)]", "1:16 E-RANGE, 1:21 E-RANGE" },
  { "[OpenMP.thread(0): MPI.default]", "1:20 E-INHERIT" },
  { "[OpenMP.thread(0): Lexgion.default]", "1:20 E-INHERIT" },
  { "[OpenMP.thread(0): OpenMP.default,]", "1:35 E-INHERIT" },
  { "[OpenMP.thread(0): : OpenMP.team(0)]", "1:22 E-CONSTRAINT" },
  { "[OpenMP.thread(0): : MPI.rank]", "1:22 E-SPEC" },
  { "[OpenMP.thread(0):: MPI.rank(0)]", "" },
  { "[OpenMP.thread(0)]:: MPI.rank(0)", "" },
  { "[OpenMP.thread(0)] : : MPI.rank(0)", "" },
  { "[OpenMP.thread(0): OpenMP.default]: : MPI.rank(0)", "1:18 E-HEADER" },
  { "[SET OpenMP.thread(0): OpenMP.default]", "1:22 E-HEADER" },
  { "[SET OpenMP.thread(0)] : a : b : c", "1:32 E-HEADER" },
  { "[MPI.default] : : MPI.rank(0)", "1:19 E-HEADER" },
  { "[Knob] : MPI.default", "1:10 E-HEADER" },
  { "[Lexgion(4010bd)]", "1:10 E-CODEPTR" },
  { "[Lexgion(0x)]", "1:10 E-CODEPTR" },
  { "[Lexgion(0x12345678901234567)]", "1:28 E-CODEPTR" },
  { "[Lexgion()]", "1:10 E-CODEPTR" },
  { "[Lexgion(0x1,)]", "1:14 E-CODEPTR" },
  { "[Lexgion(0x1]", "1:9 E-RANGE" },
  { "[Lexgion(0x1).other]", "1:14 E-SPEC" },
  { "[Lexgion(OpenACC).default]", "1:10 E-DOMAIN" },
  { "[Lexgion(Nope:file.py:f)]", "1:10 E-DOMAIN" },
  { "[Lexgion(Python:file.py:f, ns::g, a.py:C.m)]", "" },
  { "[OpenMP.default]\nOpenMP.thread = (0,1,2)", "2:17 E-VALUE" },
  { "[OpenMP.default]\nOpenMP.thread = 9-2", "2:17 E-VALUE" },
  { "[OpenMP.default]\nOpenMP.gang = 9", "2:8 E-PUNIT" },
  { "[OpenMP.default]\nMPI.rank = 9", "2:1 E-KEY" },
  { "[OpenMP.default]\nACC.rank = 9", "2:1 E-DOMAIN" },
  { "[OpenMP.default]\ntrace_mode = maybe", "2:14 E-VALUE" },
  { "[OpenMP.default]\ndevice_activity = on", "2:1 E-KEY" },
  { "[CUDA.default]\ndevice_activity = rotate_per_node:5", "" },
  { "[CUDA.default]\ndevice_activity = rotate_per_node:x", "2:19 E-VALUE" },
  { "[OpenMP.default]\n= on", "2:1 E-KEY" },
  { "[OpenMP.default]\nomp_work =  ", "2:11 E-VALUE" },
  { "[OpenMP.default]\nomp_work = on\nomp_work = off", "3:1 W-DUP-KEY" },
  { "[OpenMP.thread(0)]\nOpenMP.omp_work = on", "2:1 E-KEY" },
  { "[OpenMP.thread(0)]\nmax_num_traces = 5", "2:1 E-KEY" },
  { "[OpenMP.thread(0)]\n[OpenMP.thread(0)]", "2:2 W-DUP-SECTION" },
  { "[OpenMP.thread(0)]\n[OpenMP.thread(0-0): : MPI.rank(1)]", "" },
  { "[OpenMP.thread(0): : MPI.rank(1)]\n[OpenMP.thread(0-0): : MPI.rank(1)]", "2:2 W-DUP-SECTION" },
  { "[Lexgion(0x1)]\n[Lexgion(0x2, 0x01)]", "2:15 W-DUP-SECTION" },
  { "[Lexgion(0x1)]\n[REMOVE Lexgion(0x1)]\n[Lexgion(0x1)]", "" },
  { "[OpenMP.thread(0): OpenMP.default]\n[OpenMP.default]\nomp_work = on", "2:2 W-LATE-DEFAULT" },
  { "[Lexgion(0x1)]\n[Lexgion.default]\ntracing_rate = 2", "2:2 W-LATE-DEFAULT" },
  { "[OpenMP.thread(0)]\n[OpenMP.default]\nomp_work = on", "" },
  { "[Lexgion(0x1)]\ntracing_rate = 0\ntrace_starts_at = -1\nmax_num_traces = -2\nmax_num_traces = ten",
    "2:16 E-VALUE, 3:19 E-VALUE, 4:18 E-VALUE, 5:1 W-DUP-KEY, 5:18 E-VALUE" },
  { "[Lexgion(0x1)]\ntracing_rate = 5 # x", "2:16 E-VALUE" },
  { "[Lexgion(0x1)]\nomp_work = on", "2:1 E-KEY" },
  { "[Lexgion(OpenMP).default]\nomp_work = on\nMPI_Send = on", "3:1 E-KEY" },
  { "[Lexgion(0x1)]\nSYCL.x = on\nMPI.MPI_Snd = on\nMPI.MPI_Test = on",
    "2:1 E-DOMAIN, 3:1 W-EVENT, 4:1 W-NOT-INSTALLED" },
  { "[Lexgion(0x1)]\ntrace_mode_after = OFF\nmode_after_trigger = all", "2:1 W-OLD-KEY, 3:1 W-OLD-KEY" },
  { "[Lexgion(0x1)]\nwindow_end_trigger = anchor", "2:22 W-VALUE" },
  { "[Lexgion(0x1)]\nwindow_end_action = INTROSPECT:60:analyze.sh:TRACING\nwindow_timeout = -1", "" },
  { "[Lexgion(0x1)]\nwindow_end_action = INTROSPECT:x:-", "2:21 E-VALUE" },
  { "[Lexgion(0x1)]\nwindow_end_action = OpenMP:OFF, CUDA:device_activity=on", "" },
  { "[Lexgion(0x1)]\nwindow_end_action = ACC:OFF", "2:21 E-VALUE" },
  { "[Energy]\nmeasure = rotate_per_node", "2:11 E-VALUE" },
  { "[Energy]\nmeasur = on", "2:1 E-KEY" },
  { "[Manifest]\ninterval = -1", "2:12 E-VALUE" },
  { "[Knob]\nanything goes = here", "" },
  { "[OpenMP.default]\nOpenMP.thread = (4-7)\n[OpenMP.thread(0-3,5-9)]", "3:16 W-PUNIT-RANGE, 3:22 W-PUNIT-RANGE" },
};

static void
test_mistakes (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (mistakes); i++)
    {
      g_autoptr (TtConfig) config = parse (mistakes[i].text);
      g_autofree char *faults = list_faults (config);
      g_autoptr (GString) shown = g_string_new (NULL);

      g_test_message ("%s", mistakes[i].text);
      g_assert_cmpstr (faults, ==, mistakes[i].faults);
      tt_config_describe_faults (config, mistakes[i].text, strlen (mistakes[i].text), shown);
      g_assert_cmpint (shown->len > 0, ==, *faults != '\0');
    }
}

static void
test_nul_and_long_lines (void)
{
  g_autofree char *longest = g_strnfill ((64 << 10) + 1, 'x');
  g_autofree char *text = g_strconcat ("[OpenMP.default]\n", longest, "\nomp_work = off\n", NULL);
  g_autoptr (TtConfig) config = parse (text);
  g_autofree char *faults = list_faults (config);
  g_assert_cmpstr (faults, ==, "2:1 E-SYNTAX");

  static const char nul_text[] = "# a\0b\n[MPI.default]\n\0";
  g_autoptr (TtConfig) with_nul = tt_config_parse (domains, "x", nul_text, sizeof nul_text - 1);
  g_autofree char *nuls = list_faults (with_nul);
  g_assert_cmpstr (nuls, ==, "1:4 E-ENCODING, 3:1 E-ENCODING");
}

/* -- the files with known answers ----------------------------------------------------------------- */

static void
check_listed (const char *folder, const char *line)
{
  g_auto (GStrv) column = g_strsplit (line, "\t", -1);
  g_autofree char *path = g_build_filename (folder, column[0], NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (TtConfig) config = tt_config_load (domains, path, &error);

  g_assert_no_error (error);
  g_test_message ("%s", column[0]);
  g_assert_cmpint (config->n_errors > 0, ==, strcmp (column[1], "invalid") == 0);
  if (strcmp (column[1], "invalid") == 0)
    {
      g_autofree char *faults = list_faults (config);
      g_autofree char *wanted = g_strdup_printf ("%s:%s %s", column[2], column[3], column[4]);
      g_assert_cmpstr (faults, ==, wanted);
    }
  if (strcmp (column[1], "warn") != 0)
    return;
  g_auto (GStrv) lines = g_strsplit (column[2], ",", -1), columns = g_strsplit (column[3], ",", -1);
  g_assert_cmpuint (config->faults->len, ==, g_strv_length (lines));
  for (guint i = 0; lines[i] != NULL; i++)
    {
      const TtConfigFault *fault = config->faults->pdata[i];
      g_assert_cmpuint (fault->line, ==, (guint) atoi (lines[i]));
      g_assert_cmpuint (fault->column, ==, (guint) atoi (columns[i]));
      g_assert_nonnull (strstr (column[4], fault->code));
    }
}

static void
test_listed (void)
{
  g_autofree char *folder = g_build_filename (g_getenv ("SHARED_DATA"), "pinsight", "configs", NULL);
  g_autofree char *index = g_build_filename (folder, "index.tsv", NULL);
  g_autofree char *text = NULL;

  if (!g_file_get_contents (index, &text, NULL, NULL))
    {
      g_test_skip ("no configurations with known answers here");
      return;
    }
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  guint n = 0;
  for (guint i = 1; lines[i] != NULL; i++)
    if (*lines[i] != '\0')
      {
        check_listed (folder, lines[i]);
        n++;
      }
  g_assert_cmpuint (n, >=, 37);
}

/* -- what sections do ----------------------------------------------------------------------------- */

static gboolean
is_event (guint64 mask, const char *domain, const char *name)
{
  int of = tt_config_domains_find (domains, domain, strlen (domain));
  int event = tt_config_domain_find_event (tt_config_domain (domains, (guint) of), name, strlen (name));

  g_assert_cmpint (event, >=, 0);
  return (mask >> event & 1) != 0;
}

static void
assert_rule (const TtConfigLexgion *lexgion, gint64 starts_at, gint64 most, gint64 rate)
{
  g_assert_cmpint (lexgion->rule.starts_at, ==, starts_at);
  g_assert_cmpint (lexgion->rule.most, ==, most);
  g_assert_cmpint (lexgion->rule.rate, ==, rate);
}

static void
test_inheritance (void)
{
  g_autoptr (TtConfig) config = parse ("[OpenMP.default]\nomp_work = off\n"
                                       "[Lexgion.default]\ntracing_rate = 99\n"
                                       "[Lexgion(0xABCDEF): OpenMP.default]\n"
                                       "[OpenMP.default]\nomp_work = on\n"
                                       "[Lexgion(0x2): OpenMP.default]\nmax_num_traces = 7\n"
                                       "[Lexgion(0x3)]\nCUDA.CUDA_kernel_launch = on\n"
                                       "[OpenMP.thread(0)]\nomp_masked = on\n"
                                       "[OpenMP.thread(1): OpenMP.default]\nomp_masked = off\n");
  const TtConfigLexgion *first = tt_config_find_lexgion (config, 0, 0xabcdef, NULL, NULL);
  const TtConfigLexgion *second = tt_config_find_lexgion (config, 0, 2, NULL, NULL);
  const TtConfigLexgion *third = tt_config_find_lexgion (config, 0, 3, NULL, NULL);

  assert_rule (first, 0, -1, 99);
  assert_rule (second, 0, 7, 99);
  g_assert_false (is_event (first->mask[0], "OpenMP", "omp_work"));
  g_assert_true (is_event (second->mask[0], "OpenMP", "omp_work"));
  g_assert_false (first->has_mask[1]);
  /* Without an inherited mask of its domain the event that is turned on is the only one. */
  g_assert_false (third->has_mask[0]);
  g_assert_true (third->has_mask[2]);
  g_assert_true (is_event (third->mask[2], "CUDA", "CUDA_kernel_launch"));
  g_assert_false (is_event (third->mask[2], "CUDA", "CUDA_malloc"));
  /* A section of units without inheritance starts from nothing. */
  const TtPunitSection *bare = config->sections->pdata[0], *heir = config->sections->pdata[1];
  g_assert_true (is_event (bare->events, "OpenMP", "omp_masked"));
  g_assert_false (is_event (bare->events, "OpenMP", "omp_work"));
  g_assert_false (is_event (heir->events, "OpenMP", "omp_masked"));
  g_assert_true (is_event (heir->events, "OpenMP", "omp_work"));
}

static void
test_actions (void)
{
  g_autoptr (TtConfig) config =
      parse ("[OpenMP.default]\nomp_work = off\ntrace_mode = OFF\nOpenMP.thread = (0-7)\n"
             "[RESET OpenMP.default]\n"
             "[Lexgion.default]\ntrace_starts_at = 42\nmax_num_traces = 999\ntracing_rate = 50\n"
             "[Lexgion(OpenMP).default]\ntrace_starts_at = 10\n"
             "[RESET Lexgion.default]\n"
             "[Lexgion(0x1, 0x2, 0x3)]\nmax_num_traces = 77\n"
             "[REMOVE Lexgion(0x1, 0x3)]\n"
             "[OpenMP.thread(0-3)]\n[OpenMP.thread(4-7)]\n[OpenMP.team(0-1)]\n"
             "[REMOVE OpenMP.thread(*)]\n");

  g_assert_cmpuint (config->defaults[0].events, ==, tt_config_domain (domains, 0)->installed);
  g_assert_cmpint (config->defaults[0].mode, ==, TT_MODE_TRACING);
  g_assert_cmpuint (config->scopes[1].high, ==, 7);
  assert_rule (config->lexgion_default, 0, -1, 1);
  assert_rule (config->domain_lexgions->pdata[0], 10, 999, 50);
  assert_rule (config->domain_lexgions->pdata[1], 0, -1, 1);
  assert_rule (tt_config_find_lexgion (config, 1, 2, NULL, NULL), 0, 77, 1);
  g_assert_true (tt_config_find_lexgion (config, 1, 1, NULL, NULL) == config->domain_lexgions->pdata[1]);
  g_assert_cmpuint (config->sections->len, ==, 1);
}

static void
test_names (void)
{
  g_autoptr (TtConfig) config = parse ("[Lexgion(Python:solver.py:Solver.step)]\ntracing_rate = 2\n"
                                       "[Lexgion(main.<locals>.f)]\ntracing_rate = 3\n"
                                       "[Lexgion(0x10)]\ntracing_rate = 4\n");
  int python = tt_config_domains_find (domains, "Python", 6);
  guint domain = (guint) python;

  g_assert_cmpint (tt_config_find_lexgion (config, domain, 0, "Solver.step", "/a/solver.py")->rule.rate, ==, 2);
  g_assert_cmpint (tt_config_find_lexgion (config, domain, 0, "Solver.step", "/a/other.py")->rule.rate, ==, 1);
  g_assert_cmpint (tt_config_find_lexgion (config, domain, 0, "Solver.step", NULL)->rule.rate, ==, 1);
  g_assert_cmpint (tt_config_find_lexgion (config, 0, 0, "Solver.step", "/a/solver.py")->rule.rate, ==, 1);
  g_assert_cmpint (tt_config_find_lexgion (config, 0, 0, "main.<locals>.f", NULL)->rule.rate, ==, 3);
  g_assert_cmpint (tt_config_find_lexgion (config, 0, 0x10, "main.<locals>.f", NULL)->rule.rate, ==, 4);
  g_assert_cmpint (tt_config_find_lexgion (config, 0, 0x11, "x", NULL)->rule.rate, ==, 1);
}

static void
test_places (void)
{
  g_autoptr (TtConfig) config = parse ("[OpenMP.default]\nOpenMP.thread = (0-7)\nomp_masked = off\n"
                                       "[OpenMP.thread(0-1): OpenMP.default: MPI.rank(0,2)]\nomp_masked = on\n"
                                       "[OpenMP.thread(0-3)]\nomp_work = on\n");
  guint n = domains->kinds->len;
  g_autofree gint64 *punits = g_new (gint64, n);
  guint masked = 0, work = 0;
  guint rank = (guint) tt_config_domains_find_kind (domains, 1, "rank", 4);

  while (strcmp (tt_config_event (tt_config_domain (domains, 0), masked)->name, "omp_masked") != 0)
    masked++;
  while (strcmp (tt_config_event (tt_config_domain (domains, 0), work)->name, "omp_work") != 0)
    work++;
  for (guint i = 0; i < n; i++)
    punits[i] = -1;

  /* thread, rank -> omp_masked, omp_work, whether ids that are not known match */
  static const struct
  {
    gint64 thread, rank;
    gboolean unknown_matches, masked, work;
    TtEventReason reason;
  } cases[] = {
    { 0, 0, FALSE, TRUE, TRUE, TT_EVENT_BY_SECTION },     { 0, 1, FALSE, FALSE, TRUE, TT_EVENT_BY_SECTION },
    { 1, -1, FALSE, FALSE, TRUE, TT_EVENT_BY_SECTION },   { 1, -1, TRUE, TRUE, TRUE, TT_EVENT_BY_SECTION },
    { 3, 0, FALSE, FALSE, TRUE, TT_EVENT_BY_SECTION },    { 4, 0, FALSE, FALSE, TRUE, TT_EVENT_BY_DEFAULT },
    { 8, 0, FALSE, FALSE, FALSE, TT_EVENT_OUT_OF_SCOPE }, { -1, 0, FALSE, FALSE, TRUE, TT_EVENT_BY_DEFAULT },
  };
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      punits[1] = cases[i].thread;
      punits[rank] = cases[i].rank;
      TtEventAnswer answer = tt_config_ask_event (config, 0, masked, punits, cases[i].unknown_matches);
      g_assert_cmpint (answer.is_on, ==, cases[i].masked);
      g_assert_cmpint (answer.reason, ==, cases[i].reason);
      g_assert_cmpint (tt_config_ask_event (config, 0, work, punits, cases[i].unknown_matches).is_on, ==,
                       cases[i].work);
    }
}

/* -- one style ------------------------------------------------------------------------------------ */

static const char *const lines[] = {
  "[OpenMP.default]",
  "[MPI.default]",
  "[ CUDA.default ]",
  "[Lexgion.default: OpenMP.default, MPI.default]",
  "[Lexgion(0x4010BD) : Lexgion.default,OpenMP.default: MPI.rank( 3 ,0-1)]",
  "[Lexgion(0x4010bd)]",
  "[OpenMP.thread(3,1-2, 2):OpenMP.default]",
  "[OpenMP.team(0),OpenMP.thread(0-15)::MPI.rank(5)]",
  "[MPI.rank(0)]",
  "[SET Lexgion(0x1, f.c:g)] : OpenMP.default : MPI.rank(0)",
  "[reset OpenMP.default]",
  "[REMOVE OpenMP.thread(*)]",
  "[Lexgion(MPI).default] : : OpenMP.thread(0)",
  "[Knob]",
  "omp_work = OFF",
  "omp_masked=1",
  "OpenMP.thread = ( 2 , 9 )",
  "MPI.rank = 4",
  "MPI_Send = off",
  "trace_starts_at = 007",
  "max_num_traces = -1",
  "tracing_rate = 3",
  "MPI.MPI_Recv = Off",
  "OpenMP.omp_work = on",
  "window_end_action = MPI:OFF",
  "trace_mode = monitor",
  "# a comment",
  "   # another one",
  "",
  "",
};

/* Formatting twice is formatting once, and the meaning stays; whatever the order of lines is. */
static void
test_canonical (void)
{
  guint n_good = 0;

  for (guint round = 0; round < 6000; round++)
    {
      g_autoptr (GString) text = g_string_new (NULL), once = g_string_new (NULL), twice = g_string_new (NULL);

      for (int i = g_test_rand_int_range (0, 9); i >= 0; i--)
        g_string_append_printf (text, "%s\n", lines[g_test_rand_int_range (0, G_N_ELEMENTS (lines))]);
      g_autoptr (TtConfig) config = parse (text->str);
      if (config->n_errors > 0)
        continue;
      n_good++;
      tt_config_write_canonical (config, TRUE, once);
      g_autoptr (TtConfig) again = parse (once->str);
      tt_config_write_canonical (again, TRUE, twice);
      g_assert_cmpstr (once->str, ==, twice->str);
      g_assert_cmpuint (again->n_errors, ==, 0);
      g_assert_cmpuint (again->n_warnings, ==, config->n_warnings);
      g_autofree char *meant = meaning (config), *means = meaning (again);
      g_assert_cmpstr (meant, ==, means);

      g_string_truncate (once, 0);
      tt_config_write_canonical (config, FALSE, once);
      g_autoptr (TtConfig) bare = parse (once->str);
      g_autofree char *left = meaning (bare);
      g_assert_cmpstr (meant, ==, left);
      g_assert_null (strstr (once->str, "#"));
    }
  g_assert_cmpuint (n_good, >, 200);
}

/* -- tables --------------------------------------------------------------------------------------- */

static void
test_domains (void)
{
  static const char *const wrong[] = { "X\tevent\ta\tmaybe\n", "X\tpunit\ta\t5-1\n", "X\tnothing\ta\tb\n",
                                       "X\tevent\ta\n",        "1\tevent\ta\ton\n",  "X\tdomain\tX\tLOUD\n" };
  g_autoptr (GError) error = NULL;
  g_autoptr (TtConfigDomains) extra =
      tt_config_domains_parse ("# more\nSYCL\tdomain\tSYCL\tOFF\nSYCL\tpunit\tqueue\t0-3\r\nSYCL\tevent\tsubmit\ton\n"
                               "SYCL\tevent\tsubmit\toff\n",
                               "extra", &error);

  g_assert_no_error (error);
  g_assert_cmpuint (extra->domains->len, ==, 1);
  g_assert_cmpuint (tt_config_domain (extra, 0)->events->len, ==, 1);
  g_assert_cmpuint (tt_config_domain (extra, 0)->installed, ==, 0);
  g_assert_cmpuint (tt_config_kind (extra, 0)->high, ==, 3);

  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_autoptr (GError) fault = NULL;
      g_assert_null (tt_config_domains_parse (wrong[i], "wrong", &fault));
      g_assert_nonnull (strstr (fault->message, "wrong: line 1: "));
    }
  g_assert_cmpuint (domains->domains->len, ==, 5);
  g_assert_cmpuint (domains->kinds->len, ==, 7);
}

static void
test_shared_table (void)
{
  g_autofree char *path = g_build_filename (g_getenv ("SHARED_DATA"), "..", "formats", "pinsight-domains.tsv", NULL);
  g_autofree char *text = NULL;
  g_autoptr (GError) error = NULL;

  if (!g_file_get_contents (path, &text, NULL, NULL))
    {
      g_test_skip ("no table of facts here");
      return;
    }
  g_autoptr (TtConfigDomains) facts = tt_config_domains_parse (text, path, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (facts->domains->len, ==, domains->domains->len);
  for (guint i = 0; i < facts->domains->len; i++)
    {
      const TtConfigDomain *fact = tt_config_domain (facts, i), *ours = tt_config_domain (domains, i);
      g_assert_cmpstr (fact->name, ==, ours->name);
      g_assert_cmpuint (fact->events->len, ==, ours->events->len);
      g_assert_cmpuint (fact->installed, ==, ours->installed);
      for (guint k = 0; k < fact->events->len; k++)
        g_assert_cmpstr (tt_config_event (fact, k)->name, ==, tt_config_event (ours, k)->name);
    }
}

int
main (int argc, char **argv)
{
  g_autoptr (GError) error = NULL;

  g_test_init (&argc, &argv, NULL);
  domains = tt_config_domains_load (NULL, &error);
  g_assert_no_error (error);
  g_test_add_func ("/config/mistakes", test_mistakes);
  g_test_add_func ("/config/nul-and-long-lines", test_nul_and_long_lines);
  g_test_add_func ("/config/listed", test_listed);
  g_test_add_func ("/config/inheritance", test_inheritance);
  g_test_add_func ("/config/actions", test_actions);
  g_test_add_func ("/config/names", test_names);
  g_test_add_func ("/config/places", test_places);
  g_test_add_func ("/config/canonical", test_canonical);
  g_test_add_func ("/config/domains", test_domains);
  g_test_add_func ("/config/shared-table", test_shared_table);
  int status = g_test_run ();
  tt_config_domains_free (domains);
  return status;
}
