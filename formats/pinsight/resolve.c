/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/pinsight/trace-config.h"

#include <string.h>

TtPunitMatch
tt_config_match (const TtConfig *self, const GPtrArray *sets, TtPunits punits, const TtPunitSet **which)
{
  const TtPunitSet *unknown = NULL;

  for (guint i = 0; i < sets->len; i++)
    {
      const TtPunitSet *set = sets->pdata[i];
      const TtConfigScope *scope = &self->scopes[set->kind];
      gint64 id = punits[set->kind];

      if (id >= 0 && id <= G_MAXUINT32 && id >= scope->low && id <= scope->high &&
          tt_id_set_has (set->ids, (guint32) id))
        continue;
      if (id < 0 && set->ids->len > 0)
        {
          unknown = set;
          continue;
        }
      if (which != NULL)
        *which = set;
      return TT_MATCH_NO;
    }
  if (unknown != NULL && which != NULL)
    *which = unknown;
  return unknown != NULL ? TT_MATCH_UNKNOWN : TT_MATCH_YES;
}

static gboolean
matches_sets (const TtConfig *self,
              const GPtrArray *sets,
              TtPunits punits,
              gboolean unknown_matches,
              const TtPunitSet **which)
{
  TtPunitMatch match = tt_config_match (self, sets, punits, which);

  return match == TT_MATCH_YES || (match == TT_MATCH_UNKNOWN && unknown_matches);
}

static gboolean
has_event (guint64 mask, guint event)
{
  return (mask >> event & 1) != 0;
}

TtEventAnswer
tt_config_ask_event (const TtConfig *self, guint domain, guint event, TtPunits punits, gboolean unknown_matches)
{
  const TtDomainDefault *of = &self->defaults[domain];

  if (of->mode == TT_MODE_OFF || of->mode == TT_MODE_STANDBY)
    return (TtEventAnswer){ .reason = TT_EVENT_BY_MODE };

  for (guint i = 0; !self->skips_sections && i < self->sections->len; i++)
    {
      const TtPunitSection *section = self->sections->pdata[i];
      if (section->domain == domain && matches_sets (self, section->targets, punits, unknown_matches, NULL) &&
          matches_sets (self, section->constraints, punits, unknown_matches, NULL))
        return (TtEventAnswer){ has_event (section->events, event), TT_EVENT_BY_SECTION, i, 0 };
    }

  for (guint kind = 0; !self->skips_sections && kind < self->domains->kinds->len; kind++)
    {
      const TtConfigScope *scope = &self->scopes[kind];
      if (tt_config_kind (self->domains, kind)->domain == domain && scope->is_declared && punits[kind] >= 0 &&
          (punits[kind] < scope->low || punits[kind] > scope->high))
        return (TtEventAnswer){ FALSE, TT_EVENT_OUT_OF_SCOPE, 0, kind };
    }
  return (TtEventAnswer){ has_event (of->events, event), TT_EVENT_BY_DEFAULT, 0, 0 };
}

TtEventAnswer
tt_config_ask_lexgion (const TtConfig *self,
                       const TtConfigLexgion *lexgion,
                       guint domain,
                       guint event,
                       TtPunits punits,
                       gboolean unknown_matches)
{
  TtEventAnswer answer = tt_config_ask_event (self, domain, event, punits, unknown_matches);
  gboolean is_default = lexgion->id == NULL, has_own = lexgion->has_mask[domain] && !is_default;

  if (answer.reason == TT_EVENT_BY_MODE)
    return answer;
  if (has_own || has_event (lexgion->sets[domain], event))
    return (TtEventAnswer){ has_event (lexgion->mask[domain], event), TT_EVENT_BY_LEXGION, 0, 0 };
  if (answer.reason != TT_EVENT_BY_DEFAULT)
    return answer;
  if (is_default)
    answer.is_on = !lexgion->has_mask[domain] || has_event (lexgion->mask[domain], event);
  else
    answer = (TtEventAnswer){ has_event (tt_config_domain (self->domains, domain)->installed, event),
                              TT_EVENT_UNFILTERED, 0, 0 };
  return answer;
}

gboolean
tt_config_holds (const TtConfig *self,
                 const TtConfigLexgion *lexgion,
                 TtPunits punits,
                 gboolean unknown_matches,
                 const TtPunitSet **which)
{
  return lexgion->id == NULL || !lexgion->has_constraints ||
         matches_sets (self, lexgion->constraints, punits, unknown_matches, which);
}

/* The file of a named entry is the begin of the base name of the source file. */
static gboolean
is_file (const char *hint, const char *file)
{
  const char *slash = file == NULL ? NULL : strrchr (file, '/');

  return hint == NULL || (file != NULL && g_str_has_prefix (slash != NULL ? slash + 1 : file, hint));
}

const TtConfigLexgion *
tt_config_find_lexgion (const TtConfig *self, guint domain, guint64 address, const char *name, const char *file)
{
  for (guint i = 0; address != 0 && i < self->lexgions->len; i++)
    {
      const TtConfigLexgion *entry = self->lexgions->pdata[i];
      if (!entry->is_removed && entry->id->is_address && entry->id->address == address)
        return entry;
    }
  for (guint i = 0; name != NULL && i < self->lexgions->len; i++)
    {
      const TtConfigLexgion *entry = self->lexgions->pdata[i];
      if (!entry->is_removed && !entry->id->is_address &&
          (entry->id->domain < 0 || entry->id->domain == (int) domain) && strcmp (entry->id->name, name) == 0 &&
          is_file (entry->id->file, file))
        return entry;
    }
  return self->domain_lexgions->pdata[domain];
}
