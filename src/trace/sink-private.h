/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the parts of TtSink share.
 */
#pragma once

#include "src/trace/sink.h"

/* A new one of the batch, for texts and numbers. */
TtDefinition *tt_sink_define (TtSink *self, TtDefinitionKind kind, guint32 id, guint32 parent);
