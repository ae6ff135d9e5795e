/* SPDX-License-Identifier: Apache-2.0 */
/*
 * metadata.json as a source of parameters. MXNet: one object of lists. TensorFlow: an object that has, for each operator,
 * its type, inputs and outputs.
 */
#pragma once

#include "formats/model/parameters-table.h"

gboolean tt_parameters_read_metadata (TtParameters *self, const Source *source, GError **error);
