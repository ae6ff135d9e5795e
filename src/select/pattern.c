/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/select/pattern.h"

#include "src/base/error.h"
#include "src/base/failure.h"

/* What PCRE2 bounds by itself, but a program may be linked with one that was built with other limits. */
#define LIMITS "(*LIMIT_MATCH=10000000)(*LIMIT_HEAP=65536)"
#define MAX_FIRST_US (5 * G_USEC_PER_SEC)
#define MAX_US_PER_TEXT 50
/* One search cannot take longer: the program was stopped meanwhile. */
#define LONGEST_SEARCH_US (2 * G_USEC_PER_SEC)
#define SHOWN_CHARS 80

struct _TtPattern
{
  char *expression;
  GRegex *regex;
  gint64 max_us, spent_us;
  gboolean gave_up;
};

TtPattern *
tt_pattern_new (const char *expression, GError **error)
{
  g_autoptr (GRegex) plain = NULL;
  g_autofree char *bounded = g_strconcat (LIMITS, expression, NULL);

  if (!g_utf8_validate (expression, -1, NULL))
    {
      g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "the regular expression is not UTF-8");
      return NULL;
    }
  /* Alone first: the message counts characters of what the user wrote. */
  plain = g_regex_new (expression, G_REGEX_DEFAULT, 0, error);
  if (plain == NULL)
    return NULL;
  /* Names are matched once each: compiled to machine code it gains nothing, and valgrind cannot follow it. */
  GRegex *regex = g_regex_new (bounded, G_REGEX_DEFAULT, 0, error);
  if (regex == NULL)
    return NULL;

  TtPattern *self = g_new0 (TtPattern, 1);
  self->expression = g_strdup (expression);
  self->regex = regex;
  self->max_us = MAX_FIRST_US;
  return self;
}

void
tt_pattern_free (TtPattern *self)
{
  if (self == NULL)
    return;
  g_regex_unref (self->regex);
  g_free (self->expression);
  g_free (self);
}

static void
give_up (TtPattern *self, const char *text, const char *why)
{
  glong len = g_utf8_strlen (text, -1);
  g_autofree char *head = g_utf8_substring (text, 0, MIN (len, SHOWN_CHARS));

  self->gave_up = TRUE;
  tt_failure_leave (g_error_new (
      TT_ERROR, TT_ERROR_INPUT,
      "the regular expression '%s' is given up at '%s%s': %s; write it without repetitions inside repetitions, such as "
      "'a+' for '(a+)+'",
      self->expression, head, len > SHOWN_CHARS ? "..." : "", why));
}

static gboolean
search (TtPattern *self, const char *text)
{
  g_autoptr (GError) fault = NULL;
  gint64 begin_us = g_get_monotonic_time ();
  gboolean matches = g_regex_match_full (self->regex, text, -1, 0, 0, NULL, &fault);

  self->spent_us += MIN (g_get_monotonic_time () - begin_us, LONGEST_SEARCH_US);
  self->max_us += MAX_US_PER_TEXT;
  if (fault != NULL)
    give_up (self, text, "its search takes too many steps");
  else if (self->spent_us > self->max_us)
    give_up (self, text, "its searches take too long");
  return matches && !self->gave_up;
}

gboolean
tt_pattern_matches (TtPattern *self, const char *text)
{
  if (self->gave_up)
    return FALSE;
  if (g_utf8_validate (text, -1, NULL))
    return search (self, text);

  g_autofree char *valid = g_utf8_make_valid (text, -1);
  return search (self, valid);
}
