/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/pinsight/domains.h"

#include "src/base/error.h"
#include "src/base/input.h"
#include "src/base/look.h"
#include "src/base/shipped.h"

#include <string.h>

#define TABLE_FILE "pinsight-domains.tsv"
#define LARGEST_ID 1000000u
#define LARGEST_FILE (16u << 20)

enum
{
  COLUMN_DOMAIN,
  COLUMN_KIND,
  COLUMN_NAME,
  COLUMN_DEFAULT,
  COLUMN_GROUP,
  N_COLUMNS,
};

/* -- finding ------------------------------------------------------------------------------------- */

static gboolean
is_text (const char *text, const char *name, gsize len)
{
  return strncmp (text, name, len) == 0 && text[len] == '\0';
}

int
tt_config_domains_find (const TtConfigDomains *self, const char *name, gsize len)
{
  for (guint i = 0; i < self->domains->len; i++)
    if (is_text (tt_config_domain (self, i)->name, name, len))
      return (int) i;
  return -1;
}

int
tt_config_domains_find_kind (const TtConfigDomains *self, guint domain, const char *name, gsize len)
{
  for (guint i = 0; i < self->kinds->len; i++)
    if (tt_config_kind (self, i)->domain == domain && is_text (tt_config_kind (self, i)->name, name, len))
      return (int) i;
  return -1;
}

int
tt_config_domain_find_event (const TtConfigDomain *self, const char *name, gsize len)
{
  for (guint i = 0; i < self->events->len; i++)
    if (is_text (tt_config_event (self, i)->name, name, len))
      return (int) i;
  return -1;
}

gboolean
tt_config_domain_has_key (const TtConfigDomain *self, const char *name, gsize len)
{
  for (guint i = 0; i < self->keys->len; i++)
    if (is_text (self->keys->pdata[i], name, len))
      return TRUE;
  return FALSE;
}

/* -- reading ------------------------------------------------------------------------------------- */

static void
clear_event (gpointer data)
{
  TtConfigEvent *event = data;

  g_free (event->name);
  g_free (event->group);
}

static void
clear_domain (gpointer data)
{
  TtConfigDomain *domain = data;

  g_free (domain->name);
  g_array_unref (domain->events);
  g_ptr_array_unref (domain->keys);
}

static void
clear_kind (gpointer data)
{
  g_free (((TtConfigKind *) data)->name);
}

/* A letter, then letters, digits and underlines: what the language can name. */
static gboolean
is_name (const char *text)
{
  if (!g_ascii_isalpha (*text))
    return FALSE;
  for (; *text != '\0'; text++)
    if (!g_ascii_isalnum (*text) && *text != '_')
      return FALSE;
  return TRUE;
}

static TtConfigDomain *
see_domain (TtConfigDomains *self, const char *name)
{
  int found = tt_config_domains_find (self, name, strlen (name));

  if (found < 0)
    {
      TtConfigDomain domain = { .name = g_strdup (name), .mode_text = "TRACING" };

      domain.events = g_array_new (FALSE, TRUE, sizeof (TtConfigEvent));
      g_array_set_clear_func (domain.events, clear_event);
      domain.keys = g_ptr_array_new_with_free_func (g_free);
      g_array_append_val (self->domains, domain);
      found = (int) self->domains->len - 1;
    }
  return &g_array_index (self->domains, TtConfigDomain, found);
}

static gboolean
parse_ids (const char *text, guint32 *low, guint32 *high)
{
  guint64 first, last;
  g_auto (GStrv) ends = g_strsplit (text, "-", 2);

  if (ends[0] == NULL || !g_ascii_string_to_unsigned (ends[0], 10, 0, LARGEST_ID, &first, NULL))
    return FALSE;
  last = first;
  if (ends[1] != NULL && !g_ascii_string_to_unsigned (ends[1], 10, first, LARGEST_ID, &last, NULL))
    return FALSE;
  *low = (guint32) first;
  *high = (guint32) last;
  return TRUE;
}

static const char *
add_kind (TtConfigDomains *self, guint domain, char **column)
{
  int found = tt_config_domains_find_kind (self, domain, column[COLUMN_NAME], strlen (column[COLUMN_NAME]));
  TtConfigKind kind = { .domain = domain };

  if (!parse_ids (column[COLUMN_DEFAULT], &kind.low, &kind.high))
    return "ids are LOW-HIGH";
  if (found < 0)
    {
      kind.name = g_strdup (column[COLUMN_NAME]);
      g_array_append_val (self->kinds, kind);
      return NULL;
    }
  TtConfigKind *known = &g_array_index (self->kinds, TtConfigKind, found);
  known->low = kind.low;
  known->high = kind.high;
  return NULL;
}

static const char *
add_event (TtConfigDomain *domain, char **column, guint n_columns)
{
  int found = tt_config_domain_find_event (domain, column[COLUMN_NAME], strlen (column[COLUMN_NAME]));
  gboolean is_installed = strcmp (column[COLUMN_DEFAULT], "on") == 0;

  if (!is_installed && strcmp (column[COLUMN_DEFAULT], "off") != 0)
    return "an event is on or off";
  if (found < 0)
    {
      TtConfigEvent event = { .name = g_strdup (column[COLUMN_NAME]) };

      if (domain->events->len == TT_CONFIG_MOST_EVENTS)
        {
          g_free (event.name);
          return "a domain has at most 64 events";
        }
      event.group = n_columns > COLUMN_GROUP ? g_strdup (column[COLUMN_GROUP]) : NULL;
      g_array_append_val (domain->events, event);
      found = (int) domain->events->len - 1;
    }
  g_array_index (domain->events, TtConfigEvent, found).is_installed = is_installed;
  domain->installed &= ~((guint64) 1 << found);
  domain->installed |= (guint64) is_installed << found;
  return NULL;
}

/* What is wrong with the line; NULL: nothing. */
static const char *
add_line (TtConfigDomains *self, char **column, guint n_columns)
{
  static const char *const modes[] = { "OFF", "STANDBY", "MONITORING", "TRACING", NULL };

  if (n_columns <= COLUMN_DEFAULT)
    return "fewer than four columns";
  if (strcmp (column[COLUMN_KIND], "section") == 0)
    return NULL;
  if (!is_name (column[COLUMN_DOMAIN]) || strcmp (column[COLUMN_DOMAIN], "Lexgion") == 0)
    return "no name for a domain";
  if (!is_name (column[COLUMN_NAME]) || strcmp (column[COLUMN_NAME], "default") == 0)
    return "no name";

  TtConfigDomain *domain = see_domain (self, column[COLUMN_DOMAIN]);
  guint index = (guint) (domain - (TtConfigDomain *) (gpointer) self->domains->data);
  if (strcmp (column[COLUMN_KIND], "punit") == 0)
    return add_kind (self, index, column);
  if (strcmp (column[COLUMN_KIND], "event") == 0)
    return add_event (domain, column, n_columns);
  if (strcmp (column[COLUMN_KIND], "key") == 0)
    {
      if (!tt_config_domain_has_key (domain, column[COLUMN_NAME], strlen (column[COLUMN_NAME])))
        g_ptr_array_add (domain->keys, g_strdup (column[COLUMN_NAME]));
      return NULL;
    }
  if (strcmp (column[COLUMN_KIND], "domain") != 0)
    return "the second column is domain, punit, event or key";
  /* The text after the mode is a remark. */
  column[COLUMN_DEFAULT][strcspn (column[COLUMN_DEFAULT], "; ")] = '\0';
  if (!g_strv_contains (modes, column[COLUMN_DEFAULT]))
    return "a domain starts OFF, STANDBY, MONITORING or TRACING";
  domain->mode_text = g_intern_string (column[COLUMN_DEFAULT]);
  return NULL;
}

static gboolean
add_text (TtConfigDomains *self, const char *text, const char *name, GError **error)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);

  for (guint i = 0; lines[i] != NULL; i++)
    {
      g_strchomp (lines[i]);
      if (*lines[i] == '\0' || *lines[i] == '#' || g_str_has_prefix (lines[i], "domain\tkind\t"))
        continue;
      g_auto (GStrv) column = g_strsplit (lines[i], "\t", N_COLUMNS + 1);
      const char *fault = add_line (self, column, g_strv_length (column));
      if (fault != NULL)
        {
          g_set_error (error, TT_ERROR, TT_ERROR_FORMAT, "%s: line %u: %s", name, i + 1, fault);
          return FALSE;
        }
    }
  return TRUE;
}

static TtConfigDomains *
domains_new (void)
{
  TtConfigDomains *self = g_new0 (TtConfigDomains, 1);

  self->domains = g_array_new (FALSE, TRUE, sizeof (TtConfigDomain));
  g_array_set_clear_func (self->domains, clear_domain);
  self->kinds = g_array_new (FALSE, TRUE, sizeof (TtConfigKind));
  g_array_set_clear_func (self->kinds, clear_kind);
  return self;
}

void
tt_config_domains_free (TtConfigDomains *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->domains);
  g_array_unref (self->kinds);
  g_free (self);
}

TtConfigDomains *
tt_config_domains_parse (const char *text, const char *name, GError **error)
{
  g_autoptr (TtConfigDomains) self = domains_new ();

  return add_text (self, text, name, error) ? g_steal_pointer (&self) : NULL;
}

char *
tt_config_read_file (const char *path, gsize *len, GError **error)
{
  g_autoptr (TtInput) input = tt_input_open (path, error);
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  guint8 piece[16384];

  if (input == NULL)
    return NULL;
  for (gssize n; (n = tt_input_read (input, piece, sizeof piece, error)) != 0;)
    {
      if (n < 0)
        return NULL;
      g_byte_array_append (bytes, piece, (guint) n);
      if (bytes->len > LARGEST_FILE)
        {
          g_set_error (error, TT_ERROR, TT_ERROR_FORMAT, "%s: more than 16 MiB are no configuration", path);
          return NULL;
        }
    }
  if (len != NULL)
    *len = bytes->len;
  g_byte_array_append (bytes, (const guint8 *) "", 1);
  return (char *) g_byte_array_free (g_steal_pointer (&bytes), FALSE);
}

gboolean
tt_config_data_read (const char *name, char **path, char **text, GError **error)
{
  g_autoptr (GError) fault = NULL;

  *path = tt_shipped_data (name);
  if (tt_look_contents (*path, text, NULL, &fault))
    return TRUE;
  g_set_error (error, TT_ERROR, TT_ERROR_INPUT, "cannot read shipped data: %s", fault->message);
  return FALSE;
}

TtConfigDomains *
tt_config_domains_load (const char *extra_path, GError **error)
{
  g_autoptr (TtConfigDomains) self = domains_new ();
  g_autofree char *path = NULL, *text = NULL, *extra = NULL;

  if (!tt_config_data_read (TABLE_FILE, &path, &text, error) || !add_text (self, text, path, error))
    return NULL;
  if (extra_path == NULL)
    return g_steal_pointer (&self);
  extra = tt_config_read_file (extra_path, NULL, error);
  if (extra == NULL)
    return NULL;
  return add_text (self, extra, extra_path, error) ? g_steal_pointer (&self) : NULL;
}
