#include "config.h"

#include "formats/pinsight/parse-private.h"

#include <string.h>

/* -- sets of ids ---------------------------------------------------------------------------------- */

/* Keeps the set in order and merged. */
void
tt_id_set_add (GArray *ids, guint32 low, guint32 high)
{
  guint i = 0;

  while (i < ids->len && (guint64) g_array_index (ids, TtIdRange, i).high + 1 < low)
    i++;
  while (i < ids->len && g_array_index (ids, TtIdRange, i).low <= (guint64) high + 1)
    {
      const TtIdRange *joined = &g_array_index (ids, TtIdRange, i);
      low = MIN (low, joined->low);
      high = MAX (high, joined->high);
      g_array_remove_index (ids, i);
    }
  const TtIdRange range = { low, high };
  g_array_insert_val (ids, i, range);
}

gboolean
tt_id_set_has (const GArray *ids, guint32 id)
{
  for (guint i = 0; i < ids->len; i++)
    if (id >= g_array_index (ids, TtIdRange, i).low && id <= g_array_index (ids, TtIdRange, i).high)
      return TRUE;
  return FALSE;
}

TtPunitSet *
tt_punit_set_new (guint kind, guint line, guint column)
{
  TtPunitSet *set = g_new0 (TtPunitSet, 1);

  set->kind = kind;
  set->line = line;
  set->column = column;
  set->ids = g_array_new (FALSE, FALSE, sizeof (TtIdRange));
  return set;
}

void
tt_punit_set_free (gpointer data)
{
  TtPunitSet *set = data;

  if (set == NULL)
    return;
  g_array_unref (set->ids);
  g_free (set);
}

TtPunitSet *
tt_punit_set_copy (const TtPunitSet *set)
{
  TtPunitSet *copy = tt_punit_set_new (set->kind, set->line, set->column);

  if (set->ids->len > 0)
    g_array_append_vals (copy->ids, set->ids->data, set->ids->len);
  return copy;
}

/* -- pieces --------------------------------------------------------------------------------------- */

gboolean
piece_is (Piece piece, const char *text)
{
  return strlen (text) == piece.len && memcmp (piece.at, text, piece.len) == 0;
}

gboolean
piece_is_nocase (Piece piece, const char *text)
{
  return strlen (text) == piece.len && g_ascii_strncasecmp (piece.at, text, piece.len) == 0;
}

gsize
piece_find (Piece piece, char c)
{
  guint depth = 0;

  for (gsize i = 0; i < piece.len; i++)
    {
      if (depth == 0 && piece.at[i] == c)
        return i;
      if (piece.at[i] == '(')
        depth++;
      else if (piece.at[i] == ')' && depth > 0)
        depth--;
    }
  return piece.len;
}

gboolean
piece_next (Piece *rest, char separator, Piece *element)
{
  if (rest->at == NULL)
    return FALSE;

  gsize len = piece_find (*rest, separator);
  *element = piece_strip ((Piece){ rest->at, len });
  *rest = len < rest->len ? piece_from (*rest, len + 1) : (Piece){ NULL, 0 };
  return TRUE;
}

gboolean
piece_number (Piece piece, guint64 most, guint64 *number)
{
  *number = 0;
  if (piece.len == 0)
    return FALSE;
  for (gsize i = 0; i < piece.len; i++)
    {
      if (!g_ascii_isdigit (piece.at[i]))
        return FALSE;
      *number = *number * 10 + (guint64) (piece.at[i] - '0');
      if (*number > most)
        return FALSE;
    }
  return TRUE;
}

/* -- punits --------------------------------------------------------------------------------------- */

gboolean
config_split_punit (Piece spec, Piece *domain, Piece *kind, Piece *ids, gboolean *is_closed)
{
  const char *dot = memchr (spec.at, '.', spec.len);
  const char *open = memchr (spec.at, '(', spec.len);

  if (dot == NULL || open == NULL || open < dot)
    return FALSE;
  *domain = piece_strip ((Piece){ spec.at, (gsize) (dot - spec.at) });
  *kind = piece_strip ((Piece){ dot + 1, (gsize) (open - dot) - 1 });
  *is_closed = spec.at[spec.len - 1] == ')';
  *ids = (Piece){ open + 1, spec.len - (gsize) (open + 1 - spec.at) - (*is_closed ? 1 : 0) };
  return TRUE;
}

/* One end of a range. FALSE with the error reported. */
static gboolean
parse_id (Parser *self, Piece piece, const char *at, guint32 *id)
{
  guint64 number;

  if (piece_number (piece, G_MAXUINT32 - 1, &number))
    {
      *id = (guint32) number;
      return TRUE;
    }
  g_autofree char *text = piece_dup (piece);
  if (piece.len == 0)
    config_error (self, at, "E-RANGE", g_strdup ("ids are numbers and ranges, as in 0,2-4"), "an id is missing here");
  else
    config_error (self, at, "E-RANGE", g_strdup ("ids are numbers and ranges, as in 0,2-4"), "'%s' is not an id", text);
  return FALSE;
}

static gboolean
parse_range (Parser *self, Piece element, GArray *ids, const TtConfigScope *scope)
{
  const char *dash = element.len > 1 ? memchr (element.at + 1, '-', element.len - 1) : NULL;
  Piece first = element, last = element;
  guint32 low, high;

  if (dash != NULL)
    {
      first = piece_strip ((Piece){ element.at, (gsize) (dash - element.at) });
      last = piece_strip ((Piece){ dash + 1, element.len - (gsize) (dash + 1 - element.at) });
    }
  if (!parse_id (self, first, element.at, &low) || !parse_id (self, last, last.at, &high))
    return FALSE;
  if (low > high)
    {
      config_error (self, element.at, "E-RANGE", g_strdup_printf ("write %u-%u", high, low),
                    "the range %u-%u ends before it begins", low, high);
      return FALSE;
    }

  if (low < scope->low || high > scope->high)
    config_warning (self, low < scope->low || low > scope->high ? first.at : last.at, "W-PUNIT-RANGE", NULL,
                    "ids outside %u-%u, which this domain has here, are left out", scope->low, scope->high);
  tt_id_set_add (ids, low, high);
  return TRUE;
}

TtPunitSet *
config_parse_punit (Parser *self, Piece spec)
{
  Piece domain_name, kind_name, ids, element;
  gboolean is_closed;

  if (!config_split_punit (spec, &domain_name, &kind_name, &ids, &is_closed))
    {
      g_autofree char *text = piece_dup (spec);
      config_error (self, spec.at, "E-SPEC", g_strdup ("units are DOMAIN.kind(ids), as in MPI.rank(0-3)"),
                    "'%s' names no execution units", text);
      return NULL;
    }
  int domain = tt_config_domains_find (self->domains, domain_name.at, domain_name.len);
  if (domain < 0)
    {
      g_autofree char *text = piece_dup (domain_name);
      config_error (self, domain_name.at, "E-DOMAIN", config_near_domain (self, domain_name), "unknown domain '%s'",
                    text);
      return NULL;
    }
  int kind = tt_config_domains_find_kind (self->domains, (guint) domain, kind_name.at, kind_name.len);
  if (kind < 0)
    {
      g_autofree char *text = piece_dup (kind_name);
      config_error (self, kind_name.at, "E-PUNIT", config_near_kind (self, (guint) domain, kind_name),
                    "%s has no units '%s'", tt_config_domain (self->domains, (guint) domain)->name, text);
      return NULL;
    }
  const char *behind = is_closed ? NULL : memchr (ids.at, ')', ids.len);
  if (behind != NULL)
    {
      config_error (self, behind + 1, "E-SPEC", NULL, "text behind the parenthesis");
      return NULL;
    }
  if (!is_closed || memchr (ids.at, '(', ids.len) != NULL)
    {
      config_error (self, ids.at - 1, "E-RANGE", g_strdup ("close it with ')'"), "this parenthesis is not closed");
      return NULL;
    }

  TtPunitSet *set = tt_punit_set_new ((guint) kind, self->line_number, (guint) (spec.at - self->line) + 1);
  gboolean is_good = TRUE;
  while (piece_next (&ids, ',', &element))
    is_good &= parse_range (self, element, set->ids, &self->config->scopes[kind]);
  if (is_good)
    return set;
  tt_punit_set_free (set);
  return NULL;
}
