#include "config.h"

#include "formats/pinsight/parse-private.h"

#include <string.h>

/* What the keys of a section do. */

static const char *const mode_words[] = { "OFF", "STANDBY", "MONITORING", "TRACING", NULL };
static const char *const policies[] = { "off", "on", "anyone_per_node", "leader_per_node", NULL };

const char *
tt_config_mode_text (TtConfigMode mode)
{
  return mode_words[mode];
}

/* -- values --------------------------------------------------------------------------------------- */

/* A comment behind a value is the mistake that people make. */
void
config_value_error (Parser *self, Piece value, const char *wanted)
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
  config_value_error (self, value, "on or off");
  return FALSE;
}

gboolean
config_parse_int (Parser *self, Piece value, gint64 least, const char *wanted, gint64 *number)
{
  gboolean is_negative = value.len > 0 && *value.at == '-';
  guint64 digits;

  if (piece_number (is_negative ? piece_from (value, 1) : value, MOST_INT, &digits))
    {
      *number = is_negative ? -(gint64) digits : (gint64) digits;
      if (*number >= least)
        return TRUE;
    }
  config_value_error (self, value, wanted);
  return FALSE;
}

gboolean
config_parse_mode (Piece value, TtConfigMode *mode)
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
char *
config_parse_policy (Piece value, gboolean may_rotate)
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
char *
config_assign_event (Parser *self,
                     guint domain,
                     Piece name,
                     const char *at,
                     Piece value,
                     guint64 *mask,
                     gboolean *is_known)
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
gboolean
config_refuse_foreign_key (Parser *self, Piece key)
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
      config_value_error (self, value, "first and last id, as in (0-15)");
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
      if (!config_parse_mode (value, &mode))
        {
          config_value_error (self, value, "OFF, STANDBY, MONITORING or TRACING");
          return NULL;
        }
      of->mode = mode;
      self->config->is_newer = TRUE;
      return g_strdup (mode_words[mode]);
    }
  if (tt_config_domain_has_key (tt_config_domain (self->domains, domain), key.at, key.len))
    {
      char *policy = config_parse_policy (value, TRUE);
      if (policy == NULL)
        config_value_error (self, value, "off, on, anyone_per_node, leader_per_node or rotate_per_node[:ms]");
      else
        {
          g_free (of->device_activity);
          of->device_activity = g_strdup (policy);
        }
      self->config->is_newer = TRUE;
      return policy;
    }
  if (config_refuse_foreign_key (self, key))
    return NULL;
  return config_assign_event (self, domain, key, key.at, value, &of->events, &is_known);
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
  if (config_refuse_foreign_key (self, key))
    return NULL;
  return config_assign_event (self, domain, key, key.at, value, &self->section->events, &is_known);
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
      if (!config_parse_int (self, value, 0, "seconds; 0: none", &interval))
        return NULL;
      self->config->manifest_interval_s = interval;
      return g_strdup_printf ("%" G_GINT64_FORMAT, interval);
    }
  char *policy = config_parse_policy (value, FALSE);
  if (policy == NULL)
    config_value_error (self, value, "off, on, anyone_per_node or leader_per_node");
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
      return config_assign_in_lexgion (self, key, value);
    case TT_CONFIG_KNOB:
      return assign_knob (self, key, value);
    case TT_CONFIG_ENERGY:
    case TT_CONFIG_MANIFEST:
      return assign_plain (self, key, value);
    }
  return NULL;
}
