/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/cli/program.h"

#include "formats/format.h"
#include "src/base/failure.h"
#include "src/base/look.h"
#include "src/base/output.h"
#include "src/base/report/report.h"
#include "src/base/signals.h"
#include "src/base/suggest.h"
#include "src/cli/command.h"
#include "src/cli/first-steps.h"
#include "src/cli/help-page.h"

#include <locale.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void
print_error (const GError *error)
{
  tt_message_error (error, tt_terminal_colours (STDERR_FILENO));
}

static int
report_failure (const GError *error)
{
  print_error (error);
  return g_error_matches (error, TT_ERROR, TT_ERROR_USAGE) || error->domain == G_OPTION_ERROR ? 2 : 1;
}

/* Neither a command nor a file. */
static void
set_unknown_command (GError **error, const char *word)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new ();

  for (guint i = 0; tt_commands[i] != NULL; i++)
    g_ptr_array_add (names, (gpointer) tt_commands[i]->name);
  g_ptr_array_add (names, NULL);

  const char *near = tt_suggest (word, (const char *const *) names->pdata);
  if (near != NULL)
    g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "unknown command '%s'; did you mean '%s'?", word, near);
  else
    g_set_error (error, TT_ERROR, TT_ERROR_USAGE,
                 "'%s' is neither a command nor a file; 'tracetool --help' lists the commands", word);
}

/* Results lost to a full disk must not look like success. */
static gboolean
flush_stdout (GError **error)
{
  gboolean failed_before = ferror (stdout);

  if (fflush (stdout) == 0 && !failed_before)
    return TRUE;
  if (tt_stdout_is_closed ())
    {
      g_set_error (error, TT_ERROR, TT_ERROR_INPUT, "cannot write standard output: it is closed");
      return FALSE;
    }
  /* Of a write that failed earlier errno says nothing any more. */
  g_set_error (error, TT_ERROR, TT_ERROR_INPUT, "cannot write standard output: %s",
               failed_before ? "the disk is full, or the reader is gone" : g_strerror (errno));
  return FALSE;
}

static int
run_command (const TtCommand *command, const TtContext *context, int argc, char **argv)
{
  g_autoptr (GError) error = NULL;
  int status = -1;

  command = tt_command_descend (command, &argc, &argv, &status, &error);
  if (command != NULL)
    status = command->run (context, argc, argv, &error);

  /* A failure that only tt_failure_leave() knows. */
  if (status < 0 && error == NULL && tt_failure_check (&error))
    g_set_error (&error, TT_ERROR, TT_ERROR_INPUT, "the command failed, and no part of it says why");
  if (status >= 0 && !(tt_failure_check (&error) && flush_stdout (&error)))
    status = -1;
  return status >= 0 ? status : report_failure (error);
}

static int
print_text (char *text)
{
  g_autoptr (GError) error = NULL;
  gboolean done = tt_help_print (text, &error);

  g_free (text);
  return done ? 0 : report_failure (error);
}

/* `tracetool help [COMMAND]` is what people try first. */
static int
run_help (const TtContext *context, int argc, char **argv)
{
  const TtCommand *command = argc < 2 ? NULL : tt_command_find (tt_commands, argv[1]);
  char help_option[] = "--help";

  if (argc < 2)
    return print_text (tt_first_steps_help ());
  if (command == NULL)
    {
      g_autoptr (GError) error = NULL;
      set_unknown_command (&error, argv[1]);
      return report_failure (error);
    }

  g_autofree char **help_argv = g_new0 (char *, argc + 1);
  for (int i = 1; i < argc; i++)
    help_argv[i - 1] = argv[i];
  help_argv[argc - 1] = help_option;
  return run_command (command, context, argc, help_argv);
}

static int
dispatch_command (const TtContext *context, int argc, char **argv)
{
  g_autoptr (GError) error = NULL;

  if (argc < 1)
    {
      g_autofree char *help = tt_first_steps_help ();
      tt_help_show_mistaken (help);
      return 2;
    }

  const TtCommand *command = tt_command_find (tt_commands, argv[0]);
  if (command != NULL)
    return run_command (command, context, argc, argv);
  if (g_str_equal (argv[0], "help"))
    return run_help (context, argc, argv);
  if (!tt_look_test (argv[0], G_FILE_TEST_EXISTS))
    {
      set_unknown_command (&error, argv[0]);
      return report_failure (error);
    }

  g_autofree char *advice = tt_first_steps_for (argv, &error);
  if (advice == NULL)
    return report_failure (error);
  tt_message_lines (advice);
  return 2;
}

/* Else the first files that are opened, a database perhaps, would be standard input and output. What stands in for them
 * cannot be read, or written; messages are lost. */
static void
hold_standard_files (void)
{
  static const int modes[] = { O_WRONLY, O_RDONLY, O_WRONLY };

  for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
    if (fcntl (fd, F_GETFD) < 0 && open ("/dev/null", modes[fd]) != fd)
      _exit (1);
}

/* Sort buffers come and go in megabytes: mapped one by one they go back to the system when freed,
 * instead of staying in the heap of the thread that had them. */
static void
give_back_large_buffers (void)
{
#ifdef __GLIBC__
  mallopt (M_MMAP_THRESHOLD, 256 * 1024);
#endif
}

int
tt_program (int argc, char **argv)
{
  TtContext context = { .commands = tt_commands };
  g_autofree char *db = NULL, *run = NULL, *clock = NULL;
  gboolean version = FALSE, help = FALSE;
  g_autoptr (GError) error = NULL;
  g_autoptr (GOptionContext) options = g_option_context_new ("COMMAND");
  const GOptionEntry entries[] = {
    { "db", 0, 0, G_OPTION_ARG_FILENAME, &db, NULL, NULL },
    { "run", 0, 0, G_OPTION_ARG_STRING, &run, NULL, NULL },
    { "clock", 0, 0, G_OPTION_ARG_STRING, &clock, NULL, NULL },
    { "version", 0, 0, G_OPTION_ARG_NONE, &version, NULL, NULL },
    { "help", 'h', 0, G_OPTION_ARG_NONE, &help, NULL, NULL },
    G_OPTION_ENTRY_NULL,
  };

  hold_standard_files ();
  give_back_large_buffers ();
  /* Characters as the terminal has them; numbers and messages do not change with the locale. */
  setlocale (LC_CTYPE, "");
  tt_signals_keep ();
  signal (SIGPIPE, SIG_DFL);
  /* A file at the limit of ulimit -f is an error like a full disk. */
  signal (SIGXFSZ, SIG_IGN);
  g_set_prgname ("tracetool");

  g_option_context_set_strict_posix (options, TRUE);
  g_option_context_set_help_enabled (options, FALSE);
  g_option_context_add_main_entries (options, entries, NULL);
  if (!g_option_context_parse (options, &argc, &argv, &error))
    {
      error->message[0] = g_ascii_tolower (error->message[0]);
      g_prefix_error_literal (&error, "before the command: ");
      print_error (error);
      return 2;
    }
  if (help)
    return print_text (tt_first_steps_help ());
  if (version)
    return print_text (tt_first_steps_version ());

  const char *environment = g_getenv ("TRACETOOL_DB");
  context.db_given = db != NULL;
  context.db_path = db != NULL ? db : environment != NULL && *environment != '\0' ? environment : "trace.db";
  context.run = run;
  context.clock = clock;
  tt_command_bind (&context);
  return dispatch_command (&context, argc - 1, argv + 1);
}
