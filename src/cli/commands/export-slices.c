/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/cli/commands/export-slices.h"

#include "src/base/progress.h"
#include "src/base/temporary-file.h"
#include "src/cli/commands/export-records.h"
#include "src/cli/default-output.h"
#include "src/cli/run-id.h"

#include <unistd.h>

gboolean
tt_export_is_sliced (const char *path, const TtExportSettings *settings)
{
  return tt_shard_ranks () != NULL && tt_shard_ranks ()->n > 1 && !settings->is_template &&
         settings->options.max_bytes == 0 && !tt_default_output_is_stdout (path) && !g_str_has_suffix (path, ".gz");
}

static gboolean
write_again (TtExportSliceFunc write,
             TtStore *store,
             TtOutput *out,
             const TtExportSettings *settings,
             TtExportSlices *slices,
             gpointer report,
             GError **error)
{
  *slices = (TtExportSlices){ .n = tt_shard_ranks ()->n, .is_odd = TRUE };
  tt_output_restart (out);
  return write (store, out, settings, slices, report, error);
}

int
tt_export_slices_help (TtExportSliceFunc write,
                       const TtContext *context,
                       char **paths,
                       const TtExportSettings *settings,
                       TtConfigSettings *config,
                       gpointer report,
                       GError **error)
{
  const TtShardRanks *ranks = tt_shard_ranks ();
  TtExportSlices slices = { .n = ranks->n };

  tt_cancel_install ();
  int fd = tt_temporary_file (error);
  g_autoptr (TtOutput) out = fd < 0 ? NULL : tt_output_open_descriptor (fd, "a temporary file");
  g_autoptr (TtStore) store = out == NULL ? NULL : tt_export_open_store (context, paths, settings, config, error);

  gboolean done =
      store != NULL && tt_run_id_check (store, error) && write (store, out, settings, &slices, report, error);
  if (done && slices.is_odd)
    done = write_again (write, store, out, settings, &slices, report, error);
  done = done && tt_output_close (out, error);
  if (done && !slices.is_over && ranks->rank < slices.n)
    {
      const TtShardSlice slice = { tt_output_total (out), slices.n_left_out };
      done = ranks->put_slice (fd, &slice, error);
    }
  if (fd >= 0)
    close (fd);
  return done ? 0 : -1;
}

gboolean
tt_export_slices_lead (TtExportSliceFunc write,
                       TtStore *store,
                       TtOutput *out,
                       const TtExportSettings *settings,
                       TtExportSlices *slices,
                       gpointer report,
                       GError **error)
{
  const TtShardRanks *ranks = tt_shard_ranks ();
  g_autoptr (GError) own = NULL, other = NULL;
  g_autofree char *id = tt_run_id (store, error);

  if (id == NULL)
    return FALSE;
  *slices = (TtExportSlices){ .n = ranks->n };
  ranks->begin_slices (id);
  if (!write (store, out, settings, slices, report, &own))
    return tt_crew_end (ranks->crew, FALSE, g_steal_pointer (&own), error);
  g_debug ("ranks share %s", slices->is_odd ? "the text alone, if any" : "the reading and the text");
  gboolean done = !slices->is_odd || write_again (write, store, out, settings, slices, report, error);
  TtShardSlice sum = { tt_output_total (out), slices->n_left_out };
  const guint64 n_own_bytes = sum.n_bytes;
  if (!ranks->gather_slices (done ? tt_output_part (out) : NULL, slices->n, &sum, done ? error : &other))
    return FALSE;
  tt_output_add_bytes (out, sum.n_bytes - n_own_bytes);
  slices->n_left_out = sum.n_left_out;
  return TRUE;
}
