/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/comparison/op-mapping.h"

#include "src/base/error.h"
#include "src/base/glob.h"
#include "src/base/input.h"

#include <string.h>

#define MAX_FILE_BYTES ((gsize) 16 << 20)

typedef struct
{
  char *old, *new;
  gsize n_before, n_after; /* bytes of OLD around its *; only where NEW has one, too */
  gboolean carries_text;
} Rule;

struct _TtOpMapping
{
  GArray *rules; /* of Rule */
  gboolean ignores_template_arguments;
};

static void
rule_clear (gpointer data)
{
  Rule *rule = data;

  g_free (rule->old);
  g_free (rule->new);
}

TtOpMapping *
tt_op_mapping_new (void)
{
  TtOpMapping *self = g_new0 (TtOpMapping, 1);

  self->rules = g_array_new (FALSE, FALSE, sizeof (Rule));
  g_array_set_clear_func (self->rules, rule_clear);
  return self;
}

void
tt_op_mapping_free (TtOpMapping *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->rules);
  g_free (self);
}

/* -- rules ------------------------------------------------------------------------------------------------------ */

gboolean
tt_op_mapping_add (TtOpMapping *self, const char *text, GError **error)
{
  const char *equals = strchr (text, '=');
  guint n_old, n_new;

  if (equals == NULL || equals == text || equals[1] == '\0')
    {
      g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "'%s' is no mapping of names: write OLD=NEW", text);
      return FALSE;
    }
  Rule rule = { .old = g_strndup (text, (gsize) (equals - text)), .new = g_strdup (equals + 1) };
  n_old = tt_glob_n_stars (rule.old);
  n_new = tt_glob_n_stars (rule.new);
  if (n_new > 1 || (n_new == 1 && n_old != 1))
    {
      g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "'%s': a * in the new name stands for the only * of the old one",
                   text);
      rule_clear (&rule);
      return FALSE;
    }
  rule.carries_text = n_new == 1;
  if (rule.carries_text)
    {
      rule.n_before = strcspn (rule.old, "*");
      rule.n_after = strlen (rule.old) - rule.n_before - 1;
    }
  g_array_append_val (self->rules, rule);
  return TRUE;
}

static char *
read_whole (const char *path, GError **error)
{
  g_autoptr (TtInput) input = tt_input_open (path, error);
  g_autoptr (GString) text = g_string_new (NULL);
  char block[4096];
  gssize n = 0;

  while (input != NULL && text->len <= MAX_FILE_BYTES && (n = tt_input_read (input, block, sizeof block, error)) > 0)
    g_string_append_len (text, block, n);
  if (input == NULL || n < 0)
    return NULL;
  if (text->len > MAX_FILE_BYTES)
    g_set_error (error, TT_ERROR, TT_ERROR_FORMAT, "%s: a list of names of more than 16 MiB", path);
  else if (memchr (text->str, '\0', text->len) != NULL)
    g_set_error (error, TT_ERROR, TT_ERROR_FORMAT, "%s: it has a byte 0, so it is no list of names", path);
  else
    return g_string_free (g_steal_pointer (&text), FALSE);
  return NULL;
}

gboolean
tt_op_mapping_add_file (TtOpMapping *self, const char *path, GError **error)
{
  g_autofree char *text = read_whole (path, error);
  g_auto (GStrv) lines = text == NULL ? NULL : g_strsplit (text, "\n", -1);

  if (text == NULL)
    return FALSE;
  for (guint i = 0; lines[i] != NULL; i++)
    {
      char *line = g_strchomp (lines[i]);

      if (*line != '\0' && *line != '#' && !tt_op_mapping_add (self, line, error))
        {
          g_prefix_error (error, "%s: line %u: ", path, i + 1);
          return FALSE;
        }
    }
  return TRUE;
}

void
tt_op_mapping_ignore_template_arguments (TtOpMapping *self)
{
  self->ignores_template_arguments = TRUE;
}

/* -- names ------------------------------------------------------------------------------------------------------ */

/* Whether the < or > at @at belongs to an operator: "operator<<", "->", "~>", "<=". */
static gboolean
is_operator (const char *text, gsize at)
{
  static const char word[] = "operator";
  gsize first = at;

  while (first > 0 && strchr ("<>=-", text[first - 1]) != NULL)
    first--;
  return (text[at] == '>' && at > 0 && (text[at - 1] == '-' || text[at - 1] == '~')) ||
         (first >= strlen (word) && strncmp (text + first - strlen (word), word, strlen (word)) == 0);
}

/* Without what stands between < and >; as it is where they do not match. Free it. */
static char *
cut_template_arguments (const char *text)
{
  g_autoptr (GString) rest = g_string_new (NULL);
  gsize depth = 0;

  for (gsize i = 0; text[i] != '\0'; i++)
    {
      gboolean is_bracket = (text[i] == '<' || text[i] == '>') && !is_operator (text, i);

      if (is_bracket && text[i] == '>' && depth == 0)
        return g_strdup (text);
      if (is_bracket)
        depth = text[i] == '<' ? depth + 1 : depth - 1;
      else if (depth == 0)
        g_string_append_c (rest, text[i]);
    }
  return depth == 0 && rest->len > 0 ? g_string_free (g_steal_pointer (&rest), FALSE) : g_strdup (text);
}

static char *
rename_by (const Rule *rule, const char *name)
{
  gsize len = strlen (name), n_new_before = strcspn (rule->new, "*");

  if (!rule->carries_text)
    return g_strdup (rule->new);
  return g_strdup_printf ("%.*s%.*s%s", (int) n_new_before, rule->new, (int) (len - rule->n_before - rule->n_after),
                          name + rule->n_before, rule->new + n_new_before + 1);
}

char *
tt_op_mapping_apply (const TtOpMapping *self, const char *name)
{
  g_autofree char *text = self->ignores_template_arguments ? cut_template_arguments (name) : g_strdup (name);
  gsize len = strlen (text);

  for (guint i = 0; i < self->rules->len; i++)
    {
      const Rule *rule = &g_array_index (self->rules, Rule, i);

      if (tt_glob_fits (rule->old, text, len, FALSE))
        return rename_by (rule, text);
    }
  return g_steal_pointer (&text);
}
