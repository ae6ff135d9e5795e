/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Numbers of communicators that have a name only within the processes that take part: two groups of ranks may have one
 * name. Such a number is that of the name and, above it, one made of who takes part.
 *
 * When calls are joined, a name that only one group has stands for it; else each group gets a number of its own.
 */
#pragma once

#include <glib.h>

#define TT_COMM_NAME_BITS 31
#define TT_COMM_NAME_MASK (((guint64) 1 << TT_COMM_NAME_BITS) - 1)
#define TT_COMM_HAS_MEMBERS ((guint64) 1 << 62)
/* A number of a name has this bit if it is made of the name, which is none itself. */
#define TT_COMM_IS_MADE ((guint64) 1 << 30)

/* @name: at most TT_COMM_NAME_MASK. @members: any hash of who takes part. */
static inline guint64
tt_comm_of_members (guint64 name, guint64 members)
{
  return TT_COMM_HAS_MEMBERS | members >> (64 - TT_COMM_NAME_BITS) << TT_COMM_NAME_BITS | name;
}

static inline gboolean
tt_comm_has_members (gint64 comm)
{
  return comm >= (gint64) TT_COMM_HAS_MEMBERS;
}
