/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads words and numbers from a text, front to back: pids such as "worker_0::server_1", suffixes such as "0::~PART1".
 */
#pragma once

#include <glib.h>
#include <string.h>

/* Reads @word at *at, which moves on; FALSE: something else is there. */
static inline gboolean
tt_text_read_word (const char **at, const char *word)
{
  if (!g_str_has_prefix (*at, word))
    return FALSE;
  *at += strlen (word);
  return TRUE;
}

/* Reads a number below @max at *at, which moves on; FALSE: there is none. */
static inline gboolean
tt_text_read_number (const char **at, guint max, guint *number)
{
  char *end;

  if (!g_ascii_isdigit (**at))
    return FALSE;
  guint64 value = g_ascii_strtoull (*at, &end, 10);
  *at = end;
  *number = (guint) value;
  return value < max;
}
