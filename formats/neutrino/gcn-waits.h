/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a GCN machine does not wait for by itself: a pass over the text of a probe that writes s_nop and s_waitcnt.
 *
 * The rules are those of LLVM's GCNHazardRecognizer for gfx90a and gfx942, as far as instructions of probes can meet
 * them. A probe writes scalar registers with vector instructions (carries, comparisons) and reads operands of the
 * instruction that it stands at. It has no transcendental, lane, DPP, SDWA or matrix instruction, no vector memory and
 * no VCC of its own, so that for these only what the kernel did right before counts.
 */
#pragma once

#include "formats/neutrino/target.h"

/* @text: one instruction a line. @position: NULL at the beginning and end of a kernel. @is_after: it stands behind the
 * instruction. */
void tt_nl_gcn_add_waits (GString *text, const TtNlTarget *target, const char *position, gboolean is_after);
