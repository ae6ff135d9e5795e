# SPDX-License-Identifier: Apache-2.0
# Programs over recordings of PI calls: run, print, replay, drive.
libtracetool_a_SOURCES += \
	%D%/drive/args.c \
	%D%/drive/compare.c \
	%D%/drive/damage.c \
	%D%/drive/drive.c %D%/drive/drive.h \
	%D%/drive/images.c \
	%D%/drive/present.c \
	%D%/drive/private.h \
	%D%/drive/report.c \
	%D%/drive/structs.c \
	%D%/drive/unified.c \
	%D%/files.c %D%/files.h \
	%D%/kept-environment.c %D%/kept-environment.h \
	%D%/print/errors.c \
	%D%/print/perf.c \
	%D%/print/tables.h \
	%D%/print/walk.c %D%/print/walk.h \
	%D%/replay/packed-files.c %D%/replay/packed-files.h \
	%D%/replay/recorded.c %D%/replay/recorded.h \
	%D%/replay/transcribe.c %D%/replay/transcribe.h \
	%D%/run.c %D%/run.h \
	%D%/watch.c %D%/watch.h
