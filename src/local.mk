# Command line, store, names, events, nest, sink.
tracetool_SOURCES += %D%/main.c
libtracetool_la_SOURCES += \
	%D%/batch.c %D%/batch.h \
	%D%/cmd-comm.c \
	%D%/cmd-import.c \
	%D%/cmd-info.c \
	%D%/cmd-query.c \
	%D%/cmd-stats.c \
	%D%/comm-tables.c %D%/comm-tables.h \
	%D%/command.c %D%/command.h \
	%D%/commands.c \
	%D%/error.c %D%/error.h \
	%D%/event.c %D%/event.h \
	%D%/first-steps.c %D%/first-steps.h \
	%D%/import-run.c \
	%D%/info-names.c %D%/info-names.h \
	%D%/info-tables.c %D%/info-tables.h \
	%D%/input.c %D%/input.h \
	%D%/int128.h \
	%D%/nest.c %D%/nest.h \
	%D%/output.c %D%/output.h \
	%D%/paths.c %D%/paths.h \
	%D%/progress.c %D%/progress.h \
	%D%/repairs.c %D%/repairs.h \
	%D%/report.c %D%/report.h %D%/report-private.h \
	%D%/report-data.c \
	%D%/report-table.c \
	%D%/report-terminal.c \
	%D%/run-facts.c %D%/run-facts.h \
	%D%/session.c \
	%D%/sink.c %D%/sink.h \
	%D%/sink-wrap.c \
	%D%/sorter.c %D%/sorter.h \
	%D%/spill.c %D%/spill.h \
	%D%/stats-table.c %D%/stats-table.h \
	%D%/suggest.c %D%/suggest.h \
	%D%/units.c %D%/units.h
