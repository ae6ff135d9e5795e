/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The files that list a model's tensors: gradient_name_list.json and .txt, gradient_name2ID.json.
 *
 * Written by the recorders of training jobs (framework-jobs.md 4.4): Horovod and BytePS sum tensors by their index in the
 * list.
 */
#pragma once

#include "formats/model/parameters-table.h"

/* ["name", ["name", "shape=(2, 3)"], "name;shape=(2, 3);dtype=float16", ...] */
gboolean tt_parameters_read_list (TtParameters *self, const Source *source, const TtJsonValue *list, GError **error);

/* gradient_name_list.json: such a list, or an object with one as "gradient_name_list". */
gboolean tt_parameters_read_names (TtParameters *self, const Source *source, GError **error);
/* gradient_name_list.txt: one a line. */
gboolean tt_parameters_read_names_text (TtParameters *self, const Source *source, GError **error);
/* gradient_name2ID.json: {"HorovodAllreduce.name": id, ...}: the ids as they stand there. */
gboolean tt_parameters_read_name_ids (TtParameters *self, const Source *source, GError **error);
