/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtBanks: conflicts at the banks of shared memory, from the records of a probe at ld.shared and st.shared that saves
 * addresses: events with `addr` or `address`, of a `block` and `thread`.
 *
 * As NVIDIA describes it (CUDA C++ Programming Guide, shared memory): there are 32 banks, successive words of 32 bits lie in
 * successive banks; threads of a warp that want the same word are served at once, different words of one bank after each
 * other. So an access of a warp takes as many passes as its fullest bank has different words, and at best as many as all
 * its words divided by 32. `bytes` of a record tells how wide it is; without, one word.
 *
 * Records of a warp with the same time are one access; where none has a time of its own, those of the same slot are. One
 * launch is looked at, that with most records. Memory is bounded.
 */
#pragma once

#include "src/base/int128.h"
#include "src/select/selection.h"

#define TT_BANKS 32u
#define TT_BANKS_MAX_PASSES 33u /* of 33 and more */

typedef struct
{
  guint32 source, name; /* of the launch; name: the operation. TT_NO_ID: no access is there */
  guint64 n_records, n_others;
  guint64 n_odd; /* records that are no access of shared memory, or two of one thread at a time */
  gboolean has_time;

  guint64 n_accesses;                   /* of warps */
  guint64 n_conflicts;                  /* that take more passes than their words need */
  tt_int128 n_words, n_passes, n_least; /* n_least: passes at best */
  guint64 plain[TT_BANKS];              /* different words of accesses without conflict, by bank */
  guint64 conflicting[TT_BANKS];
  /* Accesses by passes, from 1 on: those that need so many, and those that need fewer. */
  guint64 needed[TT_BANKS_MAX_PASSES + 1], caused[TT_BANKS_MAX_PASSES + 1];
} TtBanks;

/* As tt_accesses_new(). */
gboolean tt_banks_find (TtBanks *self,
                        TtStore *store,
                        const TtSelection *selection,
                        const guint8 *is_asked,
                        const guint32 *first_names,
                        GError **error);
