# SPDX-License-Identifier: Apache-2.0
# Trace-event JSON: what all its dialects share.
libtracetool_a_SOURCES += \
	%D%/args-keeper.c %D%/args-keeper.h \
	%D%/clues.c %D%/clues.h \
	%D%/definitions.c \
	%D%/dialect.h \
	%D%/facts.c \
	%D%/ids.c %D%/ids.h \
	%D%/import.c %D%/import.h \
	%D%/look-ahead.c %D%/look-ahead.h \
	%D%/span-order.c %D%/span-order.h \
	%D%/operator-rows.c %D%/operator-rows.h \
	%D%/own-args.c %D%/own-args.h \
	%D%/parts.c %D%/parts.h \
	%D%/probe.c %D%/probe.h \
	%D%/event-batch.c %D%/event-batch.h \
	%D%/event-fields.c %D%/event.h \
	%D%/event-numbers.c %D%/event-numbers.h \
	%D%/feed.c %D%/feed.h \
	%D%/feed-private.h \
	%D%/feed-reader.c \
	%D%/reader.c %D%/reader.h \
	%D%/rows.c %D%/rows.h \
	%D%/samples.c %D%/samples.h \
	%D%/stacks.c %D%/stacks.h \
	%D%/span-extras.c %D%/span-extras.h \
	%D%/standard-name.c %D%/standard-name.h \
	%D%/trace-lanes.c %D%/trace-lanes.h
