# SPDX-License-Identifier: Apache-2.0
# CTF.
libtracetool_la_SOURCES += \
	%D%/binding.c %D%/binding.h \
	%D%/causes.c \
	%D%/child.c %D%/child.h \
	%D%/closing.c %D%/closing.h \
	%D%/coverage.c %D%/coverage.h \
	%D%/decode-private.h \
	%D%/decode.c %D%/decode.h \
	%D%/devices.c %D%/devices.h \
	%D%/encode.c \
	%D%/event.h \
	%D%/evidence.c %D%/evidence.h \
	%D%/facts.c %D%/facts.h \
	%D%/fields.c \
	%D%/frames.c %D%/frames.h \
	%D%/format.c \
	%D%/import.c %D%/import.h \
	%D%/kinship.c %D%/kinship.h \
	%D%/layout.c %D%/layout.h \
	%D%/limits.c %D%/limits.h \
	%D%/losses.c %D%/losses.h \
	%D%/messages.c %D%/messages.h \
	%D%/metadata.c %D%/metadata.h \
	%D%/process.c %D%/process.h \
	%D%/ranges.c \
	%D%/reader.c %D%/reader.h \
	%D%/receiver.c %D%/receiver.h \
	%D%/regions.c %D%/regions.h \
	%D%/rules.c %D%/rules.h \
	%D%/session.h \
	%D%/spans.c %D%/spans.h \
	%D%/streams.c \
	%D%/text.c %D%/text.h \
	%D%/view.c %D%/view.h
