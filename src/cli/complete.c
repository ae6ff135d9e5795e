/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/cli/complete.h"

#include "src/cli/common-values.h"

#include <string.h>

typedef struct
{
  char *name, *description;
  char letter;
  gboolean takes_value, is_file;
} Option;

/* What the words before the last one say. */
typedef struct
{
  const TtCommand *const *commands;
  const TtCommand *command; /* NULL: none yet */
  gboolean after_help;      /* `help` stands in the place of the command */
  gboolean only_files;      /* a word that is no command does */
  gboolean has_argument;    /* the command has one already */
  gboolean options_ended;   /* by "--" */
  GPtrArray *options;       /* of Option, that may stand there */
  const Option *open;       /* its value is next */
  TtValuesQuestion question;
  GString *out;
} Line;

/* -- options --------------------------------------------------------------------------------------- */

static void
option_free (gpointer data)
{
  Option *self = data;

  g_free (self->name);
  g_free (self->description);
  g_free (self);
}

static void
add_option (const GOptionEntry *entry, gpointer data)
{
  GPtrArray *options = data;
  Option *option = g_new0 (Option, 1);

  option->name = g_strdup (entry->long_name);
  option->description = g_strdup (entry->description != NULL ? entry->description : "");
  option->letter = entry->short_name;
  option->takes_value = entry->arg != G_OPTION_ARG_NONE;
  option->is_file = entry->arg == G_OPTION_ARG_FILENAME || entry->arg == G_OPTION_ARG_FILENAME_ARRAY;
  g_ptr_array_add (options, option);
}

static const Option *
find_option (const Line *self, const char *name, gsize len)
{
  for (guint i = 0; i < self->options->len; i++)
    {
      const Option *option = self->options->pdata[i];
      if (strlen (option->name) == len && strncmp (option->name, name, len) == 0)
        return option;
    }
  return NULL;
}

static const Option *
find_letter (const Line *self, char letter)
{
  for (guint i = 0; i < self->options->len; i++)
    {
      const Option *option = self->options->pdata[i];
      if (option->letter == letter)
        return option;
    }
  return NULL;
}

/* -- the words before ------------------------------------------------------------------------------ */

/* "--by" and "-qo" leave an option open, "--by=name" and "-ofile" do not. */
static void
read_option (Line *self, const char *word)
{
  const Option *option = NULL;

  if (g_str_equal (word, "--"))
    self->options_ended = TRUE;
  else if (word[1] == '-')
    option = strchr (word, '=') != NULL ? NULL : find_option (self, word + 2, strlen (word + 2));
  else
    for (const char *p = word + 1; *p != '\0' && option == NULL; p++)
      {
        const Option *found = find_letter (self, *p);
        if (found != NULL && found->takes_value && p[1] != '\0')
          return;
        option = p[1] == '\0' ? found : NULL;
      }
  if (option != NULL && option->takes_value)
    self->open = option;
}

static void
read_word (Line *self, const char *word)
{
  gboolean is_group = self->command != NULL && self->command->members != NULL;
  const TtCommand *found = NULL;

  if (self->only_files || (self->command != NULL && !is_group))
    {
      self->has_argument = TRUE;
      return;
    }
  if (self->command == NULL && !self->after_help && g_str_equal (word, "help"))
    {
      self->after_help = TRUE;
      return;
    }
  found = tt_command_find (is_group ? self->command->members : self->commands, word);
  if (found == NULL)
    {
      self->only_files = TRUE;
      return;
    }
  self->command = found;
  g_ptr_array_set_size (self->options, 0);
  if (found->members == NULL)
    tt_command_list_options (found, add_option, self->options);
}

static void
read_words (Line *self, char **words, guint n)
{
  for (guint i = 0; i < n; i++)
    {
      if (self->open != NULL)
        {
          if (g_str_equal (self->open->name, "db"))
            self->question.db_path = words[i];
          self->open = NULL;
        }
      else if (words[i][0] == '-' && words[i][1] != '\0' && !self->options_ended)
        read_option (self, words[i]);
      else
        read_word (self, words[i]);
    }
}

/* -- what is offered ------------------------------------------------------------------------------- */

static void
offer (Line *self, const char *current, const char *before, const char *word, const char *after, const char *description)
{
  g_autofree char *whole = g_strconcat (before, word, after, NULL);

  if (g_str_has_prefix (whole, current))
    g_string_append_printf (self->out, "%s\t%s\n", whole, description);
}

static void
offer_directive (Line *self, const char *directive)
{
  g_string_append_printf (self->out, ":%s\n", directive);
}

static void
offer_commands (Line *self, const char *current, const TtCommand *const *commands)
{
  for (guint i = 0; commands[i] != NULL; i++)
    offer (self, current, "", tt_command_word (commands[i]), "", commands[i]->summary);
}

static void
offer_options (Line *self, const char *current)
{
  for (guint i = 0; i < self->options->len; i++)
    {
      const Option *option = self->options->pdata[i];
      const char letter[] = { option->letter, '\0' };

      offer (self, current, "--", option->name, "", option->description);
      if (option->letter != '\0')
        offer (self, current, "-", letter, "", option->description);
    }
}

/* @before: what of the word is not the value, "--by=". */
static void
offer_words (Line *self, const char *current, const char *before, const TtOptionValues *values)
{
  g_auto (GStrv) words = tt_option_values_list (values, &self->question);
  const char *after = values->form == TT_VALUES_FIELDS ? "=" : "";
  const char *comma = values->form == TT_VALUES_LIST ? strrchr (current, ',') : NULL;
  g_autofree char *done = comma != NULL ? g_strndup (current, (gsize) (comma + 1 - current)) : g_strdup (before);
  g_auto (GStrv) chosen = g_strsplit (done + (g_str_has_prefix (done, before) ? strlen (before) : 0), ",", -1);

  for (char **word = words; *word != NULL; word++)
    if (values->form != TT_VALUES_LIST || !g_strv_contains ((const char *const *) chosen, *word))
      offer (self, current, done, *word, after, "");
  if (values->form != TT_VALUES_ONE && values->form != TT_VALUES_FIRST)
    offer_directive (self, "partial");
}

static void
offer_value (Line *self, const char *current, const char *before, const Option *option)
{
  const TtOptionValues *own = self->command != NULL ? self->command->values : NULL;
  const TtOptionValues *values = tt_option_values_find (own, option->name);

  if (values == NULL)
    values = tt_option_values_find (tt_common_values, option->name);
  if (values != NULL)
    offer_words (self, current, before, values);
  else if (option->is_file)
    offer_directive (self, "files");
}

static void
offer_argument (Line *self, const char *current)
{
  const TtOptionValues *values = tt_option_values_find (self->command->values, "");

  if (values != NULL && !(values->form == TT_VALUES_FIRST && self->has_argument))
    offer_words (self, current, "", values);
  else
    offer_directive (self, "files");
}

static void
offer_last (Line *self, const char *current)
{
  const char *equals = strchr (current, '=');

  if (self->open != NULL)
    offer_value (self, current, "", self->open);
  else if (!self->options_ended && g_str_has_prefix (current, "--") && equals != NULL)
    {
      const Option *option = find_option (self, current + 2, (gsize) (equals - current - 2));
      g_autofree char *before = g_strndup (current, (gsize) (equals + 1 - current));
      if (option != NULL && option->takes_value)
        offer_value (self, current, before, option);
    }
  else if (!self->options_ended && current[0] == '-')
    offer_options (self, current);
  else if (self->only_files)
    offer_directive (self, "files");
  else if (self->command == NULL)
    {
      offer_commands (self, current, self->commands);
      if (self->after_help)
        return;
      offer (self, current, "", "help", "", "Show a help page");
      offer_directive (self, "files");
    }
  else if (self->command->members != NULL)
    offer_commands (self, current, self->command->members);
  else if (!self->after_help)
    offer_argument (self, current);
}

void
tt_complete (char **words, const TtContext *context, GString *out)
{
  static const GOptionEntry before_command[] = {
    { "db", 0, 0, G_OPTION_ARG_FILENAME, NULL, "Database to write or read", NULL },
    { "run", 0, 0, G_OPTION_ARG_STRING, NULL, "Run to read", NULL },
    { "clock", 0, 0, G_OPTION_ARG_STRING, NULL, "Times where clocks differ", NULL },
    { "version", 0, 0, G_OPTION_ARG_NONE, NULL, "Version, schema and optional parts", NULL },
    { "help", 'h', 0, G_OPTION_ARG_NONE, NULL, "Commands and options", NULL },
  };
  guint n = g_strv_length (words);
  g_autoptr (GPtrArray) options = g_ptr_array_new_with_free_func (option_free);
  Line line = { .commands = context->commands,
                .options = options,
                .question = { context->db_path, (const char *const *) words },
                .out = out };
  g_autofree char *last = NULL;

  if (n == 0)
    return;
  for (guint i = 0; i < G_N_ELEMENTS (before_command); i++)
    add_option (&before_command[i], options);
  last = g_steal_pointer (&words[n - 1]);
  read_words (&line, words, n - 1);
  offer_last (&line, last);
  words[n - 1] = g_steal_pointer (&last);
}
