/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/cli/run-id.h"

#include "src/base/error.h"
#include "src/base/version.h"
#include "src/shards/ranks.h"
#include "src/store/runs.h"

#include <string.h>

static gboolean
add_run (const TtRunSummary *run, gpointer data)
{
  g_autofree char *facts =
      g_strdup_printf ("%u %s %s %u %" G_GUINT64_FORMAT " %d %" G_GINT64_FORMAT " %" G_GINT64_FORMAT "\n", run->id,
                       run->command, run->formats != NULL ? run->formats : "", run->n_sources, run->n_spans,
                       (int) run->clock, run->first_ns, run->last_ns);

  g_checksum_update ((GChecksum *) data, (const guchar *) facts, (gssize) strlen (facts));
  return TRUE;
}

char *
tt_run_id (TtStore *store, GError **error)
{
  g_autoptr (GChecksum) sum = g_checksum_new (G_CHECKSUM_MD5);

  g_checksum_update (sum, (const guchar *) tt_version_build, -1);
  return tt_store_each_run (store, add_run, sum, error) ? g_strdup (g_checksum_get_string (sum)) : NULL;
}

gboolean
tt_run_id_check (TtStore *store, GError **error)
{
  g_autofree char *id = tt_run_id (store, error);

  if (id == NULL || g_str_equal (id, tt_shard_ranks ()->id))
    return id != NULL;
  g_set_error (error, TT_ERROR, TT_ERROR_INPUT, "it does not read the run that rank 0 reads, or is another build");
  return FALSE;
}

gboolean
tt_run_has_crew (TtCrew *crew)
{
  const TtShardRanks *ranks = tt_shard_ranks ();

  if (ranks == NULL || ranks->n < 2)
    return FALSE;
  *crew = *ranks->crew;
  return TRUE;
}

gboolean
tt_run_crew (TtStore *store, TtCrew *crew, gboolean *has, GError **error)
{
  *has = tt_run_has_crew (crew);
  if (!*has)
    return TRUE;
  if (crew->rank > 0)
    return tt_run_id_check (store, error);
  g_autofree char *id = tt_run_id (store, error);
  if (id != NULL)
    g_strlcpy (crew->id, id, sizeof crew->id);
  return id != NULL;
}
