/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The blocks of TSDL, each from its brace on: what they declare goes into the parser's schema. A block needs the
 * environment, then the clocks, the trace, and its streams to have been read.
 */
#pragma once

#include "formats/ctf/schema/parser.h"

/* Of a trace the byte order alone, on which all types rest. */
gboolean tt_tsdl_read_native_order (TtTsdlParser *self);
gboolean tt_tsdl_read_environment (TtTsdlParser *self);
gboolean tt_tsdl_read_clock (TtTsdlParser *self);
gboolean tt_tsdl_read_trace (TtTsdlParser *self);
gboolean tt_tsdl_read_stream (TtTsdlParser *self);
gboolean tt_tsdl_read_event (TtTsdlParser *self);
gboolean tt_tsdl_read_callsite (TtTsdlParser *self);
