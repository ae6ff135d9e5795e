/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/neutrino/compile.h"
#include "formats/neutrino/ir-print.h"
#include "tests/formats/probe-run.h"

#include <string.h>

/*
 * Any bytes as a source, and as a TOML whose records are asked for. What compiles has lists that are sound, and TOML that
 * can be read back and says the same of the records; what does not has at least one message. The machines must run it to
 * its end: every instruction is one that they know.
 *
 * Links: tests/formats/probe-run.c tests/formats/probe-run-ptx.c tests/formats/probe-run-gcn.c
 */

static void
run_output (const TtNlTarget *target, const TtNlToml *toml)
{
  ProbeMachine machine = { .time = 1, .clock = 2, .smid = 3 };
  g_auto (ProbeRun) run = { 0 };

  probe_run_init (&run, &machine, 1);
  if (g_str_equal (target->name, "ptx"))
    probe_run_ptx (toml, &run);
  else
    probe_run_gcn (toml, &run);
  g_assert_cmpstr (run.why, ==, NULL);
}

static void
check_output (TtNlProgram *program, const char *name)
{
  const TtNlTarget *target = tt_nl_target_find (name, NULL);
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (GError) error = NULL;

  if (!tt_nl_program_write (program, target, text))
    return;
  g_autoptr (TtNlToml) toml = tt_nl_toml_read (name, text->str, text->len, &error);
  g_assert_no_error (error);
  if (text->len < 20000)
    run_output (target, toml);
  g_autoptr (TtNlLayout) layout = tt_nl_program_layout (program);
  g_autoptr (TtNlLayout) again = tt_nl_layout_from_toml (name, text->str, text->len, NULL);
  g_assert_cmpuint (layout->areas->len, ==, again == NULL ? 0 : again->areas->len);
}

int LLVMFuzzerTestOneInput (const guint8 *bytes, size_t len);

int
LLVMFuzzerTestOneInput (const guint8 *bytes, size_t len)
{
  static const char *const targets[] = { "ptx", "gfx90a", "gfx942" };
  g_autoptr (TtNlProgram) program = tt_nl_program_new ("fuzz.py", (const char *) bytes, len);
  g_autoptr (TtNlLayout) layout = tt_nl_layout_from_toml ("fuzz.toml", (const char *) bytes, len, NULL);
  g_autoptr (GString) text = g_string_new (NULL);

  if (layout != NULL)
    tt_nl_layout_print (layout, text);
  if (tt_nl_program_is_good (program))
    {
      tt_nl_unit_print (tt_nl_program_unit (program), text);
      for (guint i = 0; i < G_N_ELEMENTS (targets) && tt_nl_program_is_good (program); i++)
        check_output (program, targets[i]);
    }
  g_string_truncate (text, 0);
  tt_nl_program_print_messages (program, text);
  g_assert_true (tt_nl_program_is_good (program) || text->len > 0);
  g_assert_true (strstr (text->str, "BUG") == NULL || memmem (bytes, len, "BUG", 3) != NULL);
  return 0;
}
