/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtPiece: a piece of a line of a configuration, with the functions to take it apart. Nothing is copied.
 */
#pragma once

#include <glib.h>

typedef struct
{
  const char *at;
  gsize len;
} TtPiece;

static inline TtPiece
tt_piece_strip (TtPiece piece)
{
  while (piece.len > 0 && g_ascii_isspace (*piece.at))
    piece.at++, piece.len--;
  while (piece.len > 0 && g_ascii_isspace (piece.at[piece.len - 1]))
    piece.len--;
  return piece;
}

static inline TtPiece
tt_piece_from (TtPiece piece, gsize offset)
{
  return (TtPiece){ piece.at + offset, piece.len - offset };
}

static inline char *
tt_piece_dup (TtPiece piece)
{
  return g_strndup (piece.at, piece.len);
}

gboolean tt_piece_is (TtPiece piece, const char *text);
gboolean tt_piece_is_nocase (TtPiece piece, const char *text);
/* Bytes before the first @c outside parentheses; the whole length if there is none. */
gsize tt_piece_find (TtPiece piece, char c);
/* Cuts the first element of a list off @rest; FALSE: there are no more. @rest.at NULL marks the end. */
gboolean tt_piece_next (TtPiece *rest, char separator, TtPiece *element);
/* A decimal number of at most @most; digits only. */
gboolean tt_piece_number (TtPiece piece, guint64 most, guint64 *number);
