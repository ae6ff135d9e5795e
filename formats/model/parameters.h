/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtParameters: the dictionary of a model's parameters, from the files that a job or a single trace has beside it:
 *
 *   gradient_name_list.json, .txt, gradient_name2ID.json   the tensors; a tensor's id is its index
 *   metadata.json                                          MXNet: the tensors themselves, outputs, opt_aggregate_num;
 *                                                          TensorFlow: shapes and types of the outputs of operators, updates
 *   tensor_shapes.json                                     shapes and types
 *   info.json                                              opt_aggregate_num
 *
 * Update of a tensor. MXNet: tensor i of n has n - 1 - i, divided by opt_aggregate_num if that is above 0, and updates
 * run from the last tensor to the first. TensorFlow: the n of the operator ".../update_<n>/..." that takes the tensor
 * or its sum, else of the one of its own number; none where no such operator is. metadata.json shows which framework
 * it is; without it a gradient_name_list.txt is MXNet's.
 */
#pragma once

#include "src/trace/sink.h"

typedef enum
{
  TT_PARAMETER_NAMES,      /* gradient_name_list.json */
  TT_PARAMETER_NAMES_TEXT, /* gradient_name_list.txt */
  TT_PARAMETER_NAME_IDS,   /* gradient_name2ID.json */
  TT_PARAMETER_INFO,       /* info.json */
  TT_PARAMETER_SHAPES,     /* tensor_shapes.json */
  TT_PARAMETER_METADATA,   /* metadata.json */
  TT_N_PARAMETER_FILES,
} TtParameterFile;

const char *tt_parameter_file_name (TtParameterFile file);

typedef struct _TtParameters TtParameters;

/* One tensor; strings are borrowed, NULL where unknown. */
typedef struct
{
  gint64 tensor_id;
  const char *name, *shape, *dtype; /* shape: "512x1024"; "scalar" */
  gint64 update_id;                 /* -1: none */
  const char *origin;               /* name of the file that lists it */
} TtTensor;

/* @paths: by TtParameterFile, NULL where there is none. @repairs: what was mended; borrowed for the call. NULL with
 * @error: a file cannot be read, or is not what its name says; *@faulty, which may be NULL: which. */
TtParameters *tt_parameters_load (const char *const paths[TT_N_PARAMETER_FILES],
                                  TtRepairs *repairs,
                                  TtParameterFile *faulty,
                                  GError **error);
void tt_parameters_free (TtParameters *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtParameters, tt_parameters_free)

guint tt_parameters_count (const TtParameters *self);
TtTensor tt_parameters_get (const TtParameters *self, guint index);
/* All of them, into the current source. */
void tt_parameters_add_to (const TtParameters *self, TtSink *sink);

/* For a trace outside a job: adds what the files in the folder of @path say, if the names of the tensors are there. A
 * file that cannot be read becomes a note. */
void tt_parameters_add_beside (const char *path, TtSink *sink);
