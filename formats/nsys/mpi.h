/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The calls of MPI, and the messages that they tell of: MPI_P2P_EVENTS, MPI_COLLECTIVES_EVENTS, MPI_START_WAIT_EVENTS,
 * MPI_OTHER_EVENTS.
 *
 * Who sends to whom is known where the ranks are (MPI_RANKS). Handles of communicators are numbers of one process;
 * MPI_COMMUNICATORS says which of them are one communicator: those with the same root and the same number at that root.
 * Ranks of a communicator with as many members as MPI_COMM_WORLD are taken for those of the run; of smaller ones the
 * export has no certain map, so that their messages stay unjoined, and are counted. A receive that does not block is
 * over when the first wait of its thread for its request ends; without one it is not known when, which is counted, too.
 */
#pragma once

#include "formats/nsys/session.h"

gboolean tt_nsys_read_mpi (TtNsys *self, GError **error);
