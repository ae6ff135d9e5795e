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
