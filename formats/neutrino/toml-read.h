/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtNlToml: the part of TOML that probe files are written in, in the order of the file.
 *
 * Tables, dotted and quoted keys, strings of all four kinds, integers, booleans, arrays, inline tables; the README of
 * Neutrino writes ':' for '=' in an inline table, which is taken too. Numbers with a fraction and dates are kept as
 * text. Arrays of tables are refused. GLib has no reader for TOML, and no C library in Debian 12 has one.
 */
#pragma once

#include <glib.h>

/* A layout is some hundred bytes, the code around it some thousand. */
#define TT_NL_TOML_MAX_BYTES (4u * 1024u * 1024u)

typedef enum
{
  TT_NL_TOML_STRING,  /* text */
  TT_NL_TOML_INTEGER, /* number; text as written */
  TT_NL_TOML_BOOLEAN, /* number 0 or 1 */
  TT_NL_TOML_OTHER,   /* text as written */
  TT_NL_TOML_ARRAY,   /* items */
  TT_NL_TOML_TABLE,   /* items, each with a key */
} TtNlTomlKind;

typedef struct
{
  TtNlTomlKind kind;
  char *key; /* of an entry: dotted keys are joined by '.' */
  char *text;
  gint64 number;
  GPtrArray *items; /* of TtNlTomlValue */
  guint line;
} TtNlTomlValue;

typedef struct
{
  char **path;        /* {"map", "X", "regs", NULL}; empty for what stands before the first table */
  GPtrArray *entries; /* of TtNlTomlValue */
  guint line;
} TtNlTomlTable;

typedef struct
{
  GPtrArray *tables; /* of TtNlTomlTable; the first is that without a name */
} TtNlToml;

/* @name is for errors, which name the line. */
TtNlToml *tt_nl_toml_read (const char *name, const char *text, gsize len, GError **error);
void tt_nl_toml_free (TtNlToml *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtNlToml, tt_nl_toml_free)

#define tt_nl_toml_table(self, i) ((TtNlTomlTable *) g_ptr_array_index ((self)->tables, (i)))

/* NULL: there is none. */
const TtNlTomlValue *tt_nl_toml_find (const TtNlTomlTable *table, const char *key);
const char *tt_nl_toml_text (const TtNlTomlTable *table, const char *key);
