/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/ctf/facts.h"

#include <string.h>

#define MAX_METERS 64u
#define MAX_KEYS 4096u

/* -- energy ------------------------------------------------------------------------------------------------ */

static void
write_meters (TtCtfSession *self,
              const TtCtfThread *thread,
              const TtCtfEvent *event,
              const char *field,
              const char *series)
{
  const TtCtfMember *member = tt_ctf_scope_member (event->klass, TT_CTF_PAYLOAD, field);
  gint64 value;

  for (guint k = 0; k < MAX_METERS && tt_ctf_element (event, member, k, &value); k++)
    {
      g_autofree char *name = g_strdup_printf ("%s/%u", series, k);
      tt_sink_counter_int (self->sink, tt_sink_series (self->sink, name, "uJ", TRUE), thread->id, event->ts_ns, value);
    }
}

/* What the meters of the node show. */
void
tt_ctf_energy (TtCtfSession *self, TtCtfThread *thread, const TtCtfEvent *event)
{
  write_meters (self, thread, event, "cpu_uj", "energy_cpu");
  write_meters (self, thread, event, "gpu_uj", "energy_gpu");
}

/* -- manifests ---------------------------------------------------------------------------------------------- */

static void
set_value (TtCtfProcess *process, const char *key, const char *value)
{
  if (process->manifest == NULL)
    process->manifest = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  if (g_hash_table_size (process->manifest) < MAX_KEYS || g_hash_table_contains (process->manifest, key))
    g_hash_table_replace (process->manifest, g_utf8_make_valid (key, -1), g_utf8_make_valid (value, -1));
}

void
tt_ctf_manifest_process (TtCtfProcess *process, const TtCtfEvent *event)
{
  static const char *const fields[] = { "reason", "exe", "window_gen", "nprocs_hint", "mpirank" };

  for (guint i = 0; i < G_N_ELEMENTS (fields); i++)
    {
      const TtCtfMember *member = tt_ctf_scope_member (event->klass, TT_CTF_PAYLOAD, fields[i]);
      g_autofree char *key = g_strconcat ("manifest.", fields[i], NULL);
      const char *text = tt_ctf_text (event, member);
      gint64 number;

      if (text != NULL)
        set_value (process, key, text);
      else if (tt_ctf_integer (event, member, &number) && number >= 0)
        {
          g_autofree char *digits = g_strdup_printf ("%" G_GINT64_FORMAT, number);
          set_value (process, key, digits);
        }
    }
}

void
tt_ctf_manifest_value (TtCtfProcess *process, const TtCtfBinding *binding, const TtCtfEvent *event)
{
  const char *key = tt_ctf_text (event, binding->key), *value = tt_ctf_text (event, binding->value);

  if (key != NULL && value != NULL)
    set_value (process, key, value);
}

static int
by_text (gconstpointer a, gconstpointer b)
{
  return strcmp (a, b);
}

void
tt_ctf_write_manifest (TtCtfSession *self, TtCtfProcess *process)
{
  if (process->manifest == NULL)
    return;

  GList *keys = g_list_sort (g_hash_table_get_keys (process->manifest), by_text);

  for (GList *key = keys; key != NULL; key = key->next)
    tt_sink_metadata (self->sink, process->id, TT_NO_ID, key->data, g_hash_table_lookup (process->manifest, key->data));
  g_list_free (keys);
}

/* -- what was seen ------------------------------------------------------------------------------------------ */

static void
write_seen (TtCtfSession *self, const TtCtfSeen *seen)
{
  g_autofree char *text = tt_ctf_coverage_text (seen);
  TtName name;

  if (text == NULL || !tt_names_get (self->sink->names, seen->name, &name))
    return;
  g_autofree char *key =
      seen->codeptr == 0 ? g_strdup_printf ("seen.%s", name.text)
                         : g_strdup_printf ("seen.%s.0x%" G_GINT64_MODIFIER "x", name.text, (guint64) seen->codeptr);
  tt_sink_metadata (self->sink, seen->process, TT_NO_ID, key, text);
}

void
tt_ctf_write_coverage (TtCtfSession *self)
{
  const GPtrArray *processes = self->processes->in_order;
  const TtCtfLosses *losses = &self->losses;

  if (!losses->has_any || processes->len == 0)
    return;
  g_autofree char *all =
      tt_ctf_coverage_share (self->trace.n_events, self->trace.n_events + losses->n_events, losses->are_more);
  tt_sink_metadata (self->sink, ((const TtCtfProcess *) processes->pdata[0])->id, TT_NO_ID, "seen", all);
  for (guint i = 0; self->coverage.seen != NULL && i < self->coverage.seen->len; i++)
    write_seen (self, &g_array_index (self->coverage.seen, TtCtfSeen, i));
}
