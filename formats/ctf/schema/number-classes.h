/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Classes of numbers in CTF 2: of a fixed length, and of a variable one.
 */
#pragma once

#include "formats/ctf/schema/properties.h"

typedef struct
{
  const char *name; /* as the property `type` says it */
  TtCtfType *(*read) (TtCtfFragments *self, const TtCtfJson *object);
} TtCtfClassReader;

/* NULL as a name ends them. */
extern const TtCtfClassReader tt_ctf_number_classes[];
