/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/pinsight/trace-config.h"

#include <string.h>

/* What a configuration means, as JSON: two spaces a level, keys in a fixed order. */

typedef struct
{
  const TtConfig *config;
  GString *out;
  guint level;
  gboolean is_first; /* of its object or array */
} Writer;

static void
append_string (GString *out, const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);

  g_string_append_c (out, '"');
  for (const char *p = valid; *p != '\0'; p++)
    if (*p == '"' || *p == '\\')
      g_string_append_printf (out, "\\%c", *p);
    else if ((guchar) *p < 0x20)
      g_string_append_printf (out, "\\u%04x", (guint) (guchar) *p);
    else
      g_string_append_c (out, *p);
  g_string_append_c (out, '"');
}

/* Comma, new line, and the key if this is a member. */
static void
begin_value (Writer *self, const char *key)
{
  if (!self->is_first)
    g_string_append_c (self->out, ',');
  if (self->level > 0)
    g_string_append_c (self->out, '\n');
  for (guint i = 0; i < self->level; i++)
    g_string_append (self->out, "  ");
  if (key != NULL)
    {
      append_string (self->out, key);
      g_string_append (self->out, ": ");
    }
  self->is_first = FALSE;
}

static void
open_level (Writer *self, const char *key, char bracket)
{
  begin_value (self, key);
  g_string_append_c (self->out, bracket);
  self->level++;
  self->is_first = TRUE;
}

static void
close_level (Writer *self, char bracket)
{
  self->level--;
  if (!self->is_first)
    {
      g_string_append_c (self->out, '\n');
      for (guint i = 0; i < self->level; i++)
        g_string_append (self->out, "  ");
    }
  g_string_append_c (self->out, bracket);
  self->is_first = FALSE;
}

static void
put_text (Writer *self, const char *key, const char *text)
{
  begin_value (self, key);
  if (text == NULL)
    g_string_append (self->out, "null");
  else
    append_string (self->out, text);
}

static void
put_int (Writer *self, const char *key, gint64 value)
{
  begin_value (self, key);
  g_string_append_printf (self->out, "%" G_GINT64_FORMAT, value);
}

static void
put_bool (Writer *self, const char *key, gboolean value)
{
  begin_value (self, key);
  g_string_append (self->out, value ? "true" : "false");
}

/* The names of the events whose bits are set, on one line. */
static void
put_events (Writer *self, const char *key, guint domain, guint64 mask)
{
  const TtConfigDomain *of = tt_config_domain (self->config->domains, domain);
  gboolean is_first = TRUE;

  begin_value (self, key);
  g_string_append_c (self->out, '[');
  for (guint i = 0; i < of->events->len; i++)
    if ((mask >> i & 1) != 0)
      {
        g_string_append (self->out, is_first ? "" : ", ");
        append_string (self->out, tt_config_event (of, i)->name);
        is_first = FALSE;
      }
  g_string_append_c (self->out, ']');
}

static void
put_sets (Writer *self, const char *key, const GPtrArray *sets)
{
  open_level (self, key, '[');
  for (guint i = 0; i < sets->len; i++)
    {
      const TtPunitSet *set = sets->pdata[i];
      const TtConfigKind *kind = tt_config_kind (self->config->domains, set->kind);
      g_autoptr (GString) ids = g_string_new (NULL);

      tt_id_set_append (set->ids, ids);
      open_level (self, NULL, '{');
      put_text (self, "domain", tt_config_domain (self->config->domains, kind->domain)->name);
      put_text (self, "kind", kind->name);
      put_text (self, "ids", set->ids->len == 0 ? "" : ids->str);
      close_level (self, '}');
    }
  close_level (self, ']');
}

static void
put_domain (Writer *self, guint domain)
{
  const TtConfig *config = self->config;
  const TtConfigDomain *of = tt_config_domain (config->domains, domain);
  const TtDomainDefault *values = &config->defaults[domain];

  open_level (self, of->name, '{');
  put_text (self, "trace_mode", tt_config_mode_text (values->mode));
  if (of->keys->len > 0)
    put_text (self, "device_activity", values->device_activity != NULL ? values->device_activity : "off");
  open_level (self, "punits", '{');
  for (guint i = 0; i < config->domains->kinds->len; i++)
    if (tt_config_kind (config->domains, i)->domain == domain)
      {
        open_level (self, tt_config_kind (config->domains, i)->name, '{');
        put_int (self, "low", config->scopes[i].low);
        put_int (self, "high", config->scopes[i].high);
        put_bool (self, "declared", config->scopes[i].is_declared);
        close_level (self, '}');
      }
  close_level (self, '}');
  put_events (self, "on", domain, values->events);
  put_events (self, "off", domain, of->installed & ~values->events);
  put_events (self, "not_installed", domain, ~of->installed);
  close_level (self, '}');
}

static void
put_lexgion (Writer *self, const char *key, const TtConfigLexgion *lexgion)
{
  g_autofree char *name = tt_config_lexgion_text (self->config, lexgion);

  open_level (self, key, '{');
  put_text (self, "section", name);
  if (lexgion->line > 0)
    put_int (self, "line", lexgion->line);
  put_int (self, "trace_starts_at", lexgion->rule.starts_at);
  put_int (self, "max_num_traces", lexgion->rule.most);
  put_int (self, "tracing_rate", lexgion->rule.rate);
  open_level (self, "events", '{');
  for (guint i = 0; i < self->config->domains->domains->len; i++)
    if (lexgion->has_mask[i])
      put_events (self, tt_config_domain (self->config->domains, i)->name, i, lexgion->mask[i]);
  close_level (self, '}');
  if (lexgion->has_constraints)
    put_sets (self, "constraints", lexgion->constraints);
  if (lexgion->end_action != NULL)
    put_text (self, "window_end_action", lexgion->end_action);
  if (lexgion->end_trigger != NULL)
    put_text (self, "window_end_trigger", lexgion->end_trigger);
  if (lexgion->timeout_s != 0)
    put_int (self, "window_timeout", lexgion->timeout_s);
  close_level (self, '}');
}

static void
put_section (Writer *self, const TtPunitSection *section)
{
  open_level (self, NULL, '{');
  put_int (self, "line", section->line);
  put_text (self, "domain", tt_config_domain (self->config->domains, section->domain)->name);
  put_sets (self, "punits", section->targets);
  put_sets (self, "constraints", section->constraints);
  put_bool (self, "inherits", section->inherits);
  put_events (self, "on", section->domain, section->events);
  close_level (self, '}');
}

static void
put_plain (Writer *self)
{
  const TtConfig *config = self->config;

  put_text (self, "energy_measure", config->measure != NULL ? config->measure : "off");
  put_int (self, "manifest_interval", config->manifest_interval_s);
  open_level (self, "knobs", '{');
  for (guint i = 0; i < config->knobs->len; i++)
    {
      const TtKnob *knob = config->knobs->pdata[i];
      put_text (self, knob->name, knob->value);
    }
  close_level (self, '}');
}

void
tt_config_write_json (const TtConfig *self, GString *out)
{
  Writer writer = { .config = self, .out = out, .is_first = TRUE };

  open_level (&writer, NULL, '{');
  open_level (&writer, "domains", '{');
  for (guint i = 0; i < self->domains->domains->len; i++)
    put_domain (&writer, i);
  close_level (&writer, '}');
  open_level (&writer, "punit_sections", '[');
  for (guint i = 0; i < self->sections->len; i++)
    put_section (&writer, self->sections->pdata[i]);
  close_level (&writer, ']');
  put_lexgion (&writer, "lexgion_default", self->lexgion_default);
  open_level (&writer, "lexgion_domain_defaults", '[');
  for (guint i = 0; i < self->domain_lexgions->len; i++)
    put_lexgion (&writer, NULL, self->domain_lexgions->pdata[i]);
  close_level (&writer, ']');
  open_level (&writer, "lexgions", '[');
  for (guint i = 0; i < self->lexgions->len; i++)
    if (!((const TtConfigLexgion *) self->lexgions->pdata[i])->is_removed)
      put_lexgion (&writer, NULL, self->lexgions->pdata[i]);
  close_level (&writer, ']');
  put_plain (&writer);
  close_level (&writer, '}');
  g_string_append_c (out, '\n');
}
