# SPDX-License-Identifier: Apache-2.0
# PyTorch's profiler.
libtracetool_a_SOURCES += \
	%D%/ahead.c %D%/ahead.h \
	%D%/args.c \
	%D%/collectives.c %D%/collectives.h \
	%D%/header.c %D%/header.h \
	%D%/hook.c %D%/importer.h \
	%D%/kineto.c %D%/kineto.h \
	%D%/labels.c %D%/labels.h \
	%D%/launches.c %D%/launches.h \
	%D%/names.c %D%/names.h \
	%D%/roles.c %D%/roles.h \
	%D%/roots.c %D%/roots.h \
	%D%/steps.c %D%/steps.h \
	%D%/words.c
