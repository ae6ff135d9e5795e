# SPDX-License-Identifier: Apache-2.0
# DPC++ PI and Unified Runtime.
libtracetool_a_SOURCES += \
	%D%/archive/archive.c %D%/archive/archive.h \
	%D%/archive/unpack.c \
	%D%/archive/write.c \
	%D%/args-forms.c %D%/args-forms.h \
	%D%/args-json.c %D%/args-json.h \
	%D%/call.h \
	%D%/calls-ahead.c %D%/calls-ahead.h \
	%D%/decode/decode.h \
	%D%/decode/native.c \
	%D%/decode/protobuf.c \
	%D%/decode/raw-end.c %D%/decode/raw-end.h \
	%D%/decode/raw-header.h \
	%D%/decode/raw.c \
	%D%/detect.c %D%/detect.h \
	%D%/device-clock.c %D%/device-private.h %D%/device-rows.c %D%/device.c %D%/device.h \
	%D%/files.c \
	%D%/command-buffers.c %D%/command-buffers.h \
	%D%/flows.c %D%/flows.h \
	%D%/queue-flags.c %D%/queue-flags.h \
	%D%/tasks.c %D%/tasks.h \
	%D%/format.c \
	%D%/handles.c %D%/handles.h \
	%D%/import-sides.c \
	%D%/import-tasks.c \
	%D%/import.c %D%/import.h \
	%D%/merge.c \
	%D%/objects.c %D%/objects.h \
	%D%/open.c \
	%D%/options.c %D%/options.h \
	%D%/outputs.c %D%/outputs.h \
	%D%/print/classic.c \
	%D%/print/json.c \
	%D%/print/named.c \
	%D%/print/print.h \
	%D%/print/value-array.c \
	%D%/print/value-output.c \
	%D%/print/value-pointee.c \
	%D%/print/value-private.h \
	%D%/print/value-text.c \
	%D%/print/value.c %D%/print/value.h \
	%D%/reader-state.c %D%/reader-state.h \
	%D%/resync.c \
	%D%/reader.c \
	%D%/side-files.c \
	%D%/side/config.c \
	%D%/side/graph.c \
	%D%/side/images.c \
	%D%/side/private.h \
	%D%/side/side.c %D%/side/side.h \
	%D%/trace-private.h \
	%D%/trace.c %D%/trace.h \
	%D%/warnings.c \
	%D%/window.c %D%/window.h \
	%D%/wire.h
PI_TABLES = %D%/api-tables.h
PI_TABLES_FROM = data/pi-ids.tsv data/pi-releases.tsv data/ur-releases.tsv data/ur-types.tsv data/pi-api.tsv \
	data/ur-functions.tsv data/ur-tables.tsv data/pi-symbols.tsv data/pi-results.tsv
libpi_la_SOURCES += %D%/api.c %D%/api.h
libpi_la_SOURCES += %D%/native.h %D%/native-read.c %D%/native-write.c
libpi_la_SOURCES += %D%/pixels.c %D%/pixels.h %D%/registers.h %D%/rows.c %D%/rows.h %D%/shape.c %D%/shape.h %D%/structs.c %D%/structs.h
nodist_libpi_la_SOURCES = $(PI_TABLES)
BUILT_SOURCES += $(PI_TABLES)
CLEANFILES += $(PI_TABLES)
EXTRA_DIST += %D%/api-tables.awk $(PI_TABLES_FROM)
$(libpi_la_OBJECTS) $(libtracetool_pi_record_la_OBJECTS) $(libtracetool_pi_replay_la_OBJECTS) \
	$(libtracetool_ur_replay_la_OBJECTS): $(PI_TABLES)
$(PI_TABLES): %D%/api-tables.awk $(PI_TABLES_FROM)
	$(AM_V_GEN)$(MKDIR_P) %D% && cd $(srcdir) && \
		LC_ALL=C $(AWK) -f %D%/api-tables.awk $(PI_TABLES_FROM) >'$(abs_top_builddir)/$@.new' && \
		mv '$(abs_top_builddir)/$@.new' '$(abs_top_builddir)/$@'
# What runs inside foreign programs: plain C, loaded at run time.
PI_MODULE_CPPFLAGS = -I$(top_srcdir)
PI_MODULE_CFLAGS = -std=c11 -D_DEFAULT_SOURCE -O2 -fvisibility=hidden $(WARN_CFLAGS) -Wno-pedantic $(PREFIX_MAP_CFLAGS)
PI_MODULE_LDFLAGS = -module -avoid-version -shared
PI_IN_PROCESS = %D%/api.c %D%/api.h %D%/loader.c %D%/loader.h %D%/native.h %D%/native-read.c %D%/native-write.c \
	%D%/pixels.c %D%/pixels.h %D%/registers.h %D%/rows.c %D%/rows.h %D%/shape.c %D%/shape.h %D%/structs.c %D%/structs.h
pkglib_LTLIBRARIES += libtracetool-pi-record.la libtracetool-pi-replay.la libtracetool-pi-threads.la \
	libtracetool-pi-redirect.la libtracetool-ur-replay.la
libtracetool_pi_record_la_SOURCES = $(PI_IN_PROCESS) \
	%D%/recorder/call.c %D%/recorder/call.h \
	%D%/recorder/follow.c %D%/recorder/follow.h \
	%D%/recorder/fork.c %D%/recorder/fork.h \
	%D%/recorder/framework.c %D%/recorder/framework.h \
	%D%/recorder/function.c %D%/recorder/function.h \
	%D%/recorder/graph.c %D%/recorder/graph.h \
	%D%/recorder/images.c %D%/recorder/images.h \
	%D%/recorder/hook.c %D%/recorder/hook.h \
	%D%/recorder/late-kind.h \
	%D%/recorder/late.c %D%/recorder/late.h \
	%D%/recorder/memory.c %D%/recorder/memory.h \
	%D%/places.h \
	%D%/recorder/plugin.c %D%/recorder/plugin.h \
	%D%/recorder/profile-kind.h %D%/recorder/profile.c %D%/recorder/profile.h \
	%D%/recorder/profile-clock.c %D%/recorder/profile-clock.h \
	%D%/recorder/profile-events.c %D%/recorder/profile-events.h \
	%D%/recorder/profile-held.c %D%/recorder/profile-held.h \
	%D%/recorder/profile-queues.c %D%/recorder/profile-queues.h \
	%D%/recorder/release.c %D%/recorder/release.h \
	%D%/recorder/safe-copy.c %D%/recorder/safe-copy.h \
	%D%/recorder/session.c %D%/recorder/session.h \
	%D%/recorder/thread.c %D%/recorder/thread.h \
	%D%/recorder/wire.c %D%/recorder/wire.h \
	%D%/recorder/write-native.c %D%/recorder/write-native.h \
	%D%/recorder/write-original.c %D%/recorder/write-original.h \
	%D%/recorder/xpti.c
libtracetool_pi_record_la_CPPFLAGS = $(PI_MODULE_CPPFLAGS)
libtracetool_pi_record_la_CFLAGS = $(PI_MODULE_CFLAGS)
libtracetool_pi_record_la_LDFLAGS = $(PI_MODULE_LDFLAGS)
libtracetool_pi_record_la_LIBADD = -ldl -lpthread
libtracetool_pi_threads_la_SOURCES = %D%/recorder/naming.c %D%/recorder/wrap-init.c
libtracetool_pi_threads_la_CPPFLAGS = $(PI_MODULE_CPPFLAGS)
libtracetool_pi_threads_la_CFLAGS = $(PI_MODULE_CFLAGS)
libtracetool_pi_threads_la_LDFLAGS = $(PI_MODULE_LDFLAGS)
libtracetool_pi_threads_la_LIBADD = -ldl -lpthread
PI_REPLAYER = $(PI_IN_PROCESS) \
	%D%/replayer/answer.c %D%/replayer/answer.h \
	%D%/replayer/buffers.c %D%/replayer/buffers.h \
	%D%/replayer/compare.c %D%/replayer/compare.h \
	%D%/replayer/given.c %D%/replayer/given.h \
	%D%/replayer/handed.c %D%/replayer/handed.h \
	%D%/replayer/ids.c %D%/replayer/ids.h \
	%D%/places.h \
	%D%/replayer/late.c %D%/replayer/late.h \
	%D%/replayer/regions.c %D%/replayer/regions.h \
	%D%/replayer/report.c %D%/replayer/report.h \
	%D%/replayer/structs.c %D%/replayer/structs.h \
	%D%/replayer/take.c %D%/replayer/take.h \
	%D%/replayer/thread.c %D%/replayer/thread.h
libtracetool_pi_replay_la_SOURCES = $(PI_REPLAYER) %D%/replayer/plugin.c \
	%D%/replayer/empty-places.c %D%/replayer/empty-places.h
libtracetool_pi_replay_la_CPPFLAGS = $(PI_MODULE_CPPFLAGS)
libtracetool_pi_replay_la_CFLAGS = $(PI_MODULE_CFLAGS)
libtracetool_pi_replay_la_LDFLAGS = $(PI_MODULE_LDFLAGS)
libtracetool_pi_replay_la_LIBADD = -ldl -lpthread
libtracetool_ur_replay_la_SOURCES = $(PI_REPLAYER) %D%/replayer/adapter.c
libtracetool_ur_replay_la_CPPFLAGS = $(PI_MODULE_CPPFLAGS)
libtracetool_ur_replay_la_CFLAGS = $(PI_MODULE_CFLAGS)
libtracetool_ur_replay_la_LDFLAGS = $(PI_MODULE_LDFLAGS)
libtracetool_ur_replay_la_LIBADD = -ldl -lpthread
libtracetool_pi_redirect_la_SOURCES = %D%/replayer/redirect.c
libtracetool_pi_redirect_la_CPPFLAGS = $(PI_MODULE_CPPFLAGS)
libtracetool_pi_redirect_la_CFLAGS = $(PI_MODULE_CFLAGS)
libtracetool_pi_redirect_la_LDFLAGS = $(PI_MODULE_LDFLAGS)
