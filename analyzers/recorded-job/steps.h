/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The steps of a recording: those of the source, or the whole of it as one.
 */
#pragma once

#include "analyzers/recorded-job/builder.h"

/* Once all other nodes are made: fills recording->steps and adds the nodes that end them. */
void tt_recorded_steps_make (TtRecordingBuilder *builder);
