/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtCtfSizes: how many bytes of CTF traces the events of each kind take, counted in their packets.
 *
 * A kind is what makes spans of one operation: its begins, its ends, and activities on a device. Bits, for events need not
 * begin with a byte; what stands between two events belongs to the second. Only sound packets count.
 */
#pragma once

#include "formats/format.h"

typedef struct
{
  char *provider;
  char *op;      /* NULL: events of the provider that are named by what they say */
  char *zero_op; /* another name of it; NULL: none */
  guint64 n_spans, n_events, n_bits;
} TtCtfKindSize;

typedef struct
{
  guint64 n_packets, n_bytes, head_bits;
  guint64 most_bytes;        /* of a packet */
  guint64 n_most, most_bits; /* packets of that size, and of events in them */
  guint64 index_bytes;       /* of the index beside its files; 0: there is none */
  GArray *kind_bits;         /* of guint64, by kind; may be shorter than the kinds */
} TtCtfStreamSize;

typedef struct
{
  GPtrArray *kinds;       /* of TtCtfKindSize; the first is of all events that make no spans */
  GPtrArray *streams;     /* of TtCtfStreamSize */
  guint64 metadata_bytes; /* of all traces */
} TtCtfSizes;

#define TT_CTF_NO_KIND G_MAXUINT

TtCtfSizes *tt_ctf_sizes_new (void);
/* Counts all traces of @input. FALSE with @error: one cannot be read. */
gboolean tt_ctf_sizes_add (TtCtfSizes *self, const TtInputSet *input, GError **error);
void tt_ctf_sizes_free (TtCtfSizes *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtCtfSizes, tt_ctf_sizes_free)

/* The kind of spans whose standard name has @op_name, of the group @provider; TT_CTF_NO_KIND: there is none. */
guint tt_ctf_sizes_find (const TtCtfSizes *self, const char *provider, const char *op_name);

/* Bytes of the metadata, all streams and their indexes if of each kind the share @kept (by kind, 0 to 1) had been recorded: packets are
 * filled as they were, the last one of a stream is padded to whole pages as LTTng does it. */
guint64 tt_ctf_sizes_predict (const TtCtfSizes *self, const double *kept);
