/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The sizes of a run's tensors in bytes, from the shapes and types of its parameters ("512x1024", "float32").
 */
#pragma once

#include "src/store/store.h"

typedef struct _TtTensorBytes TtTensorBytes;

/* NULL with @error: the database failed. */
TtTensorBytes *tt_tensor_bytes_new (TtStore *store, GError **error);
void tt_tensor_bytes_free (TtTensorBytes *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtTensorBytes, tt_tensor_bytes_free)

/* By the tensor's id ("3") or name; 0: not known. */
guint64 tt_tensor_bytes_of (const TtTensorBytes *self, const char *tensor);
/* Of one shape; 0: shape or type is not understood, or the size is too large. */
guint64 tt_shape_bytes (const char *shape, const char *dtype);
