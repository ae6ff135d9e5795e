/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/pinsight/filter-private.h"

#include <string.h>

#define NO_DOMAIN ((guint) TT_CONFIG_NO_DOMAIN)

static const TtSpanFacts no_facts = TT_SPAN_FACTS_INIT;

static void
clear_name (gpointer data)
{
  Name *name = data;

  g_free (name->name);
  g_free (name->file);
}

static void
end (TtSpanFilter *base, guint32 token, gint64 end_ns)
{
  TtConfigFilter *self = (TtConfigFilter *) base;

  if (token == 0 || token >= self->open->len || !open_of (self, token)->is_used)
    return;
  Open *open = open_of (self, token);
  if (open->site == NULL)
    tt_config_filter_thread (self, open->thread)->work = NULL;
  else if (open->counts && open->site->is_recorded)
    tt_config_filter_count (self, tt_config_filter_thread (self, open->thread), open->site, end_ns);
  if (open->is_region)
    tt_config_filter_close_region (self, token, end_ns);
  if (open->is_call)
    tt_config_filter_remove_token (tt_config_filter_thread (self, open->thread)->calls, token);
  open->is_used = FALSE;
  open->next_free = self->first_free;
  self->first_free = token;
}

/* -- the class ------------------------------------------------------------------------------------ */

static TtFilterVerdict
begin (TtSpanFilter *base, const TtFilterBegin *begin)
{
  TtConfigFilter *self = (TtConfigFilter *) base;
  TtSpanFacts facts = no_facts;
  const Name *name = NULL;

  if (begin->facts != NULL)
    memcpy (&facts, begin->facts, sizeof facts);
  if (begin->name < self->names->len)
    name = &g_array_index (self->names, Name, begin->name);
  if (name == NULL || name->operation.role == TT_ROLE_NONE)
    return tt_config_filter_note (self, self->options.keeps_others ? WHY_OTHER_KEPT : WHY_OTHER, NO_DOMAIN, NULL, 0);

  const Asked asked = { .begin = begin,
                        .name = name,
                        .operation = &name->operation,
                        .facts = &facts,
                        .thread = tt_config_filter_thread (self, begin->thread) };
  if (self->has_windows)
    tt_config_filter_see_begin (self, asked.thread, begin->ts_ns);
  tt_config_filter_find_punits (self, asked.thread, name->operation.domain, asked.facts);
  return tt_config_filter_call_back (self, &asked);
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
  self->has_windows = tt_config_filter_has_windows (config);
  self->names = g_array_new (FALSE, TRUE, sizeof (Name));
  g_array_set_clear_func (self->names, clear_name);
  self->threads = g_ptr_array_new_with_free_func (tt_config_filter_thread_free);
  self->processes = g_ptr_array_new_with_free_func (tt_config_filter_process_free);
  self->sites = g_hash_table_new_full (tt_config_filter_hash_site, tt_config_filter_equal_sites, g_free, NULL);
  self->open = g_array_new (FALSE, TRUE, sizeof (Open));
  g_array_set_size (self->open, 1);
  self->tallies = g_hash_table_new_full (tt_config_filter_hash_tally, tt_config_filter_equal_tallies, g_free, NULL);
  self->punits = g_new0 (gint64, config->domains->kinds->len);
  tt_config_filter_find_unit_kinds (self);
  return self;
}

void
tt_config_filter_free (TtConfigFilter *self)
{
  if (self == NULL)
    return;
  for (guint i = 0; i < self->processes->len; i++)
    if (self->processes->pdata[i] != NULL)
      tt_config_filter_windows_free (((Process *) self->processes->pdata[i])->windows,
                                     self->config->domains->domains->len);
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
