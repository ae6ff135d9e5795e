/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Records that look alike. Those of a file have few shapes: the same members in the same order, with the same bytes between
 * the values. A record of a known shape needs no walk: the bytes between are compared, the values passed over. Anything else
 * is walked, and its shape learnt.
 *
 * Shapes are kept as a tree of the pieces between values, so that those that begin alike are compared once. The members of
 * the object that tt_json_index_member() asks for are in it, too; other values that are neither texts nor plain numbers are
 * walked where they stand.
 */
#pragma once

#include "formats/json/scanner-private.h"

#define TT_JSON_PIECES 512u
#define TT_JSON_LONGEST_PIECE 48u /* less than the padding */
/* So much in vain: the shapes are those of another part of the file, or there are none. */
#define TT_JSON_MAX_DOUBT 64u

/* What a piece is, beside the bytes before a member's value. */
enum
{
  TT_PIECE_OPENS = 1 << 0,  /* the inner object */
  TT_PIECE_CLOSES = 1 << 1, /* it */
  TT_PIECE_INNER = 1 << 2,  /* the key is one of that object */
  TT_PIECE_END = 1 << 3,    /* of the record; there is no value */
};

/* The bytes before a value, or those that close a record. Places count from the first of them, keys have their quotes. */
typedef struct _TtJsonPiece TtJsonPiece;
struct _TtJsonPiece
{
  guint8 bytes[TT_JSON_LONGEST_PIECE];
  guint32 begin;             /* a bit for each of the first 16 bytes */
  TtJsonPiece *next, *child; /* another that may stand here, the first that may follow; NULL: none */
  guint8 len;
  guint8 is; /* the bits above */
  guint8 key_at, key_end, key_class;
  guint8 object_key_at, object_key_end, object_class, object_at; /* if it opens the inner object */
  guint8 close_end;                                              /* behind the bracket, if it closes that */
};

struct _TtJsonShapes
{
  TtJsonPiece pieces[TT_JSON_PIECES]; /* the first stands for what is before a record */
  guint n_pieces;
  guint n_unlike, n_left_out;
  guint doubt;
};
