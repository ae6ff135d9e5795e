# Importers and exporters.
# The same for other programs.
libtau_la_SOURCES += %D%/tau/TAU_tf.h
libtau_la_SOURCES += %D%/tau/definitions.c %D%/tau/definitions.h
libtau_la_SOURCES += %D%/tau/detect.c %D%/tau/detect.h
libtau_la_SOURCES += %D%/tau/reader.c
libtau_la_SOURCES += %D%/tau/reader-private.h
libtau_la_SOURCES += %D%/tau/reader-records.c
libtau_la_SOURCES += %D%/tau/record.h
libtau_la_SOURCES += %D%/tau/rows.c %D%/tau/rows.h
libtau_la_SOURCES += %D%/tau/seen-threads.c %D%/tau/seen-threads.h
libtau_la_SOURCES += %D%/tau/writer.c
libtau_la_SOURCES += %D%/tau/writer-rows.c %D%/tau/writer-rows.h
lib_LTLIBRARIES = libtracetool-tau.la
libtracetool_tau_la_SOURCES =
libtracetool_tau_la_LIBADD = libtau.la
libtracetool_tau_la_LDFLAGS = -version-info 1:0:0 -no-undefined
if VERSION_SCRIPT
libtracetool_tau_la_LDFLAGS += -Wl,--version-script=$(top_srcdir)/%D%/tau/tracetool-tau.map
libtracetool_tau_la_DEPENDENCIES = libtau.la %D%/tau/tracetool-tau.map
else
libtracetool_tau_la_LDFLAGS += -export-symbols-regex '^C?Ttf'
endif
EXTRA_DIST += %D%/tau/tracetool-tau.map
include_HEADERS = %D%/tau/TAU_tf.h
pkgconfigdir = $(libdir)/pkgconfig
nodist_pkgconfig_DATA = %D%/tau/tracetool-tau.pc
libtracetool_la_SOURCES += %D%/chrome/args.c
libtracetool_la_SOURCES += %D%/chrome/chrome.h
libtracetool_la_SOURCES += %D%/chrome/collect.c
libtracetool_la_SOURCES += %D%/chrome/ends.c
libtracetool_la_SOURCES += %D%/chrome/exporter.c
libtracetool_la_SOURCES += %D%/chrome/format.c
libtracetool_la_SOURCES += %D%/chrome/fragment.c
libtracetool_la_SOURCES += %D%/chrome/halves.c
libtracetool_la_SOURCES += %D%/chrome/limit.c
libtracetool_la_SOURCES += %D%/chrome/message.c
libtracetool_la_SOURCES += %D%/chrome/numbering.c
libtracetool_la_SOURCES += %D%/chrome/stream.c
libtracetool_la_SOURCES += %D%/chrome/write.c
libtracetool_la_SOURCES += %D%/dot/dot.c %D%/dot/dot.h
libtracetool_la_SOURCES += %D%/dot/graph-json.c %D%/dot/graph-json.h
libtracetool_la_SOURCES += %D%/dot/render.c %D%/dot/render.h
libtracetool_la_SOURCES += %D%/exporter.c %D%/exporter.h
libtracetool_la_SOURCES += %D%/format.c %D%/format.h
libtracetool_la_SOURCES += %D%/framework/gml.c %D%/framework/gml.h
libtracetool_la_SOURCES += %D%/framework/job-layout.c %D%/framework/job-layout.h
libtracetool_la_SOURCES += %D%/framework/local-graph.c %D%/framework/local-graph.h
libtracetool_la_SOURCES += %D%/framework/operators.h
libtracetool_la_SOURCES += %D%/framework/tf-names.c %D%/framework/tf-names.h
libtracetool_la_SOURCES += %D%/tau-export/items.c %D%/tau-export/items.h
libtracetool_la_SOURCES += %D%/tau-export/labels.c %D%/tau-export/labels.h
libtracetool_la_SOURCES += %D%/tau-export/numbers.c %D%/tau-export/numbers.h
libtracetool_la_SOURCES += %D%/tau-export/profile.c
libtracetool_la_SOURCES += %D%/tau-export/tau-export.h
libtracetool_la_SOURCES += %D%/tau-export/trace.c
libtracetool_la_SOURCES += %D%/tau/edf.c %D%/tau/edf.h
libtracetool_la_SOURCES += %D%/tau/ids.c %D%/tau/ids.h
libtracetool_la_SOURCES += %D%/tau/import.c
libtracetool_la_SOURCES += %D%/tau/layout.c %D%/tau/layout.h
libtracetool_la_SOURCES += %D%/tau/pairs.c %D%/tau/pairs.h
libtracetool_la_SOURCES += %D%/tau/stream.c %D%/tau/stream.h
libtracetool_la_SOURCES += %D%/tau/stream-events.c
libtracetool_la_SOURCES += %D%/tau/stream-private.h
libtracetool_la_SOURCES += %D%/tau/tau-name.c %D%/tau/tau-name.h
libtracetool_la_SOURCES += %D%/tau/threads.c %D%/tau/threads.h
libtracetool_la_SOURCES += %D%/framework/steps.c %D%/framework/steps.h
