/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Random programs in neutrino.language, with their own idea of what they mean: the text is made together with a tree that
 * says what each part is worth, by the rules of docs/probes.md and without the compiler.
 */
#pragma once

#include "tests/formats/probe-run.h"

typedef struct _ProbeSource ProbeSource;

/* @dialect: as the program is to be written. */
ProbeSource *probe_source_new (GRand *rand, TtNlDialect dialect);
void probe_source_free (ProbeSource *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (ProbeSource, probe_source_free)

const char *probe_source_text (const ProbeSource *self);
void probe_source_run (const ProbeSource *self, ProbeRun *run);
