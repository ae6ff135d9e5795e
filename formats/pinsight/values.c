/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Values of keys: numbers, words, events; and keys that belong into another section.
 */
#include "config.h"

#include "formats/pinsight/parse-private.h"

#include <string.h>

static const char *const mode_words[] = { "OFF", "STANDBY", "MONITORING", "TRACING", NULL };
static const char *const policies[] = { "off", "on", "anyone_per_node", "leader_per_node", NULL };

const char *
tt_config_mode_text (TtConfigMode mode)
{
  return mode_words[mode];
}

/* -- values --------------------------------------------------------------------------------------- */

/* The usual mistake is a comment after the value. */
void
tt_config_value_error (Parser *self, TtPiece value, const char *wanted)
{
  g_autofree char *text = tt_piece_dup (value);
  char *hint = memchr (value.at, '#', value.len) != NULL
                   ? g_strdup ("a comment needs a line of its own: '#' counts only at its start")
                   : g_strdup_printf ("wanted: %s", wanted);

  if (value.len == 0)
    tt_config_error (self, value.at, "E-VALUE", hint, "a value is missing here");
  else
    tt_config_error (self, value.at, "E-VALUE", hint, "'%s' is no value of this key", text);
}

/* "on" or "off"; reports that it is neither. */
static gboolean
parse_toggle (Parser *self, TtPiece value, gboolean *is_on)
{
  *is_on = tt_piece_is_nocase (value, "on") || tt_piece_is (value, "1");
  if (*is_on || tt_piece_is_nocase (value, "off") || tt_piece_is (value, "0"))
    return TRUE;
  tt_config_value_error (self, value, "on or off");
  return FALSE;
}

gboolean
tt_config_parse_int (Parser *self, TtPiece value, gint64 least, const char *wanted, gint64 *number)
{
  gboolean is_negative = value.len > 0 && *value.at == '-';
  guint64 digits;

  if (tt_piece_number (is_negative ? tt_piece_from (value, 1) : value, MOST_INT, &digits))
    {
      *number = is_negative ? -(gint64) digits : (gint64) digits;
      if (*number >= least)
        return TRUE;
    }
  tt_config_value_error (self, value, wanted);
  return FALSE;
}

gboolean
tt_config_parse_mode (TtPiece value, TtConfigMode *mode)
{
  for (guint i = 0; mode_words[i] != NULL; i++)
    if (tt_piece_is_nocase (value, mode_words[i]))
      {
        *mode = (TtConfigMode) i;
        return TRUE;
      }
  *mode = TT_MODE_MONITORING;
  return tt_piece_is_nocase (value, "MONITOR");
}

/* The canonical word; NULL: none. Free it. */
char *
tt_config_parse_policy (TtPiece value, gboolean may_rotate)
{
  static const char rotate[] = "rotate_per_node";
  gsize len = strlen (rotate);
  guint64 ms;

  for (guint i = 0; policies[i] != NULL; i++)
    if (tt_piece_is_nocase (value, policies[i]))
      return g_strdup (policies[i]);
  if (!may_rotate || value.len < len || g_ascii_strncasecmp (value.at, rotate, len) != 0)
    return NULL;
  if (value.len == len)
    return g_strdup (rotate);
  if (value.at[len] != ':' || !tt_piece_number (tt_piece_strip (tt_piece_from (value, len + 1)), MOST_INT, &ms) ||
      ms == 0)
    return NULL;
  return g_strdup_printf ("%s:%u", rotate, (guint) ms);
}

/* -- events --------------------------------------------------------------------------------------- */

/* Turns an event of @domain on or off in @mask. */
char *
tt_config_assign_event (Parser *self,
                        guint domain,
                        TtPiece name,
                        const char *at,
                        TtPiece value,
                        guint64 *mask)
{
  const TtConfigDomain *of = tt_config_domain (self->domains, domain);
  int event = tt_config_domain_find_event (of, name.at, name.len);
  gboolean is_on;

  if (event < 0)
    {
      g_autofree char *text = tt_piece_dup (name);
      tt_config_warning (self, at, "W-EVENT", tt_config_near_event (self, domain, name),
                         "%s has no event '%s'; ignored", of->name, text);
      return NULL;
    }
  if (!parse_toggle (self, value, &is_on))
    return NULL;
  if (is_on && !tt_config_event (of, (guint) event)->is_installed)
    tt_config_warning (self, at, "W-NOT-INSTALLED", NULL, "PInsight does not record '%s'; it stays off",
                       tt_config_event (of, (guint) event)->name);
  else
    *mask = (*mask & ~((guint64) 1 << event)) | (guint64) is_on << event;
  return g_strdup (is_on ? "on" : "off");
}

/* A word that is a key somewhere else is no misspelt event. */
gboolean
tt_config_refuse_foreign_key (Parser *self, TtPiece key)
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
    if (tt_piece_is (key, homes[i].key))
      {
        tt_config_error (self, key.at, "E-KEY", g_strdup_printf ("it belongs into %s", homes[i].home),
                         "'%s' is no key of this section", homes[i].key);
        return TRUE;
      }
  return FALSE;
}
