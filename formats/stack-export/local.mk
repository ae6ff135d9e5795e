# SPDX-License-Identifier: Apache-2.0
# The exports of call stacks: folded stacks, and profiles for speedscope.
libtracetool_a_SOURCES += \
	%D%/folded.c \
	%D%/folded-paths.c %D%/folded-paths.h \
	%D%/labels.c %D%/labels.h \
	%D%/profiles.c %D%/profiles.h \
	%D%/spans.c %D%/spans.h \
	%D%/speedscope.c \
	%D%/stack-export.h
