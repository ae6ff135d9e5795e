/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtJson: a pull scanner over one JSON file of any size, in bounded memory.
 *
 * Two ways to read, to be mixed freely:
 *  - step by step: tt_json_begin_object(), tt_json_next_key(), tt_json_begin_array(), tt_json_next_item(),
 *    tt_json_value(), tt_json_skip(): for headers and side files;
 *  - whole records: tt_json_next_record() steps to the next object of an array of small objects and keeps it whole
 *    in memory; tt_json_next_member() then hands out its members as raw slices of that memory without
 *    copying or looking at them again. This is the fast way, for events.
 *
 * Strict about what it understands, tolerant about what real files do. Mended and counted in the
 * TtRepairs given (TT_REPAIR_JSON_*), with the offset of the first: unclosed strings, arrays and objects at the end of
 * the file, trailing and missing commas, raw control characters and invalid escapes in strings, NaN, Infinity and
 * numbers like "+1", ".5", "01", words without their quotes (ncclFloat, 0x7f52, (nil): strings then), a byte order mark, NUL and form feed between values, bytes after the end, a key twice
 * in a record, a damaged record if there is no doubt where the next one begins. What cannot be understood is an
 * error that names file, byte and what was expected. Depth is bounded (1024), never recursed.
 *
 * A value that the end of the file cuts: a string is what there is of it; an array or object keeps its complete
 * members; of a number, true, false or null nobody knows the rest: it comes as TT_JSON_NULL with an empty slice.
 *
 * Slices point into the scanner's buffer: valid until the next call that reads on.
 */
#pragma once

#include "src/base/input.h"
#include "src/trace/repairs.h"

typedef struct
{
  const char *bytes;
  gsize len;
} TtSlice;

static inline gboolean
tt_slice_is (TtSlice slice, const char *text, gsize len)
{
  return slice.len == len && (len == 0 || memcmp (slice.bytes, text, len) == 0);
}
#define TT_SLICE_IS(slice, literal) tt_slice_is ((slice), "" literal, sizeof (literal) - 1)

/* Up to 8 bytes as a number: different texts of the same length give different ones. */
static inline guint64
tt_slice_word (TtSlice text)
{
  const guint8 *p = (const guint8 *) text.bytes;
  guint32 first, last;

  /* Loads that overlap have the same bytes there. */
  if (text.len >= 4)
    {
      memcpy (&first, p, 4);
      memcpy (&last, p + text.len - 4, 4);
      return GUINT32_FROM_LE (first) | (guint64) GUINT32_FROM_LE (last) << 8 * (text.len - 4);
    }
  if (text.len == 0)
    return 0;
  return (guint64) p[0] | (guint64) p[text.len / 2] << 8 * (text.len / 2) |
         (guint64) p[text.len - 1] << 8 * (text.len - 1);
}

typedef enum
{
  TT_JSON_NONE, /* no value: the end */
  TT_JSON_OBJECT,
  TT_JSON_ARRAY,
  TT_JSON_STRING,
  TT_JSON_NUMBER, /* also NaN, Infinity */
  TT_JSON_TRUE,
  TT_JSON_FALSE,
  TT_JSON_NULL,
} TtJsonKind;

/* A value as it stands in the file. Strings without their quotes, still escaped; numbers, objects and arrays as
 * text. */
typedef struct
{
  TtJsonKind kind;
  gboolean has_escapes; /* a string with backslashes: tt_json_unescape() */
  TtSlice raw;
  guint64 offset; /* of the first byte (the quote of a string) in the contents */
} TtJsonValue;

/* A member of an object: places count from the object's first byte. The key lies between its quotes, the value has its own. */
typedef struct
{
  guint16 key_at, key_len;
  guint16 value_at, value_len;
} TtJsonMemberPlace;

typedef struct _TtJson TtJson;

/* @input and @repairs are borrowed. Reads nothing yet. */
TtJson *tt_json_new (TtInput *input, TtRepairs *repairs);
void tt_json_free (TtJson *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtJson, tt_json_free)

/* Offset of the next byte in the contents; bytes of the file on disk read since the last call. */
guint64 tt_json_offset (const TtJson *self);
guint64 tt_json_progress (TtJson *self);

/* -- step by step ------------------------------------------------------------------------------- */

/* Kind of the value that comes next; TT_JSON_NONE at the end of the contents (or *error). */
TtJsonKind tt_json_peek (TtJson *self, GError **error);
/* Steps into the object or array that comes next; FALSE with @error: it is none. */
gboolean tt_json_begin_object (TtJson *self, GError **error);
gboolean tt_json_begin_array (TtJson *self, GError **error);
/* To the next member of the innermost object; FALSE at its end (stepped out then) or on *error. The value
 * comes next, to be read, stepped into or skipped; going on without that skips it. */
gboolean tt_json_next_key (TtJson *self, TtJsonValue *key, GError **error);
/* The same in an array. */
gboolean tt_json_next_item (TtJson *self, GError **error);
/* The whole value that comes next. One longer than 64 MiB is an error (use tt_json_skip() or step in). */
gboolean tt_json_value (TtJson *self, TtJsonValue *value, GError **error);
/* The same, but one longer than @most, quotes included, is passed over: its kind and offset, with an empty slice. */
gboolean tt_json_value_at_most (TtJson *self, gsize most, TtJsonValue *value, GError **error);
/* Passes over the value that comes next, however long. */
gboolean tt_json_skip (TtJson *self, GError **error);

/* -- records ------------------------------------------------------------------------------------- */

/* The next item of the innermost array, whole. FALSE at the array's end or on *error. An item that is no
 * object has its kind in @record and is passed on as it is. */
gboolean tt_json_next_record (TtJson *self, TtJsonValue *record, GError **error);
/* Damage may have closed their array too early: to the next record wherever it stands from here on, and the array is open
 * again. FALSE: there is none that stands and begins as those before, or *error. */
gboolean tt_json_find_records (TtJson *self, GError **error);
/* Whether after the end of the contents something stands that goes on with a record or with members. */
gboolean tt_json_is_damaged_end (TtJson *self, GError **error);
/* Within an object that is damaged: on to the array that its member @key holds, which comes next then. */
gboolean tt_json_find_array (TtJson *self, const char *key, GError **error);
/* The file has several arrays of records: damage in one must not lead into another. */
void tt_json_has_sections (TtJson *self);
/* The next member of the record that tt_json_next_record() gave; FALSE: no more. Equal keys all come. */
gboolean tt_json_next_member (TtJson *self, TtJsonValue *key, TtJsonValue *value);

/* What a key is to who reads records: from 1 to 31, 0: nothing. It has no escapes. */
typedef guint8 (*TtJsonClassify) (TtSlice key);
/* Before the first record. @classify is asked once for a key of records that look alike. */
void tt_json_classify_keys (TtJson *self, TtJsonClassify classify);

#define TT_JSON_CLASSES 32u

/* The members of a record by the class of their keys, of several the last. */
typedef struct
{
  guint32 seen; /* the classes that there are, a bit each; nothing is valid of the others */
  guint8
      n_digits[TT_JSON_CLASSES]; /* before the point of a number like 12 or 12.5, of at most 15 bytes; 0: not known */
  TtJsonValue values[TT_JSON_CLASSES];
} TtJsonFields;

/* Those of the record at hand; valid as the record is. */
const TtJsonFields *tt_json_fields (TtJson *self);
/* From the next record on the values of the classes from 1 to @n are put there instead, that of class 1 first; *held gets
 * bits for those that there are, and for some that may have changed. */
void tt_json_put_fields (TtJson *self, TtJsonValue *values, guint n, guint32 *held);

/* The next record, as tt_json_next_record() gives it, if it is in memory, looks like others before and stands as far from
 * the last as those; nothing was mended then. FALSE: nothing has happened. */
gboolean tt_json_next_alike (TtJson *self, TtJsonValue *record);

/* From now on notes where the members of the object lie that a record has as @key (static, without escapes). */
void tt_json_index_member (TtJson *self, const char *key);
/* The *n members noted of @object, a value of the record at hand, in their order; NULL: it is another object, or it has many
 * members or a long text, escapes, or had to be mended: tt_json_member() walks over it. Valid as the record is. */
const TtJsonMemberPlace *tt_json_indexed (const TtJson *self, TtSlice object, guint *n);

/* -- parts of a file ------------------------------------------------------------------------------ */

/* So many bytes follow those of a part. */
#define TT_JSON_PART_PADDING 64u

/* Records that follow each other in the file, from behind one to behind another. */
typedef struct
{
  guint8 *bytes; /* the caller's */
  gsize len;
  guint64 offset; /* of the first byte in the contents */
} TtJsonPart;

/* Whether tt_json_cut() may be called: a record was the last, and nothing was mended before the next. */
gboolean tt_json_is_between_records (const TtJson *self);
/* Cuts off what comes next, of at most @most bytes, for which, and for the padding, @part has room. It ends where another record seems to
 * begin, which only who has read it knows. FALSE: no such place is among the bytes, or the contents end; nothing has happened. */
gboolean tt_json_cut (TtJson *self, gsize most, TtJsonPart *part);
/* The bytes before those that come next were not read after all. Of several parts the last is put back first. */
void tt_json_put_back (TtJson *self, TtSlice bytes);

/* A scanner of parts that are cut off of @whole, which outlives it; by any thread, while @whole does nothing but cut. */
TtJson *tt_json_new_for_parts (const TtJson *whole, TtRepairs *repairs);
/* The bytes of @part are borrowed. */
void tt_json_begin_part (TtJson *self, const TtJsonPart *part);
/* The next record, if it is an object that needs no mending and tells the scanner of the whole nothing new. FALSE: it is another one, or the
 * part is over: tt_json_is_part_done(). */
gboolean tt_json_next_in_part (TtJson *self, TtJsonValue *record);
/* All of it was read, and it ends where a record does. */
gboolean tt_json_is_part_done (const TtJson *self);

/* A walk over the members of an object that lies in memory (a record, or an object within one): *cursor starts as
 * NULL. Also works on args, nested as deep as need be. FALSE at the end. Expects what the scanner has
 * passed (it was checked then), and is safe with anything. Offsets count from the object's first byte. */
gboolean tt_json_member (TtSlice object, const char **cursor, TtJsonValue *key, TtJsonValue *value);
/* The same for the items of an array. */
gboolean tt_json_item (TtSlice array, const char **cursor, TtJsonValue *value);
/* The member @key of @object; kind TT_JSON_NONE: it has none. The last of equal keys counts. */
TtJsonValue tt_json_get (TtSlice object, const char *key);

/* The value at @place of @object, which is the one of tt_json_indexed(), as tt_json_member() gives it. */
void tt_json_value_at (TtSlice object, const TtJsonMemberPlace *place, TtJsonValue *value);

/* -- texts and numbers ---------------------------------------------------------------------------- */

/* Appends the string's text: escapes resolved (\/, \uXXXX, surrogate pairs; lone surrogates and invalid
 * UTF-8 become U+FFFD and count as TT_REPAIR_JSON_TEXT with @repairs not NULL; \u0000 becomes U+FFFD). */
void tt_json_unescape (const TtJsonValue *string, GString *text, TtRepairs *repairs);
/* Whether a key is @word; one with escapes is compared by its text. */
gboolean tt_json_key_is (const TtJsonValue *key, const char *word, gsize len);
#define TT_JSON_KEY_IS(key, literal) tt_json_key_is (&(key), "" literal, sizeof (literal) - 1)
/* A fresh copy of the text of a string, or the raw text of anything else; always UTF-8. */
char *tt_json_text (const TtJsonValue *value);

/* Appends an object or array that the scanner has passed as strict JSON: commas, escapes, UTF-8 and numbers as they
 * ought to be; what is no number there (NaN) becomes a string. */
void tt_json_clean (TtSlice text, GString *to);

/* Decimal text (also of a string value) to an integer count of 10^-@decimals: "12.5" with 3 is 12500. Exact: no
 * double in between; digits beyond @decimals are rounded half away from zero (*inexact set). Takes
 * sign, fraction, exponent. FALSE: not a number, NaN, Infinity, or out of range of gint64. */
gboolean tt_json_decimal (const TtJsonValue *value, guint decimals, gint64 *scaled, gboolean *inexact);
/* An unsigned or signed integer of up to 64 bits, exact; hexadecimal with 0x in strings. FALSE: it is none. */
gboolean tt_json_uint64 (const TtJsonValue *value, guint64 *number);
gboolean tt_json_int64 (const TtJsonValue *value, gint64 *number);
