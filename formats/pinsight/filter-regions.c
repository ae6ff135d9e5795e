/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The parallel region around an event: by its number, else the innermost open one of the thread, else by time.
 */
#include "config.h"

#include "formats/pinsight/filter-private.h"

void
tt_config_filter_open_region (TtConfigFilter *self, guint32 token, const TtSpanFacts *facts, const TtFilterBegin *begin)
{
  const Open *open = open_of (self, token);
  Thread *thread = tt_config_filter_thread (self, open->thread);
  Process *process = tt_config_filter_process (self, thread->process);
  const TtRegionDecision decision = { open->site->is_recorded, open->site->lexgion };

  if (tt_region_has_number (facts))
    tt_region_history_add_numbered (&process->history, facts, &decision);
  else if (thread->regions->len == 0)
    {
      const TtRegionStretch stretch = {
        .begin_ns = begin->ts_ns,
        .end_ns = begin->end_ns == TT_NO_TIME ? G_MAXINT64 : begin->end_ns,
        .token = token,
        .thread = open->thread,
        .decision = decision,
      };
      tt_region_history_add_stretch (&process->history, &stretch);
    }
  g_array_append_val (thread->regions, token);
}

void
tt_config_filter_remove_token (GArray *tokens, guint32 token)
{
  for (guint i = tokens->len; i-- > 0;)
    if (g_array_index (tokens, guint32, i) == token)
      {
        g_array_remove_index (tokens, i);
        break;
      }
}

void
tt_config_filter_close_region (TtConfigFilter *self, guint32 token, gint64 end_ns)
{
  const Open *open = open_of (self, token);
  Thread *thread = tt_config_filter_thread (self, open->thread);

  tt_config_filter_remove_token (thread->regions, token);
  tt_region_history_end_stretch (&tt_config_filter_process (self, thread->process)->history, token, end_ns);
}

gboolean
tt_config_filter_region_on_thread (const TtConfigFilter *self, const Thread *thread, TtRegionDecision *region)
{
  if (thread->regions->len == 0)
    return FALSE;
  const Open *open = open_of (self, g_array_index (thread->regions, guint32, thread->regions->len - 1));
  region->is_recorded = open->site->is_recorded;
  region->lexgion = open->site->lexgion;
  return TRUE;
}

gboolean
tt_config_filter_find_region (TtConfigFilter *self,
                              const Thread *thread,
                              const TtSpanFacts *facts,
                              gint64 ts_ns,
                              TtRegionDecision *region)
{
  const TtRegionHistory *history = &tt_config_filter_process (self, thread->process)->history;

  return (tt_region_has_number (facts) && tt_region_history_find_numbered (history, facts, region)) ||
         tt_config_filter_region_on_thread (self, thread, region) ||
         tt_region_history_find_by_time (history, ts_ns, region);
}
