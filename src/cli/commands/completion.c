/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/base/output.h"
#include "src/base/shipped.h"
#include "src/cli/command.h"
#include "src/cli/complete.h"
#include "src/cli/words.h"

static const char *const shells[] = { "bash", "zsh", "fish", NULL };

static gboolean
print_script (const char *shell, GError **error)
{
  g_autofree char *name = g_strdup_printf ("completion/tracetool.%s", shell);
  g_autofree char *path = tt_shipped_data (name);
  g_autofree char *text = NULL;
  g_autoptr (GError) fault = NULL;

  if (g_file_get_contents (path, &text, NULL, &fault))
    return tt_output_print ("-", text, -1, error);
  g_set_error (error, TT_ERROR, TT_ERROR_INPUT, "cannot read shipped data: %s", fault->message);
  return FALSE;
}

static int
run (const TtContext *context, int argc, char **argv, GError **error)
{
  const GOptionEntry entries[] = { G_OPTION_ENTRY_NULL };
  guint shell = 0;
  int status;

  /* What follows are words of another command line, options among them. */
  if (argc > 1 && g_str_equal (argv[1], "--words"))
    {
      g_autoptr (GString) text = g_string_new (NULL);
      tt_complete (argv + 2, context, text);
      return tt_output_print ("-", text->str, -1, error) ? 0 : -1;
    }
  if (!tt_command_parse (&tt_command_completion, entries, &argc, &argv, &status, error))
    return status;
  if (argc != 2)
    {
      g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "for which shell? give one of bash, zsh, fish");
      return -1;
    }
  if (!tt_word_choose ("shell", argv[1], shells, &shell, error))
    return -1;
  return print_script (shells[shell], error) ? 0 : -1;
}

const TtCommand tt_command_completion = {
  .name = "completion",
  .summary = "Print a script that completes command lines in a shell",
  .usage = "bash|zsh|fish",
  .details = "Where tracetool is installed, shells find the script by themselves. Elsewhere:\n"
             "  bash  eval \"$(tracetool completion bash)\" in ~/.bashrc\n"
             "  zsh   source <(tracetool completion zsh) in ~/.zshrc, after compinit\n"
             "  fish  tracetool completion fish | source, in ~/.config/fish/config.fish\n"
             "\n"
             "The scripts ask 'tracetool completion --words WORD...' what may stand in the place of the last\n"
             "WORD: a line each, with a description after a tab; ':files' stands for files, and ':partial' says\n"
             "that the word goes on.",
  .example = "tracetool completion bash",
  .ignores_db = TRUE,
  .ignores_run = TRUE,
  .values = (const TtOptionValues[]){ { "", TT_VALUES_ONE, shells }, { NULL } },
  .run = run,
};
