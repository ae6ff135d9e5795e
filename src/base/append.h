/* SPDX-License-Identifier: Apache-2.0 */
/*
 * g_string_append_len() where there is room, in line: a quarter of the time for the few bytes that fields and arguments have.
 */
#pragma once

#include <glib.h>
#include <string.h>

static inline void
tt_append (GString *to, const char *bytes, gsize len)
{
  if (G_UNLIKELY (to->allocated_len - to->len <= len))
    {
      g_string_append_len (to, bytes, (gssize) len);
      return;
    }
  memcpy (to->str + to->len, bytes, len);
  to->len += len;
  to->str[to->len] = '\0';
}

/* Copies in steps of so many bytes: up to as many more are read, and written, behind the @len that count. For texts of
 * some tens of bytes, where a call takes longer. */
#define TT_PADDING ((gsize) 16)

static inline char *
tt_put_padded (char *to, const char *from, gsize len)
{
  for (gsize i = 0; i < len; i += TT_PADDING)
    memcpy (to + i, from + i, TT_PADDING);
  return to + len;
}

/* In larger blocks, for longer texts. */
#define TT_BLOCK ((gsize) 64)
#define TT_WHOLE_BLOCKS(len) (((len) + TT_BLOCK - 1) / TT_BLOCK * TT_BLOCK)

/* @len: of whole blocks, not 0. */
static inline void
tt_put_blocks (char *to, const char *from, gsize len)
{
  gsize i = 0;

  do
    memcpy (to + i, from + i, TT_BLOCK);
  while ((i += TT_BLOCK) != len);
}

#define tt_put_literal(to, text) ((char *) memcpy ((to), "" text, sizeof (text) - 1) + sizeof (text) - 1)

/* Makes room for @n bytes behind what is there, and for the NUL. */
static inline void
tt_reserve (GString *to, gsize n)
{
  if (G_LIKELY (to->allocated_len - to->len > n))
    return;
  gsize len = to->len;

  g_string_set_size (to, len + n);
  g_string_truncate (to, len);
}
