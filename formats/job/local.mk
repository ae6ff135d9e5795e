# SPDX-License-Identifier: Apache-2.0
# Directories of training jobs.
libtracetool_a_SOURCES += \
	%D%/byteps.c %D%/byteps.h \
	%D%/clock.c %D%/clock.h \
	%D%/detail.c %D%/detail.h \
	%D%/events.c %D%/events.h \
	%D%/horovod.c %D%/horovod.h \
	%D%/import.h \
	%D%/io.c %D%/io.h \
	%D%/job.c \
	%D%/layout.c %D%/layout.h \
	%D%/model.c %D%/model.h \
	%D%/operators.c %D%/operators.h \
	%D%/rows.c %D%/rows.h \
	%D%/side-files.c %D%/side-files.h \
	%D%/temp-operators.c %D%/temp-operators.h
