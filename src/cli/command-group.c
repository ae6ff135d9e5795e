/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/cli/command.h"
#include "src/cli/help-page.h"

#include "src/base/output.h"
#include "src/base/suggest.h"

#include <stdio.h>
#include <string.h>

const char *
tt_command_word (const TtCommand *command)
{
  const char *space = strrchr (command->name, ' ');

  return space != NULL ? space + 1 : command->name;
}

const TtCommand *
tt_command_find (const TtCommand *const *commands, const char *word)
{
  for (guint i = 0; commands[i] != NULL; i++)
    if (g_str_equal (tt_command_word (commands[i]), word) || g_strcmp0 (commands[i]->alias, word) == 0)
      return commands[i];
  return NULL;
}

static char *
group_help (const TtCommand *group)
{
  GString *text = g_string_new (NULL);
  int width = 0;

  for (guint i = 0; group->members[i] != NULL; i++)
    width = MAX (width, (int) strlen (tt_command_word (group->members[i])));
  g_string_append_printf (text, "Usage:\n  tracetool %s COMMAND [OPTION]... [ARGUMENT]...\n\n%s\n\nCommands:\n",
                          group->name, group->summary);
  for (guint i = 0; group->members[i] != NULL; i++)
    g_string_append_printf (text, "  %-*s  %s\n", width, tt_command_word (group->members[i]),
                            group->members[i]->summary);
  g_string_append_printf (text, "\n%s%sSee 'tracetool %s COMMAND --help' for each command.\n",
                          group->details != NULL ? group->details : "", group->details != NULL ? "\n\n" : "",
                          group->name);
  return g_string_free (text, FALSE);
}

static gboolean
print_group_help (const TtCommand *group, GError **error)
{
  g_autofree char *help = group_help (group);

  return tt_help_print (help, error);
}

static void
set_unknown_member (GError **error, const TtCommand *group, const char *word)
{
  g_autoptr (GPtrArray) words = g_ptr_array_new ();

  for (guint i = 0; group->members[i] != NULL; i++)
    g_ptr_array_add (words, (gpointer) tt_command_word (group->members[i]));
  g_ptr_array_add (words, NULL);

  const char *near = tt_suggest (word, (const char *const *) words->pdata);
  if (near != NULL)
    g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "unknown command '%s %s'; did you mean '%s %s'?", group->name, word,
                 group->name, near);
  else
    g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "unknown command '%s %s'; 'tracetool %s --help' lists what there is",
                 group->name, word, group->name);
}

const TtCommand *
tt_command_descend (const TtCommand *command, int *argc, char ***argv, int *status, GError **error)
{
  while (command->members != NULL)
    {
      const char *word = *argc > 1 ? (*argv)[1] : NULL;
      gboolean asked = word != NULL && (g_str_equal (word, "--help") || g_str_equal (word, "-h"));

      if (asked)
        {
          *status = print_group_help (command, error) ? 0 : -1;
          return NULL;
        }
      if (word == NULL)
        {
          g_autofree char *help = group_help (command);
          tt_help_show_mistaken (help);
          *status = 2;
          return NULL;
        }

      const TtCommand *member = tt_command_find (command->members, word);
      if (member == NULL)
        {
          set_unknown_member (error, command, word);
          *status = -1;
          return NULL;
        }
      command = member;
      *argc -= 1;
      *argv += 1;
    }
  return command;
}
