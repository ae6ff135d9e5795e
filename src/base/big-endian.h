/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Numbers as files of network byte order have them, at any address.
 */
#pragma once

#include <glib.h>
#include <string.h>

static inline guint16
tt_get_be16 (const guint8 *bytes)
{
  return (guint16) (bytes[0] << 8 | bytes[1]);
}

static inline guint32
tt_get_be32 (const guint8 *bytes)
{
  guint32 word;

  memcpy (&word, bytes, sizeof word);
  return GUINT32_FROM_BE (word);
}

static inline void
tt_put_be16 (guint8 *bytes, guint16 value)
{
  value = GUINT16_TO_BE (value);
  memcpy (bytes, &value, sizeof value);
}

static inline void
tt_put_be32 (guint8 *bytes, guint32 value)
{
  value = GUINT32_TO_BE (value);
  memcpy (bytes, &value, sizeof value);
}
