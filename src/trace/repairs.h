/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtRepairs: what an import mended, inferred or dropped in one source, with counts.
 *
 * A zeroed TtRepairs holds nothing and needs no freeing. Positions are byte offsets in the source
 * (after decompression), or line numbers where the kind's table row says so; some kinds have none. Where only a library
 * knows the bytes, positions are numbers of events.
 */
#pragma once

#include <glib.h>

typedef enum
{
  TT_REPAIR_PACKING_CUT,         /* compressed file that ends early: what came before is kept */
  TT_REPAIR_STRAY_BYTES,         /* size is not a multiple of the record size */
  TT_REPAIR_NO_MAGIC,            /* layout found without the magic first record */
  TT_REPAIR_NO_CLOSE,            /* stream without its closing record: cut or killed */
  TT_REPAIR_LEAVE_WITHOUT_ENTER, /* dropped */
  TT_REPAIR_LEAVE_NOT_TOP,       /* spans above it were closed at its time */
  TT_REPAIR_UNCLOSED,            /* closed at the thread's last time */
  TT_REPAIR_TIME_BACKWARDS,      /* earlier than the record before it on its thread */
  TT_REPAIR_END_BEFORE_START,    /* duration 0 */
  TT_REPAIR_SELF_CLAMPED,        /* children last longer than their span: self time 0 */
  TT_REPAIR_ZERO_RECORD,         /* record of nothing but zeros (a hole in the file), skipped */
  TT_REPAIR_DAMAGED_RECORD,      /* record that cannot be one by its event and time, skipped */
  TT_REPAIR_SHIFTED_RECORDS,     /* bytes missing or too many: records found again at another distance */
  TT_REPAIR_TIME_OUTLIER,        /* time far from those before and after it on its thread: moved between them */
  TT_REPAIR_STRAY_THREAD,        /* only record of a node or thread that did not begin: given to those around it */
  TT_REPAIR_UNKNOWN_ID,          /* record of an undefined event, skipped */
  TT_REPAIR_BAD_PARAMETER,       /* enter/leave record that is neither, skipped */
  TT_REPAIR_UNKNOWN_KIND,        /* record of an event kind that is not known, skipped */
  TT_REPAIR_ROW_COUNT,           /* definitions: declared and real number of rows differ */
  TT_REPAIR_DUPLICATE_ID,        /* definitions: id defined again, first wins */
  TT_REPAIR_DUPLICATE_NAME,      /* definitions: one name, several ids: folded */
  TT_REPAIR_BAD_ROW,             /* definitions: row skipped */
  TT_REPAIR_JOINED_ROW,          /* definitions: name with a newline, rows joined */
  TT_REPAIR_BAD_UTF8,            /* bytes that are not UTF-8 replaced in a name */
  TT_REPAIR_UNSET_NODE,          /* node 65535: perhaps never set */
  TT_REPAIR_METRIC_WITHOUT_SPAN, /* metric value with no span to belong to, dropped */
  TT_REPAIR_UNPAIRED_ONESIDED,   /* one-sided message without its id records */
  TT_REPAIR_WRAPPED_SIZE,        /* size of a message that wraps in its record, taken from the counter beside it */
  TT_REPAIR_UNKNOWN_PEER,        /* message with a rank beyond all that are known, which few others name: left out */
  TT_REPAIR_METADATA_CLASH,      /* metadata key given again with another value, last wins */
  TT_REPAIR_GRAPH_ROW,           /* node or edge of a model's graph without id or name, or of no node: skipped */
  TT_REPAIR_GRAPH_NAME,          /* nodes of a model's graph with one name: one node */
  TT_REPAIR_GRAPH_CUT,           /* a model's graph ends early */
  TT_REPAIR_GRAPH_UNUSED,        /* a model's graph none of whose nodes the trace names: left out */
  TT_REPAIR_NOT_IN_GRAPH,        /* operator that is no node of the model's graph, left out */
  TT_REPAIR_OTHER_DEVICE,        /* event of a device or thread that carries no operators, left out */
  TT_REPAIR_SUB_TRACE,           /* pieces of one operator, joined */
  TT_REPAIR_OUTSIDE_WINDOW,      /* communication or I/O before or after the operators, left out */
  TT_REPAIR_OTHER_ACTIVITY,      /* event of a communication timeline that is no part of a transfer, left out */
  TT_REPAIR_ODD_RECORD,          /* record without what its kind needs, or with a name of another form: skipped */
  TT_REPAIR_OTHER_NAME, /* leave of a name that is not open, with the attributes of the innermost enter: ends it */
  TT_REPAIR_TOLD_TWICE, /* event that another one tells already, skipped */

  TT_REPAIR_ARGS_TOO_LONG,     /* arguments longer than a database takes, dropped */
  TT_REPAIR_ARGS_OUTGROW,      /* arguments that are many times the event that has them, dropped */
  TT_REPAIR_ARGS_NOT_MERGED,   /* arguments of an end that could not join those of its begin, dropped */
  TT_REPAIR_FLOW_WITHOUT_SPAN, /* point of a flow outside any span, dropped */
  TT_REPAIR_FLOW_UNPAIRED,     /* start or end of a flow without the other, dropped */
  TT_REPAIR_SPAN_EXTRA,        /* CPU time or flow of a span that cannot be read, or has no place in the dialect */
  TT_REPAIR_END_WITHOUT_BEGIN, /* end event: an instant of its name, dropped without a name */
  TT_REPAIR_SPANS_OVERLAP,     /* spans that cross another on their thread, kept */

  TT_REPAIR_NOT_AN_EVENT,         /* element of the events without ph: passed over */
  TT_REPAIR_NO_EVENTS,            /* no traceEvents, or no array */
  TT_REPAIR_NO_TIME,              /* event without a usable time: dropped */
  TT_REPAIR_INEXACT_TIME,         /* finer than a nanosecond: rounded */
  TT_REPAIR_TIME_TOO_FAR,         /* beyond TT_TIME_MAX_NS: moved there */
  TT_REPAIR_LONE_TIME,            /* far in time from all others of its source: moved to them, duration not counted */
  TT_REPAIR_LONE_END,             /* span that lasts far beyond all others of its source: duration not counted */
  TT_REPAIR_NO_DURATION,          /* complete event without dur: tdur, or 0 */
  TT_REPAIR_NO_NAME,              /* event without a name, or with one that is no text */
  TT_REPAIR_NO_STACK,             /* stack whose frames are not known: its id is kept */
  TT_REPAIR_NO_EVENT_ID,          /* asynchronous event or flow without an id: told by the rest */
  TT_REPAIR_SKIPPED_KIND,         /* event of a kind that is not kept (object, sample, clock sync ...) */
  TT_REPAIR_BAD_COUNTER,          /* counter value that is no number, dropped */
  TT_REPAIR_BAD_ARGUMENTS,        /* arguments that are no JSON object, mended */
  TT_REPAIR_LONG_HEADER,          /* member beside the events that is too long to keep */
  TT_REPAIR_JSON_BYTE_ORDER_MARK, /* before the contents */
  TT_REPAIR_JSON_COMMA,           /* missing or too many */
  TT_REPAIR_JSON_CONTROL,         /* raw within a string, kept */
  TT_REPAIR_JSON_ESCAPE,          /* a backslash that escapes nothing, kept */
  TT_REPAIR_JSON_NUMBER,          /* NaN, Infinity, +1, .5, 01 */
  TT_REPAIR_JSON_WORD,            /* without quotes, taken for a string */
  TT_REPAIR_JSON_SPACE,           /* NUL, VT, FF between values */
  TT_REPAIR_JSON_UNCLOSED,        /* string, array, object open at the end */
  TT_REPAIR_JSON_OPEN_LIST,       /* the whole list, after a value: Chrome's format allows it */
  TT_REPAIR_JSON_CUT,             /* value cut by the end: complete members kept */
  TT_REPAIR_JSON_DAMAGED,         /* record that is no JSON, passed over */
  TT_REPAIR_JSON_DUPLICATE_KEY,   /* twice in a record, last kept */
  TT_REPAIR_JSON_TEXT,            /* not UTF-8 or half a surrogate pair, replaced */
  TT_REPAIR_JSON_TRAILING_BYTES,  /* after the end, ignored */
  TT_REPAIR_TOO_MANY_STEPS,       /* training step beyond the number that is kept: its spans have none */

  TT_REPAIR_LOST_EVENTS,      /* events that the tracer discarded */
  TT_REPAIR_MISSING_EVENTS,   /* events that a source says it has, and has not: cut or damaged */
  TT_REPAIR_LOST_PACKETS,     /* packets that the tracer discarded */
  TT_REPAIR_BROKEN_STREAM,    /* stream that cannot be read, or not to its end */
  TT_REPAIR_OTHER_CLOCK,      /* stream without times beside others that have them, or the other way round: left out */
  TT_REPAIR_INFERRED_END,     /* span whose end the source does not tell: closed by what followed */
  TT_REPAIR_INFERRED_BEGIN,   /* span whose begin the source does not tell: begun by what is inside it, or its end */
  TT_REPAIR_BOUNDED_END,      /* span whose end was lost: it lies within known times */
  TT_REPAIR_BOUNDED_BEGIN,    /* span whose begin was lost: likewise */
  TT_REPAIR_UNSURE_END,       /* span with a loss inside, whose end may be that of a later one of its name */
  TT_REPAIR_UNSURE_TEAM,      /* task of one of several teams, which ended at different times */
  TT_REPAIR_UNPAIRED_END,     /* end without a begin, dropped */
  TT_REPAIR_WILDCARD,         /* message to or from no certain rank, or of any tag: not joined */
  TT_REPAIR_UNLINKED_INIT,    /* MPI_Init whose begin and end nothing joins, left out */
  TT_REPAIR_NO_CALIBRATION,   /* activity of a device whose clock is not known, dropped */
  TT_REPAIR_UNKNOWN_FUNCTION, /* call of a function whose id is in no list, kept */
  TT_REPAIR_CALL_ARGUMENTS,   /* arguments, texts or backend of a call that are not as they should be, kept */
  TT_REPAIR_CALLS_OVERLAP,    /* call that begins before the one before it has ended */
  TT_REPAIR_CALL_EMPTY,       /* record of no length, skipped */
  TT_REPAIR_CALL_CUT,         /* last record of a file that is not whole, skipped */
  TT_REPAIR_CALL_DAMAGE,      /* damage that ends what is read of a file */

  TT_REPAIR_DATA_CUT,      /* file that ends before its data: whole records are kept */
  TT_REPAIR_SHARED_RECORD, /* two writers of one place: one of their records is lost */
  TT_REPAIR_EMPTY_RECORD,  /* place for a record with a time that nobody wrote to, left out */
  TT_REPAIR_SHARED_LINE,   /* line of a log that several threads may have written: given to the earliest */
  TT_REPAIR_ODD_UNIT,      /* record of a number of an SM or CU that none has, shown apart */
  TT_REPAIR_OUTSIDE_GRAPH, /* operator that is no node of the model's graph, kept */
  TT_REPAIR_GONE_FILE,     /* file that the source names and that is not there: what it held is lost */
  TT_REPAIR_OTHER_LAUNCH,  /* result whose grid and blocks are not those that the log says: its own are taken */
  TT_REPAIR_OTHER_RANK,    /* process whose rank in one trace is not that in another: of two, taken for one */
  TT_REPAIR_OTHER_RATIO,   /* times whose ratio the source tells, and it is another: one of them is wrong; kept */
  TT_REPAIR_TOO_LONG,      /* span that lasts longer than what it was measured in can have taken; kept */
  TT_REPAIR_OTHER_UUID,    /* packet with another UUID than its metadata: read as of that trace */
  TT_N_REPAIRS,
} TtRepairKind;

typedef struct
{
  guint64 count[TT_N_REPAIRS];
  guint64 first_offset[TT_N_REPAIRS];
  guint8 is_event[TT_N_REPAIRS]; /* first_offset is no byte but the number of an event, the first is 1 */
  gboolean counts_events;        /* so are the offsets of what is added */
  guint64 total;                 /* of all counts */
} TtRepairs;

static inline void
tt_repairs_add (TtRepairs *self, TtRepairKind kind, guint64 offset)
{
  if (self->count[kind]++ == 0)
    {
      self->first_offset[kind] = offset;
      self->is_event[kind] = self->counts_events != FALSE;
    }
  self->total++;
}

/* Adds @n repairs; @offset: of the first. */
static inline void
tt_repairs_add_many (TtRepairs *self, TtRepairKind kind, guint64 offset, guint64 n)
{
  if (n == 0)
    return;
  tt_repairs_add (self, kind, offset);
  self->count[kind] += n - 1;
  self->total += n - 1;
}

/* As if there had been none of @kind. */
static inline void
tt_repairs_forget (TtRepairs *self, TtRepairKind kind)
{
  self->total -= self->count[kind];
  self->count[kind] = 0;
}

/* Left out, joined or inferred because the rules of its format say so, not because anything is wrong with it. */
gboolean tt_repair_is_by_rule (TtRepairKind kind);
/* The key in JSON ("leave_without_enter"), and a phrase for people after a count ("leaves without enter, dropped"). */
const char *tt_repair_key (TtRepairKind kind);
const char *tt_repair_text (TtRepairKind kind, guint64 count);
/* "line" where first_offset is a line of the definitions, NULL where there is no position, else "byte" or "event". */
const char *tt_repair_place (const TtRepairs *self, TtRepairKind kind);
/* "2 leaves without an enter, dropped (first at byte 480)"; @file: NULL, or what it is a byte or line of. Free it. */
char *tt_repair_describe (const TtRepairs *self, TtRepairKind kind, const char *file);

/* The first place of a kind is that of @self, if it has the kind. */
void tt_repairs_merge (TtRepairs *self, const TtRepairs *other);
guint64 tt_repairs_total (const TtRepairs *self);
/* For --strict: FALSE with @error naming the first repair of @path, if there is any. Events that the rules of a format
 * leave out or join are counted, but no reason. */
gboolean tt_repairs_check_none (const TtRepairs *self, const char *path, GError **error);

/* {"leave_without_enter":{"count":2,"first_offset":480}, ...} in enum order, first_line where it is a line; NULL if
 * there are none. Free it. */
char *tt_repairs_to_json (const TtRepairs *self);
/* The way back; NULL: nothing. Kinds this version does not know are left out. */
void tt_repairs_from_json (TtRepairs *self, const char *json);
