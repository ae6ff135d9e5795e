/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtCtfSchema: what the metadata of a CTF trace declare: clocks, streams, events and the types of their fields.
 *
 * All of it lies in blocks of the schema's own and goes with it. Types are trees, never shared: what is declared once and
 * used twice is copied, for the place where it is used gives it a meaning. Trees are no deeper than
 * TT_CTF_MAX_DEPTH, so that those who walk through them may call themselves.
 */
#pragma once

#include <glib.h>

#define TT_CTF_MAX_DEPTH 48u

typedef enum
{
  TT_CTF_TYPE_INTEGER, /* enumerations as well: those with labels */
  TT_CTF_TYPE_REAL,
  TT_CTF_TYPE_STRING,
  TT_CTF_TYPE_STRUCT,
  TT_CTF_TYPE_ARRAY,
  TT_CTF_TYPE_SEQUENCE,
  TT_CTF_TYPE_VARIANT,
} TtCtfTypeKind;

/* What an integer of a header says. */
typedef enum
{
  TT_CTF_PLAIN,
  TT_CTF_MAGIC,
  TT_CTF_STREAM_CLASS,
  TT_CTF_STREAM_INSTANCE,
  TT_CTF_PACKET_BEGIN,
  TT_CTF_PACKET_END,
  TT_CTF_DISCARDED,
  TT_CTF_SEQUENCE_NUMBER,
  TT_CTF_PACKET_SIZE,
  TT_CTF_CONTENT_SIZE,
  TT_CTF_EVENT_CLASS,
  TT_CTF_UUID, /* an array of bytes: what is said of it is its place in the packet, in bits */
  TT_CTF_N_MEANINGS,
} TtCtfMeaning;

typedef struct
{
  const char *name;
  guint64 frequency;
  gint64 offset_s;
  guint64 offset_cycles; /* less than frequency */
  gboolean is_epoch;     /* counts from 1970 */
} TtCtfClockClass;

/* A range of values of an enumeration and its label. As bits: signed ones, too. */
typedef struct
{
  guint64 low, high;
  const char *label;
  gboolean is_of_several; /* values, which have that label */
} TtCtfMapping;

/* A range of values, as numbers in whose order they are (see sections.h), and what it stands for: in a variant, its option. */
typedef struct
{
  guint64 low, high;
  guint key;
} TtCtfSection;

typedef struct _TtCtfLabelTable TtCtfLabelTable;

/* A range of integers as CTF 2 writes it: what it means is known with the sign of what it is compared with. */
typedef struct
{
  guint64 low, high;
  gboolean is_low_negative, is_high_negative;
  guint option;
} TtCtfInterval;

/* Parts of a packet and an event, in the order in which they are read. */
typedef enum
{
  TT_CTF_ROOT_PACKET_HEADER,
  TT_CTF_ROOT_PACKET_CONTEXT,
  TT_CTF_ROOT_EVENT_HEADER,
  TT_CTF_ROOT_EVENT_CONTEXT,
  TT_CTF_ROOT_OWN_CONTEXT,
  TT_CTF_ROOT_PAYLOAD,
  TT_CTF_N_ROOTS,
  TT_CTF_ROOT_AROUND, /* none: the structure around what refers */
} TtCtfRoot;

/* Where the field is that tells a length or selects (CTF 2), and what values select. */
typedef struct
{
  TtCtfRoot root;
  const char **names; /* NULL among them: the structure around */
  guint n_names;
  TtCtfInterval *ranges;
  guint n_ranges;
  /* What they are of integers without and with a sign, for all types that are copies of one; NULL: none selects yet. */
  struct
  {
    const TtCtfSection *sections;
    guint n;
  } choices[2];
} TtCtfLocation;

typedef enum
{
  TT_CTF_UTF_8,
  TT_CTF_UTF_16BE,
  TT_CTF_UTF_16LE,
  TT_CTF_UTF_32BE,
  TT_CTF_UTF_32LE,
} TtCtfEncoding;

typedef struct _TtCtfType TtCtfType;

typedef struct
{
  const char *name, *written; /* TSDL writes a '_' before names, which is none of them */
  TtCtfType *type;
} TtCtfField;

struct _TtCtfType
{
  TtCtfTypeKind kind;
  TtCtfMeaning meaning;
  guint depth;   /* of the tree from here */
  guint64 align; /* bits, a power of 2 */
  guint size;    /* bits of a number */
  guint base;    /* in which integers are shown */
  gboolean is_signed, is_big_endian, is_enum;
  gboolean is_char;        /* 8 bits in an encoding of text */
  gboolean is_text;        /* an array or sequence of those */
  guint is_bool : 1;       /* an integer: true unless 0 */
  guint is_bit_map : 1;    /* an integer whose mappings name its bits */
  guint is_variable : 1;   /* an integer in LEB128; its size is 0 */
  guint is_reversed : 1;   /* a number whose bits stand the other way round than its byte order has them */
  guint is_blob : 1;       /* bytes that are no text, though is_text is set: shown in base 16 */
  guint is_optional : 1;   /* a variant that may be nothing */
  guint is_void : 1;       /* no value of it takes a bit, but for its alignment */
  guint is_known : 1;      /* while references are resolved: it was met */
  guint roles : 16;        /* of CTF 2: see roles.h */
  TtCtfEncoding encoding;  /* of a text */
  TtCtfLocation *location; /* in place of the path: CTF 2 */
  gboolean is_shown;
  const TtCtfClockClass *clock;
  int store;                    /* where an integer that others ask for is kept; -1: none asks */
  const TtCtfMapping *mappings; /* of an enumeration, in the order of the metadata */
  guint n_mappings;
  const TtCtfLabelTable *labels; /* the same, by value; NULL: it has none */
  const TtCtfSection *choices;   /* what selects the options of a variant: sorted, without overlaps */
  guint n_choices;
  TtCtfField *fields; /* of a structure, or the options of a variant */
  guint n_fields;
  TtCtfType *element;
  guint64 length;   /* of an array */
  const char *path; /* of a sequence's length, a variant's tag */
  int from;         /* the store of that */
  gboolean has_signed_tag;
};

typedef struct
{
  guint64 id;
  const char *name; /* NULL: it has none */
  TtCtfType *context, *payload;
  gpointer data; /* the reader's */
} TtCtfEventType;

typedef struct
{
  guint64 id;
  TtCtfType *packet_context, *event_header, *event_context;
  GPtrArray *events; /* of TtCtfEventType */
  GHashTable *by_id; /* &TtCtfEventType.id -> it */
  const TtCtfClockClass *clock;
  gboolean has_begin, has_end, has_discarded, has_sequence_numbers;
  gpointer data; /* the reader's */
} TtCtfStreamType;

typedef struct
{
  TtCtfType *packet_header;
  char *uuid; /* NULL: it has none */
  gboolean is_big_endian;
  gboolean is_json;            /* CTF 2: what has no id has 0 */
  GPtrArray *streams;          /* of TtCtfStreamType */
  GHashTable *streams_by_id;   /* &TtCtfStreamType.id -> it */
  GHashTable *clocks;          /* const char * -> TtCtfClockClass */
  GHashTable *texts, *numbers; /* of the environment: const char * -> const char *, gint64 * */
  guint n_stores;
  guint n_types, n_ranges;
  GPtrArray *blocks;
  GStringChunk *names;
} TtCtfSchema;

TtCtfSchema *tt_ctf_schema_new (void);
void tt_ctf_schema_free (TtCtfSchema *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtCtfSchema, tt_ctf_schema_free)

/* Zeroed memory that lives as long as the schema. */
gpointer tt_ctf_schema_alloc (TtCtfSchema *self, gsize size);
const char *tt_ctf_schema_text (TtCtfSchema *self, const char *text);
/* The elements of @array, which it frees, there. */
gpointer tt_ctf_schema_take (TtCtfSchema *self, GArray *array);

/* Counts a range of values of an enumeration or variant; FALSE: there are too many. */
gboolean tt_ctf_schema_has_room (TtCtfSchema *self);
/* NULL: there are too many. */
TtCtfType *tt_ctf_type_new (TtCtfSchema *self, TtCtfTypeKind kind);
/* With all below it; NULL: there are too many. */
TtCtfType *tt_ctf_type_copy (TtCtfSchema *self, const TtCtfType *type);
/* The field of a structure that is called @name; NULL: there is none. */
TtCtfType *tt_ctf_type_member (const TtCtfType *self, const char *name);
gboolean tt_ctf_type_is_unsigned (const TtCtfType *self);

TtCtfStreamType *tt_ctf_schema_stream (const TtCtfSchema *self, guint64 id);
TtCtfStreamType *tt_ctf_schema_add_stream (TtCtfSchema *self, guint64 id);
/* NULL: there is one of that id. */
TtCtfEventType *tt_ctf_stream_add_event (TtCtfSchema *self, TtCtfStreamType *stream, guint64 id);
const TtCtfClockClass *tt_ctf_schema_clock (const TtCtfSchema *self, const char *name);
/* FALSE: there is one of that name. */
gboolean tt_ctf_schema_add_clock (TtCtfSchema *self, TtCtfClockClass *clock);

/* Time of @cycles; FALSE: it does not fit 64 bits. */
gboolean tt_ctf_clock_ns (const TtCtfClockClass *self, guint64 cycles, gint64 *ns);
