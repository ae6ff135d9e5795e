/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a reader of a store needs: the handle, definitions, names, events and the other rows.
 *
 * Apart from these: statistics.h, query.h, and what writes: import/import.h, nccl.h, graph.h. Only src/store includes
 * sqlite3.h.
 */
#pragma once

#include "src/store/definitions.h"
#include "src/store/handle.h"
#include "src/store/names.h"
#include "src/store/rows.h"
#include "src/store/scan.h"
