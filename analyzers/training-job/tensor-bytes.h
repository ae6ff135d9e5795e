/*
 * How many bytes the tensors of a run have, by what its parameters say (shape "512x1024", dtype "float32").
 */
#pragma once

#include "src/store/store.h"

typedef struct _TtTensorBytes TtTensorBytes;

/* NULL with @error: the database failed. */
TtTensorBytes *tt_tensor_bytes_new (TtStore *store, GError **error);
void tt_tensor_bytes_free (TtTensorBytes *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtTensorBytes, tt_tensor_bytes_free)

/* Of a tensor by its id ("3") or name; 0: not known. */
guint64 tt_tensor_bytes_of (const TtTensorBytes *self, const char *tensor);
/* Of one shape; 0: one of both is not understood, or too large. */
guint64 tt_shape_bytes (const char *shape, const char *dtype);
