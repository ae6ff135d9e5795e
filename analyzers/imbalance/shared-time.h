/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Time that a thread pays in several calls at once: those of gloo cross each other where a program asks for one before
 * the last is done. It counts once, for the call that ends last, as 'waits' has it.
 */
#pragma once

#include <glib.h>

typedef struct
{
  guint64 event;
  guint32 thread;
  gint64 begin_ns, end_ns;
} TtPayment;

/* By event (gint64 *): the gint64 that is paid in another call. Sorts @payments. */
GHashTable *tt_shared_time_new (GArray *payments);
