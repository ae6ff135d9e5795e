/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/pinsight/parse-private.h"

#include <string.h>

/* -- freeing -------------------------------------------------------------------------------------- */

void
tt_config_header_free (TtConfigHeader *header)
{
  if (header == NULL)
    return;
  g_ptr_array_unref (header->punits);
  g_ptr_array_unref (header->ids);
  g_array_unref (header->bases);
  g_ptr_array_unref (header->constraints);
  g_free (header);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtConfigHeader, tt_config_header_free)

static TtConfigHeader *
new_header (void)
{
  TtConfigHeader *header = g_new0 (TtConfigHeader, 1);

  header->domain = TT_CONFIG_NO_DOMAIN;
  header->punits = g_ptr_array_new_with_free_func (tt_punit_set_free);
  header->ids = g_ptr_array_new_with_free_func ((GDestroyNotify) tt_lex_id_free);
  header->bases = g_array_new (FALSE, FALSE, sizeof (int));
  header->constraints = g_ptr_array_new_with_free_func (tt_punit_set_free);
  return header;
}

/* -- parts ---------------------------------------------------------------------------------------- */

static TtConfigAction
read_action (TtPiece *target)
{
  static const char *const words[] = { "SET", "RESET", "REMOVE" };
  static const TtConfigAction actions[] = { TT_CONFIG_SET, TT_CONFIG_RESET, TT_CONFIG_REMOVE };

  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    {
      gsize len = strlen (words[i]);
      if (target->len > len && g_ascii_strncasecmp (target->at, words[i], len) == 0 &&
          g_ascii_isspace (target->at[len]))
        {
          *target = tt_piece_strip (tt_piece_from (*target, len));
          return actions[i];
        }
    }
  return TT_CONFIG_NO_ACTION;
}

/* Splits at colons outside parentheses into parts from @first on. */
static gboolean
split_parts (Parser *self, TtPiece text, guint first, HeaderParts *parts)
{
  for (guint i = first;; i++)
    {
      gsize colon = tt_piece_find (text, ':');
      if (i == N_HEADER_PARTS)
        {
          tt_config_error (self, text.at - 1, "E-HEADER", g_strdup ("a header is target : inheritance : constraints"),
                           "more than three parts");
          return FALSE;
        }
      parts->part[i] = tt_piece_strip ((TtPiece){ text.at, colon });
      if (colon == text.len)
        return TRUE;
      text = tt_piece_from (text, colon + 1);
    }
}

/* Distinguishes the two forms: only the newer has its parts after the bracket. */
static gboolean
cut_header (Parser *self, TtPiece line, HeaderParts *parts)
{
  const char *close = memchr (line.at, ']', line.len);

  if (close == NULL)
    {
      tt_config_error (self, line.at + line.len, "E-HEADER", NULL, "no ']' at the end of the section header");
      return FALSE;
    }
  TtPiece inside = tt_piece_strip ((TtPiece){ line.at + 1, (gsize) (close - line.at) - 1 });
  TtPiece after = tt_piece_strip ((TtPiece){ close + 1, line.len - (gsize) (close + 1 - line.at) });
  TtPiece target = inside;

  parts->action = read_action (&target);
  parts->inside = inside;
  parts->is_outside = after.len > 0;
  parts->skips_second = after.len > 1 && after.at[0] == ':' && after.at[1] == ':';
  if (after.len == 0 && parts->action == TT_CONFIG_NO_ACTION)
    return split_parts (self, inside, 0, parts);

  self->config->is_newer = TRUE;
  gsize colon = tt_piece_find (target, ':');
  if (after.len > 0 && *after.at != ':')
    {
      tt_config_error (self, after.at, "E-HEADER", g_strdup ("only ': inheritance : constraints' may follow the ']'"),
                       "text after the ']'");
      return FALSE;
    }
  if (colon < target.len)
    {
      tt_config_error (self, target.at + colon, "E-HEADER",
                       g_strdup (after.len > 0 ? "put all parts inside the brackets, or all but the target after them"
                                               : "after an action the parts follow the ']'"),
                       "parts inside the brackets of a header of the newer form");
      return FALSE;
    }
  parts->part[0] = target;
  return after.len == 0 || split_parts (self, tt_piece_from (after, 1), 1, parts);
}

/* -- targets -------------------------------------------------------------------------------------- */

/* One kind has one set, whether it was written in one piece or in several. */
static void
add_set (GPtrArray *sets, TtPunitSet *set)
{
  for (guint i = 0; i < sets->len; i++)
    {
      TtPunitSet *known = sets->pdata[i];
      if (known->kind != set->kind)
        continue;
      for (guint k = 0; k < set->ids->len; k++)
        tt_id_set_add (known->ids, g_array_index (set->ids, TtIdRange, k).low,
                       g_array_index (set->ids, TtIdRange, k).high);
      tt_punit_set_free (set);
      return;
    }
  g_ptr_array_add (sets, set);
}

/* D.kind(*), of REMOVE only. */
static gboolean
parse_all_punits (Parser *self, TtPiece spec, TtConfigHeader *header)
{
  TtPiece domain_name, kind_name, ids;
  gboolean is_closed;

  if (header->action != TT_CONFIG_REMOVE || !tt_config_split_punit (spec, &domain_name, &kind_name, &ids, &is_closed) ||
      !is_closed || !tt_piece_is (tt_piece_strip (ids), "*"))
    return FALSE;
  int domain = tt_config_domains_find (self->domains, domain_name.at, domain_name.len);
  int kind = domain < 0 ? -1 : tt_config_domains_find_kind (self->domains, (guint) domain, kind_name.at, kind_name.len);
  if (kind < 0)
    return FALSE;
  header->target = TT_CONFIG_ALL_PUNITS;
  header->domain = domain;
  header->kind = (guint) kind;
  return TRUE;
}

static gboolean
parse_punit_target (Parser *self, TtPiece list, TtConfigHeader *header)
{
  TtPiece spec;
  gboolean is_good = TRUE;

  header->target = TT_CONFIG_PUNITS;
  while (tt_piece_next (&list, ',', &spec))
    {
      TtPunitSet *set = tt_config_parse_punit (self, spec);
      if (set == NULL)
        {
          is_good = FALSE;
          continue;
        }
      int domain = (int) tt_config_kind (self->domains, set->kind)->domain;
      if (header->domain != TT_CONFIG_NO_DOMAIN && header->domain != domain)
        {
          tt_config_error (self, spec.at, "E-SPEC", g_strdup ("units of other domains are constraints: the third part"),
                           "a section is about units of one domain, not of %s and %s",
                           tt_config_domain (self->domains, (guint) header->domain)->name,
                           tt_config_domain (self->domains, (guint) domain)->name);
          is_good = FALSE;
        }
      else
        header->domain = domain;
      add_set (header->punits, set);
    }
  return is_good;
}

/* "D.default"; otherwise reports what is wrong with a name that is no punit. */
static gboolean
parse_domain_default (Parser *self, TtPiece text, TtConfigHeader *header)
{
  static const char *const ends[] = { "default", NULL };
  const char *dot = memchr (text.at, '.', text.len);

  if (dot == NULL)
    return tt_config_spec_error (self, text, "is no section");
  TtPiece name = tt_piece_strip ((TtPiece){ text.at, (gsize) (dot - text.at) });
  TtPiece word = tt_piece_strip ((TtPiece){ dot + 1, text.len - (gsize) (dot + 1 - text.at) });
  g_autofree char *name_text = tt_piece_dup (name), *word_text = tt_piece_dup (word);

  header->target = TT_CONFIG_DOMAIN_DEFAULT;
  header->domain = tt_config_domains_find (self->domains, name.at, name.len);
  if (header->domain < 0)
    {
      tt_config_error (self, name.at, "E-DOMAIN", tt_config_near_domain (self, name), "unknown domain '%s'", name_text);
      return FALSE;
    }
  if (tt_piece_is (word, "default"))
    return TRUE;

  gboolean is_kind = tt_config_domains_find_kind (self->domains, (guint) header->domain, word.at, word.len) >= 0;
  tt_config_error (self, word.at, "E-SPEC",
                   is_kind ? g_strdup_printf ("write %s.%s(0-3)", name_text, word_text) : tt_config_near (word, ends),
                   "'%s' is neither 'default' nor a kind of units with ids", word_text);
  return FALSE;
}

static gboolean
parse_target (Parser *self, TtPiece text, TtConfigHeader *header)
{
  static const struct
  {
    const char *name;
    TtConfigTarget target;
  } plain[] = { { "Knob", TT_CONFIG_KNOB }, { "Energy", TT_CONFIG_ENERGY }, { "Manifest", TT_CONFIG_MANIFEST } };
  TtPiece list = text, first = { 0 };

  if (text.len == 0)
    {
      tt_config_error (self, text.at, "E-HEADER", g_strdup ("as in [OpenMP.default] or [Lexgion(0x4010bd)]"),
                       "the section has no name");
      return FALSE;
    }
  for (guint i = 0; i < G_N_ELEMENTS (plain); i++)
    if (tt_piece_is (text, plain[i].name))
      {
        header->target = plain[i].target;
        self->config->is_newer = TRUE;
        return TRUE;
      }
  tt_piece_next (&list, ',', &first);
  gboolean is_punit =
      memchr (first.at, '(', first.len) != NULL && memchr (first.at, '.', first.len) != NULL &&
      memchr (first.at, '.', (gsize) ((const char *) memchr (first.at, '(', first.len) - first.at)) != NULL;

  if (!is_punit && list.at != NULL)
    {
      TtPiece second = tt_piece_strip (list);
      tt_config_error (self, second.at, "E-SPEC", NULL,
                       "only units, as in OpenMP.team(0), OpenMP.thread(0-3), make a list");
      return FALSE;
    }
  if (strncmp (first.at, "Lexgion", MIN (first.len, 7)) == 0 && first.len > 7 && !g_ascii_isalnum (first.at[7]))
    return tt_config_parse_lexgion (self, text, header);
  if (!is_punit)
    return parse_domain_default (self, text, header);
  return parse_all_punits (self, text, header) || parse_punit_target (self, text, header);
}

/* -- inheritance and constraints ------------------------------------------------------------------ */

static gboolean
parse_base (Parser *self, TtPiece element, TtConfigHeader *header)
{
  g_autofree char *text = tt_piece_dup (element);
  const char *dot = memchr (element.at, '.', element.len);
  int base = TT_CONFIG_BASE_LEXGION;

  if (dot == NULL || !tt_piece_is (tt_piece_strip (tt_piece_from (element, (gsize) (dot + 1 - element.at))), "default"))
    {
      tt_config_error (self, element.at, "E-INHERIT", g_strdup ("only defaults can be inherited, as in OpenMP.default"),
                       "'%s' is no default", text);
      return FALSE;
    }
  TtPiece name = tt_piece_strip ((TtPiece){ element.at, (gsize) (dot - element.at) });
  gboolean is_lexgion = tt_piece_is (name, "Lexgion");
  if (!is_lexgion)
    {
      base = tt_config_domains_find (self->domains, name.at, name.len);
      if (base < 0)
        {
          tt_config_error (self, element.at, "E-INHERIT", tt_config_near_domain (self, name),
                           "'%s' is of no known domain", text);
          return FALSE;
        }
    }
  if (header->target == TT_CONFIG_PUNITS && base != header->domain)
    {
      tt_config_error (
          self, element.at, "E-INHERIT",
          g_strdup_printf ("write %s.default", tt_config_domain (self->domains, (guint) header->domain)->name),
          "a section of units inherits only from the default of its own domain, not from '%s'", text);
      return FALSE;
    }
  g_array_append_val (header->bases, base);
  return TRUE;
}

static gboolean
parse_bases (Parser *self, TtPiece list, TtConfigHeader *header)
{
  TtPiece element;
  gboolean is_good = TRUE;

  if (list.len == 0)
    return TRUE;
  header->has_bases = TRUE;
  while (tt_piece_next (&list, ',', &element))
    is_good &= parse_base (self, element, header);
  return is_good;
}

static gboolean
parse_constraints (Parser *self, TtPiece list, TtConfigHeader *header)
{
  TtPiece spec;
  gboolean is_good = TRUE;

  if (list.len == 0)
    return TRUE;
  header->has_constraints = TRUE;
  while (tt_piece_next (&list, ',', &spec))
    {
      TtPunitSet *set = tt_config_parse_punit (self, spec);
      if (set == NULL)
        {
          is_good = FALSE;
          continue;
        }
      if (header->target == TT_CONFIG_PUNITS &&
          (int) tt_config_kind (self->domains, set->kind)->domain == header->domain)
        {
          tt_config_error (self, spec.at, "E-CONSTRAINT",
                           g_strdup ("units of the section's own domain belong to its target"),
                           "a constraint is about units of other domains");
          is_good = FALSE;
        }
      add_set (header->constraints, set);
    }
  return is_good;
}

static gboolean
takes_parts (const TtConfigHeader *header)
{
  return header->target == TT_CONFIG_PUNITS || header->target == TT_CONFIG_LEXGIONS ||
         header->target == TT_CONFIG_LEXGION_DEFAULT || header->target == TT_CONFIG_LEXGION_DOMAIN_DEFAULT;
}

TtConfigHeader *
tt_config_parse_header (Parser *self, TtPiece line)
{
  g_autoptr (TtConfigHeader) header = new_header ();
  HeaderParts parts = { 0 };

  if (!cut_header (self, line, &parts))
    return NULL;
  header->action = parts.action;
  header->line = self->line_number;
  header->column = (guint) (parts.part[0].at - self->line) + 1;
  if (!tt_config_read_as (self, &parts, header) ||
      (header->domain == TT_CONFIG_NO_DOMAIN && !parse_target (self, parts.part[0], header)) ||
      !tt_config_read_target_as (self, &parts, header))
    return NULL;

  const TtPiece *offender = parts.part[1].len > 0 ? &parts.part[1] : &parts.part[2];
  if (offender->len > 0 && !takes_parts (header))
    {
      tt_config_error (self, offender->at, "E-HEADER", NULL, "this section takes neither inheritance nor constraints");
      return NULL;
    }
  gboolean is_good = parse_bases (self, parts.part[1], header);
  is_good &= parse_constraints (self, parts.part[2], header);
  return is_good ? g_steal_pointer (&header) : NULL;
}
