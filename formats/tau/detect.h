/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which layout a TAU stream has, in plain C.
 */
#pragma once

#include "formats/tau/record.h"
#include "formats/tau/rows.h"

/* The kind of an id in the definitions; TT_TAU_NOT_DEFINED: it is not there. */
typedef TtTauKind (*TtTauKindFunc) (int64_t id, void *data);

/* How many layouts' first record would have the magic parameter; *layout: the first of them. */
unsigned tt_tau_count_magic (const uint8_t *head, size_t len, TtTauLayout *layout);

/* The first bytes of a stream. */
typedef struct
{
  const uint8_t *bytes;
  size_t len;
  uint64_t size; /* of the whole stream; 0: unknown */
} TtTauHead;

/* The layout of a stream. Without the magic it is found by trial (*has_magic false). False: it is no TAU trace, or
 * not of these definitions. */
bool tt_tau_detect (const TtTauHead *head, TtTauKindFunc kind_of, void *data, TtTauLayout *layout, bool *has_magic);
