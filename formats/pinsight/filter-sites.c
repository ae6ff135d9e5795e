/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/pinsight/filter-private.h"

/* -- tables --------------------------------------------------------------------------------------- */

guint
tt_config_filter_hash_site (gconstpointer data)
{
  const Site *site = data;
  guint64 mixed = (site->address ^ (guint64) site->thread << 40 ^ (guint64) site->name << 12 ^ site->events ^
                   (guint64) site->domain << 58) *
                  G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);

  return (guint) (mixed >> 32);
}

gboolean
tt_config_filter_equal_sites (gconstpointer a, gconstpointer b)
{
  const Site *one = a, *other = b;

  return one->address == other->address && one->thread == other->thread && one->name == other->name &&
         one->events == other->events && one->domain == other->domain;
}

guint
tt_config_filter_hash_tally (gconstpointer data)
{
  const Tally *tally = data;

  return g_direct_hash (tally->rule) * 31 + (guint) tally->why * 7 + (guint) tally->domain;
}

gboolean
tt_config_filter_equal_tallies (gconstpointer a, gconstpointer b)
{
  const Tally *one = a, *other = b;

  return one->rule == other->rule && one->why == other->why && one->domain == other->domain;
}

TtFilterVerdict
tt_config_filter_note (TtConfigFilter *self, Why why, guint domain, gconstpointer rule, guint32 token)
{
  Tally key = { .why = why, .domain = (int) domain, .rule = rule };
  Tally *tally = g_hash_table_lookup (self->tallies, &key);

  if (tally == NULL)
    {
      tally = g_memdup2 (&key, sizeof key);
      g_hash_table_add (self->tallies, tally);
    }
  tally->count++;
  return (TtFilterVerdict){ .is_kept = why < FIRST_DROPPED, .token = token };
}

/* -- opening -------------------------------------------------------------------------------------- */

guint32
tt_config_filter_open (TtConfigFilter *self, const Open *what)
{
  guint32 token = self->first_free;

  if (token == 0)
    {
      token = self->open->len;
      g_array_set_size (self->open, token + 1);
    }
  else
    self->first_free = open_of (self, token)->next_free;
  *open_of (self, token) = *what;
  open_of (self, token)->is_used = TRUE;
  return token;
}

/* -- sites ---------------------------------------------------------------------------------------- */

const TtConfigLexgion *
tt_config_filter_lexgion (const TtConfigFilter *self, const Asked *asked)
{
  /* PInsight tells names of calls and functions only, not of what OpenMP does. */
  gboolean has_name = asked->operation->role == TT_ROLE_CALL;

  return tt_config_find_lexgion (self->config, asked->operation->domain, asked->facts->codeptr,
                                 has_name ? asked->name->name : NULL, has_name ? asked->name->file : NULL);
}

Site *
tt_config_filter_site (TtConfigFilter *self, const Asked *asked)
{
  Site key = { .address = asked->facts->codeptr,
               .events = asked->operation->events,
               .thread = asked->begin->thread,
               .name = asked->facts->codeptr != 0 ? 0 : asked->begin->name,
               .domain = asked->operation->domain };
  Site *site = g_hash_table_lookup (self->sites, &key);

  if (site == NULL)
    {
      site = g_memdup2 (&key, sizeof key);
      site->lexgion = tt_config_filter_lexgion (self, asked);
      site->is_capped = site->lexgion->rule.most == 0;
      asked->thread->n_limited += site->lexgion->rule.most >= 0;
      asked->thread->n_capped += site->is_capped;
      g_hash_table_add (self->sites, site);
    }
  return site;
}
