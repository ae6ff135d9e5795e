/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the collectives of a recording move, from the arguments of their kernels.
 */
#pragma once

#include "analyzers/recorded-job/builder.h"
#include "src/trace/collective-facts.h"

/* Fills transfers of the recording, one a kernel of communication; the nodes of devices are made. One more scan of the events,
 * if there are such kernels. */
gboolean tt_recorded_transfers_read (TtRecordingBuilder *builder, TtCollectiveReader reader, GError **error);
