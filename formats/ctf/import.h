/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The importer of CTF traces.
 */
#pragma once

#include "formats/format.h"

/* All traces of a set, as one source. */
gboolean tt_ctf_import (const TtInputSet *input, const TtImportOptions *options, TtSink *sink, GError **error);
