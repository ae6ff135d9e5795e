/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/cli/command.h"
#include "src/cli/help-page.h"
#include "src/cli/options.h"

#include "src/base/suggest.h"

#include <string.h>

/* The context of this program, into which --db, --run and --clock after the command go, and their words. */
static TtContext *bound_context;
static char *bound_db, *bound_run, *bound_clock;

void
tt_command_bind (TtContext *context)
{
  bound_context = context;
  g_clear_pointer (&bound_db, g_free);
  g_clear_pointer (&bound_run, g_free);
  g_clear_pointer (&bound_clock, g_free);
}

/* -- options ------------------------------------------------------------------------------------- */

static const GOptionEntry *
find_option (const GOptionEntry *entries, const char *name)
{
  for (const GOptionEntry *entry = entries; entry != NULL && entry->long_name != NULL; entry++)
    if (g_str_equal (entry->long_name, name))
      return entry;
  return NULL;
}

/* The first long option of @words that @entries does not have, without dashes and value; NULL: none. Free it. */
static char *
find_unknown_option (char **words, const GOptionEntry *entries)
{
  for (char **word = words; *word != NULL && !g_str_equal (*word, "--"); word++)
    if (g_str_has_prefix (*word, "--"))
      {
        char *name = g_strndup (*word + 2, strcspn (*word + 2, "="));
        if (find_option (entries, name) == NULL)
          return name;
        g_free (name);
      }
  return NULL;
}

static void
set_unknown_option (GError **error,
                    const TtCommand *command,
                    char **words,
                    const GOptionEntry *entries,
                    const char *why)
{
  g_autofree char *unknown = find_unknown_option (words, entries);
  g_autoptr (GPtrArray) known = g_ptr_array_new ();

  for (const GOptionEntry *entry = entries; entry->long_name != NULL; entry++)
    g_ptr_array_add (known, (gpointer) entry->long_name);
  g_ptr_array_add (known, NULL);

  const char *near = unknown == NULL ? NULL : tt_suggest (unknown, (const char *const *) known->pdata);
  if (near != NULL)
    g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "unknown option '--%s'; did you mean '--%s'?", unknown, near);
  else
    g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "%s; see 'tracetool %s --help'", why, command->name);
}

/* GOption's messages begin with a capital and quote with characters that not every terminal has. */
static char *
plain_message (const char *message)
{
  g_autoptr (GString) text = g_string_new (message);

  g_string_replace (text, "“", "'", 0);
  g_string_replace (text, "”", "'", 0);
  if (text->len > 0)
    text->str[0] = g_ascii_tolower (text->str[0]);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

/* GOption leaves "--" before words that look like options. */
static void
drop_separator (int *argc, char **argv)
{
  for (int i = 1; i < *argc; i++)
    if (g_str_equal (argv[i], "--"))
      {
        /* With the NULL at the end. */
        memmove (&argv[i], &argv[i + 1], (gsize) (*argc - i) * sizeof *argv);
        --*argc;
        return;
      }
}

static void
set_context (void)
{
  if (bound_db != NULL && bound_context != NULL)
    {
      bound_context->db_path = bound_db;
      bound_context->db_given = TRUE;
    }
  if (bound_run != NULL && bound_context != NULL)
    bound_context->run = bound_run;
  if (bound_clock != NULL && bound_context != NULL)
    bound_context->clock = bound_clock;
}

/* What tt_command_parse() gives the options to instead of parsing; NULL: it parses. */
static TtOptionVisit option_visit;
static gpointer option_visit_data;

void
tt_command_list_options (const TtCommand *command, TtOptionVisit visit, gpointer data)
{
  const TtContext context = { 0 };
  char *argv[] = { (char *) command->name, NULL };
  g_autoptr (GError) error = NULL;

  option_visit = visit;
  option_visit_data = data;
  command->run (&context, 1, argv, &error);
  option_visit = NULL;
}

static void
visit_options (const GOptionEntry *entries)
{
  for (const GOptionEntry *entry = entries; entry->long_name != NULL; entry++)
    if ((entry->flags & G_OPTION_FLAG_HIDDEN) == 0)
      option_visit (entry, option_visit_data);
}

gboolean
tt_command_parse (const TtCommand *command,
                  const GOptionEntry *entries,
                  int *argc,
                  char ***argv,
                  int *status,
                  GError **error)
{
  gboolean help = FALSE;
  const GOptionEntry common[] = {
    { "db", 0, command->ignores_db ? G_OPTION_FLAG_HIDDEN : 0, G_OPTION_ARG_FILENAME, &bound_db,
      "Database (default: $TRACETOOL_DB, else trace.db)", "FILE" },
    { "run", 0, command->ignores_run ? G_OPTION_FLAG_HIDDEN : 0, G_OPTION_ARG_STRING, &bound_run,
      command->chooses != NULL ? command->chooses : "Run to read (default: the latest)",
      command->chooses != NULL ? "N[,M]...|all" : "N|all" },
    { "clock", 0, command->ignores_clock || command->ignores_run || command->chooses != NULL ? G_OPTION_FLAG_HIDDEN : 0,
      G_OPTION_ARG_STRING, &bound_clock, "Times where clocks differ: original, linear or logical (default)", "WORD" },
    { "help", 'h', 0, G_OPTION_ARG_NONE, &help, "Show this page", NULL },
    G_OPTION_ENTRY_NULL,
  };
  g_autofree GOptionEntry *all = tt_options_concat (entries, common);
  g_autoptr (GOptionContext) context = g_option_context_new (command->usage);
  g_autoptr (GError) why = NULL;
  g_auto (GStrv) words = g_strdupv (*argv + 1);

  if (option_visit != NULL)
    {
      visit_options (all);
      *status = 0;
      return FALSE;
    }

  g_option_context_set_help_enabled (context, FALSE);
  g_option_context_add_main_entries (context, all, NULL);
  if (!g_option_context_parse (context, argc, argv, &why))
    {
      g_autofree char *message = plain_message (why->message);

      if (g_error_matches (why, G_OPTION_ERROR, G_OPTION_ERROR_UNKNOWN_OPTION))
        set_unknown_option (error, command, words, all, message);
      else
        g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "%s; see 'tracetool %s --help'", message, command->name);
      *status = -1;
      return FALSE;
    }

  drop_separator (argc, *argv);
  set_context ();
  if (help)
    {
      g_autofree char *page = tt_help_page (command, all);
      *status = tt_help_print (page, error) ? 0 : -1;
      return FALSE;
    }
  return TRUE;
}
