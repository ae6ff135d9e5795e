# Command line, store, names, events, nest, sink.
tracetool_SOURCES += %D%/main.c
libtracetool_la_SOURCES += %D%/batch.c %D%/batch.h
libtracetool_la_SOURCES += %D%/error.c %D%/error.h
libtracetool_la_SOURCES += %D%/event.c %D%/event.h
libtracetool_la_SOURCES += %D%/cmd-comm.c
libtracetool_la_SOURCES += %D%/cmd-import.c
libtracetool_la_SOURCES += %D%/cmd-info.c
libtracetool_la_SOURCES += %D%/cmd-query.c
libtracetool_la_SOURCES += %D%/cmd-stats.c
libtracetool_la_SOURCES += %D%/comm-tables.c %D%/comm-tables.h
libtracetool_la_SOURCES += %D%/command.c %D%/command.h
libtracetool_la_SOURCES += %D%/commands.c
libtracetool_la_SOURCES += %D%/error.c %D%/error.h
libtracetool_la_SOURCES += %D%/event.c %D%/event.h
libtracetool_la_SOURCES += %D%/first-steps.c %D%/first-steps.h
libtracetool_la_SOURCES += %D%/import-run.c
libtracetool_la_SOURCES += %D%/info-names.c %D%/info-names.h
libtracetool_la_SOURCES += %D%/info-tables.c %D%/info-tables.h
libtracetool_la_SOURCES += %D%/input.c %D%/input.h
libtracetool_la_SOURCES += %D%/int128.h
libtracetool_la_SOURCES += %D%/key-sort.c %D%/key-sort.h
libtracetool_la_SOURCES += %D%/name-rules.c
libtracetool_la_SOURCES += %D%/names.c %D%/names.h
libtracetool_la_SOURCES += %D%/nest.c %D%/nest.h
libtracetool_la_SOURCES += %D%/output.c %D%/output.h
libtracetool_la_SOURCES += %D%/paths.c %D%/paths.h
libtracetool_la_SOURCES += %D%/progress.c %D%/progress.h
libtracetool_la_SOURCES += %D%/repairs.c %D%/repairs.h
libtracetool_la_SOURCES += %D%/report.c %D%/report.h
libtracetool_la_SOURCES += %D%/report-data.c
libtracetool_la_SOURCES += %D%/report-private.h
libtracetool_la_SOURCES += %D%/report-table.c
libtracetool_la_SOURCES += %D%/report-terminal.c
libtracetool_la_SOURCES += %D%/schema.c %D%/schema.h
libtracetool_la_SOURCES += %D%/selection.c %D%/selection.h
libtracetool_la_SOURCES += %D%/selection-filter.c %D%/selection-filter.h
libtracetool_la_SOURCES += %D%/run-facts.c %D%/run-facts.h
libtracetool_la_SOURCES += %D%/schema.c %D%/schema.h
libtracetool_la_SOURCES += %D%/session.c
libtracetool_la_SOURCES += %D%/sink.c %D%/sink.h
libtracetool_la_SOURCES += %D%/sink-wrap.c
libtracetool_la_SOURCES += %D%/slots.c %D%/slots.h
libtracetool_la_SOURCES += %D%/sorter.c %D%/sorter.h
libtracetool_la_SOURCES += %D%/sorter-merge.c %D%/sorter-merge.h
libtracetool_la_SOURCES += %D%/spill.c %D%/spill.h
libtracetool_la_SOURCES += %D%/spill.c %D%/spill.h
libtracetool_la_SOURCES += %D%/stats-table.c %D%/stats-table.h
libtracetool_la_SOURCES += %D%/store.c %D%/store.h
libtracetool_la_SOURCES += %D%/store-collective.c
libtracetool_la_SOURCES += %D%/store-definitions.c
libtracetool_la_SOURCES += %D%/store-each.c
libtracetool_la_SOURCES += %D%/store-graph.c
libtracetool_la_SOURCES += %D%/store-import.c %D%/store-import.h
libtracetool_la_SOURCES += %D%/store-insert.c %D%/store-insert.h
libtracetool_la_SOURCES += %D%/store-join.c %D%/store-join.h
libtracetool_la_SOURCES += %D%/store-private.h
libtracetool_la_SOURCES += %D%/store-query.c
libtracetool_la_SOURCES += %D%/store-scan.c
libtracetool_la_SOURCES += %D%/store-sink.c
libtracetool_la_SOURCES += %D%/store-statistics.c
libtracetool_la_SOURCES += %D%/suggest.c %D%/suggest.h
libtracetool_la_SOURCES += %D%/tape.c %D%/tape.h
libtracetool_la_SOURCES += %D%/units.c %D%/units.h
libtracetool_la_SOURCES += \
	%D%/batch.c %D%/batch.h \
	%D%/error.c %D%/error.h \
	%D%/event.c %D%/event.h \
	%D%/input.c %D%/input.h \
	%D%/int128.h \
	%D%/key-sort.c %D%/key-sort.h \
	%D%/name-rules.c \
	%D%/names.c %D%/names.h \
	%D%/nest.c %D%/nest.h \
	%D%/output.c %D%/output.h \
	%D%/progress.c %D%/progress.h \
	%D%/repairs.c %D%/repairs.h \
	%D%/report-data.c \
	%D%/report-table.c \
	%D%/report-terminal.c \
	%D%/report.c %D%/report.h %D%/report-private.h \
	%D%/schema.c %D%/schema.h \
	%D%/sink-wrap.c \
	%D%/sink.c %D%/sink.h \
	%D%/slots.c %D%/slots.h \
	%D%/sorter.c %D%/sorter.h \
	%D%/spill.c %D%/spill.h \
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
	%D%/sink.c %D%/sink.h \
	%D%/slots.c %D%/slots.h \
	%D%/sorter.c %D%/sorter.h \
	%D%/spill.c %D%/spill.h \
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
	%D%/store-statistics.c \
	%D%/store.c %D%/store.h %D%/store-private.h \
	%D%/suggest.c %D%/suggest.h \
	%D%/tape.c %D%/tape.h \
	%D%/units.c %D%/units.h
libtracetool_la_SOURCES += %D%/selection.c %D%/selection.h
libtracetool_la_SOURCES += %D%/selection-filter.c %D%/selection-filter.h
	%D%/store-statistics.c
	%D%/tape.c %D%/tape.h \
	%D%/suggest.c %D%/suggest.h \
	%D%/units.c %D%/units.h
