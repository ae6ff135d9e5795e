/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/pinsight/parse-private.h"

#include <string.h>

#define MOST_HEX_DIGITS 16

/* The targets that begin with Lexgion: defaults, code pointers, names. */

void
tt_lex_id_free (TtLexId *id)
{
  if (id == NULL)
    return;
  g_free (id->file);
  g_free (id->name);
  g_free (id);
}

TtLexId *
tt_lex_id_copy (const TtLexId *id)
{
  TtLexId *copy = g_memdup2 (id, sizeof *id);

  copy->file = g_strdup (id->file);
  copy->name = g_strdup (id->name);
  return copy;
}

static gboolean
parse_address (Parser *self, TtPiece text, guint64 *address)
{
  *address = 0;
  if (text.len == 2)
    {
      tt_config_error (self, text.at, "E-CODEPTR", NULL, "no digits after 0x");
      return FALSE;
    }
  for (gsize i = 2; i < text.len; i++)
    {
      if (!g_ascii_isxdigit (text.at[i]))
        {
          tt_config_error (self, text.at + i, "E-CODEPTR", NULL, "not a hexadecimal digit");
          return FALSE;
        }
      if (i - 2 == MOST_HEX_DIGITS)
        {
          tt_config_error (self, text.at + i, "E-CODEPTR", NULL, "more than %d digits", MOST_HEX_DIGITS);
          return FALSE;
        }
      *address = *address << 4 | (guint64) g_ascii_xdigit_value (text.at[i]);
    }
  return TRUE;
}

/* The first colon that is not part of "::". */
static gsize
find_single_colon (TtPiece text)
{
  for (gsize i = 0; i < text.len; i++)
    {
      if (text.at[i] != ':')
        continue;
      if (i + 1 < text.len && text.at[i + 1] == ':')
        i++;
      else
        return i;
    }
  return text.len;
}

/* [DOMAIN:][FILE:]NAME */
static gboolean
parse_name (Parser *self, TtPiece text, TtLexId *id)
{
  TtPiece part[3];
  guint n = 0;

  for (TtPiece rest = text; n < 3; n++)
    {
      gsize colon = n == 2 ? rest.len : find_single_colon (rest);
      part[n] = tt_piece_strip ((TtPiece){ rest.at, colon });
      if (colon == rest.len)
        {
          n++;
          break;
        }
      rest = tt_piece_from (rest, colon + 1);
    }

  int domain = n > 1 ? tt_config_domains_find (self->domains, part[0].at, part[0].len) : TT_CONFIG_NO_DOMAIN;
  if (n == 3 && domain < 0)
    {
      g_autofree char *word = tt_piece_dup (part[0]);
      tt_config_error (self, part[0].at, "E-DOMAIN", tt_config_near_domain (self, part[0]), "unknown domain '%s'",
                       word);
      return FALSE;
    }
  for (guint i = 0; i < n; i++)
    if (part[i].len == 0)
      {
        tt_config_error (self, part[i].at, "E-CODEPTR",
                         g_strdup ("names are NAME, FILE:NAME, DOMAIN:NAME or DOMAIN:FILE:NAME"),
                         "an empty part of a name");
        return FALSE;
      }
  id->domain = domain;
  id->name = tt_piece_dup (part[n - 1]);
  id->file = n == 3 || (n == 2 && domain < 0) ? tt_piece_dup (part[n - 2]) : NULL;
  return TRUE;
}

static gboolean
parse_lex_id (Parser *self, TtPiece text, TtConfigHeader *header)
{
  g_autofree char *word = tt_piece_dup (text);
  TtLexId *id = g_new0 (TtLexId, 1);
  gboolean is_good;

  id->domain = TT_CONFIG_NO_DOMAIN;
  id->column = (guint) (text.at - self->line) + 1;
  g_ptr_array_add (header->ids, id);
  if (text.len == 0)
    {
      tt_config_error (self, text.at, "E-CODEPTR", g_strdup ("write Lexgion(0x4010bd)"),
                       "a code pointer is missing here");
      return FALSE;
    }
  id->is_address = text.len >= 2 && text.at[0] == '0' && g_ascii_tolower (text.at[1]) == 'x';
  if (id->is_address)
    return parse_address (self, text, &id->address);
  if (g_ascii_isdigit (*text.at))
    {
      tt_config_error (self, text.at, "E-CODEPTR", g_strdup_printf ("addresses begin with 0x: 0x%s", word),
                       "'%s' is neither an address nor a name", word);
      return FALSE;
    }
  is_good = parse_name (self, text, id);
  self->config->is_newer = TRUE;
  return is_good;
}

gboolean
tt_config_spec_error (Parser *self, TtPiece at, const char *fault)
{
  g_autofree char *word = tt_piece_dup (at);
  static const char *const known[] = { "Lexgion.default", "Knob", "Energy", "Manifest", NULL };
  char *near = tt_config_near (at, known);

  tt_config_error (self, at.at, "E-SPEC",
                   near != NULL
                    ? near
                    : g_strdup ("a section is DOMAIN.default, DOMAIN.kind(ids), Lexgion.default or Lexgion(0x...)"),
                   "'%s' %s", word, fault);
  return FALSE;
}

/* "Lexgion..." */
gboolean
tt_config_parse_lexgion (Parser *self, TtPiece text, TtConfigHeader *header)
{
  TtPiece rest = tt_piece_strip (tt_piece_from (text, strlen ("Lexgion")));

  if (tt_piece_is (rest, ".default"))
    {
      header->target = TT_CONFIG_LEXGION_DEFAULT;
      return TRUE;
    }
  if (rest.len == 0 || *rest.at != '(')
    return tt_config_spec_error (self, text, "is no section");

  const char *close = NULL;
  for (gsize i = 0; i < rest.len; i++)
    if (rest.at[i] == ')')
      close = rest.at + i;
  if (close == NULL)
    {
      tt_config_error (self, rest.at, "E-RANGE", g_strdup ("close it with ')'"), "this parenthesis is not closed");
      return FALSE;
    }
  TtPiece inside = { rest.at + 1, (gsize) (close - rest.at) - 1 };
  TtPiece tail = tt_piece_strip ((TtPiece){ close + 1, rest.len - (gsize) (close + 1 - rest.at) });

  if (tt_piece_is (tail, ".default"))
    {
      TtPiece name = tt_piece_strip (inside);
      g_autofree char *word = tt_piece_dup (name);
      header->target = TT_CONFIG_LEXGION_DOMAIN_DEFAULT;
      header->domain = tt_config_domains_find (self->domains, name.at, name.len);
      self->config->is_newer = TRUE;
      if (header->domain < 0)
        tt_config_error (self, name.at, "E-DOMAIN", tt_config_near_domain (self, name), "unknown domain '%s'", word);
      return header->domain >= 0;
    }
  if (tail.len > 0)
    return tt_config_spec_error (self, tail, "is no end of a section's name");

  gboolean is_good = TRUE;
  TtPiece element;
  header->target = TT_CONFIG_LEXGIONS;
  while (tt_piece_next (&inside, ',', &element))
    is_good &= parse_lex_id (self, element, header);
  self->config->is_newer |= header->ids->len > 1;
  return is_good;
}
