#include "config.h"

#include "formats/pinsight/parse-private.h"

#include <string.h>

#define MOST_INT 2147483647u

/* What the keys of a section do. */

static const char *const mode_words[] = { "OFF", "STANDBY", "MONITORING", "TRACING", NULL };
static const char *const policies[] = { "off", "on", "anyone_per_node", "leader_per_node", NULL };
static const char *const lexgion_keys[] = {
  "trace_starts_at", "max_num_traces", "tracing_rate", "window_end_action", "window_timeout", "window_end_trigger", NULL
};

const char *
tt_config_mode_text (TtConfigMode mode)
{
  return mode_words[mode];
}

/* -- values --------------------------------------------------------------------------------------- */

/* A comment behind a value is the mistake that people make. */
static void
value_error (Parser *self, Piece value, const char *wanted)
{
  g_autofree char *text = piece_dup (value);
  char *hint = memchr (value.at, '#', value.len) != NULL
                   ? g_strdup ("a comment needs a line of its own: '#' counts only at its begin")
                   : g_strdup_printf ("wanted: %s", wanted);

  if (value.len == 0)
    config_error (self, value.at, "E-VALUE", hint, "a value is missing here");
  else
    config_error (self, value.at, "E-VALUE", hint, "'%s' is no value of this key", text);
}

static gboolean
parse_toggle (Parser *self, Piece value, gboolean *is_on)
{
  *is_on = piece_is_nocase (value, "on") || piece_is (value, "1");
  if (*is_on || piece_is_nocase (value, "off") || piece_is (value, "0"))
    return TRUE;
  value_error (self, value, "on or off");
  return FALSE;
}

static gboolean
parse_int (Parser *self, Piece value, gint64 least, const char *wanted, gint64 *number)
{
  gboolean is_negative = value.len > 0 && *value.at == '-';
  guint64 digits;

  if (piece_number (is_negative ? piece_from (value, 1) : value, MOST_INT, &digits))
    {
      *number = is_negative ? -(gint64) digits : (gint64) digits;
      if (*number >= least)
        return TRUE;
    }
  value_error (self, value, wanted);
  return FALSE;
}

static gboolean
parse_mode (Piece value, TtConfigMode *mode)
{
  for (guint i = 0; mode_words[i] != NULL; i++)
    if (piece_is_nocase (value, mode_words[i]))
      {
        *mode = (TtConfigMode) i;
        return TRUE;
      }
  *mode = TT_MODE_MONITORING;
  return piece_is_nocase (value, "MONITOR");
}

/* The canonical word; NULL: none. Free it. */
static char *
parse_policy (Piece value, gboolean may_rotate)
{
  static const char rotate[] = "rotate_per_node";
  gsize len = strlen (rotate);
  guint64 ms;

  for (guint i = 0; policies[i] != NULL; i++)
    if (piece_is_nocase (value, policies[i]))
      return g_strdup (policies[i]);
  if (!may_rotate || value.len < len || g_ascii_strncasecmp (value.at, rotate, len) != 0)
    return NULL;
  if (value.len == len)
    return g_strdup (rotate);
  if (value.at[len] != ':' || !piece_number (piece_strip (piece_from (value, len + 1)), MOST_INT, &ms) || ms == 0)
    return NULL;
  return g_strdup_printf ("%s:%u", rotate, (guint) ms);
}

/* -- events --------------------------------------------------------------------------------------- */

/* Turns an event of @domain on or off in @mask; *is_known: there is such an event, whatever became of it. */
static char *
assign_event (Parser *self, guint domain, Piece name, const char *at, Piece value, guint64 *mask, gboolean *is_known)
{
  const TtConfigDomain *of = tt_config_domain (self->domains, domain);
  int event = tt_config_domain_find_event (of, name.at, name.len);
  gboolean is_on;

  *is_known = event >= 0;
  if (event < 0)
    {
      g_autofree char *text = piece_dup (name);
      config_warning (self, at, "W-EVENT", config_near_event (self, domain, name), "%s has no event '%s'; ignored",
                      of->name, text);
      return NULL;
    }
  if (!parse_toggle (self, value, &is_on))
    return NULL;
  if (is_on && !tt_config_event (of, (guint) event)->is_installed)
    config_warning (self, at, "W-NOT-INSTALLED", NULL, "PInsight does not record '%s'; it stays off",
                    tt_config_event (of, (guint) event)->name);
  else
    *mask = (*mask & ~((guint64) 1 << event)) | (guint64) is_on << event;
  return g_strdup (is_on ? "on" : "off");
}

/* A word that is a key somewhere else is no misspelt event. */
static gboolean
refuse_foreign_key (Parser *self, Piece key)
{
  static const struct
  {
    const char *key, *home;
  } homes[] = {
    { "trace_starts_at", "Lexgion sections" },    { "max_num_traces", "Lexgion sections" },
    { "tracing_rate", "Lexgion sections" },       { "window_end_action", "Lexgion sections" },
    { "window_timeout", "Lexgion sections" },     { "window_end_trigger", "Lexgion sections" },
    { "trace_mode", "DOMAIN.default sections" },  { "device_activity", "the default sections of CUDA and HIP" },
    { "measure", "the Energy section" },          { "interval", "the Manifest section" },
    { "trace_mode_after", "Lexgion sections" },   { "mode_after_trigger", "Lexgion sections" },
    { "initial_trace_count", "Lexgion sections" }
  };

  for (guint i = 0; i < G_N_ELEMENTS (homes); i++)
    if (piece_is (key, homes[i].key))
      {
        config_error (self, key.at, "E-KEY", g_strdup_printf ("it belongs into %s", homes[i].home),
                      "'%s' is no key of this section", homes[i].key);
        return TRUE;
      }
  return FALSE;
}

/* -- domain defaults ------------------------------------------------------------------------------ */

/* "(a-b)", "(a,b)", "a-b", "a": the parentheses are optional. */
static gboolean
parse_scope (Piece value, guint32 *low, guint32 *high)
{
  guint64 first, last;

  if (value.len >= 2 && *value.at == '(' && value.at[value.len - 1] == ')')
    value = piece_strip ((Piece){ value.at + 1, value.len - 2 });

  gsize split = 0;
  while (split < value.len && value.at[split] != '-' && value.at[split] != ',')
    split++;
  if (!piece_number (piece_strip ((Piece){ value.at, split }), G_MAXUINT32 - 1, &first))
    return FALSE;
  last = first;
  if (split < value.len && !piece_number (piece_strip (piece_from (value, split + 1)), G_MAXUINT32 - 1, &last))
    return FALSE;
  *low = (guint32) first;
  *high = (guint32) last;
  return first <= last;
}

/* "D.kind = ids" */
static char *
assign_scope (Parser *self, Piece key, gsize dot, Piece value)
{
  guint domain = (guint) self->header->domain;
  const char *own = tt_config_domain (self->domains, domain)->name;
  Piece name = piece_strip ((Piece){ key.at, dot }), kind_name = piece_strip (piece_from (key, dot + 1));
  g_autofree char *name_text = piece_dup (name), *kind_text = piece_dup (kind_name);
  int other = tt_config_domains_find (self->domains, name.at, name.len);

  if (other < 0)
    config_error (self, name.at, "E-DOMAIN", config_near_domain (self, name), "unknown domain '%s'", name_text);
  else if ((guint) other != domain)
    config_error (self, key.at, "E-KEY", g_strdup_printf ("it belongs into [%s.default]", name_text),
                  "this section is about units of %s", own);
  if (other != (int) domain)
    return NULL;

  int kind = tt_config_domains_find_kind (self->domains, domain, kind_name.at, kind_name.len);
  if (kind < 0)
    {
      gboolean is_event =
          tt_config_domain_find_event (tt_config_domain (self->domains, domain), kind_name.at, kind_name.len) >= 0;
      config_error (self, kind_name.at, is_event ? "E-KEY" : "E-PUNIT",
                    is_event ? g_strdup_printf ("here it is only %s", kind_text)
                             : config_near_kind (self, domain, kind_name),
                    "%s has no units '%s'", own, kind_text);
      return NULL;
    }
  TtConfigScope scope = { .is_declared = TRUE };
  if (!parse_scope (value, &scope.low, &scope.high))
    {
      value_error (self, value, "first and last id, as in (0-15)");
      return NULL;
    }
  self->config->scopes[kind] = scope;
  return scope.low == scope.high ? g_strdup_printf ("(%u)", scope.low)
                                 : g_strdup_printf ("(%u-%u)", scope.low, scope.high);
}

static char *
assign_in_default (Parser *self, Piece key, Piece value)
{
  guint domain = (guint) self->header->domain;
  TtDomainDefault *of = &self->config->defaults[domain];
  const char *dot = memchr (key.at, '.', key.len);
  gboolean is_known;

  if (dot != NULL)
    return assign_scope (self, key, (gsize) (dot - key.at), value);
  if (piece_is (key, "trace_mode"))
    {
      TtConfigMode mode;
      if (!parse_mode (value, &mode))
        {
          value_error (self, value, "OFF, STANDBY, MONITORING or TRACING");
          return NULL;
        }
      of->mode = mode;
      self->config->is_newer = TRUE;
      return g_strdup (mode_words[mode]);
    }
  if (tt_config_domain_has_key (tt_config_domain (self->domains, domain), key.at, key.len))
    {
      char *policy = parse_policy (value, TRUE);
      if (policy == NULL)
        value_error (self, value, "off, on, anyone_per_node, leader_per_node or rotate_per_node[:ms]");
      else
        {
          g_free (of->device_activity);
          of->device_activity = g_strdup (policy);
        }
      self->config->is_newer = TRUE;
      return policy;
    }
  if (refuse_foreign_key (self, key))
    return NULL;
  return assign_event (self, domain, key, key.at, value, &of->events, &is_known);
}

static char *
assign_in_section (Parser *self, Piece key, Piece value)
{
  guint domain = self->section->domain;
  gboolean is_known;

  if (memchr (key.at, '.', key.len) != NULL)
    {
      config_error (self, key.at, "E-KEY", g_strdup ("here events have no domain before them; ids are in the header"),
                    "a section of units holds events only");
      return NULL;
    }
  if (refuse_foreign_key (self, key))
    return NULL;
  return assign_event (self, domain, key, key.at, value, &self->section->events, &is_known);
}

/* -- lexgions ------------------------------------------------------------------------------------- */

static gboolean
is_end_modes (Parser *self, Piece value)
{
  Piece element;

  while (piece_next (&value, ',', &element))
    {
      const char *colon = memchr (element.at, ':', element.len);
      TtConfigMode mode;

      if (colon == NULL)
        return FALSE;
      Piece name = piece_strip ((Piece){ element.at, (gsize) (colon - element.at) });
      Piece word = piece_strip (piece_from (element, (gsize) (colon + 1 - element.at)));
      if (tt_config_domains_find (self->domains, name.at, name.len) < 0)
        return FALSE;
      const char *equals = memchr (word.at, '=', word.len);
      if (equals == NULL && !parse_mode (word, &mode))
        return FALSE;
      if (equals == NULL)
        continue;
      g_autofree char *policy = parse_policy (piece_strip (piece_from (word, (gsize) (equals + 1 - word.at))), TRUE);
      if (policy == NULL || !piece_is (piece_strip ((Piece){ word.at, (gsize) (equals - word.at) }), "device_activity"))
        return FALSE;
    }
  return TRUE;
}

/* MODE, D:MODE and D:device_activity=POLICY in a list, or INTROSPECT:seconds:script[:modes]. */
static gboolean
is_end_action (Parser *self, Piece value)
{
  static const char introspect[] = "INTROSPECT:";
  TtConfigMode mode;
  guint64 seconds;

  if (parse_mode (value, &mode))
    return TRUE;
  if (value.len < strlen (introspect) || g_ascii_strncasecmp (value.at, introspect, strlen (introspect)) != 0)
    return is_end_modes (self, value);
  Piece rest = piece_from (value, strlen (introspect)), number;
  gsize colon = piece_find (rest, ':');
  if (colon == rest.len)
    return FALSE;
  number = piece_strip ((Piece){ rest.at, colon });
  if (number.len > 0 && *number.at == '-')
    number = piece_from (number, 1);
  if (!piece_number (number, MOST_INT, &seconds))
    return FALSE;
  rest = piece_from (rest, colon + 1);
  colon = piece_find (rest, ':');
  if (colon == 0)
    return FALSE;
  if (colon == rest.len)
    return TRUE;
  rest = piece_strip (piece_from (rest, colon + 1));
  return parse_mode (rest, &mode) || is_end_modes (self, rest);
}

static char *
assign_window (Parser *self, Piece key, Piece value)
{
  gboolean is_action = piece_is (key, "window_end_action"), is_trigger = piece_is (key, "window_end_trigger");
  g_autofree char *text = piece_dup (value);
  gint64 timeout = 0;

  self->config->is_newer = TRUE;
  if (is_action && !is_end_action (self, value))
    value_error (self, value,
                 "MODE, DOMAIN:MODE,..., DOMAIN:device_activity=POLICY or INTROSPECT:seconds:script[:modes]");
  else if (is_trigger && piece_is_nocase (value, "anchor"))
    {
      config_warning (self, value.at, "W-VALUE", NULL, "'anchor' is reserved; 'first' is taken");
      g_free (text);
      text = g_strdup ("first");
    }
  else if (is_trigger && !piece_is_nocase (value, "first") && !piece_is_nocase (value, "all"))
    value_error (self, value, "first or all");
  else if (!is_action && !is_trigger)
    parse_int (self, value, -(gint64) MOST_INT, "seconds; 0: off", &timeout);

  for (guint i = 0; i < self->lexgions->len; i++)
    {
      TtConfigLexgion *lexgion = self->lexgions->pdata[i];
      char **place = is_action ? &lexgion->end_action : is_trigger ? &lexgion->end_trigger : NULL;
      if (place == NULL)
        lexgion->timeout_s = timeout;
      else
        {
          g_free (*place);
          *place = g_strdup (text);
        }
    }
  return g_steal_pointer (&text);
}

static char *
assign_rule (Parser *self, Piece key, Piece value)
{
  gboolean is_start = piece_is (key, "trace_starts_at"), is_most = piece_is (key, "max_num_traces");
  gint64 number;

  if (!parse_int (self, value,
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

/* Without a mask of its domain the entry gets one with this event alone. */
static char *
assign_lexgion_event (Parser *self, guint domain, Piece name, const char *at, Piece value)
{
  guint64 masks[2] = { 0, G_MAXUINT64 };
  gboolean is_known;
  guint n_faults = self->config->faults->len;
  char *text = assign_event (self, domain, name, at, value, &masks[0], &is_known);

  if (text == NULL || self->config->faults->len != n_faults)
    return text;
  masks[1] = (guint64) 1 << tt_config_domain_find_event (tt_config_domain (self->domains, domain), name.at, name.len);
  for (guint i = 0; i < self->lexgions->len; i++)
    {
      TtConfigLexgion *lexgion = self->lexgions->pdata[i];
      guint64 before = lexgion->has_mask[domain] ? lexgion->mask[domain] : 0;
      lexgion->mask[domain] = (before & ~masks[1]) | masks[0];
      lexgion->has_mask[domain] = TRUE;
    }
  return text;
}

static void
refuse_lexgion_key (Parser *self, Piece key)
{
  g_autofree char *text = piece_dup (key);

  if (refuse_foreign_key (self, key))
    return;
  for (guint i = 0; i < self->domains->domains->len; i++)
    {
      const TtConfigDomain *domain = tt_config_domain (self->domains, i);
      if (tt_config_domain_find_event (domain, key.at, key.len) >= 0)
        {
          config_error (self, key.at, "E-KEY", g_strdup_printf ("write %s.%s", domain->name, text),
                        "an event of a lexgion needs its domain before it");
          return;
        }
    }
  char *near = config_near (key, lexgion_keys);
  config_error (self, key.at, "E-KEY",
                near != NULL
                    ? near
                    : g_strdup ("keys are trace_starts_at, max_num_traces, tracing_rate, the window_... ones, and "
                                "DOMAIN.event"),
                "'%s' is no key of a lexgion", text);
}

static char *
assign_in_lexgion (Parser *self, Piece key, Piece value)
{
  const char *dot = memchr (key.at, '.', key.len);
  gboolean is_action = piece_is (key, "trace_mode_after"), is_trigger = piece_is (key, "mode_after_trigger");

  if (is_action || is_trigger)
    config_warning (self, key.at, "W-OLD-KEY",
                    g_strdup_printf ("write %s", is_action ? "window_end_action" : "window_end_trigger"),
                    "this key has another name since June 2026; ignored");
  if (is_action || is_trigger)
    return NULL;
  if (piece_is (key, "trace_starts_at") || piece_is (key, "max_num_traces") || piece_is (key, "tracing_rate"))
    return assign_rule (self, key, value);
  if (piece_is (key, "window_end_action") || piece_is (key, "window_timeout") || piece_is (key, "window_end_trigger"))
    return assign_window (self, key, value);
  if (dot != NULL)
    {
      Piece name = piece_strip ((Piece){ key.at, (gsize) (dot - key.at) });
      Piece event = piece_strip (piece_from (key, (gsize) (dot + 1 - key.at)));
      int domain = tt_config_domains_find (self->domains, name.at, name.len);
      if (domain >= 0)
        return assign_lexgion_event (self, (guint) domain, event, key.at, value);
      g_autofree char *text = piece_dup (name);
      config_error (self, name.at, "E-DOMAIN", config_near_domain (self, name), "unknown domain '%s'", text);
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

/* -- plain sections ------------------------------------------------------------------------------- */

static char *
assign_knob (Parser *self, Piece key, Piece value)
{
  GPtrArray *knobs = self->config->knobs;
  TtKnob *knob = NULL;

  for (guint i = 0; i < knobs->len && knob == NULL; i++)
    if (piece_is (key, ((TtKnob *) knobs->pdata[i])->name))
      knob = knobs->pdata[i];
  if (knob == NULL)
    {
      knob = g_new0 (TtKnob, 1);
      knob->name = piece_dup (key);
      g_ptr_array_add (knobs, knob);
    }
  g_free (knob->value);
  knob->value = piece_dup (value);
  return NULL;
}

static char *
assign_plain (Parser *self, Piece key, Piece value)
{
  gboolean is_energy = self->header->target == TT_CONFIG_ENERGY;
  gint64 interval;

  if (!piece_is (key, is_energy ? "measure" : "interval"))
    {
      g_autofree char *text = piece_dup (key);
      config_error (self, key.at, "E-KEY", g_strdup_printf ("its only key is %s", is_energy ? "measure" : "interval"),
                    "'%s' is no key of this section", text);
      return NULL;
    }
  if (!is_energy)
    {
      if (!parse_int (self, value, 0, "seconds; 0: none", &interval))
        return NULL;
      self->config->manifest_interval_s = interval;
      return g_strdup_printf ("%" G_GINT64_FORMAT, interval);
    }
  char *policy = parse_policy (value, FALSE);
  if (policy == NULL)
    value_error (self, value, "off, on, anyone_per_node or leader_per_node");
  else
    {
      g_free (self->config->measure);
      self->config->measure = g_strdup (policy);
    }
  return policy;
}

/* -- all ------------------------------------------------------------------------------------------- */

char *
config_assign (Parser *self, Piece key, Piece value)
{
  g_autofree char *text = piece_dup (key);

  if (key.len == 0)
    {
      config_error (self, key.at, "E-KEY", NULL, "a key is missing before the '='");
      return NULL;
    }
  if (g_hash_table_contains (self->keys, text))
    config_warning (self, key.at, "W-DUP-KEY", g_strdup ("the last one counts"), "'%s' is set twice in this section",
                    text);
  g_hash_table_add (self->keys, g_strdup (text));

  switch (self->header->target)
    {
    case TT_CONFIG_DOMAIN_DEFAULT:
      return assign_in_default (self, key, value);
    case TT_CONFIG_PUNITS:
    case TT_CONFIG_ALL_PUNITS:
      return assign_in_section (self, key, value);
    case TT_CONFIG_LEXGION_DEFAULT:
    case TT_CONFIG_LEXGION_DOMAIN_DEFAULT:
    case TT_CONFIG_LEXGIONS:
      return assign_in_lexgion (self, key, value);
    case TT_CONFIG_KNOB:
      return assign_knob (self, key, value);
    case TT_CONFIG_ENERGY:
    case TT_CONFIG_MANIFEST:
      return assign_plain (self, key, value);
    }
  return NULL;
}
