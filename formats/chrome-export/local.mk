# SPDX-License-Identifier: Apache-2.0
# The export to Chrome trace JSON.
libtracetool_a_SOURCES += \
	%D%/arg-keys.c %D%/arg-keys.h \
	%D%/args.c %D%/args.h \
	%D%/arrow.c %D%/arrow.h \
	%D%/begun.c %D%/begun.h \
	%D%/chrome-export.c %D%/chrome-export.h \
	%D%/chrome.h \
	%D%/collect.c %D%/collect.h \
	%D%/definitions.h \
	%D%/ends.c %D%/ends.h \
	%D%/flow.c %D%/flow.h \
	%D%/fragment.c %D%/fragment.h \
	%D%/halves.c %D%/halves.h \
	%D%/json.c %D%/json.h \
	%D%/json-arrows.c %D%/json-arrows.h \
	%D%/json-names.c \
	%D%/kept-args.c %D%/kept-args.h \
	%D%/lanes.c %D%/lanes.h \
	%D%/language.h \
	%D%/limit.c %D%/limit.h \
	%D%/line.c %D%/line.h \
	%D%/message.c %D%/message.h \
	%D%/numbering.c %D%/numbering.h \
	%D%/owners.c %D%/owners.h \
	%D%/part.c %D%/part.h \
	%D%/plain.c %D%/plain.h \
	%D%/record-packing.c %D%/record-packing.h \
	%D%/records.h \
	%D%/roots.c %D%/roots.h \
	%D%/rows.c %D%/rows.h \
	%D%/side.c %D%/side.h \
	%D%/slice.c %D%/slice.h \
	%D%/span-waits.c %D%/span-waits.h \
	%D%/stream.c %D%/stream.h \
	%D%/titles.c %D%/titles.h \
	%D%/tracks.c %D%/tracks.h \
	%D%/write.c %D%/write.h
