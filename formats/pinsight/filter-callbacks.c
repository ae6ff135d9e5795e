/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What PInsight's callbacks decide, each as its source has it (src/ompt_callback.c, src/pmpi_mpi.c,
 * src/pysysmon_callback.c, src/pinsight.c of August 2026). They do not ask the same: the callback of a region looks at
 * counters only, that of a call at events, constraints and counters, those inside a region at its trace bit, events and
 * constraints, those of joins at the bit alone.
 */
#include "config.h"

#include "formats/pinsight/filter-private.h"

#include <string.h>

/* -- questions ------------------------------------------------------------------------------------ */

static gboolean
is_own_address (const TtConfigLexgion *lexgion)
{
  return lexgion->id != NULL && lexgion->id->is_address;
}

/* What speaks against the event in the lexgion, apart from counters and regions. TRUE: nothing. */
static gboolean
passes (const TtConfigFilter *self,
        const TtOperation *operation,
        const TtConfigLexgion *lexgion,
        Why *why,
        gconstpointer *rule)
{
  static const Why whys[] = {
    [TT_EVENT_BY_DEFAULT] = WHY_EVENT_OFF, [TT_EVENT_BY_SECTION] = WHY_SECTION_OFF, [TT_EVENT_OUT_OF_SCOPE] = WHY_SCOPE,
    [TT_EVENT_BY_MODE] = WHY_MODE,         [TT_EVENT_BY_LEXGION] = WHY_MASK,        [TT_EVENT_UNFILTERED] = WHY_NO_EVENT
  };
  TtEventAnswer answer = { 0 };
  gboolean is_asked = FALSE;

  *rule = NULL;
  for (guint i = 0; i < TT_CONFIG_MOST_EVENTS && !answer.is_on; i++)
    if ((operation->events >> i & 1) != 0)
      {
        answer = tt_config_ask_lexgion (self->config, lexgion, operation->domain, i, self->punits,
                                        self->options.unknown_matches);
        is_asked = TRUE;
      }
  if (answer.is_on)
    {
      *why = WHY_CONSTRAINT;
      *rule = lexgion;
      return tt_config_holds (self->config, lexgion, self->punits, self->options.unknown_matches, NULL);
    }
  *why = is_asked ? whys[answer.reason] : WHY_NO_EVENT;
  if (*why == WHY_SECTION_OFF)
    *rule = self->config->sections->pdata[answer.section];
  else if (*why == WHY_MASK)
    *rule = lexgion;
  return FALSE;
}

static TtConfigMode
find_mode (TtConfigFilter *self, const Asked *asked)
{
  gconstpointer by;

  return tt_config_filter_mode (self, asked->thread, asked->operation->domain, asked->begin->ts_ns, &by);
}

static TtFilterVerdict
note (TtConfigFilter *self, const Asked *asked, Why why, gconstpointer rule, guint32 token)
{
  return tt_config_filter_note (self, why, asked->operation->domain, rule, token);
}

/* Nothing is recorded in the mode that the domain is in. */
static TtFilterVerdict
note_mode (TtConfigFilter *self, const Asked *asked, Why why, guint32 token)
{
  gconstpointer by;

  tt_config_filter_mode (self, asked->thread, asked->operation->domain, asked->begin->ts_ns, &by);
  return note (self, asked, by != NULL ? WHY_WINDOW_OVER : why, by, token);
}

/* Counts an invocation and sets the site's trace bit. @number: what the source says of it, or -1. */
static gboolean
sample (TtConfigFilter *self, const Asked *asked, Site *site, gint64 number, gboolean may_be)
{
  tt_config_filter_renew (self, asked->thread, site);
  site->is_recorded = number >= 0 && !self->options.recounts
                          ? tt_sampling_begin_numbered (&site->state, &site->lexgion->rule, may_be, (guint32) number)
                          : tt_sampling_begin (&site->state, &site->lexgion->rule, may_be);
  return site->is_recorded;
}

/* What was counted waits for its end. */
static guint32
open_site (TtConfigFilter *self, const Asked *asked, const Open *open)
{
  if (!asked->begin->is_instant)
    return tt_config_filter_open (self, open);
  if (open->counts && open->site->is_recorded)
    tt_config_filter_count (self, asked->thread, open->site, asked->begin->ts_ns);
  return 0;
}

/* -- calls ---------------------------------------------------------------------------------------- */

static TtFilterVerdict
ask_call (TtConfigFilter *self, const Asked *asked)
{
  Site *site = tt_config_filter_site (self, asked);
  gconstpointer rule;
  Why why;
  gboolean may_be = passes (self, asked->operation, site->lexgion, &why, &rule);

  sample (self, asked, site, asked->facts->record_id, may_be && find_mode (self, asked) == TT_MODE_TRACING);
  const Open open = {
    .site = site, .counts = TRUE, .is_call = TRUE, .thread = asked->begin->thread, .domain = asked->operation->domain
  };
  gboolean is_recorded = site->is_recorded;
  guint32 token = open_site (self, asked, &open);
  if (token != 0)
    g_array_append_val (asked->thread->calls, token);
  if (!may_be)
    return note (self, asked, why, rule, token);
  if (find_mode (self, asked) == TT_MODE_MONITORING)
    return note_mode (self, asked, WHY_COUNTS_ONLY, token);
  return note (self, asked, is_recorded ? WHY_SAMPLED : WHY_NOT_SAMPLED, site->lexgion, token);
}

/* Python's calls of functions in C look at the trace bit of the function that they are in, and at nothing else. */
static TtFilterVerdict
ask_callee (TtConfigFilter *self, const Asked *asked)
{
  const GArray *calls = asked->thread->calls;

  for (guint i = calls->len; i-- > 0;)
    {
      const Open *caller = open_of (self, g_array_index (calls, guint32, i));
      if (caller->domain == asked->operation->domain)
        return note (self, asked, caller->site->is_recorded ? WHY_IN_CALL : WHY_CALL_OUT, caller->site->lexgion, 0);
    }
  return note (self, asked, WHY_CALL_OUT, NULL, 0);
}

/* -- regions -------------------------------------------------------------------------------------- */

static TtFilterVerdict
ask_region (TtConfigFilter *self, const Asked *asked)
{
  Site *site = tt_config_filter_site (self, asked);
  gint64 number = asked->facts->parallel_record_id >= 0 ? asked->facts->parallel_record_id : asked->facts->record_id;
  gboolean is_nested = asked->thread->regions->len > 0, is_tracing = find_mode (self, asked) == TT_MODE_TRACING;
  gboolean is_recorded = sample (self, asked, site, number, is_tracing);
  /* A nested region without a section of its own is tested, and does not use up the counters. */
  const Open open = { .site = site,
                      .counts = !is_nested || is_own_address (site->lexgion),
                      .is_region = TRUE,
                      .thread = asked->begin->thread };
  guint32 token = open_site (self, asked, &open);

  if (token != 0)
    tt_config_filter_open_region (self, token, asked->facts, asked->begin);
  if (!is_tracing)
    return note_mode (self, asked, WHY_COUNTS_ONLY, token);
  return note (self, asked, is_recorded ? WHY_SAMPLED : WHY_NOT_SAMPLED, site->lexgion, token);
}

/* What decides over an event inside a region: the region, or the work before it. */
typedef struct
{
  gboolean is_known, is_recorded;
  const TtConfigLexgion *lexgion;
} Around;

static Around
find_around (TtConfigFilter *self, const Asked *asked)
{
  const TtSpanFacts *facts = asked->facts;
  TtRegionDecision region = { 0 };

  /* The initial region, which is of code pointer 0, is never sampled: its trace bit is never set. */
  if (facts->parallel_codeptr == 0 && facts->parallel_record_id >= 0)
    return (Around){ TRUE, FALSE, NULL };
  if (!tt_config_filter_find_region (self, asked->thread, facts, asked->begin->ts_ns, &region))
    return (Around){ FALSE, TRUE, tt_config_filter_lexgion (self, asked) };
  return (Around){ TRUE, region.is_recorded, region.lexgion };
}

static TtFilterVerdict
ask_inside (TtConfigFilter *self, const Asked *asked)
{
  Around around = find_around (self, asked);
  gconstpointer rule;
  Why why;

  if (!around.is_recorded)
    return note (self, asked, WHY_REGION_OUT, around.lexgion, 0);
  if (asked->operation->role != TT_ROLE_JOIN && !passes (self, asked->operation, around.lexgion, &why, &rule))
    return note (self, asked, why, rule, 0);
  return note (self, asked, around.is_known ? WHY_IN_REGION : WHY_NO_REGION, around.is_known ? around.lexgion : NULL,
               0);
}

/* Work without a section has the number of its region for its own; one that has not counts for itself. */
static gint64
own_number (const TtSpanFacts *facts)
{
  return facts->record_id == facts->parallel_record_id ? -1 : facts->record_id;
}

static TtFilterVerdict
ask_work (TtConfigFilter *self, const Asked *asked)
{
  gboolean is_work = asked->operation->role == TT_ROLE_WORK;
  gboolean is_region = is_work && asked->facts->codeptr == asked->facts->parallel_codeptr;
  gboolean has_own = !is_region && is_own_address (tt_config_filter_lexgion (self, asked));
  Site *site = has_own ? tt_config_filter_site (self, asked) : NULL;
  gconstpointer rule;
  Why why;

  if (is_work)
    asked->thread->work = site;
  if (!has_own)
    return ask_inside (self, asked);
  gboolean is_recorded = sample (self, asked, site, own_number (asked->facts), TRUE);
  gboolean may_be = passes (self, asked->operation, site->lexgion, &why, &rule);
  const Open open = { .site = site, .counts = may_be, .thread = asked->begin->thread };
  guint32 token = open_site (self, asked, &open);
  if (!is_recorded)
    return note (self, asked, WHY_NOT_SAMPLED, site->lexgion, token);
  return note (self, asked, may_be ? WHY_SAMPLED : why, may_be ? site->lexgion : rule, token);
}

static TtFilterVerdict
ask_barrier (TtConfigFilter *self, const Asked *asked)
{
  const Site *work = asked->thread->work;
  const Open open = { .thread = asked->begin->thread };
  TtFilterVerdict verdict;
  gconstpointer rule;
  Why why;

  if (work == NULL)
    return ask_inside (self, asked);
  if (!work->is_recorded)
    verdict = note (self, asked, WHY_WORK_OUT, work->lexgion, 0);
  else if (!passes (self, asked->operation, work->lexgion, &why, &rule))
    verdict = note (self, asked, why, rule, 0);
  else
    verdict = note (self, asked, WHY_AFTER_WORK, work->lexgion, 0);
  /* The end of the barrier, not of the wait in it, is the end of the work's say. */
  if (asked->operation->role == TT_ROLE_BARRIER && !asked->begin->is_instant)
    verdict.token = tt_config_filter_open (self, &open);
  return verdict;
}

/* -- the rest ------------------------------------------------------------------------------------- */

static TtFilterVerdict
ask_plain (TtConfigFilter *self, const Asked *asked)
{
  return find_mode (self, asked) == TT_MODE_MONITORING ? note_mode (self, asked, WHY_COUNTS_ONLY, 0)
                                                       : note (self, asked, WHY_NOT_ASKED, NULL, 0);
}

static TtFilterVerdict
ask_device (TtConfigFilter *self, const Asked *asked)
{
  const TtConfig *config = self->config;
  guint domain = asked->operation->domain;
  const char *activity = tt_config_filter_activity (self, asked->thread, domain);
  gboolean is_on = activity != NULL && strcmp (activity, "off") != 0;

  if (find_mode (self, asked) != TT_MODE_TRACING)
    return note_mode (self, asked, WHY_MODE, 0);
  for (guint i = 0; !config->skips_sections && i < config->domains->kinds->len; i++)
    {
      const TtConfigScope *scope = &config->scopes[i];
      if (tt_config_kind (config->domains, i)->domain == domain && scope->is_declared && self->punits[i] >= 0 &&
          (self->punits[i] < scope->low || self->punits[i] > scope->high))
        return note (self, asked, WHY_SCOPE, NULL, 0);
    }
  return note (self, asked, is_on ? WHY_DEVICE_ON : WHY_DEVICE_OFF, NULL, 0);
}

TtFilterVerdict
tt_config_filter_call_back (TtConfigFilter *self, const Asked *asked)
{
  static TtFilterVerdict (*const callbacks[]) (TtConfigFilter *, const Asked *) = {
    [TT_ROLE_CALL] = ask_call,       [TT_ROLE_CALLEE] = ask_callee, [TT_ROLE_REGION] = ask_region,
    [TT_ROLE_WORK] = ask_work,       [TT_ROLE_MASKED] = ask_work,   [TT_ROLE_INSIDE] = ask_inside,
    [TT_ROLE_BARRIER] = ask_barrier, [TT_ROLE_WAIT] = ask_barrier,  [TT_ROLE_JOIN] = ask_inside,
    [TT_ROLE_PLAIN] = ask_plain,     [TT_ROLE_DEVICE] = ask_device,
  };
  TtConfigMode mode = find_mode (self, asked);
  TtOperationRole role = asked->operation->role;

  if (mode == TT_MODE_OFF || mode == TT_MODE_STANDBY)
    return note_mode (self, asked, WHY_MODE, 0);
  /* Only regions and calls have callbacks that count then. */
  if (mode == TT_MODE_MONITORING && role != TT_ROLE_REGION && role != TT_ROLE_CALL && role != TT_ROLE_DEVICE)
    return note_mode (self, asked, WHY_COUNTS_ONLY, 0);
  if (asked->facts->is_callee && role == TT_ROLE_CALL)
    role = TT_ROLE_CALLEE;
  return callbacks[role](self, asked);
}
