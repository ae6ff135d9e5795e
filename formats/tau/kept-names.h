/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names that live as long as the program: programs written for TAU's reader keep the pointers that its callbacks get, for
 * TAU never frees them. Equal texts are one, so that memory grows with distinct names, however often they are read. Plain
 * C, for any thread.
 */
#pragma once

#include <stddef.h>

#include "formats/tau/rows.h"

/* @name, ended by a NUL; NULL: no memory. */
const char *tt_tau_keep_name (TtTauPiece name);
