/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/pinsight/filter-private.h"

#include <string.h>

static gint64 *
new_punits (const TtConfigFilter *self)
{
  guint n = self->config->domains->kinds->len;
  gint64 *punits = g_new (gint64, n);

  for (guint i = 0; i < n; i++)
    punits[i] = -1;
  return punits;
}

void
tt_config_filter_process_free (gpointer data)
{
  Process *process = data;

  if (process == NULL)
    return;
  g_free (process->punits);
  tt_region_history_clear (&process->history);
  g_free (process);
}

void
tt_config_filter_thread_free (gpointer data)
{
  Thread *thread = data;

  if (thread == NULL)
    return;
  g_free (thread->punits);
  g_array_unref (thread->regions);
  g_array_unref (thread->calls);
  g_free (thread);
}

static gpointer *
slot_in (GPtrArray *array, guint32 id)
{
  if (id >= array->len)
    g_ptr_array_set_size (array, (int) id + 1);
  return &array->pdata[id];
}

Process *
tt_config_filter_process (TtConfigFilter *self, guint32 id)
{
  gpointer *slot = slot_in (self->processes, id);

  if (*slot == NULL)
    {
      Process *process = g_new0 (Process, 1);
      process->rank = -1;
      process->punits = new_punits (self);
      tt_region_history_init (&process->history);
      *slot = process;
    }
  return *slot;
}

Thread *
tt_config_filter_thread (TtConfigFilter *self, guint32 id)
{
  gpointer *slot = slot_in (self->threads, id);

  if (*slot == NULL)
    {
      Thread *thread = g_new0 (Thread, 1);
      thread->number = -1;
      thread->punits = new_punits (self);
      thread->regions = g_array_new (FALSE, FALSE, sizeof (guint32));
      thread->calls = g_array_new (FALSE, FALSE, sizeof (guint32));
      *slot = thread;
    }
  return *slot;
}

/* "punit.OpenMP.thread" = "3" */
void
tt_config_filter_see_metadata (TtSpanFilter *base, guint32 process, guint32 thread, const char *key, const char *value)
{
  TtConfigFilter *self = (TtConfigFilter *) base;
  const TtConfigDomains *domains = self->config->domains;
  guint64 id;

  if (key == NULL || value == NULL || !g_str_has_prefix (key, "punit."))
    return;
  const char *name = key + strlen ("punit."), *dot = strchr (name, '.');
  int domain = dot == NULL ? -1 : tt_config_domains_find (domains, name, (gsize) (dot - name));
  int kind = domain < 0 ? -1 : tt_config_domains_find_kind (domains, (guint) domain, dot + 1, strlen (dot + 1));
  if (kind < 0 || !g_ascii_string_to_unsigned (value, 10, 0, G_MAXUINT32 - 1, &id, NULL))
    return;
  gint64 *punits = thread != TT_NO_ID ? tt_config_filter_thread (self, thread)->punits
                                      : tt_config_filter_process (self, process)->punits;
  punits[kind] = (gint64) id;
}

void
tt_config_filter_find_unit_kinds (TtConfigFilter *self)
{
  for (guint i = 0; i < TT_N_UNITS; i++)
    {
      const char *name = tt_unit_domains[i];
      int domain = name == NULL ? -1 : tt_config_domains_find (self->config->domains, name, strlen (name));
      self->unit_kinds[i] = domain < 0 ? -1
                                       : tt_config_domains_find_kind (self->config->domains, (guint) domain,
                                                                      tt_unit_kinds[i], strlen (tt_unit_kinds[i]));
    }
}

/* If no argument or metadata has the id: the process's rank, or the tid if it may be an id of the kind. The host is
 * OpenMP's device 0 where there are no others; nothing tells their number. */
static gint64
guess_unit (const TtConfigDomains *domains, const Thread *thread, const Process *process, const TtConfigKind *kind)
{
  if (strcmp (kind->name, "device") == 0 && strcmp (tt_config_domain (domains, kind->domain)->name, "OpenMP") == 0)
    return 0;
  if (strcmp (kind->name, "rank") == 0)
    return process == NULL ? -1 : process->rank;
  if (strcmp (kind->name, "thread") == 0 && thread->number >= kind->low && thread->number <= kind->high)
    return thread->number;
  return -1;
}

void
tt_config_filter_find_punits (TtConfigFilter *self, const Thread *thread, guint domain, const TtSpanFacts *facts)
{
  const TtConfigDomains *domains = self->config->domains;
  const Process *process = thread->process < self->processes->len ? self->processes->pdata[thread->process] : NULL;

  for (guint i = 0; i < domains->kinds->len; i++)
    {
      const TtConfigKind *kind = tt_config_kind (domains, i);

      self->punits[i] = thread->punits[i];
      if (self->punits[i] < 0 && process != NULL)
        self->punits[i] = process->punits[i];
      if (self->punits[i] < 0)
        self->punits[i] = guess_unit (domains, thread, process, kind);
      /* The device of an operation is one of its own domain. */
      if (facts->unit[TT_UNIT_DEVICE] >= 0 && kind->domain == domain && strcmp (kind->name, "device") == 0)
        self->punits[i] = facts->unit[TT_UNIT_DEVICE];
    }
  for (guint i = 0; i < TT_N_UNITS; i++)
    if (self->unit_kinds[i] >= 0 && facts->unit[i] >= 0)
      self->punits[self->unit_kinds[i]] = facts->unit[i];
}
