/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/cli/command.h"

#include "src/base/clean-text.h"

#include <locale.h>
#include <signal.h>
#include <stdio.h>

/* `tracetool probe compile` under the name that Neutrino's own plans give it. */

int
main (int argc, char **argv)
{
  const TtContext context = { 0 };
  g_autoptr (GError) error = NULL;
  int status;

  setlocale (LC_CTYPE, "");
  signal (SIGPIPE, SIG_DFL);
  signal (SIGXFSZ, SIG_IGN);
  g_set_prgname ("neutrino-compile");
  status = tt_command_probe_compile.run (&context, argc, argv, &error);
  if (status >= 0)
    return status;
  g_autoptr (GString) message = g_string_new ("neutrino-compile: ");
  tt_clean_append_lines (message, error->message);
  fprintf (stderr, "%s\n", message->str);
  return g_error_matches (error, TT_ERROR, TT_ERROR_USAGE) || error->domain == G_OPTION_ERROR ? 2 : 1;
}
