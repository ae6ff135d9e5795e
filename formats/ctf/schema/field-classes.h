/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Field classes of CTF 2 as types: fixed-length ones (bit arrays, bit maps, booleans, integers, reals), variable-length
 * integers, texts, blobs, structures, arrays, optionals, variants, and the names of aliases.
 */
#pragma once

#include "formats/ctf/schema/properties.h"

/* NULL: self->fault says why. */
TtCtfType *tt_ctf_field_class_read (TtCtfFragments *self, const TtCtfJson *value);
/* That of the property @name, which must be of a structure; *type is NULL if it is not there. */
gboolean tt_ctf_field_class_scope (TtCtfFragments *self, const TtCtfJson *object, const char *name, TtCtfType **type);
