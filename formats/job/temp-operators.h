/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The operators of temp.json: TensorFlow step stats or an MXNet dump, which its first span shows.
 */
#pragma once

#include "formats/tensorflow/operators.h"

gboolean tt_temp_operators (const TtOperatorSource *source, TtOperatorFunc func, gpointer data, GError **error);
