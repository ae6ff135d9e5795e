/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/training-job/metadata.h"


gboolean
tt_job_metadata_each (const TtJobMetadata *self, TtStore *store, TtQueryRowFunc func, gpointer data, GError **error)
{
  g_autofree char *sql = g_strdup_printf (
      "SELECT j.key, j.value FROM metadata m, json_each (m.value, '%s') j"
      " WHERE m.process = %u AND m.thread IS NULL AND m.key = '%s' AND json_valid (m.value) ORDER BY j.id",
      self->path, self->process, self->key);

  return tt_store_query (store, sql, NULL, func, data, error);
}
