/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Headers as PInsight's library reads them (src/trace_config_parse.c of 9 February and of 6 August 2026). Neither refuses
 * the form of the other: the newer one looks for the target in all that the brackets hold, the older one splits the whole
 * line at its colons.
 */
#include "config.h"

#include "formats/pinsight/parse-private.h"

#include <string.h>

static const char *const libraries[TT_N_PINSIGHTS] = { "the format", "PInsight up to 12 February 2026",
                                                       "PInsight since 13 February 2026" };

static gboolean
begins_with (TtPiece piece, const char *text)
{
  return piece.len >= strlen (text) && memcmp (piece.at, text, strlen (text)) == 0;
}

static void
warn (Parser *self, TtPiece at, const char *what)
{
  const char *form = self->pinsight == TT_PINSIGHT_HEAD ? "write [target] : inheritance : constraints"
                                                        : "write [target : inheritance : constraints]";

  tt_config_warning (self, at.at, "W-DIALECT", g_strdup (form), "%s reads this header %s", libraries[self->pinsight],
                     what);
}

static gboolean
leave_out (Parser *self, TtPiece at)
{
  tt_config_warning (self, at.at, "W-DIALECT", NULL, "%s knows no such section, and drops it",
                     libraries[self->pinsight]);
  return FALSE;
}

/* All between the brackets is the target. */
static gboolean
read_inside (Parser *self, HeaderParts *parts, TtConfigHeader *header)
{
  TtPiece inside = parts->inside;
  const char *close = memchr (inside.at, ')', inside.len);
  const char *dot = memchr (inside.at, '.', inside.len);

  if (begins_with (inside, "Lexgion"))
    {
      if (!begins_with (inside, "Lexgion(") || close == NULL)
        return leave_out (self, inside);
      parts->part[0] = (TtPiece){ inside.at, (gsize) (close + 1 - inside.at) };
      g_autofree char *target = tt_piece_dup (parts->part[0]);
      g_autofree char *what = g_strdup_printf ("as [%s], without what follows in it", target);
      warn (self, inside, what);
    }
  else
    {
      int domain = dot == NULL ? -1 : tt_config_domains_find (self->domains, inside.at, (gsize) (dot - inside.at));
      if (domain < 0 || g_strstr_len (inside.at, (gssize) inside.len, ".default") == NULL)
        return leave_out (self, inside);
      header->target = TT_CONFIG_DOMAIN_DEFAULT;
      header->domain = domain;
      g_autofree char *what =
          g_strdup_printf ("as [%s.default]", tt_config_domain (self->domains, (guint) domain)->name);
      warn (self, inside, what);
    }
  parts->part[1] = parts->part[2] = (TtPiece){ 0 };
  return TRUE;
}

static gboolean
read_as_head (Parser *self, HeaderParts *parts, TtConfigHeader *header)
{
  if (!parts->is_outside && parts->part[1].at != NULL)
    return read_inside (self, parts, header);
  if (parts->skips_second && parts->part[2].len > 0)
    {
      warn (self, parts->part[2], "without its constraints: of '::' it makes one colon");
      parts->part[2] = (TtPiece){ 0 };
    }
  return TRUE;
}

static gboolean
read_as_february (Parser *self, HeaderParts *parts)
{
  if (parts->action != TT_CONFIG_NO_ACTION)
    return leave_out (self, parts->inside);
  if (parts->is_outside && tt_piece_is (parts->part[0], "Lexgion.default"))
    {
      warn (self, parts->inside, "as that of a domain's default, and nothing after it");
      self->is_stopped = TRUE;
      return FALSE;
    }
  return TRUE;
}

gboolean
tt_config_read_as (Parser *self, HeaderParts *parts, TtConfigHeader *header)
{
  switch (self->pinsight)
    {
    case TT_PINSIGHT_HEAD:
      return read_as_head (self, parts, header);
    case TT_PINSIGHT_2026_02:
      return read_as_february (self, parts);
    default:
      return TRUE;
    }
}

gboolean
tt_config_read_target_as (Parser *self, const HeaderParts *parts, TtConfigHeader *header)
{
  gboolean is_newer = header->target == TT_CONFIG_LEXGION_DOMAIN_DEFAULT || header->target == TT_CONFIG_KNOB ||
                      header->target == TT_CONFIG_ENERGY || header->target == TT_CONFIG_MANIFEST;

  if (self->pinsight != TT_PINSIGHT_2026_02)
    return TRUE;
  if (is_newer || (header->target == TT_CONFIG_LEXGIONS && !((const TtLexId *) header->ids->pdata[0])->is_address))
    return leave_out (self, parts->inside);
  if (header->target == TT_CONFIG_LEXGIONS && header->ids->len > 1)
    {
      warn (self, parts->inside, "as that of its first code pointer alone");
      g_ptr_array_set_size (header->ids, 1);
    }
  return TRUE;
}
