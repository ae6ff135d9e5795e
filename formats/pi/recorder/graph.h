/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The SYCL task graph (pi.md 9): tasks and edges are written as they come, their times when the program ends.
 */
#pragma once

#include <stdint.h>

/* An event @data of stream "sycl", of @type. */
void tt_record_graph (uint16_t type, const void *data);
void tt_record_graph_finish (void);

void tt_record_graph_after_fork (void);
