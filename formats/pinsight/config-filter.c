/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/pinsight/filter-private.h"

#include <string.h>

static const TtSpanFacts no_facts = TT_SPAN_FACTS_INIT;

/* -- tables --------------------------------------------------------------------------------------- */

static guint
hash_site (gconstpointer data)
{
  const Site *site = data;
  guint64 mixed = (site->address ^ (guint64) site->thread << 40 ^ (guint64) site->name << 12 ^ site->events ^
                   (guint64) site->domain << 58) *
                  G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);

  return (guint) (mixed >> 32);
}

static gboolean
equal_sites (gconstpointer a, gconstpointer b)
{
  const Site *one = a, *other = b;

  return one->address == other->address && one->thread == other->thread && one->name == other->name &&
         one->events == other->events && one->domain == other->domain;
}

static guint
hash_tally (gconstpointer data)
{
  const Tally *tally = data;

  return g_direct_hash (tally->rule) * 31 + (guint) tally->why * 7 + (guint) tally->domain;
}

static gboolean
equal_tallies (gconstpointer a, gconstpointer b)
{
  const Tally *one = a, *other = b;

  return one->rule == other->rule && one->why == other->why && one->domain == other->domain;
}

static void
clear_name (gpointer data)
{
  Name *name = data;

  g_free (name->name);
  g_free (name->file);
}

/* Counts the event and gives its verdict. */
static TtFilterVerdict
note_decision (TtConfigFilter *self, Why why, int domain, gconstpointer rule, guint32 token)
{
  Tally key = { .why = why, .domain = domain, .rule = rule };
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

static guint32
open_something (TtConfigFilter *self, const Open *what)
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

static void
end (TtSpanFilter *base, guint32 token, gint64 end_ns)
{
  TtConfigFilter *self = (TtConfigFilter *) base;

  if (token == 0 || token >= self->open->len || !open_of (self, token)->is_used)
    return;
  Open *open = open_of (self, token);
  if (open->site != NULL)
    tt_sampling_end (&open->site->state);
  if (open->is_region)
    tt_config_filter_close_region (self, token, end_ns);
  open->is_used = FALSE;
  open->next_free = self->first_free;
  self->first_free = token;
}

/* -- questions ------------------------------------------------------------------------------------ */

/* The event that is decided. */
typedef struct
{
  const TtFilterBegin *begin;
  const Name *name;
  const TtOperation *operation;
  const TtSpanFacts *facts;
  Thread *thread;
} Asked;

static const TtConfigLexgion *
find_lexgion (const TtConfigFilter *self, const Asked *asked)
{
  return tt_config_find_lexgion (self->config, asked->operation->domain, asked->facts->codeptr, asked->name->name,
                                 asked->name->file);
}

static gboolean
is_own_address (const TtConfigLexgion *lexgion)
{
  return lexgion->id != NULL && lexgion->id->is_address;
}

static Site *
find_site (TtConfigFilter *self, const Asked *asked)
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
      site->lexgion = find_lexgion (self, asked);
      g_hash_table_add (self->sites, site);
    }
  return site;
}

/* Whether one of the events is on for these units, and the rule if none is. */
static gboolean
is_event_on (const TtConfigFilter *self, const TtOperation *operation, Why *why, gconstpointer *rule)
{
  TtEventAnswer answer = { 0 };
  gboolean is_asked = FALSE;

  *rule = NULL;
  for (guint i = 0; i < TT_CONFIG_MOST_EVENTS; i++)
    if ((operation->events >> i & 1) != 0)
      {
        answer = tt_config_ask_event (self->config, operation->domain, i, self->punits, self->options.unknown_matches);
        is_asked = TRUE;
        if (answer.is_on)
          return TRUE;
      }
  static const Why whys[] = { [TT_EVENT_BY_DEFAULT] = WHY_EVENT_OFF,
                              [TT_EVENT_BY_SECTION] = WHY_SECTION_OFF,
                              [TT_EVENT_OUT_OF_SCOPE] = WHY_SCOPE,
                              [TT_EVENT_BY_MODE] = WHY_MODE };
  *why = is_asked ? whys[answer.reason] : WHY_NO_EVENT;
  if (*why == WHY_SECTION_OFF)
    *rule = self->config->sections->pdata[answer.section];
  return FALSE;
}

static gboolean
holds_constraints (const TtConfigFilter *self, const TtConfigLexgion *lexgion)
{
  if (!lexgion->has_constraints)
    return TRUE;
  TtPunitMatch match = tt_config_match (self->config, lexgion->constraints, self->punits, NULL);
  return match == TT_MATCH_YES || (match == TT_MATCH_UNKNOWN && self->options.unknown_matches);
}

static gboolean
passes_mask (const TtConfigLexgion *lexgion, const TtOperation *operation)
{
  return !lexgion->has_mask[operation->domain] || (lexgion->mask[operation->domain] & operation->events) != 0;
}

/* What speaks against the event, apart from counters and regions. TRUE: nothing. */
static gboolean
passes (const TtConfigFilter *self,
        const TtOperation *operation,
        const TtConfigLexgion *lexgion,
        Why *why,
        gconstpointer *rule)
{
  if (!is_event_on (self, operation, why, rule))
    return FALSE;
  *rule = lexgion;
  *why = !passes_mask (lexgion, operation) ? WHY_MASK : WHY_CONSTRAINT;
  return *why == WHY_CONSTRAINT && holds_constraints (self, lexgion);
}

static gboolean
sample (const TtConfigFilter *self, Site *site, gint64 number, gboolean may_be)
{
  if (number >= 0 && !self->options.recounts)
    return tt_sampling_begin_numbered (&site->state, &site->lexgion->rule, may_be, (guint32) number);
  return tt_sampling_begin (&site->state, &site->lexgion->rule, may_be);
}

static TtConfigMode
find_mode (const TtConfigFilter *self, const TtOperation *operation)
{
  return self->config->defaults[operation->domain].mode;
}

/* -- roles ---------------------------------------------------------------------------------------- */

/* Counts an invocation; of one that is recorded the end counts, too. */
static TtFilterVerdict
ask_site (TtConfigFilter *self, const Asked *asked)
{
  Site *site = find_site (self, asked);
  int domain = (int) asked->operation->domain;
  gconstpointer rule;
  Why why;
  gboolean may_be = passes (self, asked->operation, site->lexgion, &why, &rule);
  gboolean counts_only = find_mode (self, asked->operation) == TT_MODE_MONITORING;

  if (!may_be && why == WHY_MODE)
    return note_decision (self, why, domain, NULL, 0);
  gboolean is_recorded = sample (self, site, asked->facts->record_id, may_be && !counts_only);
  if (!may_be)
    return note_decision (self, why, domain, rule, 0);
  if (!is_recorded)
    return note_decision (self, counts_only ? WHY_COUNTS_ONLY : WHY_NOT_SAMPLED, domain,
                          counts_only ? NULL : site->lexgion, 0);
  if (asked->begin->is_instant)
    {
      tt_sampling_end (&site->state);
      return note_decision (self, WHY_SAMPLED, domain, site->lexgion, 0);
    }
  const Open open = { .site = site, .thread = asked->begin->thread };
  return note_decision (self, WHY_SAMPLED, domain, site->lexgion, open_something (self, &open));
}

/* A region has two answers: whether what is inside may be recorded, and whether it is itself. */
static TtFilterVerdict
ask_region (TtConfigFilter *self, const Asked *asked)
{
  Site *site = find_site (self, asked);
  int domain = (int) asked->operation->domain;
  gint64 number = asked->facts->parallel_record_id >= 0 ? asked->facts->parallel_record_id : asked->facts->record_id;
  TtConfigMode mode = find_mode (self, asked->operation);
  TtRegionDecision around;
  gboolean is_nested = tt_config_filter_region_on_thread (self, asked->thread, &around);
  gboolean is_inside = !is_nested || around.is_recorded, holds_here = holds_constraints (self, site->lexgion);

  if (mode == TT_MODE_OFF || mode == TT_MODE_STANDBY)
    return note_decision (self, WHY_MODE, domain, NULL, 0);
  gboolean is_recorded = sample (self, site, number, is_inside && holds_here && mode == TT_MODE_TRACING);
  const Open open = { .site = is_recorded && (!is_nested || is_own_address (site->lexgion)) ? site : NULL,
                      .is_region = TRUE,
                      .is_recorded = is_recorded,
                      .lexgion = site->lexgion,
                      .thread = asked->begin->thread };
  guint32 token = asked->begin->is_instant ? 0 : open_something (self, &open);
  if (token != 0)
    tt_config_filter_open_region (self, token, asked->facts, asked->begin);

  gconstpointer rule;
  Why why;
  if (!is_inside)
    return note_decision (self, WHY_REGION_OUT, domain, around.lexgion, token);
  if (!passes (self, asked->operation, site->lexgion, &why, &rule))
    return note_decision (self, why, domain, rule, token);
  if (mode == TT_MODE_MONITORING)
    return note_decision (self, WHY_COUNTS_ONLY, domain, NULL, token);
  return note_decision (self, is_recorded ? WHY_SAMPLED : WHY_NOT_SAMPLED, domain, site->lexgion, token);
}

static TtFilterVerdict
ask_inside (TtConfigFilter *self, const Asked *asked)
{
  int domain = (int) asked->operation->domain;
  const TtConfigLexgion *own = find_lexgion (self, asked), *lexgion = own;
  TtRegionDecision region = { 0 };
  gboolean has_region = tt_config_filter_find_region (self, asked->thread, asked->facts, asked->begin->ts_ns, &region);
  gconstpointer rule;
  Why why;

  if (has_region && !region.is_recorded)
    return note_decision (self, WHY_REGION_OUT, domain, region.lexgion, 0);
  if (asked->operation->role == TT_ROLE_WORK && is_own_address (own))
    return ask_site (self, asked);
  if (has_region && !is_own_address (own))
    lexgion = region.lexgion;
  if (find_mode (self, asked->operation) != TT_MODE_TRACING)
    return note_decision (self, find_mode (self, asked->operation) == TT_MODE_MONITORING ? WHY_COUNTS_ONLY : WHY_MODE,
                          domain, NULL, 0);
  if (asked->operation->role != TT_ROLE_JOIN && !passes (self, asked->operation, lexgion, &why, &rule))
    return note_decision (self, why, domain, rule, 0);
  return note_decision (self, has_region ? WHY_IN_REGION : WHY_NO_REGION, domain, has_region ? region.lexgion : NULL,
                        0);
}

static TtFilterVerdict
ask_plain (TtConfigFilter *self, const Asked *asked)
{
  int domain = (int) asked->operation->domain;
  gconstpointer rule;
  Why why;

  if (find_mode (self, asked->operation) == TT_MODE_MONITORING)
    return note_decision (self, WHY_COUNTS_ONLY, domain, NULL, 0);
  if (!is_event_on (self, asked->operation, &why, &rule))
    return note_decision (self, why, domain, rule, 0);
  return note_decision (self, WHY_EVENT_ON, domain, NULL, 0);
}

static TtFilterVerdict
ask_device (TtConfigFilter *self, const Asked *asked)
{
  guint domain = asked->operation->domain;
  const char *activity = self->config->defaults[domain].device_activity;
  gboolean is_on = activity != NULL && strcmp (activity, "off") != 0;

  if (find_mode (self, asked->operation) != TT_MODE_TRACING)
    return note_decision (self, WHY_MODE, (int) domain, NULL, 0);
  for (guint i = 0; i < self->config->domains->kinds->len; i++)
    {
      const TtConfigScope *scope = &self->config->scopes[i];
      if (tt_config_kind (self->config->domains, i)->domain == domain && scope->is_declared && self->punits[i] >= 0 &&
          (self->punits[i] < scope->low || self->punits[i] > scope->high))
        return note_decision (self, WHY_SCOPE, (int) domain, NULL, 0);
    }
  return note_decision (self, is_on ? WHY_DEVICE_ON : WHY_DEVICE_OFF, (int) domain, NULL, 0);
}

static TtFilterVerdict
begin (TtSpanFilter *base, const TtFilterBegin *begin)
{
  static TtFilterVerdict (*const ask[]) (TtConfigFilter *, const Asked *) = {
    [TT_ROLE_CALL] = ask_site,     [TT_ROLE_REGION] = ask_region, [TT_ROLE_WORK] = ask_inside,
    [TT_ROLE_INSIDE] = ask_inside, [TT_ROLE_JOIN] = ask_inside,   [TT_ROLE_PLAIN] = ask_plain,
    [TT_ROLE_DEVICE] = ask_device,
  };
  TtConfigFilter *self = (TtConfigFilter *) base;
  TtSpanFacts facts = no_facts;
  const Name *name = NULL;

  if (begin->facts != NULL)
    memcpy (&facts, begin->facts, sizeof facts);
  if (begin->name < self->names->len)
    name = &g_array_index (self->names, Name, begin->name);
  if (name == NULL || name->operation.role == TT_ROLE_NONE)
    return note_decision (self, self->options.keeps_others ? WHY_OTHER_KEPT : WHY_OTHER, TT_CONFIG_NO_DOMAIN, NULL, 0);

  const Asked asked = { .begin = begin,
                        .name = name,
                        .operation = &name->operation,
                        .facts = &facts,
                        .thread = tt_config_filter_thread (self, begin->thread) };
  tt_config_filter_find_punits (self, asked.thread, name->operation.domain, asked.facts);
  return ask[name->operation.role](self, &asked);
}

/* -- definitions ---------------------------------------------------------------------------------- */

static void
see_process (TtSpanFilter *base, guint32 process, gint64 rank)
{
  Process *of = tt_config_filter_process ((TtConfigFilter *) base, process);

  if (rank >= 0)
    of->rank = rank;
}

static void
see_thread (TtSpanFilter *base, guint32 thread, guint32 process, const char *tid)
{
  Thread *of = tt_config_filter_thread ((TtConfigFilter *) base, thread);
  guint64 number;

  of->process = process;
  if (tid != NULL && g_ascii_string_to_unsigned (tid, 10, 0, G_MAXUINT32 - 1, &number, NULL))
    of->number = (gint64) number;
}

static gboolean
knows_name (TtSpanFilter *base, guint32 name)
{
  const TtConfigFilter *self = (TtConfigFilter *) base;

  return name < self->names->len && g_array_index (self->names, Name, name).is_known;
}

static void
see_name (TtSpanFilter *base, guint32 id, const TtFilterName *facts)
{
  TtConfigFilter *self = (TtConfigFilter *) base;

  if (id >= self->names->len)
    g_array_set_size (self->names, id + 1);
  Name *name = &g_array_index (self->names, Name, id);
  if (name->is_known)
    return;
  name->is_known = TRUE;
  name->operation = tt_config_operations_find (self->operations, facts);
  if (self->has_named && name->operation.role != TT_ROLE_NONE)
    {
      name->name = g_strdup (facts->op_name);
      name->file = g_strdup (facts->file);
    }
}

static gboolean
read_args (TtSpanFilter *base, const char *json, gsize len, TtFilterFacts *words)
{
  TtSpanFacts facts;

  G_STATIC_ASSERT (sizeof facts <= sizeof *words);
  if (!tt_span_facts_read (&facts, json, len))
    return FALSE;
  memset (words, 0, sizeof *words);
  memcpy (words, &facts, sizeof facts);
  return TRUE;
}

static const TtSpanFilterClass filter_class = {
  .see_process = see_process,
  .see_thread = see_thread,
  .see_metadata = tt_config_filter_see_metadata,
  .knows_name = knows_name,
  .see_name = see_name,
  .read_args = read_args,
  .begin = begin,
  .end = end,
};

/* -- life ----------------------------------------------------------------------------------------- */

TtConfigFilter *
tt_config_filter_new (const TtConfig *config,
                      const TtConfigOperations *operations,
                      const TtConfigFilterOptions *options)
{
  TtConfigFilter *self = g_new0 (TtConfigFilter, 1);

  self->base.klass = &filter_class;
  self->config = config;
  self->operations = operations;
  self->options = *options;
  for (guint i = 0; i < config->lexgions->len; i++)
    self->has_named |= !((const TtConfigLexgion *) config->lexgions->pdata[i])->id->is_address;
  self->names = g_array_new (FALSE, TRUE, sizeof (Name));
  g_array_set_clear_func (self->names, clear_name);
  self->threads = g_ptr_array_new_with_free_func (tt_config_filter_thread_free);
  self->processes = g_ptr_array_new_with_free_func (tt_config_filter_process_free);
  self->sites = g_hash_table_new_full (hash_site, equal_sites, g_free, NULL);
  self->open = g_array_new (FALSE, TRUE, sizeof (Open));
  g_array_set_size (self->open, 1);
  self->tallies = g_hash_table_new_full (hash_tally, equal_tallies, g_free, NULL);
  self->punits = g_new0 (gint64, config->domains->kinds->len);
  tt_config_filter_find_unit_kinds (self);
  return self;
}

void
tt_config_filter_free (TtConfigFilter *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->names);
  g_ptr_array_unref (self->threads);
  g_ptr_array_unref (self->processes);
  g_hash_table_unref (self->sites);
  g_array_unref (self->open);
  g_hash_table_unref (self->tallies);
  g_free (self->punits);
  g_free (self);
}

TtSpanFilter *
tt_config_filter_base (TtConfigFilter *self)
{
  return &self->base;
}
