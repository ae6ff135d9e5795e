# SPDX-License-Identifier: Apache-2.0
# JSON.
libtracetool_a_SOURCES += \
	%D%/alike.c \
	%D%/buffer.c \
	%D%/clean.c \
	%D%/copy-bytes.c %D%/copy-bytes.h \
	%D%/kernel-args.c %D%/kernel-args.h \
	%D%/members.c \
	%D%/mend.c \
	%D%/numbers.c \
	%D%/parts.c \
	%D%/damage.c \
	%D%/records.c \
	%D%/scan.h \
	%D%/scanner-private.h \
	%D%/scanner.c %D%/scanner.h \
	%D%/shapes.c %D%/shapes.h \
	%D%/text.c \
	%D%/walk.c
