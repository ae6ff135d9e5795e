/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The ranks of an MPI job as a TtCrew.
 */
#pragma once

#include "src/base/crew.h"

/* @call: see TtCrew. Lives as long as the program. */
const TtCrew *tt_mpi_crew (guint rank, guint n, void (*call) (const char *id));
