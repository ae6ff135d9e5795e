/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/trace/shard/format.h"

TtShardLeftOut *
tt_shard_left_out_new (const char *path, const GError *fault)
{
  TtShardLeftOut *self = g_new0 (TtShardLeftOut, 1);

  self->path = g_strdup (path);
  self->fault = g_error_copy (fault);
  return self;
}

void
tt_shard_left_out_free (gpointer data)
{
  TtShardLeftOut *self = data;

  g_free (self->path);
  g_clear_error (&self->fault);
  g_free (self);
}
