/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/pinsight/piece.h"

#include <string.h>

gboolean
tt_piece_is (TtPiece piece, const char *text)
{
  return strlen (text) == piece.len && memcmp (piece.at, text, piece.len) == 0;
}

gboolean
tt_piece_is_nocase (TtPiece piece, const char *text)
{
  return strlen (text) == piece.len && g_ascii_strncasecmp (piece.at, text, piece.len) == 0;
}

gsize
tt_piece_find (TtPiece piece, char c)
{
  guint depth = 0;

  for (gsize i = 0; i < piece.len; i++)
    {
      if (depth == 0 && piece.at[i] == c)
        return i;
      if (piece.at[i] == '(')
        depth++;
      else if (piece.at[i] == ')' && depth > 0)
        depth--;
    }
  return piece.len;
}

gboolean
tt_piece_next (TtPiece *rest, char separator, TtPiece *element)
{
  if (rest->at == NULL)
    return FALSE;

  gsize len = tt_piece_find (*rest, separator);
  *element = tt_piece_strip ((TtPiece){ rest->at, len });
  *rest = len < rest->len ? tt_piece_from (*rest, len + 1) : (TtPiece){ NULL, 0 };
  return TRUE;
}

gboolean
tt_piece_number (TtPiece piece, guint64 most, guint64 *number)
{
  *number = 0;
  if (piece.len == 0)
    return FALSE;
  for (gsize i = 0; i < piece.len; i++)
    {
      if (!g_ascii_isdigit (piece.at[i]))
        return FALSE;
      *number = *number * 10 + (guint64) (piece.at[i] - '0');
      if (*number > most)
        return FALSE;
    }
  return TRUE;
}
