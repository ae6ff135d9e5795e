/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/cli/first-steps.h"

#include "formats/plan.h"
#include "src/base/paths.h"
#include "src/base/units.h"
#include "src/base/version.h"
#include "src/cli/command.h"
#include "src/store/schema.h"

#include <string.h>

char *
tt_first_steps_help (void)
{
  GString *text = g_string_new ("Usage:\n"
                                "  tracetool [--db FILE] [--run N|all] COMMAND [ARGUMENT]...\n"
                                "\n"
                                "Reads performance traces, gives every operation one standard name, keeps them in\n"
                                "one SQLite file and answers questions about them.\n"
                                "\n"
                                "Commands:\n");

  for (guint i = 0; tt_commands[i] != NULL; i++)
    g_string_append_printf (text, "  %-14s %s\n", tt_commands[i]->name, tt_commands[i]->summary);
  g_string_append (text, "\n"
                         "Options:\n"
                         "  --db FILE      database to write or read (default: $TRACETOOL_DB, else trace.db)\n"
                         "  --clock WORD   times where clocks differ: original, linear, logical (default)\n"
                         "  --run N|all    run to read (default: the latest)\n"
                         "  --version      version, schema and optional parts\n"
                         "  -h, --help     this page; 'tracetool COMMAND --help' for a command\n"
                         "\n"
                         "First steps:\n"
                         "  tracetool import run.trc run.edf    once; writes trace.db\n"
                         "  tracetool stats                     which operations took the time\n"
                         "  tracetool info                      what was imported and what was repaired\n"
                         "A reading command also takes traces directly: tracetool stats run.trc run.edf\n");
  return g_string_free (text, FALSE);
}

char *
tt_first_steps_version (void)
{
  return g_strdup_printf ("tracetool %s\nschema %d\nzstd: %s\n", tt_version_text, TT_SCHEMA_VERSION,
#ifdef HAVE_ZSTD
                          "yes"
#else
                          "no"
#endif
  );
}

static char *
advise_database (const char *path)
{
  g_autofree char *quoted = tt_shell_word (path);

  return g_strdup_printf ("'%s' is a database of tracetool. To query it:\n"
                          "  tracetool --db %s info     what it holds\n"
                          "  tracetool --db %s stats    which operations took the time\n",
                          path, quoted, quoted);
}

static void
append_found (GString *text, const GPtrArray *plan, char **paths)
{
  char bytes[TT_TIME_TEXT];
  const TtPlannedInput *first = g_ptr_array_index (plan, 0);

  tt_bytes_auto (bytes, tt_format_plan_bytes (plan));
  if (plan->len == 1)
    g_string_append_printf (text, "'%s' is a trace (%s, %s).\n", paths[0], first->format->name, bytes);
  else
    g_string_append_printf (text, "'%s' has %u traces (%s, %s).\n", paths[0], plan->len, first->format->name, bytes);
}

char *
tt_first_steps_for (char **paths, GError **error)
{
  if (paths[1] == NULL && tt_path_is_database (paths[0]) && !tt_path_is_unsigned_database (paths[0]))
    return advise_database (paths[0]);

  g_autoptr (GPtrArray) notes = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GPtrArray) plan = tt_format_plan (paths, NULL, notes, NULL, error);
  if (plan == NULL)
    return NULL;
  if (plan->len == 0)
    {
      g_set_error (error, TT_ERROR, TT_ERROR_INPUT, "'%s' has no trace that tracetool reads", paths[0]);
      return NULL;
    }

  g_autofree char *words = tt_shell_words (paths);
  GString *text = g_string_new (NULL);
  append_found (text, plan, paths);
  g_string_append_printf (text,
                          "To import it once and then query it:\n"
                          "  tracetool import %s\n"
                          "  tracetool stats\n"
                          "  tracetool info\n"
                          "To query it at once:\n"
                          "  tracetool stats %s\n"
                          "All commands: tracetool --help\n",
                          words, words);
  return g_string_free (text, FALSE);
}
