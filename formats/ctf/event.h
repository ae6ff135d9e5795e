/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtCtfEvent: an event of a CTF trace as the importer sees it, and its class.
 *
 * A class is made once per trace, with the place of every member, so that an event costs no search for names. Members
 * that a class lacks are NULL pointers, which every function here takes for "not there".
 */
#pragma once

#include "formats/ctf/schema/schema.h"

#include <string.h>

/* Where a member lies. */
typedef enum
{
  TT_CTF_PACKET,   /* context of the packet: cpu_id */
  TT_CTF_COMMON,   /* context of every event of the stream: vpid, vtid, procname */
  TT_CTF_SPECIFIC, /* context of the events of one class */
  TT_CTF_PAYLOAD,
  TT_CTF_N_SCOPES,
} TtCtfScope;

typedef enum
{
  TT_CTF_CLOCK_RELATIVE,
  TT_CTF_CLOCK_EPOCH, /* times count from 1970 */
  TT_CTF_NO_CLOCK,    /* events have no times, but an order in their stream: their number there stands for the time */
} TtCtfClock;

/* What is missing in a stream between its events at `from` and `until` (TT_CTF_ALWAYS: it has none on that side). */
typedef enum
{
  TT_CTF_LOST_EVENTS,
  TT_CTF_LOST_PACKETS,
  TT_CTF_LOST_PERHAPS, /* events of a loss that was told before may be from here: its packet has just ended */
  TT_CTF_N_LOSSES,
} TtCtfLossKind;

/* How far a stream that cannot be read to its end was read. */
typedef enum
{
  TT_CTF_BREAK_AT_BEGIN,
  TT_CTF_BREAK_LATER,
  TT_CTF_BREAK_NO_CLOCK, /* sound, but of no use beside the others: it has no times and they do, or the other way round */
} TtCtfBreak;

#define TT_CTF_ALWAYS G_MININT64

typedef enum
{
  TT_CTF_UNSIGNED, /* enumerations as well */
  TT_CTF_SIGNED,
  TT_CTF_REAL,
  TT_CTF_TEXT,
  TT_CTF_OTHER, /* arrays, structures, variants ...: as JSON only */
} TtCtfValueKind;

typedef struct
{
  const char *name; /* the class's */
  TtCtfScope scope;
  guint slot;
  TtCtfValueKind kind;
  gboolean is_hex;         /* to be shown in base 16 */
  const TtCtfType *labels; /* of an enumeration; NULL: none */
} TtCtfMember;

typedef struct
{
  char *name;       /* "provider:event", never NULL */
  GArray *members;  /* of TtCtfMember, scope by scope */
  gpointer binding; /* the importer's TtCtfBinding; freed with free_binding */
  GDestroyNotify free_binding;
  GHashTable *names; /* names of all classes of the trace; borrowed */
} TtCtfClass;

typedef struct
{
  TtCtfClass *klass;
  gint64 ts_ns;
  guint64 number;       /* from 1, in the order of time */
  guint stream;         /* from 0, in the order of their names */
  gboolean is_moved;    /* its time was damaged, and is made one of its stream */
  gboolean is_outgrown; /* its values of the kind TT_CTF_OTHER are left out: there is too much text in too few bytes */
  guint32 n_bytes;      /* that it takes in its packet, the last one perhaps in part */
  /* A slot of 8 bytes for each member of the class, then what slots point to: texts, and JSON of other values. A slot of
   * those is offset (u32, from the end of the slots) and length (u32, without the NUL behind it). */
  const guint8 *slots;
  const char *tail;
  gsize tail_len;
} TtCtfEvent;

/* The member @name of a scope; NULL: there is none. */
const TtCtfMember *tt_ctf_scope_member (const TtCtfClass *klass, TtCtfScope scope, const char *name);
/* Whether the trace has events of that name at all. */
gboolean tt_ctf_class_has_sibling (const TtCtfClass *klass, const char *name);

/* FALSE: it is not there, or no integer. An unsigned value above 2^63 comes as its bits. */
static inline gboolean
tt_ctf_integer (const TtCtfEvent *event, const TtCtfMember *member, gint64 *value)
{
  if (member == NULL || member->kind > TT_CTF_SIGNED)
    return FALSE;
  memcpy (value, event->slots + (gsize) member->slot * 8, sizeof *value);
  return TRUE;
}

/* NULL: it is not there, or no text. Borrowed from the event. */
const char *tt_ctf_text (const TtCtfEvent *event, const TtCtfMember *member);
/* The k-th element of an array of integers; FALSE: there is none. */
gboolean tt_ctf_element (const TtCtfEvent *event, const TtCtfMember *member, guint k, gint64 *value);
/* Whether all that the event has is zero, four members or more: a hole in the file. */
gboolean tt_ctf_event_is_zero (const TtCtfEvent *event);
/* Any value as JSON: integers in base 16 as text "0x4010bd", what JSON does not have (nan) as null. */
void tt_ctf_append_json (const TtCtfEvent *event, const TtCtfMember *member, GString *json);
/* The same of a number whose member has no labels, to @at, where there is room for TT_CTF_MOST_DIGITS. Returns what follows. */
#define TT_CTF_MOST_DIGITS 40u
char *tt_ctf_put_number (const TtCtfEvent *event, const TtCtfMember *member, char *at);
/* An integer in the same way. */
char *tt_ctf_put_integer (char *at, guint64 value, gboolean is_signed, gboolean is_hex);
/* Shortly where that is exact, else with 17 digits; what JSON does not have as null. */
void tt_ctf_append_real (GString *json, double value);
/* @text as a JSON string, with what is not UTF-8 replaced; no more than @most bytes of it. */
void tt_ctf_append_quoted (GString *json, const char *text, gsize most);
