/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A network in a sentence: its links, and how far collectives played over them are from what they took.
 */
#pragma once

#include "analyzers/training-job/network.h"

/* Free it. */
char *tt_job_network_describe (const TtJobNetwork *network);
