# SPDX-License-Identifier: Apache-2.0
# The assembly of AMD's GPUs.
libtracetool_a_SOURCES += \
	%D%/expression.c %D%/expression.h \
	%D%/metadata.c %D%/metadata.h \
	%D%/module.c %D%/module.h \
	%D%/operand.c %D%/operand.h
