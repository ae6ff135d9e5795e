/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

/* A build without the library still has declarations here: ISO C wants some. */
#include <glib.h>

#ifdef HAVE_BABELTRACE2

#include "formats/ctf/decode-private.h"

#include <string.h>

/* Times in event headers have some of the clock's bits: one that goes back counts as gone round, and all after it, up to
 * the next that has all bits, are too late by so much. */
#define MIN_WRAP_BITS 16
#define MAX_WRAP_BITS 62

static gboolean
read_time (const bt_value *range, const char *key, gint64 *ns)
{
  const bt_value *value = bt_value_map_borrow_entry_value_const (range, key);

  if (value == NULL || !bt_value_is_signed_integer (value))
    return FALSE;
  *ns = bt_value_integer_signed_get (value);
  return TRUE;
}

static void
take_stream (GArray *ranges, const bt_value *stream, const char *const *ports)
{
  const bt_value *name = bt_value_map_borrow_entry_value_const (stream, "port-name");
  const bt_value *times = bt_value_map_borrow_entry_value_const (stream, "range-ns");
  TtCtfRange range;

  if (name == NULL || times == NULL || !bt_value_is_string (name) || !bt_value_is_map (times) ||
      !read_time (times, "begin", &range.begin_ns) || !read_time (times, "end", &range.end_ns))
    return;
  for (guint i = 0; ports[i] != NULL && i < ranges->len; i++)
    if (strcmp (ports[i], bt_value_string_get (name)) == 0)
      g_array_index (ranges, TtCtfRange, i) = range;
}

static void
take_traces (GArray *ranges, const bt_value *traces, const char *const *ports)
{
  for (guint64 i = 0; bt_value_is_array (traces) && i < bt_value_array_get_length (traces); i++)
    {
      const bt_value *trace = bt_value_array_borrow_element_by_index_const (traces, i);
      const bt_value *streams =
          bt_value_is_map (trace) ? bt_value_map_borrow_entry_value_const (trace, "stream-infos") : NULL;

      for (guint64 k = 0; streams != NULL && bt_value_is_array (streams) && k < bt_value_array_get_length (streams);
           k++)
        take_stream (ranges, bt_value_array_borrow_element_by_index_const (streams, k), ports);
    }
}

void
tt_ctf_ranges_read (GArray *ranges, const bt_plugin *plugin, const char *path, const char *const *ports)
{
  const bt_component_class_source *klass = bt_plugin_borrow_source_component_class_by_name_const (plugin, "fs");
  bt_value *params = bt_value_map_create (), *inputs = NULL;
  const bt_value *traces = NULL;
  bt_query_executor *executor = NULL;

  if (klass != NULL && params != NULL &&
      bt_value_map_insert_empty_array_entry (params, "inputs", &inputs) == BT_VALUE_MAP_INSERT_ENTRY_STATUS_OK &&
      bt_value_array_append_string_element (inputs, path) == BT_VALUE_ARRAY_APPEND_ELEMENT_STATUS_OK)
    executor = bt_query_executor_create (bt_component_class_source_as_component_class_const (klass),
                                         "babeltrace.trace-infos", params);
  if (executor != NULL && bt_query_executor_query (executor, &traces) == BT_QUERY_EXECUTOR_QUERY_STATUS_OK)
    take_traces (ranges, traces, ports);
  else
    bt_current_thread_clear_error ();
  bt_value_put_ref (traces);
  bt_query_executor_put_ref (executor);
  bt_value_put_ref (params);
}

gint64
tt_ctf_range_mend (const TtCtfRange *range, gint64 before_ns, gint64 ts_ns)
{
  gint64 least_ns = before_ns == TT_CTF_ALWAYS ? range->begin_ns : CLAMP (before_ns, range->begin_ns, range->end_ns);
  gint64 mended_ns;

  for (guint bits = MIN_WRAP_BITS; ts_ns > range->end_ns && bits <= MAX_WRAP_BITS; bits++)
    if (!__builtin_sub_overflow (ts_ns, G_GINT64_CONSTANT (1) << bits, &mended_ns) && mended_ns >= least_ns &&
        mended_ns <= range->end_ns)
      return mended_ns;
  return least_ns;
}

#endif
