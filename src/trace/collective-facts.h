/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a span tells of a call of a collective, a send or a receive that it is part of. Formats read it from their
 * arguments, analyzers ask for it.
 */
#pragma once

#include <glib.h>

/* Several spans tell of one call on a device; the one with the highest role counts. */
typedef enum
{
  TT_COLLECTIVE_NONE,
  TT_COLLECTIVE_MARK,      /* only a name, of a call that a device may do */
  TT_COLLECTIVE_CALL,      /* on the host, with the facts */
  TT_COLLECTIVE_WORK,      /* the transfer on a device */
  TT_COLLECTIVE_HOST_WORK, /* the transfer by a backend without devices, of which nothing else tells */
} TtCollectiveRole;

/* Texts are never longer than this. */
#define TT_COLLECTIVE_TEXT 256u

typedef struct
{
  TtCollectiveRole role;
  GString *function;         /* ALLREDUCE, SEND, BARRIER ...; OTHER: not said */
  GString *group;            /* name of the process group; empty: not said */
  GString *description;      /* of the group; empty: none */
  GString *ranks;            /* of the group, as the source lists them, cut at TT_COLLECTIVE_TEXT; empty: not said */
  guint64 members;           /* distinguishes longer lists; 0: not said */
  guint32 group_size;        /* ranks of the group; 0: not said */
  gint64 bytes_in, bytes_out; /* what this rank gives and gets; -1: not said */
  gint64 sequence;           /* number of the call in its group; -1: not said */
} TtCollectiveFacts;

/* Sets all of @facts but the texts' memory. @args: JSON, NULL: none. */
typedef void (*TtCollectiveReader) (const char *op_cat,
                                    const char *native_group,
                                    const char *raw_name,
                                    const char *sub_op,
                                    const char *args,
                                    gsize args_len,
                                    TtCollectiveFacts *facts);

static inline void
tt_collective_facts_init (TtCollectiveFacts *self)
{
  *self = (TtCollectiveFacts){ .function = g_string_new (NULL),
                               .group = g_string_new (NULL),
                               .ranks = g_string_new (NULL),
                               .description = g_string_new (NULL) };
}

static inline void
tt_collective_facts_clear (TtCollectiveFacts *self)
{
  g_string_free (self->function, TRUE);
  g_string_free (self->group, TRUE);
  g_string_free (self->ranks, TRUE);
  g_string_free (self->description, TRUE);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TtCollectiveFacts, tt_collective_facts_clear)
