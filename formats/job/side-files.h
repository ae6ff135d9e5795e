/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Files of a job that are no traces: their meaning, for the message when one is given alone.
 */
#pragma once

#include <glib.h>

/* What a file called like @path holds ("the names of the tensors"), static; NULL: not one of them. */
const char *tt_side_file_meaning (const char *path);
