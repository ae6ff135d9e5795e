/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What programs and libraries are in the memory of each process, as LTTng-UST tells (lttng_ust_statedump, lttng_ust_lib,
 * lttng_ust_dl), and the functions that addresses there are.
 *
 * Files are only looked at below a directory that the user names. One whose build id is not that of the trace is another
 * version of it, and is not used.
 */
#pragma once

#include "formats/ctf/session.h"

/* @root: below which files have the paths that the trace tells. */
TtCtfBinaries *tt_ctf_binaries_new (const char *root);
void tt_ctf_binaries_free (TtCtfBinaries *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtCtfBinaries, tt_ctf_binaries_free)

/* Another trace begins. */
void tt_ctf_binaries_forget (TtCtfBinaries *self);
/* An event of a class with `memory` bound (binding.h). */
void tt_ctf_binaries_change (TtCtfBinaries *self,
                             const TtCtfProcess *process,
                             const TtCtfBinding *binding,
                             const TtCtfEvent *event);
/* The name of the function of @process at @address, which is a name of the sink; TT_NO_ID: nothing is known of it. */
guint32 tt_ctf_binaries_name (TtCtfSession *self, const TtCtfProcess *process, guint64 address);
/* Tells which files could not be used. */
void tt_ctf_binaries_tell (TtCtfSession *self);
