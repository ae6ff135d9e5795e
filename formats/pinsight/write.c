/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/pinsight/trace-config.h"

#include <string.h>

/* -- pieces --------------------------------------------------------------------------------------- */

void
tt_id_set_append (const GArray *ids, GString *out)
{
  if (ids->len == 0)
    g_string_append (out, "none");
  for (guint i = 0; i < ids->len; i++)
    {
      const TtIdRange *range = &g_array_index (ids, TtIdRange, i);
      g_string_append_printf (out, "%s%u", i == 0 ? "" : ",", range->low);
      if (range->high > range->low)
        g_string_append_printf (out, "-%u", range->high);
    }
}

void
tt_punit_sets_append (const TtConfigDomains *domains, const GPtrArray *sets, GString *out)
{
  for (guint i = 0; i < sets->len; i++)
    {
      const TtPunitSet *set = sets->pdata[i];
      const TtConfigKind *kind = tt_config_kind (domains, set->kind);

      g_string_append_printf (out, "%s%s.%s(", i == 0 ? "" : ", ", tt_config_domain (domains, kind->domain)->name,
                              kind->name);
      tt_id_set_append (set->ids, out);
      g_string_append_c (out, ')');
    }
}

static void
append_lex_id (const TtConfigDomains *domains, const TtLexId *id, GString *out)
{
  if (id->is_address)
    {
      g_string_append_printf (out, "0x%" G_GINT64_MODIFIER "x", id->address);
      return;
    }
  if (id->domain >= 0)
    g_string_append_printf (out, "%s:", tt_config_domain (domains, (guint) id->domain)->name);
  if (id->file != NULL)
    g_string_append_printf (out, "%s:", id->file);
  g_string_append (out, id->name);
}

char *
tt_config_lexgion_text (const TtConfig *self, const TtConfigLexgion *lexgion)
{
  g_autoptr (GString) text = g_string_new ("Lexgion");

  if (lexgion->id != NULL)
    {
      g_string_append_c (text, '(');
      append_lex_id (self->domains, lexgion->id, text);
      g_string_append_c (text, ')');
    }
  else if (lexgion->domain >= 0)
    g_string_append_printf (text, "(%s).default", tt_config_domain (self->domains, (guint) lexgion->domain)->name);
  else
    g_string_append (text, ".default");
  return g_string_free (g_steal_pointer (&text), FALSE);
}

char *
tt_punit_section_text (const TtConfig *self, const TtPunitSection *section)
{
  g_autoptr (GString) text = g_string_new (NULL);

  tt_punit_sets_append (self->domains, section->targets, text);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

/* -- the file ------------------------------------------------------------------------------------- */

static void
append_target (const TtConfig *self, const TtConfigHeader *header, GString *out)
{
  const TtConfigDomains *domains = self->domains;
  const char *domain = header->domain >= 0 ? tt_config_domain (domains, (guint) header->domain)->name : NULL;

  switch (header->target)
    {
    case TT_CONFIG_DOMAIN_DEFAULT:
      g_string_append_printf (out, "%s.default", domain);
      break;
    case TT_CONFIG_PUNITS:
      tt_punit_sets_append (domains, header->punits, out);
      break;
    case TT_CONFIG_ALL_PUNITS:
      g_string_append_printf (out, "%s.%s(*)", domain, tt_config_kind (domains, header->kind)->name);
      break;
    case TT_CONFIG_LEXGION_DEFAULT:
      g_string_append (out, "Lexgion.default");
      break;
    case TT_CONFIG_LEXGION_DOMAIN_DEFAULT:
      g_string_append_printf (out, "Lexgion(%s).default", domain);
      break;
    case TT_CONFIG_LEXGIONS:
      g_string_append (out, "Lexgion(");
      for (guint i = 0; i < header->ids->len; i++)
        {
          g_string_append (out, i == 0 ? "" : ", ");
          append_lex_id (domains, header->ids->pdata[i], out);
        }
      g_string_append_c (out, ')');
      break;
    case TT_CONFIG_KNOB:
      g_string_append (out, "Knob");
      break;
    case TT_CONFIG_ENERGY:
      g_string_append (out, "Energy");
      break;
    case TT_CONFIG_MANIFEST:
      g_string_append (out, "Manifest");
      break;
    }
}

static void
append_bases (const TtConfig *self, const GArray *bases, GString *out)
{
  for (guint i = 0; i < bases->len; i++)
    {
      int base = g_array_index (bases, int, i);
      g_string_append_printf (out, "%s%s.default", i == 0 ? "" : ", ",
                              base < 0 ? "Lexgion" : tt_config_domain (self->domains, (guint) base)->name);
    }
}

static void
append_header (const TtConfig *self, const TtConfigHeader *header, GString *out)
{
  static const char *const actions[] = { "", "SET ", "RESET ", "REMOVE " };
  gboolean has_parts = header->has_bases || header->has_constraints;

  g_string_append_printf (out, "[%s", actions[header->action]);
  append_target (self, header, out);
  if (self->is_newer)
    g_string_append (out, has_parts ? "] : " : "]\n");
  else if (has_parts)
    g_string_append (out, ": ");
  if (has_parts)
    append_bases (self, header->bases, out);
  if (header->has_constraints)
    {
      g_string_append (out, self->is_newer && header->has_bases ? " : " : ": ");
      tt_punit_sets_append (self->domains, header->constraints, out);
    }
  if (!self->is_newer)
    g_string_append (out, "]\n");
  else if (has_parts)
    g_string_append_c (out, '\n');
}

/* Comments right above a header stay with it: the empty line goes before them. */
static gboolean
leads_to_header (const TtConfig *self, guint i)
{
  for (; i < self->statements->len; i++)
    {
      const TtStatement *statement = self->statements->pdata[i];
      if (statement->kind != TT_STATEMENT_COMMENT)
        return statement->kind == TT_STATEMENT_HEADER;
    }
  return FALSE;
}

void
tt_config_write_canonical (const TtConfig *self, gboolean with_comments, GString *out)
{
  gboolean in_section = FALSE, is_blank = FALSE, is_lead = FALSE;
  gsize begin = out->len;

  for (guint i = 0; i < self->statements->len; i++)
    {
      const TtStatement *statement = self->statements->pdata[i];

      if (statement->kind == TT_STATEMENT_COMMENT && !with_comments)
        continue;
      if (statement->kind == TT_STATEMENT_BLANK)
        {
          is_blank = TRUE;
          continue;
        }
      gboolean leads = with_comments ? leads_to_header (self, i) : statement->kind == TT_STATEMENT_HEADER;
      gboolean opens = leads && !is_lead;
      /* An empty line before a section, and where there was one around comments. */
      if (out->len > begin &&
          (opens || (is_blank && with_comments && (leads || statement->kind == TT_STATEMENT_COMMENT))))
        g_string_append_c (out, '\n');
      is_blank = FALSE;
      is_lead = leads && statement->kind == TT_STATEMENT_COMMENT;

      if (statement->kind == TT_STATEMENT_HEADER)
        {
          append_header (self, statement->header, out);
          in_section = TRUE;
        }
      else if (statement->kind == TT_STATEMENT_COMMENT)
        g_string_append_printf (out, "%s%s\n", in_section && !leads ? "  " : "", statement->text);
      else
        g_string_append_printf (out, "  %s = %s\n", statement->text, statement->value);
    }
}
