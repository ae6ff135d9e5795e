/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Events that are neither spans nor device activity: counters of energy, and manifests (facts of PInsight about a
 * process and its environment).
 */
#pragma once

#include "formats/ctf/session.h"

void tt_ctf_energy (TtCtfSession *self, TtCtfThread *thread, const TtCtfEvent *event);
void tt_ctf_manifest_process (TtCtfProcess *process, const TtCtfEvent *event);
void tt_ctf_manifest_value (TtCtfProcess *process, const TtCtfBinding *binding, const TtCtfEvent *event);
/* The trace is over: how much of what it was to have it has, where events were lost, as metadata of its processes. */
void tt_ctf_write_coverage (TtCtfSession *self);
/* The trace is over: writes the latest value of each key as metadata of @process. */
void tt_ctf_write_manifest (TtCtfSession *self, TtCtfProcess *process);
