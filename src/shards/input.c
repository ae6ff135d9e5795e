/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/shards/input.h"

#include "src/base/compare.h"
#include "src/base/error.h"
#include "src/base/failure.h"
#include "src/base/look.h"
#include "src/base/progress.h"
#include "src/trace/shard/write.h"

#include <glib/gstdio.h>

/* -- the order ------------------------------------------------------------------------------------------------- */

typedef struct
{
  guint32 input;
  guint64 bytes;
} SizedInput;

static int
compare_sizes (gconstpointer a, gconstpointer b)
{
  const SizedInput *x = a, *y = b;

  return x->bytes != y->bytes ? TT_COMPARE (y->bytes, x->bytes) : TT_COMPARE (x->input, y->input);
}

static guint64
count_bytes (const TtInputSet *set)
{
  guint64 bytes = 0;

  for (guint i = 0; i < set->paths->len; i++)
    {
      GStatBuf status;
      if (tt_look_stat (set->paths->pdata[i], &status) == 0)
        bytes += (guint64) status.st_size;
    }
  return bytes;
}

GArray *
tt_shard_job_order (const TtShardJob *self)
{
  g_autoptr (GArray) sized = g_array_new (FALSE, FALSE, sizeof (SizedInput));
  GArray *order = g_array_new (FALSE, FALSE, sizeof (guint32));

  for (guint i = 0; i < self->plan->len; i++)
    {
      const TtInputSet *set = ((const TtPlannedInput *) self->plan->pdata[i])->set;
      if (set->fault != NULL || g_ptr_array_find_with_equal_func (set->paths, "-", g_str_equal, NULL))
        continue;
      const SizedInput input = { i, count_bytes (set) };
      g_array_append_val (sized, input);
    }
  g_array_sort (sized, compare_sizes);
  for (guint i = 0; i < sized->len; i++)
    g_array_append_val (order, g_array_index (sized, SizedInput, i).input);
  return order;
}

/* -- one input --------------------------------------------------------------------------------------------------- */

static gboolean
leave_out (const char *path, GError **fault, gpointer data)
{
  GPtrArray *left_out = data;

  if (!tt_failure_is_of_input (*fault))
    return FALSE;
  g_ptr_array_add (left_out, tt_shard_left_out_new (path, *fault));
  g_clear_error (fault);
  return TRUE;
}

gboolean
tt_shard_job_write (const TtShardJob *self,
                    guint i,
                    int fd,
                    const char *name,
                    guint64 offset,
                    guint64 *n_bytes,
                    GError **error)
{
  const TtPlannedInput *input = self->plan->pdata[i];
  g_autoptr (TtShardWriter) writer = tt_shard_writer_new (fd, offset);
  g_autoptr (TtSink) sink = tt_shard_writer_sink (writer, tt_names_new (tt_name_rules_ref (self->rules)));
  g_autoptr (GPtrArray) left_out = g_ptr_array_new_with_free_func (tt_shard_left_out_free);
  TtImportOptions options = *self->options;
  TtShardEnd end = { .left_out = left_out };

  tt_shard_writer_set_name (writer, name);
  options.n_alike = tt_format_plan_alike (self->plan, input->format);
  if (options.leave_out != NULL)
    {
      options.leave_out = leave_out;
      options.leave_out_data = left_out;
    }
  tt_names_set_source (sink->names, input->format->name);
  input->format->import (input->set, &options, sink, &end.fault);
  gboolean done =
      tt_failure_check (error) && !tt_cancelled (error) && tt_shard_writer_finish (writer, sink, &end, error);
  g_clear_error (&end.fault);
  *n_bytes = tt_shard_writer_offset (writer) - offset;
  return done;
}
