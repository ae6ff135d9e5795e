/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/pinsight/window-end.h"

#include "formats/pinsight/parse-private.h"

#include <string.h>

#define INTROSPECT "INTROSPECT:"

static void
set_mode (TtWindowEnd *self, guint first, guint end, TtConfigMode mode)
{
  for (guint i = first; i < end; i++)
    self->targets[i].mode = (int) mode;
}

/* D:MODE or D:device_activity=POLICY */
static void
read_target (TtWindowEnd *self, const TtConfigDomains *domains, TtPiece element)
{
  gsize colon = tt_piece_find (element, ':');
  TtPiece name = tt_piece_strip ((TtPiece){ element.at, colon });
  int domain = tt_config_domains_find (domains, name.at, name.len);
  TtConfigMode mode;

  if (colon == element.len || domain < 0)
    return;
  TtPiece word = tt_piece_strip (tt_piece_from (element, colon + 1));
  gsize equals = tt_piece_find (word, '=');
  TtWindowTarget *target = &self->targets[domain];
  if (equals < word.len)
    {
      g_free (target->activity);
      target->activity = tt_piece_dup (tt_piece_strip (tt_piece_from (word, equals + 1)));
    }
  else if (tt_config_parse_mode (word, &mode))
    target->mode = (int) mode;
}

static TtPiece
skip_introspect (TtPiece text)
{
  TtPiece rest = tt_piece_from (text, strlen (INTROSPECT));

  for (guint i = 0; i < 2; i++)
    {
      gsize colon = tt_piece_find (rest, ':');
      rest = tt_piece_from (rest, MIN (colon + 1, rest.len));
    }
  return tt_piece_strip (rest);
}

TtWindowEnd *
tt_window_end_new (const TtConfigDomains *domains, const char *text)
{
  TtWindowEnd *self = g_new0 (TtWindowEnd, 1);
  TtPiece rest = { text == NULL ? "" : text, text == NULL ? 0 : strlen (text) }, element;
  TtConfigMode mode;

  self->n = domains->domains->len;
  self->targets = g_new0 (TtWindowTarget, self->n);
  for (guint i = 0; i < self->n; i++)
    self->targets[i].mode = -1;
  self->introspects = g_ascii_strncasecmp (rest.at, INTROSPECT, MIN (rest.len, strlen (INTROSPECT))) == 0 &&
                      rest.len >= strlen (INTROSPECT);
  if (self->introspects)
    rest = skip_introspect (rest);
  if (rest.len > 0 && tt_config_parse_mode (rest, &mode))
    set_mode (self, 0, self->n, mode);
  else
    while (rest.len > 0 && tt_piece_next (&rest, ',', &element))
      read_target (self, domains, element);
  for (guint i = 0; i < self->n; i++)
    self->resumes |= self->targets[i].mode == TT_MODE_TRACING;
  return self;
}

char *
tt_window_end_describe (const TtWindowEnd *self, const TtConfigDomains *domains)
{
  g_autoptr (GString) text = g_string_new (NULL);
  gboolean is_one = self->n > 0 && self->targets[0].mode >= 0;

  for (guint i = 1; i < self->n; i++)
    is_one &= self->targets[i].mode == self->targets[0].mode;
  if (is_one)
    g_string_append_printf (text, "every domain is %s", tt_config_mode_text ((TtConfigMode) self->targets[0].mode));
  for (guint i = 0; i < self->n; i++)
    {
      const char *name = tt_config_domain (domains, i)->name;

      if (self->targets[i].mode >= 0 && !is_one)
        g_string_append_printf (text, "%s%s is %s", text->len > 0 ? ", " : "", name,
                                tt_config_mode_text ((TtConfigMode) self->targets[i].mode));
      if (self->targets[i].activity != NULL)
        g_string_append_printf (text, "%sdevice_activity of %s is %s", text->len > 0 ? ", " : "", name,
                                self->targets[i].activity);
    }
  return g_string_free (g_steal_pointer (&text), FALSE);
}

void
tt_window_end_free (TtWindowEnd *self)
{
  if (self == NULL)
    return;
  for (guint i = 0; i < self->n; i++)
    g_free (self->targets[i].activity);
  g_free (self->targets);
  g_free (self);
}
