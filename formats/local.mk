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
PI_TABLES = %D%/pi/api-tables.h
PI_TABLES_FROM = data/pi-ids.tsv data/pi-api.tsv data/ur-functions.tsv data/pi-symbols.tsv data/pi-results.tsv
libpi_la_SOURCES += %D%/pi/api.c %D%/pi/api.h
libpi_la_SOURCES += %D%/pi/native.h %D%/pi/native-read.c %D%/pi/native-write.c
libpi_la_SOURCES += %D%/pi/shape.c %D%/pi/shape.h
nodist_libpi_la_SOURCES = $(PI_TABLES)
BUILT_SOURCES = $(PI_TABLES)
CLEANFILES += $(PI_TABLES)
EXTRA_DIST += %D%/pi/api-tables.awk $(PI_TABLES_FROM)
$(libpi_la_OBJECTS) $(libtracetool_pi_record_la_OBJECTS): $(PI_TABLES)
$(PI_TABLES): %D%/pi/api-tables.awk $(PI_TABLES_FROM)
	$(AM_V_GEN)$(MKDIR_P) %D%/pi && cd $(srcdir) && \
		LC_ALL=C $(AWK) -f %D%/pi/api-tables.awk $(PI_TABLES_FROM) >'$(abs_top_builddir)/$@.new' && \
		mv '$(abs_top_builddir)/$@.new' '$(abs_top_builddir)/$@'
libtracetool_la_SOURCES += %D%/chrome/args.c
libtracetool_la_SOURCES += %D%/chrome/chrome.h
libtracetool_la_SOURCES += %D%/chrome/collect.c
libtracetool_la_SOURCES += %D%/chrome/ends.c
libtracetool_la_SOURCES += %D%/chrome/exporter.c
libtracetool_la_SOURCES += %D%/chrome/flow.c
libtracetool_la_SOURCES += %D%/chrome/format.c
libtracetool_la_SOURCES += %D%/chrome/fragment.c
libtracetool_la_SOURCES += %D%/chrome/halves.c
libtracetool_la_SOURCES += %D%/chrome/kept-args.c
libtracetool_la_SOURCES += %D%/chrome/look-ahead.c %D%/chrome/look-ahead.h
libtracetool_la_SOURCES += %D%/chrome/limit.c
libtracetool_la_SOURCES += %D%/chrome/message.c
libtracetool_la_SOURCES += %D%/chrome/numbering.c
libtracetool_la_SOURCES += %D%/chrome/owners.c
libtracetool_la_SOURCES += %D%/chrome/stream.c
libtracetool_la_SOURCES += %D%/chrome/write.c
libtracetool_la_SOURCES += %D%/chrome/clues.c %D%/chrome/clues.h
libtracetool_la_SOURCES += %D%/chrome/dialect.c %D%/chrome/dialect.h
libtracetool_la_SOURCES += %D%/chrome/dialect-chrome.c
libtracetool_la_SOURCES += %D%/chrome/dialect-standard.c
libtracetool_la_SOURCES += %D%/chrome/ids.c %D%/chrome/ids.h
libtracetool_la_SOURCES += %D%/chrome/import.c %D%/chrome/import.h
libtracetool_la_SOURCES += %D%/chrome/own-args.c %D%/chrome/own-args.h
libtracetool_la_SOURCES += %D%/chrome/places.c
libtracetool_la_SOURCES += %D%/chrome/probe.c %D%/chrome/probe.h
libtracetool_la_SOURCES += %D%/chrome/put.c %D%/chrome/put.h
libtracetool_la_SOURCES += %D%/chrome/put-facts.c
libtracetool_la_SOURCES += %D%/chrome/reader.c %D%/chrome/reader.h
libtracetool_la_SOURCES += %D%/chrome/standard-name.c %D%/chrome/standard-name.h
libtracetool_la_SOURCES += %D%/dot/dot.c %D%/dot/dot.h
libtracetool_la_SOURCES += %D%/dot/graph-json.c %D%/dot/graph-json.h
libtracetool_la_SOURCES += %D%/dot/nccl-dot.c %D%/dot/nccl-dot.h
libtracetool_la_SOURCES += %D%/dot/render.c %D%/dot/render.h
libtracetool_la_SOURCES += %D%/dot/trail-gml.c %D%/dot/trail-gml.h
libtracetool_la_SOURCES += %D%/dot/topology-dot.c %D%/dot/topology-dot.h
libtracetool_la_SOURCES += %D%/framework/nccl-xml.c %D%/framework/nccl-xml.h
libtracetool_la_SOURCES += %D%/exporter.c %D%/exporter.h
libtracetool_la_SOURCES += %D%/format.c %D%/format.h
libtracetool_la_SOURCES += %D%/framework/comm-names.c %D%/framework/comm-names.h
libtracetool_la_SOURCES += %D%/framework/gml.c %D%/framework/gml.h
libtracetool_la_SOURCES += %D%/framework/job.c
libtracetool_la_SOURCES += %D%/framework/job-clock.c
libtracetool_la_SOURCES += %D%/framework/job-comm.c
libtracetool_la_SOURCES += %D%/framework/job-horovod.c
libtracetool_la_SOURCES += %D%/framework/job-model.c
libtracetool_la_SOURCES += %D%/framework/job-operators.c
libtracetool_la_SOURCES += %D%/framework/job-private.h
libtracetool_la_SOURCES += %D%/framework/job-layout.c %D%/framework/job-layout.h
libtracetool_la_SOURCES += %D%/framework/local-graph.c %D%/framework/local-graph.h
libtracetool_la_SOURCES += %D%/framework/operators.h
libtracetool_la_SOURCES += %D%/framework/tf-profile.c
libtracetool_la_SOURCES += %D%/framework/tf-names.c %D%/framework/tf-names.h
libtracetool_la_SOURCES += %D%/framework/kineto.c %D%/framework/kineto.h
libtracetool_la_SOURCES += %D%/framework/kineto-ahead.c %D%/framework/kineto-ahead.h
libtracetool_la_SOURCES += %D%/framework/kineto-labels.c %D%/framework/kineto-labels.h
libtracetool_la_SOURCES += %D%/framework/kineto-names.c %D%/framework/kineto-names.h
libtracetool_la_SOURCES += %D%/framework/kineto-steps.c %D%/framework/kineto-steps.h
libtracetool_la_SOURCES += %D%/framework/kineto-words.c
libtracetool_la_SOURCES += %D%/json/clean.c
libtracetool_la_SOURCES += %D%/json/buffer.c
libtracetool_la_SOURCES += %D%/json/members.c
libtracetool_la_SOURCES += %D%/json/mend.c
libtracetool_la_SOURCES += %D%/json/numbers.c
libtracetool_la_SOURCES += %D%/json/records.c
libtracetool_la_SOURCES += %D%/json/scan.h
libtracetool_la_SOURCES += %D%/json/scanner.c %D%/json/scanner.h
libtracetool_la_SOURCES += %D%/json/scanner-private.h
libtracetool_la_SOURCES += %D%/json/text.c
libtracetool_la_SOURCES += %D%/json/walk.c
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
libtracetool_la_SOURCES += %D%/framework/mxnet-dump.c %D%/framework/mxnet-dump.h
libtracetool_la_SOURCES += %D%/framework/mxnet-names.c %D%/framework/mxnet-names.h
libtracetool_la_SOURCES += %D%/framework/mxnet-rules.c %D%/framework/mxnet-rules.h
libtracetool_la_SOURCES += %D%/framework/mxnet-symbol.c %D%/framework/mxnet-symbol.h
libtracetool_la_SOURCES += %D%/framework/trace-lines.c %D%/framework/trace-lines.h
libtracetool_la_SOURCES += %D%/framework/tf-devices.c %D%/framework/tf-devices.h
libtracetool_la_SOURCES += %D%/framework/tf-timeline.c %D%/framework/tf-timeline.h
libtracetool_la_SOURCES += %D%/framework/mxnet.c
libtracetool_la_SOURCES += %D%/framework/operator-rows.c %D%/framework/operator-rows.h
libtracetool_la_SOURCES += %D%/framework/tensorflow.c
libtracetool_la_SOURCES += %D%/framework/temp-operators.c
libtracetool_la_SOURCES += %D%/framework/byteps-names.c %D%/framework/byteps-names.h
libtracetool_la_SOURCES += %D%/framework/horovod.c
libtracetool_la_SOURCES += %D%/framework/nccl.c
libtracetool_la_SOURCES += %D%/framework/byteps.c
libtracetool_la_SOURCES += %D%/framework/byteps-transfers.c %D%/framework/byteps-transfers.h
libtracetool_la_SOURCES += %D%/framework/parameters.c %D%/framework/parameters.h
libtracetool_la_SOURCES += %D%/framework/parameters-metadata.c %D%/framework/parameters-private.h
libtracetool_la_SOURCES += %D%/framework/side-files.c %D%/framework/side-files.h
# What runs inside foreign programs: plain C, loaded at run time.
PI_MODULE_CPPFLAGS = -I$(top_srcdir)
PI_MODULE_CFLAGS = -std=c11 -D_DEFAULT_SOURCE -O2 -fvisibility=hidden $(WARN_CFLAGS) -Wno-pedantic
PI_MODULE_LDFLAGS = -module -avoid-version -shared
PI_IN_PROCESS = %D%/pi/api.c %D%/pi/api.h %D%/pi/native.h %D%/pi/native-read.c %D%/pi/native-write.c \
	%D%/pi/shape.c %D%/pi/shape.h
pkglib_LTLIBRARIES = libtracetool-pi-record.la libtracetool-pi-threads.la
libtracetool_pi_record_la_SOURCES = $(PI_IN_PROCESS) \
	%D%/pi/recorder/recorder.h %D%/pi/recorder/call.c %D%/pi/recorder/graph.c %D%/pi/recorder/images.c \
	%D%/pi/recorder/memory.c %D%/pi/recorder/native.c %D%/pi/recorder/old.c %D%/pi/recorder/plugin.c \
	%D%/pi/recorder/thread.c %D%/pi/recorder/wire.c %D%/pi/recorder/xpti.c
libtracetool_pi_record_la_CPPFLAGS = $(PI_MODULE_CPPFLAGS)
libtracetool_pi_record_la_CFLAGS = $(PI_MODULE_CFLAGS)
libtracetool_pi_record_la_LDFLAGS = $(PI_MODULE_LDFLAGS)
libtracetool_pi_record_la_LIBADD = -ldl -lpthread
libtracetool_pi_threads_la_SOURCES = %D%/pi/recorder/naming.c
libtracetool_pi_threads_la_CPPFLAGS = $(PI_MODULE_CPPFLAGS)
libtracetool_pi_threads_la_CFLAGS = $(PI_MODULE_CFLAGS)
libtracetool_pi_threads_la_LDFLAGS = $(PI_MODULE_LDFLAGS)
libtracetool_pi_threads_la_LIBADD = -ldl -lpthread
