# SPDX-License-Identifier: Apache-2.0
# Inputs decoded apart from one another, by several processes.
libtracetool_a_SOURCES += \
	%D%/directory.c %D%/directory.h \
	%D%/input.c %D%/input.h \
	%D%/ranks.c %D%/ranks.h \
	%D%/told-plan.c %D%/told-plan.h \
	%D%/workers.c %D%/workers.h
