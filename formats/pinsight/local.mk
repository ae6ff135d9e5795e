# SPDX-License-Identifier: Apache-2.0
# PInsight.
libtracetool_a_SOURCES += \
	%D%/config-filter.c %D%/config-filter.h \
	%D%/domains.c %D%/domains.h \
	%D%/faults.c \
	%D%/filter-callbacks.c \
	%D%/filter-private.h \
	%D%/filter-regions.c \
	%D%/filter-sites.c \
	%D%/filter-tallies.c \
	%D%/filter-units.c \
	%D%/filter-windows.c \
	%D%/keys-lexgion.c \
	%D%/keys.c \
	%D%/operations.c %D%/operations.h \
	%D%/parse-dialect.c \
	%D%/parse-header.c \
	%D%/parse-lexgion.c \
	%D%/parse-private.h \
	%D%/parse-punits.c \
	%D%/parse.c \
	%D%/piece.c %D%/piece.h \
	%D%/punit-set.c \
	%D%/region-history.c %D%/region-history.h \
	%D%/resolve.c \
	%D%/sampling.c %D%/sampling.h \
	%D%/sections.c \
	%D%/span-facts.c %D%/span-facts.h \
	%D%/trace-config.h \
	%D%/values.c \
	%D%/window-end.c %D%/window-end.h \
	%D%/write-json.c \
	%D%/write.c
