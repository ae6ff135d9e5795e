/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/select/filter.h"

#include <string.h>

#include "src/base/error.h"
#include "src/base/suggest.h"
#include "src/select/pattern.h"

typedef enum
{
  FIELD_PID,
  FIELD_TID,
  FIELD_RANK,
  FIELD_OP_CAT,
  FIELD_OP_NAME,
  FIELD_SUB_OP,
  FIELD_SUFFIX,
  FIELD_NAME,
  FIELD_OP_LONG_NAME,
  FIELD_RAW_NAME,
  FIELD_NATIVE_GROUP,
  FIELD_FILE,
  FIELD_LINE,
  FIELD_STEP,
  FIELD_DEPTH,
  FIELD_TS,
  FIELD_DUR,
  FIELD_SELF,
  FIELD_FLAGS,
  N_FIELDS,
} Field;

typedef enum
{
  VALUE_TEXT,
  VALUE_INTEGER,
  VALUE_TIME,
  VALUE_FLAGS,
} ValueKind;

static const struct
{
  const char *name;
  TtFilterScope scope;
  ValueKind kind;
} fields[N_FIELDS] = {
  [FIELD_PID] = { "pid", TT_SCOPE_THREAD, VALUE_TEXT },
  [FIELD_TID] = { "tid", TT_SCOPE_THREAD, VALUE_TEXT },
  [FIELD_RANK] = { "rank", TT_SCOPE_THREAD, VALUE_INTEGER },
  [FIELD_OP_CAT] = { "op_cat", TT_SCOPE_NAME, VALUE_TEXT },
  [FIELD_OP_NAME] = { "op_name", TT_SCOPE_NAME, VALUE_TEXT },
  [FIELD_SUB_OP] = { "sub_op", TT_SCOPE_NAME, VALUE_TEXT },
  [FIELD_SUFFIX] = { "suffix", TT_SCOPE_NAME, VALUE_TEXT },
  [FIELD_NAME] = { "name", TT_SCOPE_NAME, VALUE_TEXT },
  [FIELD_OP_LONG_NAME] = { "op_long_name", TT_SCOPE_LONG_NAME, VALUE_TEXT },
  [FIELD_RAW_NAME] = { "raw_name", TT_SCOPE_NAME, VALUE_TEXT },
  [FIELD_NATIVE_GROUP] = { "native_group", TT_SCOPE_NAME, VALUE_TEXT },
  [FIELD_FILE] = { "file", TT_SCOPE_NAME, VALUE_TEXT },
  [FIELD_LINE] = { "line", TT_SCOPE_NAME, VALUE_INTEGER },
  [FIELD_STEP] = { "step", TT_SCOPE_EVENT, VALUE_INTEGER },
  [FIELD_DEPTH] = { "depth", TT_SCOPE_EVENT, VALUE_INTEGER },
  [FIELD_TS] = { "ts", TT_SCOPE_EVENT, VALUE_TIME },
  [FIELD_DUR] = { "dur", TT_SCOPE_EVENT, VALUE_TIME },
  [FIELD_SELF] = { "self", TT_SCOPE_EVENT, VALUE_TIME },
  [FIELD_FLAGS] = { "flags", TT_SCOPE_FLAGS, VALUE_FLAGS },
};

/* Longest first where one begins another. */
static const struct
{
  const char *text;
  char kind; /* '=', '~', '<' or '>'; 'l' and 'g' are <= and >= */
  gboolean is_negative;
} operators[] = {
  { "!=", '=', TRUE },  { "!~", '~', TRUE },  { "=", '=', FALSE }, { "~", '~', FALSE },
  { "<=", 'l', FALSE }, { ">=", 'g', FALSE }, { "<", '<', FALSE }, { ">", '>', FALSE },
};

struct _TtFilter
{
  Field field;
  char kind;
  gboolean is_negative;
  char **words;        /* for = on text and flags */
  gboolean takes_none; /* an empty VALUE: the field is not there */
  GArray *numbers;     /* of gint64, for = < > <= >= on numbers */
  TtPattern *pattern;  /* for ~ */
  guint32 flags;
};

/* -- parsing ---------------------------------------------------------------------------------- */

static gboolean
parse_field (TtFilter *self, const char *text, const char *name, GError **error)
{
  const char *names[N_FIELDS + 1] = { NULL };

  for (guint i = 0; i < N_FIELDS; i++)
    {
      names[i] = fields[i].name;
      if (strcmp (name, fields[i].name) == 0)
        {
          self->field = (Field) i;
          return TRUE;
        }
    }

  const char *near = tt_suggest (name, names);
  g_autofree char *list = g_strjoinv (", ", (char **) names);
  if (near != NULL)
    g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "filter '%s': no field '%s'; did you mean '%s'?", text, name, near);
  else
    g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "filter '%s': no field '%s'; the fields are %s", text, name, list);
  return FALSE;
}

/* Sets the operator at the start of @p; returns what follows it, or NULL. */
static const char *
parse_operator (TtFilter *self, const char *p)
{
  for (guint i = 0; i < G_N_ELEMENTS (operators); i++)
    if (g_str_has_prefix (p, operators[i].text))
      {
        self->kind = operators[i].kind;
        self->is_negative = operators[i].is_negative;
        return p + strlen (operators[i].text);
      }
  return NULL;
}

static gboolean
parse_number (TtFilter *self, const char *text, const char *word, TtUnit unit, GError **error)
{
  g_autoptr (GError) fault = NULL;
  gint64 number = 0;

  if (*word == '\0' && self->kind == '=')
    {
      self->takes_none = TRUE;
      return TRUE;
    }
  if (fields[self->field].kind == VALUE_TIME)
    tt_time_parse_as_said (word, unit, &number, &fault);
  else
    g_ascii_string_to_signed (word, 10, G_MININT64, G_MAXINT64, &number, &fault);
  if (fault != NULL)
    {
      gboolean is_time = fields[self->field].kind == VALUE_TIME;
      g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "filter '%s': %s%s%s", text, is_time ? fault->message : "'",
                   is_time ? "" : word, is_time ? "" : "' is not a whole number");
      return FALSE;
    }
  g_array_append_val (self->numbers, number);
  return TRUE;
}

static gboolean
parse_flag (TtFilter *self, const char *text, const char *word, GError **error)
{
  const char *words[TT_N_FLAGS + 1] = { NULL };

  self->takes_none |= *word == '\0';
  for (guint bit = 0; bit < TT_N_FLAGS; bit++)
    {
      words[bit] = tt_flags_text (1u << bit);
      if (strcmp (word, words[bit]) == 0)
        {
          self->flags |= 1u << bit;
          return TRUE;
        }
    }
  if (*word == '\0')
    return TRUE;

  const char *near = tt_suggest (word, words);
  g_autofree char *list = g_strjoinv (", ", (char **) words);
  if (near != NULL)
    g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "filter '%s': no flag '%s'; did you mean '%s'?", text, word, near);
  else
    g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "filter '%s': no flag '%s'; the flags are %s", text, word, list);
  return FALSE;
}

static gboolean
parse_pattern (TtFilter *self, const char *text, const char *value, GError **error)
{
  g_autoptr (GError) fault = NULL;

  self->pattern = tt_pattern_new (value, &fault);
  if (self->pattern != NULL)
    return TRUE;
  g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "filter '%s': %s", text, fault->message);
  return FALSE;
}

/* Names have commas of their own ("f(int, int)"), so the whole value is one of the words, too. */
static void
split_words (TtFilter *self, const char *value)
{
  GPtrArray *words = g_ptr_array_new ();
  g_auto (GStrv) parts = g_strsplit (value, ",", -1);

  for (char **part = parts; *part != NULL; part++)
    g_ptr_array_add (words, g_strdup (g_strstrip (*part)));
  if (words->len != 1 && fields[self->field].kind == VALUE_TEXT)
    g_ptr_array_add (words, g_strdup (value));
  if (words->len == 0)
    g_ptr_array_add (words, g_strdup (""));
  g_ptr_array_add (words, NULL);
  self->words = (char **) g_ptr_array_free (words, FALSE);
}

static gboolean
parse_value (TtFilter *self, const char *text, const char *value, TtUnit unit, GError **error)
{
  ValueKind kind = fields[self->field].kind;
  gboolean is_number = kind == VALUE_INTEGER || kind == VALUE_TIME;

  if (is_number ? self->kind == '~' : self->kind != '~' && self->kind != '=')
    {
      g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "filter '%s': field '%s' is %s; it takes %s", text,
                   fields[self->field].name, is_number ? "a number" : "text",
                   is_number ? "= != < > <= >=" : "= != ~ !~");
      return FALSE;
    }
  if (self->kind == '~')
    return parse_pattern (self, text, value, error);
  if (self->kind != '=')
    return parse_number (self, text, value, unit, error);

  split_words (self, value);
  for (char **word = self->words; *word != NULL; word++)
    {
      if (is_number && !parse_number (self, text, *word, unit, error))
        return FALSE;
      if (kind == VALUE_FLAGS && !parse_flag (self, text, *word, error))
        return FALSE;
    }
  return TRUE;
}

TtFilter *
tt_filter_new (const char *text, TtUnit unit, GError **error)
{
  g_autoptr (TtFilter) self = g_new0 (TtFilter, 1);
  gsize begin = strspn (text, " \t"),
        len = strspn (text + begin, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789");
  g_autofree char *name = g_strndup (text + begin, len);
  const char *p = text + begin + len;

  self->numbers = g_array_new (FALSE, FALSE, sizeof (gint64));
  p = parse_operator (self, p + strspn (p, " \t"));
  if (len == 0 || p == NULL)
    {
      g_set_error (error, TT_ERROR, TT_ERROR_USAGE,
                   "filter '%s' is not FIELD OP VALUE with one of = != ~ !~ < > <= >=, as in op_cat=Comm", text);
      return NULL;
    }
  if (!parse_field (self, text, name, error))
    return NULL;
  if (*p == '=')
    {
      g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "filter '%s': the operators are = != ~ !~ < > <= >=", text);
      return NULL;
    }

  g_autofree char *value = g_strstrip (g_strdup (p));
  if (!parse_value (self, text, value, unit, error))
    return NULL;
  return g_steal_pointer (&self);
}

void
tt_filter_free (TtFilter *self)
{
  if (self == NULL)
    return;
  g_strfreev (self->words);
  g_array_unref (self->numbers);
  tt_pattern_free (self->pattern);
  g_free (self);
}

char **
tt_filter_fields (void)
{
  char **names = g_new0 (char *, N_FIELDS + 1);

  for (guint i = 0; i < N_FIELDS; i++)
    names[i] = g_strdup (fields[i].name);
  return names;
}

TtFilterScope
tt_filter_scope (const TtFilter *self)
{
  return fields[self->field].scope;
}

/* -- matching --------------------------------------------------------------------------------- */

gboolean
tt_filter_matches_text (const TtFilter *self, const char *text)
{
  gboolean matches = FALSE;

  if (text == NULL)
    text = "";
  if (self->kind == '=')
    matches = g_strv_contains ((const char *const *) self->words, text);
  else
    matches = tt_pattern_matches (self->pattern, text);
  return matches != self->is_negative;
}

/* What is not there is neither equal to a number nor before or after one. */
static gboolean
matches_number (const TtFilter *self, gboolean is_there, gint64 value)
{
  const gint64 *numbers = (const gint64 *) (void *) self->numbers->data;
  gboolean matches = FALSE;

  if (!is_there)
    return (self->kind == '=' && self->takes_none) != self->is_negative;
  if (self->kind == '<')
    return value < numbers[0];
  if (self->kind == '>')
    return value > numbers[0];
  if (self->kind == 'l')
    return value <= numbers[0];
  if (self->kind == 'g')
    return value >= numbers[0];
  for (guint i = 0; i < self->numbers->len && !matches; i++)
    matches = value == numbers[i];
  return matches != self->is_negative;
}

const char *
tt_filter_field (const TtFilter *self)
{
  return fields[self->field].name;
}

const char *const *
tt_filter_words (const TtFilter *self)
{
  gboolean is_text = fields[self->field].kind == VALUE_TEXT && fields[self->field].scope != TT_SCOPE_LONG_NAME;

  return is_text && self->kind == '=' && !self->is_negative ? (const char *const *) self->words : NULL;
}

const char *
tt_filter_text_of_name (const TtFilter *self, const TtStoredName *name)
{
  switch (self->field)
    {
    case FIELD_OP_CAT:
      return name->op_cat;
    case FIELD_OP_NAME:
      return name->op_name;
    case FIELD_SUB_OP:
      return name->sub_op;
    case FIELD_SUFFIX:
      return name->suffix;
    case FIELD_NAME:
      return name->text;
    case FIELD_RAW_NAME:
      return name->raw;
    case FIELD_NATIVE_GROUP:
      return name->group;
    case FIELD_FILE:
      return name->file;
    default:
      g_return_val_if_reached (NULL);
    }
}

const char *
tt_filter_text_of_thread (const TtFilter *self, const TtThread *thread, const TtProcess *process)
{
  return self->field == FIELD_PID ? process->pid : thread->tid;
}

gboolean
tt_filter_matches_name (const TtFilter *self, const TtStoredName *name)
{
  if (self->field == FIELD_LINE)
    return matches_number (self, name->line > 0, name->line);
  return tt_filter_matches_text (self, tt_filter_text_of_name (self, name));
}

gboolean
tt_filter_matches_thread (const TtFilter *self, const TtThread *thread, const TtProcess *process)
{
  if (self->field == FIELD_RANK)
    return matches_number (self, process->rank >= 0, process->rank);
  return tt_filter_matches_text (self, tt_filter_text_of_thread (self, thread, process));
}

gboolean
tt_filter_matches_flags (const TtFilter *self, guint32 flags)
{
  if (self->kind == '~')
    return tt_filter_matches_text (self, tt_flags_text (flags));
  return ((flags & self->flags) != 0 || (flags == 0 && self->takes_none)) != self->is_negative;
}

static gint64
time_from (gint64 ts_ns, gint64 first_ns)
{
  gint64 difference;

  if (__builtin_sub_overflow (ts_ns, first_ns, &difference))
    return ts_ns < first_ns ? G_MININT64 : G_MAXINT64;
  return difference;
}

gboolean
tt_filter_matches_event (const TtFilter *self, const TtEvent *event, gint64 first_ns)
{
  gboolean is_span = event->dur_ns != TT_NO_TIME;

  switch (self->field)
    {
    case FIELD_STEP:
      return matches_number (self, event->step != TT_NO_STEP, event->step);
    case FIELD_DEPTH:
      return matches_number (self, TRUE, event->depth);
    case FIELD_DUR:
      return matches_number (self, is_span, event->dur_ns);
    case FIELD_SELF:
      return matches_number (self, is_span, event->self_ns);
    case FIELD_TS:
      return matches_number (self, TRUE, time_from (event->ts_ns, first_ns));
    default:
      g_return_val_if_reached (FALSE);
    }
}

gboolean
tt_filter_matches_time (const TtFilter *self, gint64 ts_ns, gint64 first_ns)
{
  return self->field != FIELD_TS || matches_number (self, TRUE, time_from (ts_ns, first_ns));
}
