# SPDX-License-Identifier: Apache-2.0
# The program with an MPI front.
if HAVE_MPI
bin_PROGRAMS += tracetool-mpi
endif
tracetool_mpi_SOURCES = %D%/crew.c %D%/crew.h %D%/libraries.c %D%/libraries.h %D%/main.c %D%/processors.c %D%/processors.h %D%/ranks.c %D%/ranks.h \
	%D%/talk.c %D%/talk.h
tracetool_mpi_CFLAGS = $(AM_CFLAGS) $(MPI_CFLAGS)
tracetool_mpi_LDADD = $(LDADD) $(MPI_LIBS)
