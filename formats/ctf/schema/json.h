/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtCtfJson: a value of JSON as a tree: a fragment of CTF 2's metadata.
 *
 * Strict, unlike the scanner of formats/json, which reads traces and mends them. Trees are no deeper than 64 and have no
 * more than 2^22 values; texts are UTF-8 without a NUL. Values and texts belong to the document.
 */
#pragma once

#include <glib.h>

typedef enum
{
  TT_CTF_JSON_NULL,
  TT_CTF_JSON_BOOLEAN,
  TT_CTF_JSON_INTEGER,
  TT_CTF_JSON_REAL, /* with a point or an exponent, or too large for 64 bits: its value is not kept */
  TT_CTF_JSON_TEXT,
  TT_CTF_JSON_ARRAY,
  TT_CTF_JSON_OBJECT,
} TtCtfJsonKind;

typedef struct _TtCtfJson TtCtfJson;

struct _TtCtfJson
{
  TtCtfJsonKind kind;
  gboolean is_negative; /* of an integer */
  gboolean is_true;
  guint n;                /* of elements or members */
  guint64 number;         /* a negative one as its bits */
  gsize at;               /* the place of its first byte */
  const char *text, *key; /* key: of a member */
  TtCtfJson *first, *next;
};

typedef struct _TtCtfJsonDocument TtCtfJsonDocument;

/* Reads the value at @text + @from, which ends before @text + @until. NULL: *why is what is not as it must be, with its place in @text; free
 * it. */
TtCtfJsonDocument *tt_ctf_json_read (const char *text, gsize from, gsize until, char **why);
void tt_ctf_json_free (TtCtfJsonDocument *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtCtfJsonDocument, tt_ctf_json_free)

const TtCtfJson *tt_ctf_json_root (const TtCtfJsonDocument *self);
/* The member of an object that is called @key, the first of several; NULL: there is none, or @value is no object. */
const TtCtfJson *tt_ctf_json_member (const TtCtfJson *value, const char *key);
/* "an object", "a text" ... */
const char *tt_ctf_json_kind_name (TtCtfJsonKind kind);
