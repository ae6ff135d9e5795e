/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names of tensors in communication: ids, and several of them that are summed at once ("3+4+10").
 */
#pragma once

#include <glib.h>

/* The id of a tensor in the name of its collective, the text between the first "." and "_" there: 3 in
 * "DistributedGradientTape_Allreduce/HorovodAllreduce.3_0". FALSE: the name has no dot. Free *tensor. */
gboolean tt_tensor_in_name (const char *name, char **tensor);

/* "4+3+10" with the numbers in order: "3+4+10". NULL: not numbers joined by "+". Free it. */
char *tt_tensor_ids (const char *ids, gsize len);

/* Joins n ids, in numeric order, numbers before texts. Free it. */
char *tt_tensor_ids_join (GPtrArray *ids);
