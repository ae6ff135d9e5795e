/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/pinsight/parse-private.h"

#include <string.h>

gboolean
tt_config_split_punit (TtPiece spec, TtPiece *domain, TtPiece *kind, TtPiece *ids, gboolean *is_closed)
{
  const char *dot = memchr (spec.at, '.', spec.len);
  const char *open = memchr (spec.at, '(', spec.len);

  if (dot == NULL || open == NULL || open < dot)
    return FALSE;
  *domain = tt_piece_strip ((TtPiece){ spec.at, (gsize) (dot - spec.at) });
  *kind = tt_piece_strip ((TtPiece){ dot + 1, (gsize) (open - dot) - 1 });
  *is_closed = spec.at[spec.len - 1] == ')';
  *ids = (TtPiece){ open + 1, spec.len - (gsize) (open + 1 - spec.at) - (*is_closed ? 1 : 0) };
  return TRUE;
}

/* One end of a range. FALSE with the error reported. */
static gboolean
parse_id (Parser *self, TtPiece piece, const char *at, guint32 *id)
{
  guint64 number;

  if (tt_piece_number (piece, G_MAXUINT32 - 1, &number))
    {
      *id = (guint32) number;
      return TRUE;
    }
  g_autofree char *text = tt_piece_dup (piece);
  if (piece.len == 0)
    tt_config_error (self, at, "E-RANGE", g_strdup ("ids are numbers and ranges, as in 0,2-4"),
                     "an id is missing here");
  else
    tt_config_error (self, at, "E-RANGE", g_strdup ("ids are numbers and ranges, as in 0,2-4"), "'%s' is not an id",
                     text);
  return FALSE;
}

static gboolean
parse_range (Parser *self, TtPiece element, GArray *ids, const TtConfigScope *scope)
{
  const char *dash = element.len > 1 ? memchr (element.at + 1, '-', element.len - 1) : NULL;
  TtPiece first = element, last = element;
  guint32 low, high;

  if (dash != NULL)
    {
      first = tt_piece_strip ((TtPiece){ element.at, (gsize) (dash - element.at) });
      last = tt_piece_strip ((TtPiece){ dash + 1, element.len - (gsize) (dash + 1 - element.at) });
    }
  if (!parse_id (self, first, element.at, &low) || !parse_id (self, last, last.at, &high))
    return FALSE;
  if (low > high)
    {
      tt_config_error (self, element.at, "E-RANGE", g_strdup_printf ("write %u-%u", high, low),
                       "the range %u-%u ends before it begins", low, high);
      return FALSE;
    }

  if (low < scope->low || high > scope->high)
    tt_config_warning (self, low < scope->low || low > scope->high ? first.at : last.at, "W-PUNIT-RANGE", NULL,
                       "ids outside %u-%u, which this domain has here, are left out", scope->low, scope->high);
  tt_id_set_add (ids, low, high);
  return TRUE;
}

TtPunitSet *
tt_config_parse_punit (Parser *self, TtPiece spec)
{
  TtPiece domain_name, kind_name, ids, element;
  gboolean is_closed;

  if (!tt_config_split_punit (spec, &domain_name, &kind_name, &ids, &is_closed))
    {
      g_autofree char *text = tt_piece_dup (spec);
      tt_config_error (self, spec.at, "E-SPEC", g_strdup ("units are DOMAIN.kind(ids), as in MPI.rank(0-3)"),
                       "'%s' names no execution units", text);
      return NULL;
    }
  int domain = tt_config_domains_find (self->domains, domain_name.at, domain_name.len);
  if (domain < 0)
    {
      g_autofree char *text = tt_piece_dup (domain_name);
      tt_config_error (self, domain_name.at, "E-DOMAIN", tt_config_near_domain (self, domain_name),
                       "unknown domain '%s'", text);
      return NULL;
    }
  int kind = tt_config_domains_find_kind (self->domains, (guint) domain, kind_name.at, kind_name.len);
  if (kind < 0)
    {
      g_autofree char *text = tt_piece_dup (kind_name);
      tt_config_error (self, kind_name.at, "E-PUNIT", tt_config_near_kind (self, (guint) domain, kind_name),
                       "%s has no units '%s'", tt_config_domain (self->domains, (guint) domain)->name, text);
      return NULL;
    }
  const char *after = is_closed ? NULL : memchr (ids.at, ')', ids.len);
  if (after != NULL)
    {
      tt_config_error (self, after + 1, "E-SPEC", NULL, "text after the parenthesis");
      return NULL;
    }
  if (!is_closed || memchr (ids.at, '(', ids.len) != NULL)
    {
      tt_config_error (self, ids.at - 1, "E-RANGE", g_strdup ("close it with ')'"), "this parenthesis is not closed");
      return NULL;
    }

  TtPunitSet *set = tt_punit_set_new ((guint) kind, self->line_number, (guint) (spec.at - self->line) + 1);
  gboolean is_good = TRUE;
  while (tt_piece_next (&ids, ',', &element))
    is_good &= parse_range (self, element, set->ids, &self->config->scopes[kind]);
  if (is_good)
    return set;
  tt_punit_set_free (set);
  return NULL;
}
