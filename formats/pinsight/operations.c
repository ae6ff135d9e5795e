/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/pinsight/operations.h"

#include "src/base/error.h"
#include "src/base/glob.h"

#include <string.h>

#define TABLE_FILE "pinsight-operations.tsv"

enum
{
  COLUMN_DOMAIN,
  COLUMN_EVENT,
  COLUMN_ROLE,
  COLUMN_NAME,
  COLUMN_SUB_OP,
  COLUMN_GROUP,
  COLUMN_CATEGORY,
  N_COLUMNS,
};
#define N_PATTERNS (N_COLUMNS - COLUMN_NAME)

typedef struct
{
  TtOperation operation;
  gboolean is_named;               /* the event is called like the operation */
  GPtrArray *patterns[N_PATTERNS]; /* of patterns (src/base/glob.h); NULL: any */
} Rule;

struct _TtConfigOperations
{
  const TtConfigDomains *domains;
  GPtrArray *rules; /* of Rule */
};

static void
rule_free (gpointer data)
{
  Rule *rule = data;

  for (guint i = 0; i < N_PATTERNS; i++)
    g_clear_pointer (&rule->patterns[i], g_ptr_array_unref);
  g_free (rule);
}

static GPtrArray *
read_patterns (const char *text)
{
  g_auto (GStrv) words = g_strsplit (text, ";", -1);
  GPtrArray *patterns;

  if (*text == '\0' || strcmp (text, "*") == 0)
    return NULL;
  patterns = g_ptr_array_new_with_free_func (g_free);
  for (guint i = 0; words[i] != NULL; i++)
    g_ptr_array_add (patterns, g_strdup (words[i]));
  return patterns;
}

/* What is wrong with the events; NULL: nothing. */
static const char *
read_events (const TtConfigDomain *domain, const char *text, Rule *rule)
{
  g_auto (GStrv) words = g_strsplit (text, ",", -1);

  rule->is_named = strcmp (text, "=") == 0;
  if (rule->is_named || strcmp (text, "-") == 0)
    return NULL;
  for (guint i = 0; words[i] != NULL; i++)
    {
      int event = tt_config_domain_find_event (domain, words[i], strlen (words[i]));
      if (event < 0)
        return "the domain has no such event";
      rule->operation.events |= (guint64) 1 << event;
    }
  return NULL;
}

static const char *
read_rule (TtConfigOperations *self, char **column)
{
  static const char *const roles[] = {
    "none",    "call", "callee", "region", "work",   "masked", "inside",
    "barrier", "wait", "join",   "plain",  "device", "end",    NULL,
  };
  guint n = g_strv_length (column);
  Rule *rule = g_new0 (Rule, 1);

  g_ptr_array_add (self->rules, rule);
  if (n <= COLUMN_NAME || n > N_COLUMNS)
    return "a line has four to seven columns";
  int domain = tt_config_domains_find (self->domains, column[COLUMN_DOMAIN], strlen (column[COLUMN_DOMAIN]));
  if (domain < 0)
    return "unknown domain";
  rule->operation.domain = (guint) domain;
  for (guint i = 1; roles[i] != NULL; i++)
    if (strcmp (column[COLUMN_ROLE], roles[i]) == 0)
      rule->operation.role = (TtOperationRole) i;
  if (rule->operation.role == TT_ROLE_NONE)
    return "unknown role";
  for (guint i = COLUMN_NAME; i < n; i++)
    rule->patterns[i - COLUMN_NAME] = read_patterns (column[i]);
  return read_events (tt_config_domain (self->domains, (guint) domain), column[COLUMN_EVENT], rule);
}

TtConfigOperations *
tt_config_operations_parse (const TtConfigDomains *domains, const char *text, const char *name, GError **error)
{
  g_autoptr (TtConfigOperations) self = g_new0 (TtConfigOperations, 1);
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);

  self->domains = domains;
  self->rules = g_ptr_array_new_with_free_func (rule_free);
  for (guint i = 0; lines[i] != NULL; i++)
    {
      g_strchomp (lines[i]);
      if (*lines[i] == '\0' || *lines[i] == '#')
        continue;
      g_auto (GStrv) column = g_strsplit (lines[i], "\t", -1);
      const char *fault = read_rule (self, column);
      if (fault != NULL)
        {
          g_set_error (error, TT_ERROR, TT_ERROR_FORMAT, "%s: line %u: %s", name, i + 1, fault);
          return NULL;
        }
    }
  return g_steal_pointer (&self);
}

TtConfigOperations *
tt_config_operations_load (const TtConfigDomains *domains, GError **error)
{
  g_autofree char *path = NULL, *text = NULL;

  if (!tt_config_data_read (TABLE_FILE, &path, &text, error))
    return NULL;
  return tt_config_operations_parse (domains, text, path, error);
}

void
tt_config_operations_free (TtConfigOperations *self)
{
  if (self == NULL)
    return;
  g_ptr_array_unref (self->rules);
  g_free (self);
}

static gboolean
fits (const GPtrArray *patterns, const char *text)
{
  if (patterns == NULL)
    return TRUE;
  if (text == NULL)
    text = "";
  for (guint i = 0; i < patterns->len; i++)
    if (tt_glob_fits (patterns->pdata[i], text, strlen (text), FALSE))
      return TRUE;
  return FALSE;
}

/* "MPI_Send(void *, int)" is MPI_Send. */
static char *
without_arguments (const char *name)
{
  const char *open = strchr (name, '(');
  gsize len = strlen (name);

  if (open == NULL || open == name || name[len - 1] != ')')
    return g_strdup (name);
  while (open > name + 1 && open[-1] == ' ')
    open--;
  return g_strndup (name, (gsize) (open - name));
}

TtOperationRole
tt_config_operations_role (const TtConfigOperations *self, guint domain, guint event)
{
  for (guint i = 0; i < self->rules->len; i++)
    {
      const Rule *rule = self->rules->pdata[i];
      if (rule->operation.domain == domain && (rule->operation.events >> event & 1) != 0)
        return rule->operation.role;
    }
  return TT_ROLE_CALL;
}

TtOperation
tt_config_operations_find (const TtConfigOperations *self, const TtFilterName *name)
{
  g_autofree char *op = without_arguments (name->op_name != NULL ? name->op_name : "");
  const char *const texts[N_PATTERNS] = { op, name->sub_op, name->group, name->op_cat };

  for (guint i = 0; i < self->rules->len; i++)
    {
      const Rule *rule = self->rules->pdata[i];
      gboolean is_it = TRUE;

      for (guint k = 0; k < N_PATTERNS && is_it; k++)
        is_it = fits (rule->patterns[k], texts[k]);
      if (!is_it || rule->operation.role == TT_ROLE_END)
        continue;
      TtOperation operation = rule->operation;
      if (rule->is_named)
        {
          int event = tt_config_domain_find_event (tt_config_domain (self->domains, operation.domain), op, strlen (op));
          operation.events = event < 0 ? 0 : (guint64) 1 << event;
        }
      return operation;
    }
  return (TtOperation){ .role = TT_ROLE_NONE };
}
