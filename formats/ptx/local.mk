# SPDX-License-Identifier: Apache-2.0
# The text of NVIDIA's PTX.
libtracetool_a_SOURCES += \
	%D%/lexer.c %D%/lexer.h \
	%D%/module.c %D%/module.h \
	%D%/parse-body.c \
	%D%/parse-declare.c \
	%D%/parse-instruction.c \
	%D%/parse-private.h \
	%D%/parser.c \
	%D%/scopes.c \
	%D%/type.c %D%/type.h
