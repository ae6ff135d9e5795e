/*
 * What the parts of TtNccl share: graphs/nccl*.c only.
 */
#pragma once

#include "graphs/nccl/nccl.h"

/* The ring of a channel, when it closes: ranks in ring order from the lowest. */
typedef struct
{
  guint channel;
  GArray *order; /* of gint */
} TtNcclRing;

struct _TtNccl
{
  GArray *links;    /* of TtNcclLink, by (algo, channel, from, to) once joined */
  GArray *backward; /* of guint: numbers of links, by (algo, channel, to, from) */
  GStringChunk *transports;
  GArray *rings;     /* of TtNcclRing, by channel */
  GHashTable *place; /* (channel << 32 | rank) -> position + 1 */
  GPtrArray *problems;
  gint max_rank;
};
