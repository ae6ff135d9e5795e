/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the keys of a section do, but for sections of lexgions.
 */
#include "config.h"

#include "formats/pinsight/parse-private.h"

#include <string.h>

/* -- domain defaults ------------------------------------------------------------------------------ */

/* "(a-b)", "(a,b)", "a-b", "a": the parentheses are optional. */
static gboolean
parse_scope (TtPiece value, guint32 *low, guint32 *high)
{
  guint64 first, last;

  if (value.len >= 2 && *value.at == '(' && value.at[value.len - 1] == ')')
    value = tt_piece_strip ((TtPiece){ value.at + 1, value.len - 2 });

  gsize split = 0;
  while (split < value.len && value.at[split] != '-' && value.at[split] != ',')
    split++;
  if (!tt_piece_number (tt_piece_strip ((TtPiece){ value.at, split }), G_MAXUINT32 - 1, &first))
    return FALSE;
  last = first;
  if (split < value.len && !tt_piece_number (tt_piece_strip (tt_piece_from (value, split + 1)), G_MAXUINT32 - 1, &last))
    return FALSE;
  *low = (guint32) first;
  *high = (guint32) last;
  return first <= last;
}

/* "D.kind = ids" */
static char *
assign_scope (Parser *self, TtPiece key, gsize dot, TtPiece value)
{
  guint domain = (guint) self->header->domain;
  const char *own = tt_config_domain (self->domains, domain)->name;
  TtPiece name = tt_piece_strip ((TtPiece){ key.at, dot }), kind_name = tt_piece_strip (tt_piece_from (key, dot + 1));
  g_autofree char *name_text = tt_piece_dup (name), *kind_text = tt_piece_dup (kind_name);
  int other = tt_config_domains_find (self->domains, name.at, name.len);

  if (other < 0)
    tt_config_error (self, name.at, "E-DOMAIN", tt_config_near_domain (self, name), "unknown domain '%s'", name_text);
  else if ((guint) other != domain)
    tt_config_error (self, key.at, "E-KEY", g_strdup_printf ("it belongs into [%s.default]", name_text),
                     "this section is about units of %s", own);
  if (other != (int) domain)
    return NULL;

  int kind = tt_config_domains_find_kind (self->domains, domain, kind_name.at, kind_name.len);
  if (kind < 0)
    {
      gboolean is_event =
          tt_config_domain_find_event (tt_config_domain (self->domains, domain), kind_name.at, kind_name.len) >= 0;
      tt_config_error (self, kind_name.at, is_event ? "E-KEY" : "E-PUNIT",
                       is_event ? g_strdup_printf ("here it is only %s", kind_text)
                             : tt_config_near_kind (self, domain, kind_name),
                       "%s has no units '%s'", own, kind_text);
      return NULL;
    }
  TtConfigScope scope = { .is_declared = TRUE };
  if (!parse_scope (value, &scope.low, &scope.high))
    {
      tt_config_value_error (self, value, "first and last id, as in (0-15)");
      return NULL;
    }
  self->config->scopes[kind] = scope;
  return scope.low == scope.high ? g_strdup_printf ("(%u)", scope.low)
                                 : g_strdup_printf ("(%u-%u)", scope.low, scope.high);
}

static char *
assign_in_default (Parser *self, TtPiece key, TtPiece value)
{
  guint domain = (guint) self->header->domain;
  TtDomainDefault *of = &self->config->defaults[domain];
  const char *dot = memchr (key.at, '.', key.len);

  if (dot != NULL)
    return assign_scope (self, key, (gsize) (dot - key.at), value);
  if (tt_piece_is (key, "trace_mode"))
    {
      TtConfigMode mode;
      if (!tt_config_parse_mode (value, &mode))
        {
          tt_config_value_error (self, value, "OFF, STANDBY, MONITORING or TRACING");
          return NULL;
        }
      of->mode = mode;
      self->config->is_newer = TRUE;
      return g_strdup (tt_config_mode_text (mode));
    }
  if (tt_config_domain_has_key (tt_config_domain (self->domains, domain), key.at, key.len))
    {
      char *policy = tt_config_parse_policy (value, TRUE);
      if (policy == NULL)
        tt_config_value_error (self, value, "off, on, anyone_per_node, leader_per_node or rotate_per_node[:ms]");
      else
        {
          g_free (of->device_activity);
          of->device_activity = g_strdup (policy);
        }
      self->config->is_newer = TRUE;
      return policy;
    }
  if (tt_config_refuse_foreign_key (self, key))
    return NULL;
  return tt_config_assign_event (self, domain, key, key.at, value, &of->events);
}

static char *
assign_in_section (Parser *self, TtPiece key, TtPiece value)
{
  guint domain = self->section->domain;

  if (memchr (key.at, '.', key.len) != NULL)
    {
      tt_config_error (self, key.at, "E-KEY",
                       g_strdup ("here events have no domain before them; ids are in the header"),
                       "a section of units holds events only");
      return NULL;
    }
  if (tt_config_refuse_foreign_key (self, key))
    return NULL;
  return tt_config_assign_event (self, domain, key, key.at, value, &self->section->events);
}

/* -- plain sections ------------------------------------------------------------------------------- */

static char *
assign_knob (Parser *self, TtPiece key, TtPiece value)
{
  GPtrArray *knobs = self->config->knobs;
  TtKnob *knob = NULL;

  for (guint i = 0; i < knobs->len && knob == NULL; i++)
    if (tt_piece_is (key, ((TtKnob *) knobs->pdata[i])->name))
      knob = knobs->pdata[i];
  if (knob == NULL)
    {
      knob = g_new0 (TtKnob, 1);
      knob->name = tt_piece_dup (key);
      g_ptr_array_add (knobs, knob);
    }
  g_free (knob->value);
  knob->value = tt_piece_dup (value);
  return NULL;
}

static char *
assign_plain (Parser *self, TtPiece key, TtPiece value)
{
  gboolean is_energy = self->header->target == TT_CONFIG_ENERGY;
  gint64 interval;

  if (!tt_piece_is (key, is_energy ? "measure" : "interval"))
    {
      g_autofree char *text = tt_piece_dup (key);
      tt_config_error (self, key.at, "E-KEY",
                       g_strdup_printf ("its only key is %s", is_energy ? "measure" : "interval"),
                       "'%s' is no key of this section", text);
      return NULL;
    }
  if (!is_energy)
    {
      if (!tt_config_parse_int (self, value, 0, "seconds; 0: none", &interval))
        return NULL;
      self->config->manifest_interval_s = interval;
      return g_strdup_printf ("%" G_GINT64_FORMAT, interval);
    }
  char *policy = tt_config_parse_policy (value, FALSE);
  if (policy == NULL)
    tt_config_value_error (self, value, "off, on, anyone_per_node or leader_per_node");
  else
    {
      g_free (self->config->measure);
      self->config->measure = g_strdup (policy);
    }
  return policy;
}

/* -- all ------------------------------------------------------------------------------------------- */

char *
tt_config_assign (Parser *self, TtPiece key, TtPiece value)
{
  g_autofree char *text = tt_piece_dup (key);

  if (key.len == 0)
    {
      tt_config_error (self, key.at, "E-KEY", NULL, "a key is missing before the '='");
      return NULL;
    }
  if (g_hash_table_contains (self->keys, text))
    tt_config_warning (self, key.at, "W-DUP-KEY", g_strdup ("the last one counts"), "'%s' is set twice in this section",
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
      return tt_config_assign_in_lexgion (self, key, value);
    case TT_CONFIG_KNOB:
      return assign_knob (self, key, value);
    case TT_CONFIG_ENERGY:
    case TT_CONFIG_MANIFEST:
      return assign_plain (self, key, value);
    }
  return NULL;
}
