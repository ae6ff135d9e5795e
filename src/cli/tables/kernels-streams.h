/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Columns of the tables of streams, of what they did and of how work was launched on them. Rows are TtStreamRow, the
 * context is a TtKernelContext.
 */
#pragma once

#include "src/cli/tables/kernels.h"

/* *@n: how many. */
const TtReportField *tt_stream_fields (guint *n);
const TtReportField *tt_launch_fields (guint *n);
/* Of whom a row tells; @data: TtStore. */
TtTrustPlace tt_stream_place (const void *row, const void *data);
