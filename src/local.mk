# Command line, store, names, events, nest, sink.
tracetool_SOURCES += %D%/main.c
libtracetool_la_SOURCES += \
	%D%/batch.c %D%/batch.h \
	%D%/error.c %D%/error.h \
	%D%/event.c %D%/event.h \
	%D%/input.c %D%/input.h \
	%D%/int128.h \
	%D%/name-rules.c \
	%D%/names.c %D%/names.h \
	%D%/nest.c %D%/nest.h \
	%D%/output.c %D%/output.h \
	%D%/progress.c %D%/progress.h \
	%D%/repairs.c %D%/repairs.h \
	%D%/report.c %D%/report.h %D%/report-private.h \
	%D%/report-data.c \
	%D%/report-table.c \
	%D%/report-terminal.c \
	%D%/selection.c %D%/selection.h \
	%D%/selection-filter.c %D%/selection-filter.h \
	%D%/sink.c %D%/sink.h \
	%D%/sink-wrap.c \
	%D%/slots.c %D%/slots.h \
	%D%/sorter.c %D%/sorter.h \
	%D%/spill.c %D%/spill.h \
	%D%/key-sort.c %D%/key-sort.h \
	%D%/schema.c %D%/schema.h \
	%D%/store.c %D%/store.h %D%/store-private.h \
	%D%/store-collective.c \
	%D%/store-definitions.c \
	%D%/store-each.c \
	%D%/store-graph.c \
	%D%/store-import.c %D%/store-import.h \
	%D%/store-insert.c %D%/store-insert.h \
	%D%/store-join.c %D%/store-join.h \
	%D%/store-query.c \
	%D%/store-scan.c \
	%D%/store-sink.c \
	%D%/store-statistics.c
	%D%/tape.c %D%/tape.h \
	%D%/suggest.c %D%/suggest.h \
	%D%/units.c %D%/units.h
