/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/base/compare.h"
#include "src/trace/names/names.h"

#include "src/base/error.h"
#include "src/base/glob.h"
#include "src/base/look.h"
#include "src/base/shipped.h"
#include "src/base/suggest.h"

#include <string.h>

#define RULES_FILE "name-rules.ini"
#define MAX_RULES 100000

typedef struct
{
  int number;     /* negative: of the extra file */
  char **sources; /* NULL: any, as the next two */
  char **groups;
  char **names;
  char *op_cat, *sub_op;
  char *begin, *end, *field; /* of a pair of events; NULL: a rule for names */
  gboolean is_collective;
} Rule;

/* One pattern of one rule, listed under every byte that a fitting name can begin with. */
typedef struct
{
  const Rule *rule;
  const char *pattern; /* NULL: any name */
  TtGlob glob;         /* what it is of @pattern */
  guint64 bytes;       /* set_of_bytes() that a fitting name has */
} Candidate;

struct _TtNameRules
{
  guint n_users;
  GPtrArray *rules;        /* of Rule, in the order they are asked */
  GArray *pairs;           /* of TtPairRule */
  GArray *candidates[256]; /* of Candidate, by first byte of the name */
};

struct _TtNameRulesOf
{
  const TtNameRules *rules;
  char *source, *group;
  GArray *candidates[256]; /* of Candidate: those whose source and group fit; NULL: nobody has asked yet */
};

/* -- patterns ----------------------------------------------------------------------------------- */

/* Bit i: there is a byte that is i or differs from it by a multiple of 64. */
static inline guint64
set_of_bytes (const char *text, gsize len)
{
  guint64 set = 0;

  for (gsize i = 0; i < len; i++)
    set |= (guint64) 1 << (text[i] & 63);
  return set;
}

static gboolean
source_fits (char **patterns, const char *source)
{
  if (patterns == NULL)
    return TRUE;
  if (source == NULL)
    return FALSE;
  for (guint i = 0; patterns[i] != NULL; i++)
    if (tt_glob_fits (patterns[i], source, strlen (source), TRUE))
      return TRUE;
  return FALSE;
}

static gboolean
group_fits (char **patterns, const char *group)
{
  if (patterns == NULL)
    return TRUE;
  if (group == NULL)
    group = "";

  for (guint i = 0; patterns[i] != NULL; i++)
    for (const char *part = group;; part++)
      {
        gsize len = strcspn (part, "|");
        if (tt_glob_fits (patterns[i], part, len, TRUE) ||
            (part == group && tt_glob_fits (patterns[i], group, strlen (group), TRUE)))
          return TRUE;
        part += len;
        if (*part == '\0')
          break;
      }
  return FALSE;
}

/* -- reading -------------------------------------------------------------------------------------- */

static void
rule_free (gpointer data)
{
  Rule *rule = data;

  g_strfreev (rule->sources);
  g_strfreev (rule->groups);
  g_strfreev (rule->names);
  g_free (rule->op_cat);
  g_free (rule->sub_op);
  g_free (rule->begin);
  g_free (rule->end);
  g_free (rule->field);
  g_free (rule);
}

static gboolean
check_keys (GKeyFile *file, const char *path, const char *group, GError **error)
{
  static const char *const known[] = { "source",     "group", "name", "op_cat", "sub_op",
                                       "collective", "begin", "end",  "field",  NULL };
  g_auto (GStrv) keys = g_key_file_get_keys (file, group, NULL, NULL);

  for (guint i = 0; keys != NULL && keys[i] != NULL; i++)
    {
      if (g_strv_contains (known, keys[i]))
        continue;
      const char *near = tt_suggest (keys[i], known);
      g_set_error (error, TT_ERROR, TT_ERROR_FORMAT, "%s: group [%s]: unknown key '%s'%s%s%s", path, group, keys[i],
                   near != NULL ? "; did you mean '"
                                : "; known are source, group, name, op_cat, sub_op, collective, begin, end, field",
                   near != NULL ? near : "", near != NULL ? "'" : "");
      return FALSE;
    }
  return TRUE;
}

static gboolean
is_good_part (const char *text)
{
  for (const char *p = text; *p != '\0'; p++)
    if (g_ascii_iscntrl (*p) || *p == '.' || *p == '~')
      return FALSE;
  return *text != '\0';
}

/* NULL: nothing is wrong. */
static const char *
find_pair_fault (const Rule *rule)
{
  if (rule->begin == NULL && rule->end == NULL)
    return rule->field == NULL ? NULL : "'field' belongs to 'begin' and 'end'";
  if (rule->begin == NULL || rule->end == NULL || *rule->begin == '\0' || *rule->end == '\0')
    return "'begin' and 'end' name two events, and one is missing";
  if (strcmp (rule->begin, rule->end) == 0)
    return "'begin' and 'end' are the same event";
  if (tt_glob_n_stars (rule->begin) > 1 || tt_glob_n_stars (rule->end) != tt_glob_n_stars (rule->begin))
    return "'begin' and 'end' have one '*' each, or none";
  if (rule->sources != NULL || rule->groups != NULL || rule->names != NULL || rule->sub_op != NULL)
    return "beside 'begin' and 'end' stand 'field' and 'op_cat' only";
  return NULL;
}

static Rule *
read_rule (GKeyFile *file, const char *path, const char *group, GError **error)
{
  guint64 number;
  g_autofree char *collective = g_key_file_get_string (file, group, "collective", NULL);

  if (!g_ascii_string_to_unsigned (group, 10, 1, MAX_RULES, &number, NULL))
    {
      g_set_error (error, TT_ERROR, TT_ERROR_FORMAT, "%s: group [%s] is not a number from 1 to %d", path, group,
                   MAX_RULES);
      return NULL;
    }
  if (!check_keys (file, path, group, error))
    return NULL;

  Rule *rule = g_new0 (Rule, 1);
  rule->number = (int) number;
  rule->sources = g_key_file_get_string_list (file, group, "source", NULL, NULL);
  rule->groups = g_key_file_get_string_list (file, group, "group", NULL, NULL);
  rule->names = g_key_file_get_string_list (file, group, "name", NULL, NULL);
  rule->op_cat = g_key_file_get_string (file, group, "op_cat", NULL);
  rule->sub_op = g_key_file_get_string (file, group, "sub_op", NULL);
  rule->begin = g_key_file_get_string (file, group, "begin", NULL);
  rule->end = g_key_file_get_string (file, group, "end", NULL);
  rule->field = g_key_file_get_string (file, group, "field", NULL);
  rule->is_collective = g_strcmp0 (collective, "yes") == 0;

  const char *fault = find_pair_fault (rule);
  if (fault != NULL)
    g_set_error (error, TT_ERROR, TT_ERROR_FORMAT, "%s: group [%s]: %s", path, group, fault);
  else if (rule->op_cat == NULL && rule->begin == NULL)
    g_set_error (error, TT_ERROR, TT_ERROR_FORMAT, "%s: group [%s] has no key 'op_cat'", path, group);
  else if ((rule->op_cat != NULL && !is_good_part (rule->op_cat)) ||
           (rule->sub_op != NULL && !is_good_part (rule->sub_op)))
    g_set_error (error, TT_ERROR, TT_ERROR_FORMAT,
                 "%s: group [%s]: '%s' must not be empty or hold '.', '~' or control characters", path, group,
                 rule->op_cat == NULL || is_good_part (rule->op_cat) ? "sub_op" : "op_cat");
  else if (collective != NULL && !rule->is_collective && strcmp (collective, "no") != 0)
    g_set_error (error, TT_ERROR, TT_ERROR_FORMAT, "%s: group [%s]: 'collective' is 'yes' or 'no', not '%s'", path,
                 group, collective);
  else
    return rule;
  rule_free (rule);
  return NULL;
}

static int
by_number (gconstpointer a, gconstpointer b)
{
  const Rule *first = *(Rule *const *) a, *second = *(Rule *const *) b;

  return TT_COMPARE (first->number, second->number);
}

/* GKeyFile silently joins two groups with one name, which their author means as two rules. */
static gboolean
check_groups_differ (const char *text, const char *path, GError **error)
{
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);

  for (guint i = 0; lines[i] != NULL; i++)
    if (lines[i][0] == '[' && !g_hash_table_add (seen, g_strdup (g_strchomp (lines[i]))))
      {
        g_set_error (error, TT_ERROR, TT_ERROR_FORMAT, "%s: line %u: group %s is there twice", path, i + 1, lines[i]);
        return FALSE;
      }
  return TRUE;
}

static gboolean
load_file (TtNameRules *self, const char *path, gboolean is_extra, GError **error)
{
  g_autoptr (GKeyFile) file = g_key_file_new ();
  g_autoptr (GPtrArray) rules = g_ptr_array_new_with_free_func (rule_free);
  g_autoptr (GError) local = NULL;
  g_autofree char *text = NULL;
  gsize len;

  if (!tt_look_contents (path, &text, &len, &local))
    {
      g_set_error (error, TT_ERROR, TT_ERROR_INPUT, "cannot read name rules: %s", local->message);
      return FALSE;
    }
  if (!g_key_file_load_from_data (file, text, len, G_KEY_FILE_NONE, &local))
    {
      g_set_error (error, TT_ERROR, TT_ERROR_FORMAT, "%s: %s", path, local->message);
      return FALSE;
    }
  if (!check_groups_differ (text, path, error))
    return FALSE;

  g_auto (GStrv) groups = g_key_file_get_groups (file, NULL);
  for (guint i = 0; groups[i] != NULL; i++)
    {
      Rule *rule = read_rule (file, path, groups[i], error);
      if (rule == NULL)
        return FALSE;
      g_ptr_array_add (rules, rule);
    }

  g_ptr_array_sort (rules, by_number);
  g_ptr_array_set_free_func (rules, NULL);
  for (guint i = 0; i < rules->len; i++)
    {
      Rule *rule = rules->pdata[i];
      rule->number = is_extra ? -rule->number : rule->number;
      g_ptr_array_add (self->rules, rule);
    }
  return TRUE;
}

static void
list_candidate (TtNameRules *self, const Rule *rule, const char *pattern)
{
  const TtGlob glob = pattern == NULL ? (TtGlob){ 0 } : tt_glob_read (pattern);
  const gboolean is_text = pattern != NULL && glob.form != TT_GLOB_ANY_FORM;
  const Candidate candidate = { rule, pattern, glob, is_text ? set_of_bytes (glob.pattern, glob.len) : 0 };
  guchar first = pattern == NULL ? '*' : (guchar) pattern[0];
  gboolean is_literal = strchr ("*?[", first) == NULL;

  for (guint c = 0; c < 256; c++)
    if (!is_literal || c == first)
      g_array_append_val (self->candidates[c], candidate);
}

TtNameRules *
tt_name_rules_load (const char *extra_path, GError **error)
{
  g_autoptr (TtNameRules) self = g_new0 (TtNameRules, 1);
  g_autofree char *path = tt_shipped_data (RULES_FILE);

  self->n_users = 1;
  self->rules = g_ptr_array_new_with_free_func (rule_free);
  for (guint c = 0; c < 256; c++)
    self->candidates[c] = g_array_new (FALSE, FALSE, sizeof (Candidate));

  if (extra_path != NULL && !load_file (self, extra_path, TRUE, error))
    return NULL;
  if (!load_file (self, path, FALSE, error))
    return NULL;

  self->pairs = g_array_new (FALSE, FALSE, sizeof (TtPairRule));
  for (guint i = 0; i < self->rules->len; i++)
    {
      const Rule *rule = self->rules->pdata[i];
      if (rule->begin != NULL)
        {
          const TtPairRule pair = { rule->begin, rule->end, rule->field, rule->op_cat };
          g_array_append_val (self->pairs, pair);
          continue;
        }
      if (rule->names == NULL)
        list_candidate (self, rule, NULL);
      for (guint k = 0; rule->names != NULL && rule->names[k] != NULL; k++)
        list_candidate (self, rule, rule->names[k]);
    }
  return g_steal_pointer (&self);
}

TtNameRules *
tt_name_rules_ref (TtNameRules *self)
{
  self->n_users++;
  return self;
}

void
tt_name_rules_unref (TtNameRules *self)
{
  if (self == NULL || --self->n_users > 0)
    return;
  for (guint c = 0; c < 256; c++)
    g_array_unref (self->candidates[c]);
  if (self->pairs != NULL)
    g_array_unref (self->pairs);
  g_ptr_array_unref (self->rules);
  g_free (self);
}

const GArray *
tt_name_rules_pairs (const TtNameRules *self)
{
  return self->pairs;
}

/* -- matching --------------------------------------------------------------------------------------- */

/* Length of @op without a list of arguments at its end: "MPI_Send(void *, int)" -> 8. */
static gsize
length_without_arguments (const char *op, gsize len)
{
  int depth = 0;

  if (len == 0 || op[len - 1] != ')')
    return len;
  for (gsize i = len; i-- > 0;)
    {
      depth += op[i] == ')' ? 1 : op[i] == '(' ? -1 : 0;
      if (depth == 0)
        {
          while (i > 0 && op[i - 1] == ' ')
            i--;
          return i > 0 ? i : len;
        }
    }
  return len;
}

typedef struct
{
  const char *text;
  gsize len, bare_len; /* with and without a list of arguments */
  guint64 bytes;       /* its set_of_bytes() */
} Op;

static Op
op_of (const char *text)
{
  gsize len = strlen (text);

  return (Op){ text, len, length_without_arguments (text, len), set_of_bytes (text, len) };
}

/* The first byte fits, or is any. Of a text that is to be there whole, or at the head, the second tells most apart; of one
 * that may be anywhere, its bytes. */
static inline gboolean
candidate_fits (const Candidate *candidate, const Op *op)
{
  const TtGlob *glob = &candidate->glob;

  if ((candidate->bytes & ~op->bytes) != 0)
    return FALSE;
  if ((glob->form == TT_GLOB_WHOLE || glob->form == TT_GLOB_HEAD) && glob->len > 1 && glob->pattern[1] != op->text[1])
    return FALSE;
  return candidate->pattern == NULL || tt_glob_read_fits (&candidate->glob, op->text, op->bare_len) ||
         (op->bare_len != op->len && tt_glob_read_fits (&candidate->glob, op->text, op->len));
}

static gboolean
is_for (const Rule *rule, const char *source, const char *group)
{
  return source_fits (rule->sources, source) && group_fits (rule->groups, group);
}

static TtNameRule
result_of (const Rule *rule)
{
  return (TtNameRule){
    .number = rule->number,
    .op_cat = rule->op_cat,
    .sub_op = rule->sub_op,
    .is_collective = rule->is_collective,
  };
}

TtNameRule
tt_name_rules_match (const TtNameRules *self, const char *source, const char *group, const char *op)
{
  const Op asked = op_of (op);
  const GArray *candidates = self->candidates[(guchar) op[0]];

  for (guint i = 0; i < candidates->len; i++)
    {
      const Candidate *candidate = &g_array_index (candidates, Candidate, i);
      if (candidate_fits (candidate, &asked) && is_for (candidate->rule, source, group))
        return result_of (candidate->rule);
    }
  return (TtNameRule){ .op_cat = "COMP" };
}

/* -- the rules of one group --------------------------------------------------------------------------- */

TtNameRulesOf *
tt_name_rules_of_new (const TtNameRules *rules, const char *source, const char *group)
{
  TtNameRulesOf *self = g_new0 (TtNameRulesOf, 1);

  self->rules = rules;
  self->source = g_strdup (source);
  self->group = g_strdup (group);
  return self;
}

void
tt_name_rules_of_free (TtNameRulesOf *self)
{
  if (self == NULL)
    return;
  for (guint c = 0; c < 256; c++)
    if (self->candidates[c] != NULL)
      g_array_unref (self->candidates[c]);
  g_free (self->source);
  g_free (self->group);
  g_free (self);
}

static GArray *
choose_candidates (const TtNameRulesOf *self, const GArray *all)
{
  GArray *chosen = g_array_new (FALSE, FALSE, sizeof (Candidate));
  const Rule *asked = NULL; /* whose group was looked at last */
  gboolean is_chosen = FALSE;

  for (guint i = 0; i < all->len; i++)
    {
      const Candidate *candidate = &g_array_index (all, Candidate, i);
      if (candidate->rule != asked)
        {
          asked = candidate->rule;
          is_chosen = is_for (asked, self->source, self->group);
        }
      if (is_chosen)
        g_array_append_val (chosen, *candidate);
    }
  return chosen;
}

TtNameRule
tt_name_rules_of_match (TtNameRulesOf *self, const char *op)
{
  const Op asked = op_of (op);
  const guchar first = (guchar) op[0];

  if (self->candidates[first] == NULL)
    self->candidates[first] = choose_candidates (self, self->rules->candidates[first]);
  for (guint i = 0; i < self->candidates[first]->len; i++)
    {
      const Candidate *candidate = &g_array_index (self->candidates[first], Candidate, i);
      if (candidate_fits (candidate, &asked))
        return result_of (candidate->rule);
    }
  return (TtNameRule){ .op_cat = "COMP" };
}
