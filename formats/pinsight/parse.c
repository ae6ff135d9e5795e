/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/pinsight/parse-private.h"

#include <string.h>

#define LONGEST_LINE (64u << 10)
#define MANIFEST_INTERVAL_S 10

/* -- a configuration ------------------------------------------------------------------------------ */

static void
fault_free (gpointer data)
{
  TtConfigFault *fault = data;

  g_free (fault->text);
  g_free (fault->hint);
  g_free (fault);
}

static void
statement_free (gpointer data)
{
  TtStatement *statement = data;

  g_free (statement->text);
  g_free (statement->value);
  tt_config_header_free (statement->header);
  g_free (statement);
}

static void
knob_free (gpointer data)
{
  TtKnob *knob = data;

  g_free (knob->name);
  g_free (knob->value);
  g_free (knob);
}

static TtConfig *
config_new (const TtConfigDomains *domains, const char *path)
{
  TtConfig *self = g_new0 (TtConfig, 1);
  guint n_domains = domains->domains->len;

  self->domains = domains;
  self->path = g_strdup (path);
  self->statements = g_ptr_array_new_with_free_func (statement_free);
  self->faults = g_ptr_array_new_with_free_func (fault_free);
  self->defaults = g_new0 (TtDomainDefault, n_domains);
  self->scopes = g_new0 (TtConfigScope, domains->kinds->len);
  self->sections = g_ptr_array_new_with_free_func (tt_punit_section_free);
  self->lexgion_default = tt_config_lexgion_new (domains);
  self->domain_lexgions = g_ptr_array_new_with_free_func (tt_config_lexgion_free);
  g_ptr_array_set_size (self->domain_lexgions, (int) n_domains);
  self->lexgions = g_ptr_array_new_with_free_func (tt_config_lexgion_free);
  self->knobs = g_ptr_array_new_with_free_func (knob_free);
  self->manifest_interval_s = MANIFEST_INTERVAL_S;

  for (guint i = 0; i < n_domains; i++)
    {
      const TtConfigDomain *domain = tt_config_domain (domains, i);
      self->defaults[i].events = domain->installed;
      for (guint mode = 0; mode <= TT_MODE_TRACING; mode++)
        if (strcmp (domain->mode_text, tt_config_mode_text ((TtConfigMode) mode)) == 0)
          self->defaults[i].mode = (TtConfigMode) mode;
    }
  for (guint i = 0; i < domains->kinds->len; i++)
    self->scopes[i] =
        (TtConfigScope){ .low = tt_config_kind (domains, i)->low, .high = tt_config_kind (domains, i)->high };
  return self;
}

void
tt_config_free (TtConfig *self)
{
  if (self == NULL)
    return;
  for (guint i = 0; i < self->domains->domains->len; i++)
    g_free (self->defaults[i].device_activity);
  g_free (self->path);
  g_ptr_array_unref (self->statements);
  g_ptr_array_unref (self->faults);
  g_free (self->defaults);
  g_free (self->scopes);
  g_ptr_array_unref (self->sections);
  tt_config_lexgion_free (self->lexgion_default);
  g_ptr_array_unref (self->domain_lexgions);
  g_ptr_array_unref (self->lexgions);
  g_ptr_array_unref (self->knobs);
  g_free (self->measure);
  g_free (self);
}

/* -- lines ---------------------------------------------------------------------------------------- */

static TtStatement *
add_statement (Parser *self, TtStatementKind kind)
{
  TtStatement *statement = g_new0 (TtStatement, 1);

  statement->kind = kind;
  statement->line = self->line_number;
  g_ptr_array_add (self->config->statements, statement);
  return statement;
}

/* NUL is no text anywhere, bytes that are not UTF-8 are none outside comments. */
static gboolean
check_bytes (Parser *self, TtPiece line)
{
  const char *nul = memchr (self->line, '\0', self->line_len), *bad;

  if (nul != NULL)
    {
      tt_config_error (self, nul, "E-ENCODING", NULL, "a zero byte in the text");
      return FALSE;
    }
  if (line.len > 0 && *line.at == '#')
    return TRUE;
  if (g_utf8_validate (line.at, (gssize) line.len, &bad))
    return TRUE;
  tt_config_error (self, bad, "E-ENCODING", g_strdup ("save the file as UTF-8"), "byte 0x%02x is not UTF-8",
                   (guint) (guchar) *bad);
  return FALSE;
}

static void
read_header (Parser *self, TtPiece line)
{
  TtConfigHeader *header = tt_config_parse_header (self, line);

  self->state = SECTION_LEFT_OUT;
  if (header == NULL)
    return;
  add_statement (self, TT_STATEMENT_HEADER)->header = header;
  tt_config_open_section (self, header);
}

static void
read_assignment (Parser *self, TtPiece line)
{
  const char *equals = memchr (line.at, '=', line.len);

  if (self->state == SECTION_LEFT_OUT && self->header == NULL)
    return;
  if (equals == NULL)
    {
      tt_config_error (self, line.at, "E-SYNTAX", NULL, "neither a section, a comment nor KEY = VALUE");
      return;
    }
  TtPiece key = tt_piece_strip ((TtPiece){ line.at, (gsize) (equals - line.at) });
  TtPiece value = tt_piece_strip ((TtPiece){ equals + 1, line.len - (gsize) (equals + 1 - line.at) });
  if (self->state == SECTION_NONE)
    {
      tt_config_error (self, line.at, "E-NOSECTION", g_strdup ("begin with a section, as in [OpenMP.default]"),
                       "a key before the first section");
      return;
    }
  char *canonical = self->state == SECTION_OPEN ? tt_config_assign (self, key, value) : NULL;
  TtStatement *statement = add_statement (self, TT_STATEMENT_ASSIGNMENT);
  statement->text = tt_piece_dup (key);
  statement->value = canonical != NULL ? canonical : tt_piece_dup (value);
}

static void
read_line (Parser *self)
{
  TtPiece line = tt_piece_strip ((TtPiece){ self->line, self->line_len });
  gboolean is_header = line.len > 0 && *line.at == '[';

  if (self->line_len > LONGEST_LINE)
    tt_config_error (self, self->line, "E-SYNTAX", NULL, "a line of more than 64 KiB");
  if (self->line_len > LONGEST_LINE || !check_bytes (self, line))
    {
      if (is_header)
        {
          self->state = SECTION_LEFT_OUT;
          self->header = NULL;
        }
      return;
    }

  if (line.len == 0)
    add_statement (self, TT_STATEMENT_BLANK);
  else if (*line.at == '#')
    add_statement (self, TT_STATEMENT_COMMENT)->text = tt_piece_dup (line);
  else if (is_header)
    {
      self->header = NULL;
      read_header (self, line);
    }
  else
    read_assignment (self, line);
}

static int
by_place (gconstpointer a, gconstpointer b)
{
  const TtConfigFault *one = *(TtConfigFault *const *) a, *other = *(TtConfigFault *const *) b;

  if (one->line != other->line)
    return one->line < other->line ? -1 : 1;
  return one->column < other->column ? -1 : one->column > other->column;
}

TtConfig *
tt_config_parse_as (const TtConfigDomains *domains, TtPInsight pinsight, const char *path, const char *text, gsize len)
{
  Parser self = { .config = config_new (domains, path), .domains = domains, .pinsight = pinsight };
  const char *end = text + len;

  self.lexgions = g_ptr_array_new ();
  self.keys = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self.config->skips_sections = pinsight != TT_PINSIGHT_SEED;
  self.config->ignores_windows = pinsight == TT_PINSIGHT_2026_02;
  self.is_domain_copied = g_new0 (gboolean, domains->domains->len);
  if (len >= 3 && memcmp (text, "\xef\xbb\xbf", 3) == 0)
    text += 3;
  while (text < end && !self.is_stopped)
    {
      const char *newline = memchr (text, '\n', (gsize) (end - text));

      self.line = text;
      self.line_len = (gsize) ((newline == NULL ? end : newline) - text);
      self.line_number++;
      read_line (&self);
      text = newline == NULL ? end : newline + 1;
    }
  tt_config_complete (&self);
  g_ptr_array_sort (self.config->faults, by_place);

  g_ptr_array_unref (self.lexgions);
  g_hash_table_unref (self.keys);
  g_free (self.is_domain_copied);
  return self.config;
}

TtConfig *
tt_config_parse (const TtConfigDomains *domains, const char *path, const char *text, gsize len)
{
  return tt_config_parse_as (domains, TT_PINSIGHT_SEED, path, text, len);
}

TtConfig *
tt_config_load (const TtConfigDomains *domains, const char *path, GError **error)
{
  gsize len;
  g_autofree char *text = tt_config_read_file (path, &len, error);

  return text == NULL ? NULL : tt_config_parse (domains, path, text, len);
}
