# SPDX-License-Identifier: Apache-2.0
# TAU.
libtracetool_a_SOURCES += \
	%D%/damage.c %D%/damage.h \
	%D%/edf.c %D%/edf.h \
	%D%/id-map.c %D%/id-map.h \
	%D%/same-names.c %D%/same-names.h \
	%D%/ids.c %D%/ids.h \
	%D%/import.c \
	%D%/layout.c %D%/layout.h \
	%D%/pairs.c %D%/pairs.h \
	%D%/peers.c %D%/peers.h \
	%D%/runs.c %D%/runs.h \
	%D%/stream-damage.c \
	%D%/stream-events.c \
	%D%/stream-private.h \
	%D%/stream.c %D%/stream.h \
	%D%/tau-name.c %D%/tau-name.h \
	%D%/threads.c %D%/threads.h
# The reader and writer library for other programs: plain C.
libtau_la_SOURCES += %D%/TAU_tf.h %D%/TAU_tf_writer.h
libtau_la_SOURCES += %D%/definitions.c %D%/definitions.h
libtau_la_SOURCES += %D%/detect.c %D%/detect.h
libtau_la_SOURCES += %D%/index.c %D%/index.h
libtau_la_SOURCES += %D%/kept-names.c %D%/kept-names.h
libtau_la_SOURCES += %D%/reader-file.c %D%/reader-file.h
libtau_la_SOURCES += %D%/reader.c
libtau_la_SOURCES += %D%/reader-records.c
libtau_la_SOURCES += %D%/record.h
libtau_la_SOURCES += %D%/rows.c %D%/rows.h
libtau_la_SOURCES += %D%/seen-threads.c %D%/seen-threads.h
libtau_la_SOURCES += %D%/writer.c
libtau_la_SOURCES += %D%/writer-file.c %D%/writer-file.h
libtau_la_SOURCES += %D%/writer-rows.c %D%/writer-rows.h
lib_LTLIBRARIES = libtracetool-tau.la
libtracetool_tau_la_SOURCES =
libtracetool_tau_la_LIBADD = libtau.la
libtracetool_tau_la_LDFLAGS = -version-info 1:0:0 -no-undefined
if VERSION_SCRIPT
libtracetool_tau_la_LDFLAGS += -Wl,--version-script=$(top_srcdir)/%D%/tracetool-tau.map
libtracetool_tau_la_DEPENDENCIES = libtau.la %D%/tracetool-tau.map
else
libtracetool_tau_la_LDFLAGS += -export-symbols-regex '^C?Ttf'
endif
EXTRA_DIST += %D%/tracetool-tau.map
include_HEADERS = %D%/TAU_tf.h %D%/TAU_tf_writer.h
pkgconfigdir = $(libdir)/pkgconfig
nodist_pkgconfig_DATA = %D%/tracetool-tau.pc
