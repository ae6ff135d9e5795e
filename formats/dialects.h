/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The dialects of trace-event JSON: everything that writes such files and means something of its own by them.
 *
 * To add one: write its folder, with a TtDialect and TT_DIALECT_FORMAT at the end of a file, and add it to TT_DIALECTS.
 * --format takes its name then, and the format "chrome" finds it by content.
 */
#pragma once

#include "formats/trace-event/dialect.h"

/* In order of preference. */
#define TT_DIALECTS(X) X (standard) X (kineto) X (tensorflow) X (mxnet) X (horovod) X (nccl) X (nccl_profiler) X (byteps) X (xprof)

#define TT_DECLARE_DIALECT(id) extern const TtDialect tt_dialect_##id;
TT_DIALECTS (TT_DECLARE_DIALECT)
extern const TtDialect tt_dialect_chrome; /* any other; the format "plain" */
#undef TT_DECLARE_DIALECT

/* NULL-ended, in order of preference; the last takes everything. */
extern const TtDialect *const tt_dialects[];
