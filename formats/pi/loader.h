/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which release of UR a loader is of: by the version that it says and by the functions that its library has, for a
 * version goes through many releases. Plain C11, for what runs inside foreign programs.
 */
#pragma once

#include <stddef.h>

typedef struct
{
  unsigned release; /* api.h; 0: the tables do not know this version */
  unsigned n_other; /* functions that are in the library or in the release, and not in both */
  char library[4096];
} TtPiLoader;

/* @inside: an address in the library, of a function or a text. A library that exports none of the functions, for it has
 * the loader linked into it, is searched for their names. */
TtPiLoader tt_pi_loader_find (const void *inside, unsigned major, unsigned minor);
