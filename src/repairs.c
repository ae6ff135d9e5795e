#include "config.h"

#include "src/repairs.h"

static const struct
{
  const char *key, *text;
} kinds[TT_N_REPAIRS] = {
  [TT_REPAIR_STRAY_BYTES] = { "stray_bytes", "bytes after the last whole record, ignored" },
  [TT_REPAIR_NO_MAGIC] = { "no_magic", "stream does not begin with its magic record; layout found by trial" },
  [TT_REPAIR_NO_CLOSE] = { "no_close", "streams without their closing record" },
  [TT_REPAIR_LEAVE_WITHOUT_ENTER] = { "leave_without_enter", "leaves without an enter, dropped" },
  [TT_REPAIR_LEAVE_NOT_TOP] = { "leave_not_top", "leaves of a span with others open inside it, which were closed" },
  [TT_REPAIR_UNCLOSED] = { "unclosed", "spans never left, closed at their thread's last time" },
  [TT_REPAIR_TIME_BACKWARDS] = { "time_backwards", "records earlier than the one before on their thread" },
  [TT_REPAIR_END_BEFORE_START] = { "end_before_start", "spans that end before they begin, given duration 0" },
  [TT_REPAIR_SELF_CLAMPED] = { "self_clamped", "spans shorter than their children, given self time 0" },
  [TT_REPAIR_UNKNOWN_ID] = { "unknown_id", "records of an undefined event id, skipped" },
  [TT_REPAIR_BAD_PARAMETER] = { "bad_parameter", "enter/leave records that are neither, skipped" },
  [TT_REPAIR_UNKNOWN_KIND] = { "unknown_kind", "records of an unknown event kind, skipped" },
  [TT_REPAIR_ROW_COUNT] = { "row_count", "definition files with another number of rows than declared" },
  [TT_REPAIR_DUPLICATE_ID] = { "duplicate_id", "ids defined again, first definition kept" },
  [TT_REPAIR_DUPLICATE_NAME] = { "duplicate_name", "names with several ids, folded" },
  [TT_REPAIR_BAD_ROW] = { "bad_row", "definition rows that cannot be read, skipped" },
  [TT_REPAIR_JOINED_ROW] = { "joined_row", "definition rows broken by a newline, joined" },
  [TT_REPAIR_BAD_UTF8] = { "bad_utf8", "names with bytes that are not UTF-8, replaced" },
  [TT_REPAIR_UNSET_NODE] = { "unset_node", "records of node 65535, which may mean 'not set'" },
  [TT_REPAIR_METRIC_WITHOUT_SPAN] = { "metric_without_span", "metric values outside any span, dropped" },
  [TT_REPAIR_UNPAIRED_ONESIDED] = { "unpaired_onesided", "one-sided messages without their id records" },
  [TT_REPAIR_METADATA_CLASH] = { "metadata_clash", "metadata given again with another value, last kept" },
};

const char *
tt_repair_key (TtRepairKind kind)
{
  return kinds[kind].key;
}

const char *
tt_repair_text (TtRepairKind kind)
{
  return kinds[kind].text;
}

void
tt_repairs_merge (TtRepairs *self, const TtRepairs *other)
{
  for (int kind = 0; kind < TT_N_REPAIRS; kind++)
    {
      if (self->count[kind] == 0)
        self->first_offset[kind] = other->first_offset[kind];
      self->count[kind] += other->count[kind];
    }
}

guint64
tt_repairs_total (const TtRepairs *self)
{
  guint64 total = 0;

  for (int kind = 0; kind < TT_N_REPAIRS; kind++)
    total += self->count[kind];
  return total;
}

char *
tt_repairs_to_json (const TtRepairs *self)
{
  if (tt_repairs_total (self) == 0)
    return NULL;

  GString *json = g_string_new ("{");
  for (int kind = 0; kind < TT_N_REPAIRS; kind++)
    if (self->count[kind] > 0)
      g_string_append_printf (json,
                              "%s\"%s\":{\"count\":%" G_GUINT64_FORMAT ",\"first_offset\":%" G_GUINT64_FORMAT "}",
                              json->len > 1 ? "," : "",
                              kinds[kind].key,
                              self->count[kind],
                              self->first_offset[kind]);
  g_string_append_c (json, '}');
  return g_string_free (json, FALSE);
}
