/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/pi/import.h"

#include "formats/pi/side/side.h"

/* The task graph as rows: pi.md section 9. */

/* Values of access_mode, from 1024 on. */
static const char *const access_modes[] = { "read",          "write",  "read_write",
                                            "discard_write", "discard_read_write", "atomic" };
#define FIRST_ACCESS_MODE 1024

/* -1: not recorded, or beyond the range of times. */
static gint64
convert_time (gboolean has, guint64 us)
{
  return has && us <= G_MAXINT64 / 1000 ? (gint64) us * 1000 : -1;
}

static TtTaskKind
find_kind (const TtPiGraphItem *item)
{
  if (tt_pi_graph_metadata (item, "kernel_name") != NULL)
    return TT_TASK_KERNEL;
  if (tt_pi_graph_metadata (item, "copy_from") != NULL)
    return TT_TASK_COPY;
  if (tt_pi_graph_metadata (item, "allocation_type") != NULL)
    return TT_TASK_ALLOCATION;
  return tt_pi_graph_metadata (item, "memory_object") != NULL ? TT_TASK_MEMORY : TT_TASK_COMMAND;
}

static void
put_task (TtSink *sink, guint32 process, const TtPiGraphItem *item)
{
  const char *device = tt_pi_graph_metadata (item, "sycl_device_name");
  const TtTaskNode task = {
    .id = item->id,
    .kind = find_kind (item),
    .created_ns = convert_time (item->create_us != 0, item->create_us),
    .begin_ns = convert_time (item->has_start, item->start_us),
    .end_ns = convert_time (item->has_end, item->end_us),
    .text = {
      [TT_TASK_NAME] = item->name,
      [TT_TASK_DEVICE] = device != NULL ? device : tt_pi_graph_metadata (item, "sycl_device_type"),
      [TT_TASK_DEVICE_ID] = tt_pi_graph_metadata (item, "sycl_device"),
      [TT_TASK_COPY_FROM] = tt_pi_graph_metadata (item, "copy_from"),
      [TT_TASK_COPY_TO] = tt_pi_graph_metadata (item, "copy_to"),
      [TT_TASK_ALLOCATION_TYPE] = tt_pi_graph_metadata (item, "allocation_type"),
      [TT_TASK_FILE] = tt_pi_graph_metadata (item, "sym_source_file_name"),
      [TT_TASK_LINE] = tt_pi_graph_metadata (item, "sym_line_no"),
    },
  };

  tt_sink_task (sink, process, &task);
}

static void
put_edge (TtSink *sink, guint32 process, const TtPiGraphItem *item)
{
  const char *mode = tt_pi_graph_metadata (item, "access_mode");
  guint64 number;
  gboolean is_known = mode != NULL && g_ascii_string_to_unsigned (mode, 10, FIRST_ACCESS_MODE,
                                                                  FIRST_ACCESS_MODE + G_N_ELEMENTS (access_modes) - 1,
                                                                  &number, NULL);
  const TtTaskEdge edge = {
    .src = item->source,
    .dst = item->target,
    .has_src = item->has_source,
    .has_dst = item->has_target,
    .kind = is_known ? access_modes[number - FIRST_ACCESS_MODE] : mode,
  };

  tt_sink_task_edge (sink, process, &edge);
}

void
tt_pi_import_tasks (const GPtrArray *items, TtSink *sink, guint32 process)
{
  for (guint i = 0; i < items->len; i++)
    {
      const TtPiGraphItem *item = items->pdata[i];
      if (item->is_edge)
        put_edge (sink, process, item);
      else
        put_task (sink, process, item);
    }
}
