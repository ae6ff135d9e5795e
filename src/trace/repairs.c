/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/trace/repairs.h"

#include "src/base/error.h"
#include "src/base/units.h"

#include <string.h>

/* text: after a count; one: after a count of 1; is_line: found at a line of the definitions; has_no_place: nobody
 * knows where. */
static const struct
{
  const char *key, *text, *one;
  gboolean is_line, has_no_place;
} kinds[TT_N_REPAIRS] = {
  [TT_REPAIR_PACKING_CUT] = { "packing_cut", "compressed files that end early, what came before kept",
                              "compressed file that ends early, what came before kept", FALSE },
  [TT_REPAIR_STRAY_BYTES] = { "stray_bytes", "bytes after the last whole record, ignored",
                              "byte after the last whole record, ignored", FALSE },
  [TT_REPAIR_NO_MAGIC] = { "no_magic", "streams that do not begin with their magic record; layout found by trial",
                           "stream that does not begin with its magic record; layout found by trial", FALSE },
  [TT_REPAIR_NO_CLOSE] = { "no_close", "streams without their closing record", "stream without its closing record",
                           FALSE },
  [TT_REPAIR_LEAVE_WITHOUT_ENTER] = { "leave_without_enter", "leaves without an enter, dropped",
                                      "leave without an enter, dropped", FALSE },
  [TT_REPAIR_LEAVE_NOT_TOP] = { "leave_not_top", "leaves of a span with others open inside it, which were closed",
                                "leave of a span with others open inside it, which were closed", FALSE },
  [TT_REPAIR_UNCLOSED] = { "unclosed", "spans never left, closed at their thread's last time",
                           "span never left, closed at its thread's last time", FALSE },
  [TT_REPAIR_TIME_BACKWARDS] = { "time_backwards", "records earlier than the one before on their thread",
                                 "record earlier than the one before on its thread", FALSE },
  [TT_REPAIR_END_BEFORE_START] = { "end_before_start", "spans that end before they begin, given duration 0",
                                   "span that ends before it begins, given duration 0", FALSE },
  [TT_REPAIR_SELF_CLAMPED] = { "self_clamped", "spans shorter than their children, given self time 0",
                               "span shorter than its children, given self time 0", FALSE },
  [TT_REPAIR_ZERO_RECORD] = { "zero_record", "records of nothing but zeros, a hole in the file, skipped",
                              "record of nothing but zeros, a hole in the file, skipped", FALSE },
  [TT_REPAIR_DAMAGED_RECORD] = { "damaged_record", "records whose event or time cannot be, skipped",
                                 "record whose event or time cannot be, skipped", FALSE },
  [TT_REPAIR_SHIFTED_RECORDS] = { "shifted_records",
                                  "places with bytes missing or too many, records found again behind",
                                  "place with bytes missing or too many, records found again behind it", FALSE },
  [TT_REPAIR_TIME_OUTLIER] = { "time_outlier", "times far from those before and after, moved between them",
                               "time far from those before and after, moved between them", FALSE },
  [TT_REPAIR_STRAY_THREAD] = { "stray_thread",
                               "lone records of nodes or threads that never began, given to those around",
                               "lone record of a node or thread that never began, given to that around it", FALSE },
  [TT_REPAIR_UNKNOWN_ID] = { "unknown_id", "records of an undefined event id, skipped",
                             "record of an undefined event id, skipped", FALSE },
  [TT_REPAIR_BAD_PARAMETER] = { "bad_parameter", "enter/leave records that are neither, skipped",
                                "enter/leave record that is neither, skipped", FALSE },
  [TT_REPAIR_UNKNOWN_KIND] = { "unknown_kind", "records of an unknown event kind, skipped",
                               "record of an unknown event kind, skipped", FALSE },
  [TT_REPAIR_ROW_COUNT] = { "row_count", "definition files with another number of rows than declared",
                            "definition file with another number of rows than declared", TRUE },
  [TT_REPAIR_DUPLICATE_ID] = { "duplicate_id", "ids defined again, first definition kept",
                               "id defined again, first definition kept", TRUE },
  [TT_REPAIR_DUPLICATE_NAME] = { "duplicate_name", "names with several ids, folded", "name with several ids, folded",
                                 TRUE },
  [TT_REPAIR_BAD_ROW] = { "bad_row", "definition rows that cannot be read, skipped",
                          "definition row that cannot be read, skipped", TRUE },
  [TT_REPAIR_JOINED_ROW] = { "joined_row", "definition rows broken by a newline, joined",
                             "definition row broken by a newline, joined", TRUE },
  [TT_REPAIR_BAD_UTF8] = { "bad_utf8", "names with bytes that are not UTF-8, replaced",
                           "name with bytes that are not UTF-8, replaced", TRUE },
  [TT_REPAIR_UNSET_NODE] = { "unset_node", "records of node 65535, which may mean 'not set'",
                             "record of node 65535, which may mean 'not set'", FALSE },
  [TT_REPAIR_METRIC_WITHOUT_SPAN] = { "metric_without_span", "metric values outside any span, dropped",
                                      "metric value outside any span, dropped", FALSE },
  [TT_REPAIR_UNPAIRED_ONESIDED] = { "unpaired_onesided", "one-sided messages without their id records",
                                    "one-sided message without its id records", FALSE },
  [TT_REPAIR_WRAPPED_SIZE] = { "wrapped_size",
                               "sizes of 64 MiB and more, which wrap in their records, taken from the counter",
                               "size of 64 MiB or more, which wraps in its record, taken from the counter", FALSE },
  [TT_REPAIR_UNKNOWN_PEER] = { "unknown_peer", "messages with a rank that the trace has not, left out",
                               "message with a rank that the trace has not, left out", FALSE },
  [TT_REPAIR_METADATA_CLASH] = { "metadata_clash", "metadata given again with another value, last kept",
                                 "metadata given again with another value, last kept", FALSE },
  [TT_REPAIR_GRAPH_ROW] = { "graph_row", "nodes or edges of a model's graph that name nothing, skipped",
                            "node or edge of a model's graph that names nothing, skipped", FALSE },
  [TT_REPAIR_GRAPH_NAME] = { "graph_name", "nodes of a model's graph with the name of another, taken for it",
                             "node of a model's graph with the name of another, taken for it", FALSE },
  [TT_REPAIR_GRAPH_CUT] = { "graph_cut", "graphs of a model that end early", "graph of a model that ends early",
                            FALSE },
  [TT_REPAIR_GRAPH_UNUSED] = { "graph_unused", "graphs of a model with no node that the trace names, not used",
                               "graph of a model with no node that the trace names, not used", FALSE },
  [TT_REPAIR_NOT_IN_GRAPH] = { "not_in_graph", "operators that are not in the model's graph, left out",
                               "operator that is not in the model's graph, left out", FALSE },
  [TT_REPAIR_OTHER_DEVICE] = { "other_device", "events of devices or threads without operators, left out",
                               "event of a device or thread without operators, left out", FALSE },
  [TT_REPAIR_SUB_TRACE] = { "sub_trace", "pieces of an operator joined to the one before",
                            "piece of an operator joined to the one before", FALSE },
  [TT_REPAIR_OUTSIDE_WINDOW] = { "outside_window",
                                 "communication or I/O events before or after all operators, left out",
                                 "communication or I/O event before or after all operators, left out", FALSE },
  [TT_REPAIR_OTHER_ACTIVITY] = { "other_activity", "communication events that are no part of a transfer, left out",
                                 "communication event that is no part of a transfer, left out", FALSE },
  [TT_REPAIR_ODD_RECORD] = { "odd_record", "events without what their kind needs, skipped",
                             "event without what its kind needs, skipped", FALSE },
  [TT_REPAIR_ARGS_TOO_LONG] = { "args_too_long", "arguments longer than a database takes, dropped",
                                "argument longer than a database takes, dropped", FALSE, TRUE },
  [TT_REPAIR_ARGS_OUTGROW] = { "args_outgrow", "events whose arguments are many times as large as they, without them",
                               "event whose arguments are many times as large as it, without them", FALSE, TRUE },
  [TT_REPAIR_ARGS_NOT_MERGED] = { "args_not_merged", "arguments of an end that could not join its begin's, dropped",
                                  "argument of an end that could not join its begin's, dropped", FALSE, TRUE },
  [TT_REPAIR_FLOW_WITHOUT_SPAN] = { "flow_without_span", "points of flows outside any span, dropped",
                                    "point of a flow outside any span, dropped", FALSE, TRUE },
  [TT_REPAIR_SPAN_EXTRA] = { "span_extra", "CPU times or flows (tts, tdur, bind_id) of spans, not kept",
                             "CPU time or flow (tts, tdur, bind_id) of a span, not kept" },
  [TT_REPAIR_FLOW_UNPAIRED] = { "flow_unpaired", "starts or ends of flows without the other, dropped",
                                "start or end of a flow without the other, dropped", FALSE, TRUE },
  [TT_REPAIR_END_WITHOUT_BEGIN] = { "end_without_begin", "ends without a begin, kept as instants",
                                    "end without a begin, kept as an instant", FALSE },
  [TT_REPAIR_SPANS_OVERLAP] = { "spans_overlap", "spans that cross another on their thread, kept",
                                "span that crosses another on its thread, kept", FALSE },
  [TT_REPAIR_NOT_AN_EVENT] = { "not_an_event", "elements that are no events, passed over",
                               "element that is no event, passed over", FALSE },
  [TT_REPAIR_NO_EVENTS] = { "no_events", "objects without an array of events", "object without an array of events",
                            FALSE },
  [TT_REPAIR_NO_TIME] = { "no_time", "events without a time, dropped", "event without a time, dropped", FALSE },
  [TT_REPAIR_INEXACT_TIME] = { "inexact_time", "times finer than a nanosecond, rounded",
                               "time finer than a nanosecond, rounded", FALSE },
  [TT_REPAIR_TIME_TOO_FAR] = { "time_too_far", "times over 146 years from the zero of their clock, moved there",
                               "time over 146 years from the zero of its clock, moved there", FALSE, TRUE },
  [TT_REPAIR_LONE_TIME] = { "lone_time", "events far in time from all others, moved to them and not measured",
                            "event far in time from all others, moved to them and not measured", FALSE },
  [TT_REPAIR_LONE_END] = { "lone_end", "spans that last far beyond all other events, not measured",
                           "span that lasts far beyond all other events, not measured", FALSE },
  [TT_REPAIR_NO_DURATION] = { "no_duration", "spans without a duration, given that of their thread's clock or 0",
                              "span without a duration, given that of its thread's clock or 0", FALSE },
  [TT_REPAIR_NO_NAME] = { "no_name", "events without a name that is text", "event without a name that is text", FALSE },
  [TT_REPAIR_NO_EVENT_ID] = { "no_event_id", "asynchronous or flow events without an id",
                              "asynchronous or flow event without an id", FALSE },
  [TT_REPAIR_NO_STACK] = { "no_stack", "stacks whose frames are not in the trace",
                           "stack whose frames are not in the trace", FALSE },
  [TT_REPAIR_SKIPPED_KIND] = { "skipped_kind", "object, sample and other events of kinds that are not kept",
                               "object, sample or other event of a kind that is not kept", FALSE },
  [TT_REPAIR_BAD_COUNTER] = { "bad_counter", "counter values that are no numbers, dropped",
                              "counter value that is no number, dropped", FALSE },
  [TT_REPAIR_BAD_ARGUMENTS] = { "bad_arguments", "arguments that are no JSON object, mended",
                                "arguments that are no JSON object, mended", FALSE },
  [TT_REPAIR_LONG_HEADER] = { "long_header", "members beside the events that are too long to keep",
                              "member beside the events that is too long to keep", FALSE },
  [TT_REPAIR_OTHER_NAME] = { "other_name",
                             "leaves of another name than the enter with their attributes, which they end",
                             "leave of another name than the enter with its attributes, which it ends", FALSE },
  [TT_REPAIR_TOLD_TWICE] = { "told_twice", "events that others tell already, skipped",
                             "event that another one tells already, skipped", FALSE },
  [TT_REPAIR_JSON_BYTE_ORDER_MARK] = { "json_byte_order_mark", "byte order marks before the contents, passed over",
                                       "byte order mark before the contents, passed over", FALSE },
  [TT_REPAIR_JSON_COMMA] = { "json_comma", "commas missing or too many between values",
                             "comma missing or too many between values", FALSE },
  [TT_REPAIR_JSON_CONTROL] = { "json_control_character", "control characters within strings, kept",
                               "control character within a string, kept", FALSE },
  [TT_REPAIR_JSON_ESCAPE] = { "json_escape", "backslashes that escape nothing, kept",
                              "backslash that escapes nothing, kept", FALSE },
  [TT_REPAIR_JSON_NUMBER] = { "json_number", "numbers that JSON does not have (NaN, Infinity, +1, .5, 01)",
                              "number that JSON does not have (NaN, Infinity, +1, .5, 01)", FALSE },
  [TT_REPAIR_JSON_WORD] = { "json_word", "words without quotes (0x7f52, ncclFloat), taken for texts",
                            "word without quotes (0x7f52, ncclFloat), taken for a text", FALSE },
  [TT_REPAIR_JSON_SPACE] = { "json_space", "NUL, VT or FF bytes between values, passed over",
                             "NUL, VT or FF byte between values, passed over", FALSE },
  [TT_REPAIR_JSON_UNCLOSED] = { "json_unclosed", "strings, arrays and objects open at the end of the file, closed",
                                "string, array or object open at the end of the file, closed", FALSE },
  [TT_REPAIR_JSON_OPEN_LIST] = { "json_open_list", "lists of events without their end, as the format allows",
                                 "list of events without its end, as the format allows", FALSE },
  [TT_REPAIR_JSON_CUT] = { "json_cut", "values cut by the end of the file, complete members kept",
                           "value cut by the end of the file, complete members kept", FALSE },
  [TT_REPAIR_JSON_DAMAGED] = { "json_damaged", "damaged records, passed over", "damaged record, passed over", FALSE },
  [TT_REPAIR_JSON_DUPLICATE_KEY] = { "json_duplicate_key", "keys that come twice in a record, last kept",
                                     "key that comes twice in a record, last kept", FALSE },
  [TT_REPAIR_JSON_TEXT] = { "json_text", "characters that are none (not UTF-8, half a surrogate pair), replaced",
                            "character that is none (not UTF-8, half a surrogate pair), replaced", FALSE },
  [TT_REPAIR_JSON_TRAILING_BYTES] = { "json_trailing_bytes", "files with bytes after the end of the JSON, ignored",
                                      "file with bytes after the end of the JSON, ignored", FALSE },
  [TT_REPAIR_TOO_MANY_STEPS] = { "too_many_steps", "steps beyond those that are kept, left out",
                                 "step beyond those that are kept, left out", FALSE },
  [TT_REPAIR_LOST_EVENTS] = { "lost_events", "events that the tracer discarded", "event that the tracer discarded",
                              FALSE },
  [TT_REPAIR_MISSING_EVENTS] = { "missing_events", "events that files cut or damaged do not have any more",
                                 "event that a file cut or damaged does not have any more", FALSE },
  [TT_REPAIR_LOST_PACKETS] = { "lost_packets", "packets of events that the tracer discarded",
                               "packet of events that the tracer discarded", FALSE },
  [TT_REPAIR_BROKEN_STREAM] = { "broken_stream", "damaged streams, not read to their ends",
                                "damaged stream, not read to its end", FALSE },
  [TT_REPAIR_OTHER_CLOCK] = { "other_clock", "streams without times beside streams with times, left out",
                              "stream without times beside streams with times, left out", FALSE },
  [TT_REPAIR_INFERRED_END] = { "inferred_end", "spans whose ends are not in the trace, closed by what followed",
                               "span whose end is not in the trace, closed by what followed", FALSE },
  [TT_REPAIR_INFERRED_BEGIN] = { "inferred_begin",
                                 "spans whose begins are not in the trace, begun by what is inside them",
                                 "span whose begin is not in the trace, begun by what is inside it", FALSE },
  [TT_REPAIR_BOUNDED_END] = { "bounded_end", "spans whose ends were lost, bounded by the events around",
                              "span whose end was lost, bounded by the events around", FALSE },
  [TT_REPAIR_BOUNDED_BEGIN] = { "bounded_begin", "spans whose begins were lost, bounded by the events around",
                                "span whose begin was lost, bounded by the events around", FALSE },
  [TT_REPAIR_UNSURE_END] = { "unsure_end", "spans across a loss whose ends may be those of later ones",
                             "span across a loss whose end may be that of a later one", FALSE },
  [TT_REPAIR_UNSURE_TEAM] = { "unsure_team", "tasks that may be of several teams, ended with the first, with bounds",
                              "task that may be of several teams, ended with the first, with bounds", FALSE },
  [TT_REPAIR_UNPAIRED_END] = { "unpaired_end", "ends of spans whose begins are not in the trace, dropped",
                               "end of a span whose begin is not in the trace, dropped", FALSE },
  [TT_REPAIR_WILDCARD] = { "wildcard", "messages from any source, of any tag or to nobody, not joined",
                           "message from any source, of any tag or to nobody, not joined", FALSE },
  [TT_REPAIR_UNLINKED_INIT] = { "unlinked_init", "calls of MPI_Init whose begin tells no rank, left out",
                                "call of MPI_Init whose begin tells no rank, left out", FALSE },
  [TT_REPAIR_NO_CALIBRATION] = { "no_calibration", "activities of a device whose clock is not known, dropped",
                                 "activity of a device whose clock is not known, dropped", FALSE },
  [TT_REPAIR_UNKNOWN_FUNCTION] = { "unknown_function", "calls of functions with an unknown id, kept",
                                   "call of a function with an unknown id, kept", FALSE },
  [TT_REPAIR_CALL_ARGUMENTS] = { "call_arguments", "calls with arguments that are not as they should be, kept",
                                 "call with arguments that are not as they should be, kept", FALSE },
  [TT_REPAIR_CALLS_OVERLAP] = { "calls_overlap", "calls that begin before the one before has ended, kept",
                                "call that begins before the one before has ended, kept", FALSE },
  [TT_REPAIR_CALL_EMPTY] = { "call_empty", "records of no length, skipped", "record of no length, skipped", FALSE },
  [TT_REPAIR_CALL_CUT] = { "call_cut", "files whose last record is cut, left out",
                           "file whose last record is cut, left out", FALSE },
  [TT_REPAIR_CALL_DAMAGE] = { "call_damage", "places of damage among calls, left out up to the next that can be",
                              "place of damage among calls, left out up to the next that can be", FALSE },
  [TT_REPAIR_DATA_CUT] = { "data_cut", "files that end before their data, what is whole kept",
                           "file that ends before its data, what is whole kept", FALSE },
  [TT_REPAIR_SHARED_RECORD] = { "shared_record", "records written over by those of other blocks, lost",
                                "record written over by that of another block, lost", FALSE },
  [TT_REPAIR_EMPTY_RECORD] = { "empty_record", "places for a timed record that nobody wrote to, left out",
                               "place for a timed record that nobody wrote to, left out", FALSE },
  [TT_REPAIR_SHARED_LINE] = { "shared_line", "lines of a log that fit several launches, taken for the earliest's",
                              "line of a log that fits several launches, taken for the earliest's", FALSE },
  [TT_REPAIR_ODD_UNIT] = { "odd_unit", "records of an SM or CU number above 65535, shown apart",
                           "record of an SM or CU number above 65535, shown apart", FALSE },
  [TT_REPAIR_OUTSIDE_GRAPH] = { "outside_graph", "operators that are not in the model's graph, kept",
                                "operator that is not in the model's graph, kept", FALSE },
  [TT_REPAIR_GONE_FILE] = { "gone_file", "files that the source names and that are gone, what they held is lost",
                            "file that the source names and that is gone, what it held is lost", FALSE },
  [TT_REPAIR_OTHER_LAUNCH] = { "other_launch", "results with another grid or other blocks than the log says, kept",
                               "result with another grid or other blocks than the log says, kept", FALSE },
  [TT_REPAIR_OTHER_RANK] = { "other_rank", "processes with different MPI ranks in different traces, taken for one",
                             "process with different MPI ranks in different traces, taken for one", FALSE },
  [TT_REPAIR_OTHER_UUID] = { "other_uuid", "packets with another UUID than their metadata, read",
                             "packet with another UUID than its metadata, read", FALSE },
  [TT_REPAIR_OTHER_RATIO] = { "other_ratio", "launches whose times contradict the ratio beside them, kept",
                              "launch whose times contradict the ratio beside them, kept", FALSE },
  [TT_REPAIR_TOO_LONG] = { "too_long", "spans longer than the kernel that they are of can have taken, kept",
                           "span longer than the kernel that it is of can have taken, kept", FALSE },
};

const char *
tt_repair_key (TtRepairKind kind)
{
  return kinds[kind].key;
}

const char *
tt_repair_text (TtRepairKind kind, guint64 count)
{
  return count == 1 ? kinds[kind].one : kinds[kind].text;
}

const char *
tt_repair_place (const TtRepairs *self, TtRepairKind kind)
{
  if (kinds[kind].has_no_place)
    return NULL;
  return kinds[kind].is_line ? "line" : self->is_event[kind] ? "event" : "byte";
}

char *
tt_repair_describe (const TtRepairs *self, TtRepairKind kind, const char *file)
{
  char count[TT_TIME_TEXT];

  if (kinds[kind].has_no_place)
    return g_strdup_printf ("%s %s%s%s%s", tt_count_text (count, self->count[kind]),
                            tt_repair_text (kind, self->count[kind]), file == NULL ? "" : " (in '",
                            file == NULL ? "" : file, file == NULL ? "" : "')");

  g_autofree char *of = file == NULL
                            ? g_strdup (kinds[kind].is_line ? " of the definitions" : "")
                            : g_strdup_printf (" of %s'%s'", kinds[kind].is_line ? "the definitions of " : "", file);

  return g_strdup_printf ("%s %s (first at %s %" G_GUINT64_FORMAT "%s)", tt_count_text (count, self->count[kind]),
                          tt_repair_text (kind, self->count[kind]), tt_repair_place (self, kind),
                          self->first_offset[kind], of);
}

void
tt_repairs_merge (TtRepairs *self, const TtRepairs *other)
{
  for (int kind = 0; kind < TT_N_REPAIRS; kind++)
    {
      if (self->count[kind] == 0)
        {
          self->first_offset[kind] = other->first_offset[kind];
          self->is_event[kind] = other->is_event[kind];
        }
      self->count[kind] += other->count[kind];
    }
  self->total += other->total;
}

guint64
tt_repairs_total (const TtRepairs *self)
{
  return self->total;
}

gboolean
tt_repair_is_by_rule (TtRepairKind kind)
{
  switch (kind)
    {
    case TT_REPAIR_NOT_IN_GRAPH:
    case TT_REPAIR_OUTSIDE_GRAPH:
    case TT_REPAIR_OTHER_DEVICE:
    case TT_REPAIR_SUB_TRACE:
    case TT_REPAIR_OUTSIDE_WINDOW:
    case TT_REPAIR_OTHER_ACTIVITY:
    case TT_REPAIR_TOLD_TWICE:
    case TT_REPAIR_EMPTY_RECORD:
    case TT_REPAIR_INFERRED_BEGIN:
    case TT_REPAIR_INFERRED_END:
    case TT_REPAIR_WILDCARD:
    case TT_REPAIR_WRAPPED_SIZE:
    case TT_REPAIR_UNLINKED_INIT:
    case TT_REPAIR_JSON_OPEN_LIST:
      return TRUE;
    default:
      return FALSE;
    }
}

gboolean
tt_repairs_check_none (const TtRepairs *self, const char *path, GError **error)
{
  int first = -1;

  for (int kind = 0; kind < TT_N_REPAIRS; kind++)
    if (self->count[kind] > 0 && !tt_repair_is_by_rule ((TtRepairKind) kind) &&
        (first < 0 || self->first_offset[kind] < self->first_offset[first]))
      first = kind;
  if (first < 0)
    return TRUE;
  const char *place = tt_repair_place (self, (TtRepairKind) first), *text = tt_repair_text ((TtRepairKind) first, 1);
  if (place == NULL)
    g_set_error (error, TT_ERROR, TT_ERROR_FORMAT, "%s: %s; --strict does not allow it", path, text);
  else
    g_set_error (error, TT_ERROR, TT_ERROR_FORMAT, "%s: %s %" G_GUINT64_FORMAT ": %s; --strict does not allow it", path,
                 place, self->first_offset[first], text);
  return FALSE;
}

char *
tt_repairs_to_json (const TtRepairs *self)
{
  if (tt_repairs_total (self) == 0)
    return NULL;

  GString *json = g_string_new ("{");
  for (int kind = 0; kind < TT_N_REPAIRS; kind++)
    {
      if (self->count[kind] == 0)
        continue;
      g_string_append_printf (json, "%s\"%s\":{\"count\":%" G_GUINT64_FORMAT, json->len > 1 ? "," : "", kinds[kind].key,
                              self->count[kind]);
      if (!kinds[kind].has_no_place)
        g_string_append_printf (json, ",\"first_%s\":%" G_GUINT64_FORMAT,
                                kinds[kind].is_line    ? "line"
                                : self->is_event[kind] ? "event"
                                                       : "offset",
                                self->first_offset[kind]);
      g_string_append_c (json, '}');
    }
  g_string_append_c (json, '}');
  return g_string_free (json, FALSE);
}

static guint64
number_after (const char *text, const char *key)
{
  const char *at = strstr (text, key);

  return at == NULL ? 0 : g_ascii_strtoull (at + strlen (key), NULL, 10);
}

void
tt_repairs_from_json (TtRepairs *self, const char *json)
{
  *self = (TtRepairs){ 0 };
  for (int kind = 0; json != NULL && kind < TT_N_REPAIRS; kind++)
    {
      g_autofree char *key = g_strdup_printf ("\"%s\":{", tt_repair_key (kind));
      const char *entry = strstr (json, key);

      if (entry == NULL)
        continue;
      gsize len = strcspn (entry, "}");
      g_autofree char *facts = g_strndup (entry, len);
      gboolean is_event = strstr (facts, "\"first_event\":") != NULL;
      self->count[kind] = number_after (facts, "\"count\":");
      self->is_event[kind] = is_event != FALSE;
      self->total += self->count[kind];
      if (!kinds[kind].has_no_place)
        self->first_offset[kind] = number_after (facts, kinds[kind].is_line ? "\"first_line\":"
                                                        : is_event          ? "\"first_event\":"
                                                                            : "\"first_offset\":");
    }
}
