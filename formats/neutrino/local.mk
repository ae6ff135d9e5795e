# SPDX-License-Identifier: Apache-2.0
# Neutrino's probe compiler.
libtracetool_a_SOURCES += \
	%D%/arena.c %D%/arena.h \
	%D%/check-body.c \
	%D%/check-decorator.c \
	%D%/check-size.c \
	%D%/check-float.c \
	%D%/check-value.c \
	%D%/check-array.c \
	%D%/check.c %D%/check.h \
	%D%/compile.c %D%/compile.h \
	%D%/functions.c %D%/functions.h \
	%D%/gcn-pack.c %D%/gcn-pack.h \
	%D%/gcn-table.c %D%/gcn-table.h \
	%D%/gcn-text.c %D%/gcn-text.h \
	%D%/gcn-waits.c %D%/gcn-waits.h \
	%D%/gcn.c \
	%D%/ir-print.c %D%/ir-print.h \
	%D%/ir-verify.c \
	%D%/ir.c %D%/ir.h \
	%D%/layout-toml.c \
	%D%/layout-unit.c \
	%D%/layout.c %D%/layout.h \
	%D%/lexer.c %D%/lexer.h \
	%D%/literal.c %D%/literal.h \
	%D%/lower-value.c %D%/lower-value.h \
	%D%/lower.c %D%/lower.h \
	%D%/messages.c %D%/messages.h \
	%D%/output.c %D%/output.h \
	%D%/parse-expr.c \
	%D%/parse-module.c \
	%D%/parse-node.c \
	%D%/parse-statement.c \
	%D%/parser.c %D%/parser.h \
	%D%/position.c %D%/position.h \
	%D%/ptx-save.c %D%/ptx-save.h \
	%D%/ptx.c \
	%D%/registers.c %D%/registers.h \
	%D%/save-line.c %D%/save-line.h \
	%D%/sections.c %D%/sections.h \
	%D%/syntax.h \
	%D%/target.c %D%/target.h \
	%D%/toml-read.c %D%/toml-read.h \
	%D%/toml.c %D%/toml.h \
	%D%/types.h \
	%D%/unit.c %D%/unit.h
