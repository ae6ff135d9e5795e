/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/cli/config-file.h"

#include "src/base/suggest.h"
#include "src/cli/command.h"

#include <stdio.h>
#include <string.h>

const char *const tt_pinsight_words[] = { "seed", "2026-02", "head", NULL };

gboolean
tt_pinsight_parse (const char *text, TtPInsight *pinsight, GError **error)
{
  for (guint i = 0; i < TT_N_PINSIGHTS; i++)
    if (text == NULL || strcmp (text, tt_pinsight_words[i]) == 0)
      {
        *pinsight = (TtPInsight) i;
        return TRUE;
      }
  g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "'--pinsight' is seed, 2026-02 or head, not '%s'", text);
  return FALSE;
}

TtConfigFile *
tt_config_file_open (const char *path, const char *domains_path, const char *pinsight, GError **error)
{
  g_autoptr (TtConfigFile) self = g_new0 (TtConfigFile, 1);
  TtPInsight whose;

  if (!tt_pinsight_parse (pinsight, &whose, error))
    return NULL;
  self->domains = tt_config_domains_load (domains_path, error);
  if (self->domains == NULL)
    return NULL;
  self->text = tt_config_read_file (path, &self->len, error);
  if (self->text == NULL)
    return NULL;
  self->config = tt_config_parse_as (self->domains, whose, path, self->text, self->len);
  return g_steal_pointer (&self);
}

void
tt_config_file_free (TtConfigFile *self)
{
  if (self == NULL)
    return;
  tt_config_free (self->config);
  tt_config_domains_free (self->domains);
  g_free (self->text);
  g_free (self);
}

gboolean
tt_config_file_check (const TtConfigFile *self, GError **error)
{
  g_autoptr (GString) text = g_string_new (NULL);

  tt_config_describe_faults (self->config, self->text, self->len, text);
  tt_message_lines (text->str);
  if (self->config->n_errors == 0)
    return TRUE;
  g_set_error (error, TT_ERROR, TT_ERROR_FORMAT, "'%s' has %u %s", self->config->path, self->config->n_errors,
               self->config->n_errors == 1 ? "error" : "errors");
  return FALSE;
}

static gboolean
parse_punit (const TtConfigDomains *domains, const char *text, gint64 *ids, GError **error)
{
  g_autofree char *word = g_strstrip (g_strdup (text));
  char *equals = strchr (word, '='), *dot = strchr (word, '.');
  guint64 id;

  if (equals == NULL || dot == NULL || dot > equals)
    {
      g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "'%s' is not DOMAIN.kind=ID, as in MPI.rank=0", word);
      return FALSE;
    }
  *equals = '\0';
  *dot = '\0';
  int domain = tt_config_domains_find (domains, word, strlen (word));
  int kind = domain < 0 ? -1 : tt_config_domains_find_kind (domains, (guint) domain, dot + 1, strlen (dot + 1));
  if (kind < 0)
    {
      g_autoptr (GString) known = g_string_new (NULL);
      for (guint i = 0; i < domains->kinds->len; i++)
        g_string_append_printf (known, "%s%s.%s", i == 0 ? "" : ", ",
                                tt_config_domain (domains, tt_config_kind (domains, i)->domain)->name,
                                tt_config_kind (domains, i)->name);
      g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "there are no units '%s.%s'; known are %s", word, dot + 1,
                   known->str);
      return FALSE;
    }
  if (!g_ascii_string_to_unsigned (equals + 1, 10, 0, G_MAXUINT32 - 1, &id, NULL))
    {
      g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "'%s' is no id of %s.%s", equals + 1, word, dot + 1);
      return FALSE;
    }
  ids[kind] = (gint64) id;
  return TRUE;
}

gint64 *
tt_config_parse_punits (const TtConfigDomains *domains, const char *text, GError **error)
{
  g_autofree gint64 *ids = g_new (gint64, domains->kinds->len);
  g_auto (GStrv) parts = g_strsplit (text != NULL ? text : "", ",", -1);

  for (guint i = 0; i < domains->kinds->len; i++)
    ids[i] = -1;
  for (guint i = 0; parts[i] != NULL; i++)
    if (*g_strstrip (parts[i]) != '\0' && !parse_punit (domains, parts[i], ids, error))
      return NULL;
  return g_steal_pointer (&ids);
}
