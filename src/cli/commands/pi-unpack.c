/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/cli/command.h"

#include "formats/pi/archive/archive.h"
#include "src/base/look.h"
#include "src/base/paths.h"

#include <sys/stat.h>

static int
run (const TtContext *context, int argc, char **argv, GError **error)
{
  gboolean large = FALSE;
  int status = 0;
  const GOptionEntry entries[] = {
    { "large", 0, 0, G_OPTION_ARG_NONE, &large, "Even if the contents are a thousand times the archive", NULL },
    G_OPTION_ENTRY_NULL,
  };

  if (!tt_command_parse (&tt_command_pi_unpack, entries, &argc, &argv, &status, error))
    return status;
  if (argc != 3)
    {
      g_set_error (error, TT_ERROR, TT_ERROR_USAGE,
                   "an archive and the directory to make are wanted; see 'tracetool pi unpack --help'");
      return -1;
    }
  if (!tt_pi_archive_unpack (argv[1], argv[2], large, error))
    return -1;
  /* The archive does not say what can be run; the program of a packed recording can. */
  g_autofree char *program = g_build_filename (argv[2], "pack", "0", NULL);
  if (tt_look_test (program, G_FILE_TEST_IS_REGULAR) && chmod (program, 0755) != 0)
    tt_warning ("cannot make '%s' executable", program);
  g_autofree char *shown = tt_shell_word (argv[2]);
  tt_message ("unpacked to %s; 'tracetool pi replay %s' runs it", shown, shown);
  return 0;
}

const TtCommand tt_command_pi_unpack = {
  .name = "pi unpack",
  .summary = "Unpack a packed recording",
  .usage = "FILE DIR",
  .details =
      "FILE was written by 'pi pack -o' or by the tool whose format that is. DIR must not exist. An archive with\n"
      "names that lead out of DIR, or that holds a name twice, is refused; when anything fails DIR is gone again.",
  .example = "tracetool pi unpack run.pack unpacked || tracetool pi print pi-run",
  .ignores_db = TRUE,
  .ignores_run = TRUE,
  .run = run,
};
