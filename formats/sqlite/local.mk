# SPDX-License-Identifier: Apache-2.0
# SQLite databases of other programs.
libtracetool_la_SOURCES += %D%/tables.c %D%/tables.h
