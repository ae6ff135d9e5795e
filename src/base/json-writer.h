/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtJsonWriter: writes a small JSON document into a text, member by member, with its commas, quotes and line breaks.
 *
 * For heads and facts of reports; rows by the million are written by tables (report/) and exporters. Objects and arrays
 * are either blocks, each member on a line of its own, or lines: `"key": {"a": 1, "b": 2}`. Lines hold only lines.
 * @key: NULL inside an array and for the outermost value. The text stays the caller's.
 */
#pragma once

#include <glib.h>

#define TT_JSON_WRITER_MAX_DEPTH 32

typedef struct
{
  GString *text;
  guint depth;
  struct
  {
    char close;
    gboolean is_line;
    gboolean has_members;
  } levels[TT_JSON_WRITER_MAX_DEPTH];
} TtJsonWriter;

void tt_json_writer_init (TtJsonWriter *self, GString *text);

void tt_json_writer_open_object (TtJsonWriter *self, const char *key);
void tt_json_writer_open_object_line (TtJsonWriter *self, const char *key);
void tt_json_writer_open_array (TtJsonWriter *self, const char *key);
void tt_json_writer_open_array_line (TtJsonWriter *self, const char *key);
/* Closes what was opened last. */
void tt_json_writer_close (TtJsonWriter *self);

/* @value NULL: null. Bytes that are not UTF-8 become U+FFFD. */
void tt_json_writer_string (TtJsonWriter *self, const char *key, const char *value);
void tt_json_writer_int (TtJsonWriter *self, const char *key, gint64 value);
void tt_json_writer_uint (TtJsonWriter *self, const char *key, guint64 value);
void tt_json_writer_bool (TtJsonWriter *self, const char *key, gboolean value);
/* @digits after the point; a number that JSON does not have (infinite, none) is null. */
void tt_json_writer_double (TtJsonWriter *self, const char *key, double value, int digits);
/* The shortest text that reads as @value again. */
void tt_json_writer_real (TtJsonWriter *self, const char *key, double value);
/* @json: a value in JSON already, such as a time as text or a table. */
void tt_json_writer_raw (TtJsonWriter *self, const char *key, const char *json);
