/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtSortPacking: how whoever knows what is in the records of a TtSorter makes them shorter on disk. What is written to a
 * temporary file costs more time than what is computed.
 */
#pragma once

#include <glib.h>

typedef struct
{
  gsize most_bytes; /* of a record when it is packed, and padding behind the last */
  /* Records of one block, in order; they have nothing to do with those of others. Returns the end. */
  guint8 *(*pack) (const void *records, gsize n, guint8 *to);
  /* The same back. Whatever @from has, no more than @n times most_bytes are read, and @n records are written. */
  void (*unpack) (const guint8 *from, gsize n, void *records);
} TtSortPacking;
