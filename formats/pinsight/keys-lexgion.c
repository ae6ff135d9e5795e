/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the keys of a lexgion do.
 */
#include "config.h"

#include "formats/pinsight/parse-private.h"

#include <string.h>

static const char *const lexgion_keys[] = {
  "trace_starts_at", "max_num_traces", "tracing_rate", "window_end_action", "window_timeout", "window_end_trigger", NULL
};

static gboolean
is_end_modes (Parser *self, TtPiece value)
{
  TtPiece element;

  while (tt_piece_next (&value, ',', &element))
    {
      const char *colon = memchr (element.at, ':', element.len);
      TtConfigMode mode;

      if (colon == NULL)
        return FALSE;
      TtPiece name = tt_piece_strip ((TtPiece){ element.at, (gsize) (colon - element.at) });
      TtPiece word = tt_piece_strip (tt_piece_from (element, (gsize) (colon + 1 - element.at)));
      if (tt_config_domains_find (self->domains, name.at, name.len) < 0)
        return FALSE;
      const char *equals = memchr (word.at, '=', word.len);
      if (equals == NULL && !tt_config_parse_mode (word, &mode))
        return FALSE;
      if (equals == NULL)
        continue;
      g_autofree char *policy =
          tt_config_parse_policy (tt_piece_strip (tt_piece_from (word, (gsize) (equals + 1 - word.at))), TRUE);
      if (policy == NULL ||
          !tt_piece_is (tt_piece_strip ((TtPiece){ word.at, (gsize) (equals - word.at) }), "device_activity"))
        return FALSE;
    }
  return TRUE;
}

/* MODE, D:MODE and D:device_activity=POLICY in a list, or INTROSPECT:seconds:script[:modes]. */
static gboolean
is_end_action (Parser *self, TtPiece value)
{
  static const char introspect[] = "INTROSPECT:";
  TtConfigMode mode;
  guint64 seconds;

  if (tt_config_parse_mode (value, &mode))
    return TRUE;
  if (value.len < strlen (introspect) || g_ascii_strncasecmp (value.at, introspect, strlen (introspect)) != 0)
    return is_end_modes (self, value);
  TtPiece rest = tt_piece_from (value, strlen (introspect)), number;
  gsize colon = tt_piece_find (rest, ':');
  if (colon == rest.len)
    return FALSE;
  number = tt_piece_strip ((TtPiece){ rest.at, colon });
  if (number.len > 0 && *number.at == '-')
    number = tt_piece_from (number, 1);
  if (!tt_piece_number (number, MOST_INT, &seconds))
    return FALSE;
  rest = tt_piece_from (rest, colon + 1);
  colon = tt_piece_find (rest, ':');
  if (colon == 0)
    return FALSE;
  if (colon == rest.len)
    return TRUE;
  rest = tt_piece_strip (tt_piece_from (rest, colon + 1));
  return tt_config_parse_mode (rest, &mode) || is_end_modes (self, rest);
}

static char *
assign_window (Parser *self, TtPiece key, TtPiece value)
{
  gboolean is_action = tt_piece_is (key, "window_end_action"), is_trigger = tt_piece_is (key, "window_end_trigger");
  g_autofree char *text = tt_piece_dup (value);
  gint64 timeout = 0;

  self->config->is_newer = TRUE;
  if (is_action && !is_end_action (self, value))
    tt_config_value_error (self, value,
                           "MODE, DOMAIN:MODE,..., DOMAIN:device_activity=POLICY or INTROSPECT:seconds:script[:modes]");
  else if (is_trigger && tt_piece_is_nocase (value, "anchor"))
    {
      tt_config_warning (self, value.at, "W-VALUE", NULL, "'anchor' is reserved; 'first' is taken");
      g_free (text);
      text = g_strdup ("first");
    }
  else if (is_trigger && !tt_piece_is_nocase (value, "first") && !tt_piece_is_nocase (value, "all"))
    tt_config_value_error (self, value, "first or all");
  else if (!is_action && !is_trigger)
    tt_config_parse_int (self, value, -(gint64) MOST_INT, "seconds; 0: off", &timeout);

  for (guint i = 0; i < self->lexgions->len; i++)
    {
      TtConfigLexgion *lexgion = self->lexgions->pdata[i];
      char **target = is_action ? &lexgion->end_action : is_trigger ? &lexgion->end_trigger : NULL;
      if (target == NULL)
        lexgion->timeout_s = timeout;
      else
        {
          g_free (*target);
          *target = g_strdup (text);
        }
    }
  return g_steal_pointer (&text);
}

static char *
assign_rule (Parser *self, TtPiece key, TtPiece value)
{
  gboolean is_start = tt_piece_is (key, "trace_starts_at"), is_most = tt_piece_is (key, "max_num_traces");
  gint64 number;

  if (!tt_config_parse_int (self, value,
                            is_start  ? 0
                            : is_most ? -1
                                      : 1,
                            is_start  ? "a number of invocations, from 0"
                            : is_most ? "a number of traces, from 0, or -1 for no limit"
                                      : "1 for every invocation, 2 for every second ...",
                            &number))
    return NULL;
  for (guint i = 0; i < self->lexgions->len; i++)
    {
      TtSamplingRule *rule = &((TtConfigLexgion *) self->lexgions->pdata[i])->rule;
      *(is_start ? &rule->starts_at : is_most ? &rule->most : &rule->rate) = number;
    }
  return g_strdup_printf ("%" G_GINT64_FORMAT, number);
}

/* Without a mask of its domain the entry gets one with this event alone; with none, if PInsight cannot record it. */
static char *
assign_lexgion_event (Parser *self, guint domain, TtPiece name, const char *at, TtPiece value)
{
  guint64 mask = 0;
  char *text = tt_config_assign_event (self, domain, name, at, value, &mask);
  int event = tt_config_domain_find_event (tt_config_domain (self->domains, domain), name.at, name.len);

  if (text == NULL || event < 0)
    return text;
  guint64 bit = (guint64) 1 << event;
  for (guint i = 0; i < self->lexgions->len; i++)
    {
      TtConfigLexgion *lexgion = self->lexgions->pdata[i];
      guint64 before = lexgion->has_mask[domain] ? lexgion->mask[domain] : 0;
      lexgion->mask[domain] = (before & ~bit) | mask;
      lexgion->sets[domain] |= bit;
      lexgion->has_mask[domain] = TRUE;
    }
  return text;
}

static void
refuse_lexgion_key (Parser *self, TtPiece key)
{
  g_autofree char *text = tt_piece_dup (key);

  if (tt_config_refuse_foreign_key (self, key))
    return;
  for (guint i = 0; i < self->domains->domains->len; i++)
    {
      const TtConfigDomain *domain = tt_config_domain (self->domains, i);
      if (tt_config_domain_find_event (domain, key.at, key.len) >= 0)
        {
          tt_config_error (self, key.at, "E-KEY", g_strdup_printf ("write %s.%s", domain->name, text),
                           "an event of a lexgion needs its domain before it");
          return;
        }
    }
  char *near = tt_config_near (key, lexgion_keys);
  tt_config_error (self, key.at, "E-KEY",
                   near != NULL
                       ? near
                       : g_strdup ("keys are trace_starts_at, max_num_traces, tracing_rate, the window_... ones, and "
                                   "DOMAIN.event"),
                   "'%s' is no key of a lexgion", text);
}

char *
tt_config_assign_in_lexgion (Parser *self, TtPiece key, TtPiece value)
{
  const char *dot = memchr (key.at, '.', key.len);
  gboolean is_action = tt_piece_is (key, "trace_mode_after"), is_trigger = tt_piece_is (key, "mode_after_trigger");

  if (is_action || is_trigger)
    tt_config_warning (self, key.at, "W-OLD-KEY",
                       g_strdup_printf ("write %s", is_action ? "window_end_action" : "window_end_trigger"),
                       "this key has another name since June 2026; ignored");
  if (is_action || is_trigger)
    return NULL;
  if (tt_piece_is (key, "trace_starts_at") || tt_piece_is (key, "max_num_traces") || tt_piece_is (key, "tracing_rate"))
    return assign_rule (self, key, value);
  if (tt_piece_is (key, "window_end_action") || tt_piece_is (key, "window_timeout") ||
      tt_piece_is (key, "window_end_trigger"))
    return assign_window (self, key, value);
  if (dot != NULL)
    {
      TtPiece name = tt_piece_strip ((TtPiece){ key.at, (gsize) (dot - key.at) });
      TtPiece event = tt_piece_strip (tt_piece_from (key, (gsize) (dot + 1 - key.at)));
      int domain = tt_config_domains_find (self->domains, name.at, name.len);
      if (domain >= 0)
        return assign_lexgion_event (self, (guint) domain, event, key.at, value);
      g_autofree char *text = tt_piece_dup (name);
      tt_config_error (self, name.at, "E-DOMAIN", tt_config_near_domain (self, name), "unknown domain '%s'", text);
      return NULL;
    }
  if (self->header->target == TT_CONFIG_LEXGION_DOMAIN_DEFAULT)
    {
      guint domain = (guint) self->header->domain;
      if (tt_config_domain_find_event (tt_config_domain (self->domains, domain), key.at, key.len) >= 0)
        return assign_lexgion_event (self, domain, key, key.at, value);
    }
  refuse_lexgion_key (self, key);
  return NULL;
}
