/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtCtfRange: from the begin of a stream's first packet to the end of its last, as these say.
 */
#pragma once

#include <glib.h>

typedef struct
{
  gint64 begin_ns, end_ns; /* begin > end: not known */
} TtCtfRange;

/* The time that is meant where a damaged one lies outside the range: the stream goes on from @before_ns (TT_CTF_ALWAYS: it
 * begins). */
gint64 tt_ctf_range_mend (const TtCtfRange *self, gint64 before_ns, gint64 ts_ns);
