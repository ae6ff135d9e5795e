/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the pieces of TtJson share: a buffer (buffer.c), a walk over whole values (walk.c, mend.c), steps and records on
 * top (scanner.c, records.c), parts of a file (parts.c).
 *
 * Positions are indices into the buffer; everything before `at` may be dropped by tt_json_more(). Repairs are pending
 * until the value that they belong to is done, since a value that runs over the end of the buffer is walked again.
 */
#pragma once

#include "formats/json/scan.h"
#include "formats/json/scanner.h"
#include "src/base/room.h"

#define TT_JSON_BUFFER ((gsize) TT_ROOM (524288, 4096))
#define TT_JSON_LONGEST ((gsize) 64 << 20)
#define TT_JSON_DEPTH 1024
#define TT_JSON_INDEXED 32
#define TT_JSON_GAP 32
#define TT_JSON_HEADS 8u
#define TT_JSON_LONGEST_HEAD 48u

typedef enum
{
  TT_STATE_VALUE,      /* after a colon, or where the contents begin */
  TT_STATE_FIRST_ITEM, /* after [ */
  TT_STATE_ITEM,       /* after a comma */
  TT_STATE_FIRST_KEY,  /* after { */
  TT_STATE_KEY,        /* after a comma */
  TT_STATE_COLON,
  TT_STATE_NEXT, /* after a value */
} TtJsonState;

typedef enum
{
  TT_WALK_DONE,
  TT_WALK_MORE,  /* the buffer ends first; self->at is where it could go on */
  TT_WALK_FAULT, /* self->expected is not at self->at */
} TtWalk;

/* A member of the record at hand; places count from the record's first byte. Strings with their quotes. */
typedef struct
{
  guint32 key_at, key_end, value_at, value_end;
  gboolean key_has_escapes, value_has_escapes;
  guint8 key_class; /* TT_JSON_NO_CLASS: not known yet */
} TtJsonPlace;
#define TT_JSON_NO_CLASS 255u

/* Shapes of records: shapes.h. */
typedef struct _TtJsonShapes TtJsonShapes;

/* How a record begins: from its brace to the quote after its first key. */
typedef struct
{
  guint8 bytes[TT_JSON_LONGEST_HEAD];
  guint len;
} TtJsonHead;

struct _TtJson
{
  TtInput *input;
  TtRepairs *repairs;

  guint8 *bytes; /* size + TT_SCAN_PADDING of them */
  gsize size, filled, at;
  guint64 base;      /* offset of bytes[0] */
  gboolean is_whole; /* the buffer ends where the contents end */
  gsize most;        /* bytes of a value for which the buffer may grow */
  GError *failed;    /* a read that was ahead of what has been scanned; NULL: none */

  /* Of a scanner of parts: the one of the file; the bytes are borrowed then, and no others follow. NULL: it is that. */
  const TtJson *whole;

  TtJsonState state;
  guint depth;
  guint64 is_object[TT_JSON_DEPTH / 64];

  /* Of the last walk. */
  TtWalk outcome;
  const char *expected;
  gboolean has_escapes; /* of the last string */
  gsize text_at;        /* where a string could be gone on with */
  gsize good_at;        /* after the last complete value or opening bracket */
  TtRepairs pending;
  gboolean has_pending;

  /* The record at hand. */
  guint index_depth; /* of the members to be noted, G_MAXUINT: none */
  gsize record_at, record_len;
  guint n_places, next_place;
  guint64 keys_seen; /* a bit a hash */
  const char *cursor;
  gboolean has_fields; /* `fields` are its members; it has no places then */
  TtJsonPlace places[TT_JSON_INDEXED];
  TtJsonFields fields;
  TtJsonValue *outside; /* where the first n_outside classes are */
  guint n_outside;
  guint32 *outside_held;

  /* The members of the object that is one of its members, of the last that has that key. */
  const char *inner_key; /* NULL: none is asked for */
  gsize inner_key_len;
  guint inner_depth; /* of the members while within the object, else G_MAXUINT */
  guint32 inner_at;  /* of the object in the record */
  guint n_inner;
  gboolean has_inner, is_inner_lost; /* lost: not all of them could be noted */
  TtJsonMemberPlace inner[TT_JSON_INDEXED];

  TtJsonShapes *shapes;    /* NULL: none is known */
  gsize unlike_at;         /* where a record begins that has none of them; G_MAXSIZE: not known */
  TtJsonClassify classify; /* NULL: nobody asks */

  /* To find the next record after damage: what stood between the last two, how records began, where their array is. */
  guint8 gap[TT_JSON_GAP];
  gsize gap_len;
  gboolean is_gap_good; /* there was nothing to be mended */
  TtJsonHead heads[TT_JSON_HEADS];
  guint n_heads;
  guint records_depth; /* 0: none was read */
  gboolean has_sections;
  gsize damaged_bytes; /* walked up to a fault, all in all */
};

/* For tests: a buffer of @size bytes at first. */
TtJson *tt_json_new_sized (TtInput *input, TtRepairs *repairs, gsize size);

static inline guint64
tt_json_offset_of (const TtJson *self, gsize at)
{
  return self->base + at;
}

static inline gboolean
tt_json_in_object (const TtJson *self)
{
  guint top = self->depth - 1;

  return (self->is_object[top / 64] >> (top % 64)) & 1;
}

static inline void
tt_json_open (TtJson *self, gboolean is_object)
{
  guint64 *word = &self->is_object[self->depth / 64], bit = (guint64) 1 << (self->depth % 64);

  *word = is_object ? *word | bit : *word & ~bit;
  self->depth++;
  self->state = is_object ? TT_STATE_FIRST_KEY : TT_STATE_FIRST_ITEM;
}

static inline void
tt_json_close (TtJson *self)
{
  self->depth--;
  self->state = TT_STATE_NEXT;
}

/* The walk ends here. */
static inline const guint8 *
tt_json_stop (TtJson *self, TtWalk outcome, const char *expected)
{
  self->outcome = outcome;
  self->expected = expected;
  return NULL;
}

/* -- buffer.c ------------------------------------------------------------------------------------- */

/* Drops what lies before self->at, which becomes 0, and reads on; grows if nothing could be dropped. At the end of
 * the contents sets is_whole. FALSE: *error. */
gboolean tt_json_more (TtJson *self, GError **error);
/* Ends the contents at @at and writes @n_closers brackets there for the innermost open arrays and objects. */
void tt_json_close_at (TtJson *self, gsize at, guint n_closers);

/* -- walk.c --------------------------------------------------------------------------------------- */

/* From self->at and self->state to the end of a value with @floor arrays and objects open around it. */
TtWalk tt_json_walk (TtJson *self, guint floor);
/* A string, from just after its opening quote, or any byte within, to just after its end. NULL: self->outcome. */
const guint8 *tt_json_walk_text (TtJson *self, const guint8 *at);

/* -- mend.c --------------------------------------------------------------------------------------- */

/* For a byte that is not what the state expects: mends and goes on, or NULL with self->outcome. */
const guint8 *tt_json_mend (TtJson *self, const guint8 *at);

/* Repairs wait until the value at hand is done: tt_json_settle() counts them, tt_json_forget() drops them. */
void tt_json_pend (TtJson *self, TtRepairKind kind, const guint8 *at);
void tt_json_settle (TtJson *self);
void tt_json_forget (TtJson *self);

/* -- scanner.c ------------------------------------------------------------------------------------ */

/* A step from the end of one value to the next, all of it in the buffer. */
typedef struct
{
  gsize at;              /* what comes next */
  gsize from;            /* where the step began, if has_from: it keeps no more than the gap between two records */
  gsize key_at, key_end; /* if has_key */
  gboolean has_from, has_key;
} TtJsonStep;

/* To the next value of the innermost array or object. FALSE at its end or on *error. */
gboolean tt_json_step (TtJson *self, TtJsonStep *step, GError **error);
gboolean tt_json_fail (TtJson *self, GError **error);

/* Before the value at self->at, of which nothing is noted yet. @is_record: its members are to be. */
void tt_json_start_record (TtJson *self, gboolean is_record);

/* The value at self->at as a whole. */
typedef enum
{
  TT_WHOLE_DONE,
  TT_WHOLE_NOTHING, /* cut before anything was complete */
  TT_WHOLE_FAULT,   /* no JSON; self->at is where it began, *fault_at where it is wrong */
  TT_WHOLE_ERROR,
  TT_WHOLE_LONG, /* longer than self->most and the buffer: still to be passed */
} TtWhole;
TtWhole tt_json_whole (TtJson *self, gboolean is_record, TtJsonValue *value, gsize *fault_at, GError **error);

/* Of a word that ought to be in quotes; what is longer is damage. */
#define TT_JSON_LONGEST_WORD 256

/* Told by the first byte alone; nan looks like null, and words that ought to be in quotes like anything. */
static inline TtJsonKind
tt_json_kind_of (guint8 byte)
{
  static const guint8 kinds[256] = {
    ['{'] = TT_JSON_OBJECT, ['['] = TT_JSON_ARRAY, ['"'] = TT_JSON_STRING,
    ['t'] = TT_JSON_TRUE,   ['f'] = TT_JSON_FALSE, ['n'] = TT_JSON_NULL,
  };

  return kinds[byte] == TT_JSON_NONE ? TT_JSON_NUMBER : (TtJsonKind) kinds[byte];
}

/* -- damage.c ------------------------------------------------------------------------------------- */

/* Whether the bytes at @at, of which @end is behind the last, begin as a record did. */
gboolean tt_json_begins_as_known (const TtJson *self, const guint8 *at, const guint8 *end);
/* The record at hand is a good one. */
void tt_json_note_head (TtJson *self);
/* From damage in an array of records, which lies from self->at to @fault_at, to the next record, self->state
 * TT_STATE_VALUE, or to the array's end, TT_STATE_NEXT. FALSE: nobody knows where that is; *error is its fault. */
gboolean tt_json_pass_damage (TtJson *self, gsize fault_at, GError **error);

/* -- shapes.c, alike.c ------------------------------------------------------------------------------------- */

/* The record at self->at, an object, if it is whole and of a known shape: as tt_json_whole() gives it. FALSE: nothing has
 * happened. */
gboolean tt_json_record_alike (TtJson *self, TtJsonValue *record);
/* The record at hand, which was walked and not mended, has a shape that may come again. */
void tt_json_learn_shape (TtJson *self);

static inline guint8
tt_json_key_class (const TtJson *self, TtSlice key)
{
  return self->classify == NULL ? 0 : self->classify (key);
}

/* Where the value of a class is put. */
static inline TtJsonValue *
tt_json_field (TtJson *self, guint key_class)
{
  return key_class - 1 < self->n_outside ? &self->outside[key_class - 1] : &self->fields.values[key_class];
}

/* As above, for values whose first byte can mislead. */
TtJsonKind tt_json_kind_of_word (const guint8 *at, gsize len);
/* Sets the kind of @value, which is such a one. */
void tt_json_tell_word (TtJsonValue *value);

/* A value between @at and @end, as it is given out. Most are told by their first byte. */
static inline void
tt_json_cut_out (TtJsonValue *value, const guint8 *at, const guint8 *end, gboolean has_escapes, guint64 offset)
{
  static const guint8 kinds[256] = {
    ['{'] = TT_JSON_OBJECT, ['['] = TT_JSON_ARRAY,  ['"'] = TT_JSON_STRING, ['-'] = TT_JSON_NUMBER,
    ['1'] = TT_JSON_NUMBER, ['2'] = TT_JSON_NUMBER, ['3'] = TT_JSON_NUMBER, ['4'] = TT_JSON_NUMBER,
    ['5'] = TT_JSON_NUMBER, ['6'] = TT_JSON_NUMBER, ['7'] = TT_JSON_NUMBER, ['8'] = TT_JSON_NUMBER,
    ['9'] = TT_JSON_NUMBER,
  };
  TtJsonKind kind = (TtJsonKind) kinds[*at];
  gsize quote = kind == TT_JSON_STRING;

  value->kind = kind;
  value->has_escapes = quote ? has_escapes : FALSE;
  value->raw.bytes = (const char *) at + quote;
  value->raw.len = (gsize) (end - at) - 2 * quote;
  value->offset = offset;
  /* Last, so that callers need no frame for it. */
  if (G_UNLIKELY (kind == TT_JSON_NONE))
    {
      if (*at == '0' && end - at == 1)
        value->kind = TT_JSON_NUMBER;
      else
        tt_json_tell_word (value);
    }
}
