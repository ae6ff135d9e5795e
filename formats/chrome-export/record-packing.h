/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How records lie in temporary files: a span of a usual trace takes 10 bytes of the 32 that it has in memory.
 */
#pragma once

#include "src/base/sorter-packing.h"

/* Of ChromeRecord. */
extern const TtSortPacking tt_chrome_record_packing;
