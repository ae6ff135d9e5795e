# SPDX-License-Identifier: Apache-2.0
# What knows nothing of traces: errors, input, output, units, paths, progress, tables, sorting, spilling.
libtracetool_a_SOURCES += \
	%D%/apart.h \
	%D%/append.h \
	%D%/array-sort.c %D%/array-sort.h \
	%D%/array.h \
	%D%/beside.c %D%/beside.h \
	%D%/big-endian.h \
	%D%/cache.h \
	%D%/clean-text.c %D%/clean-text.h \
	%D%/compare.h \
	%D%/crew.c %D%/crew.h \
	%D%/digits.c %D%/digits.h \
	%D%/error.c %D%/error.h \
	%D%/failure.c %D%/failure.h \
	%D%/filter-run.c %D%/filter-run.h \
	%D%/glob.c %D%/glob.h \
	%D%/hash-ahead.c %D%/hash-ahead.h \
	%D%/heap.h \
	%D%/id-table.c %D%/id-table.h \
	%D%/input.c %D%/input.h %D%/raw-input.c %D%/raw-input.h \
	%D%/unpack.c %D%/unpack.h %D%/unpack-ahead.c %D%/unpack-ahead.h \
	%D%/unpack-cut.c %D%/unpack-cut.h %D%/unpack-runs.c %D%/unpack-runs.h \
	%D%/int128.h \
	%D%/large.h \
	%D%/json-writer.c %D%/json-writer.h \
	%D%/key-sort.c %D%/key-sort.h \
	%D%/look.c %D%/look.h \
	%D%/map64.h \
	%D%/new-file.c %D%/new-file.h \
	%D%/output-text.c \
	%D%/output.c %D%/output.h \
	%D%/packed.c %D%/packed.h \
	%D%/paths.c %D%/paths.h \
	%D%/progress.c %D%/progress.h \
	%D%/read-ahead.c %D%/read-ahead.h \
	%D%/readers.c %D%/readers.h \
	%D%/report/cells.c %D%/report/cells.h \
	%D%/report/bars.c %D%/report/bars.h \
	%D%/report/cut.c %D%/report/cut.h \
	%D%/report/data.c \
	%D%/report/embedded.c %D%/report/embedded.h \
	%D%/report/fields.c %D%/report/fields.h \
	%D%/report/layout.c %D%/report/layout.h \
	%D%/report/more.c %D%/report/more.h \
	%D%/report/report.c %D%/report/report.h \
	%D%/report/table.c \
	%D%/report/target.c %D%/report/target.h \
	%D%/report/writers.h \
	%D%/report/terminal.c \
	%D%/report/wrap.c %D%/report/wrap.h \
	%D%/room.h \
	%D%/row-index.h \
	%D%/sanitizers.h \
	%D%/screen.c %D%/screen.h \
	%D%/shipped.c %D%/shipped.h \
	%D%/signals.c %D%/signals.h \
	%D%/slots.c %D%/slots.h \
	%D%/sorter-packing.h \
	%D%/sorter-merge.c %D%/sorter-merge.h \
	%D%/sorter-block.c %D%/sorter-block.h \
	%D%/sorter-window.c %D%/sorter-window.h \
	%D%/sorter.c %D%/sorter.h \
	%D%/spill.c %D%/spill.h \
	%D%/suggest.c %D%/suggest.h \
	%D%/tar.c %D%/tar.h \
	%D%/turns.c %D%/turns.h \
	%D%/unpacked.c %D%/unpacked.h \
	%D%/symbol-server.c %D%/symbol-server.h \
	%D%/symbols.c %D%/symbols.h \
	%D%/tape.c %D%/tape.h \
	%D%/temporary-file.c %D%/temporary-file.h \
	%D%/text-ids.c %D%/text-ids.h \
	%D%/text-map.c %D%/text-map.h \
	%D%/units.c %D%/units.h \
	%D%/version.c %D%/version.h
# What is built may have changed with any command of git: the header is made anew each time, and replaced if it differs.
BUILT_SOURCES += %D%/build-commit.h
CLEANFILES += %D%/build-commit.h
EXTRA_DIST += %D%/build-commit.sh
$(filter %D%/%version.$(OBJEXT),$(libtracetool_a_OBJECTS)): %D%/build-commit.h
%D%/build-commit.h: build-commit-now
	$(AM_V_at)$(MKDIR_P) %D% && $(SHELL) $(srcdir)/%D%/build-commit.sh $(srcdir) $(PACKAGE_VERSION) >$@.new
	$(AM_V_at)if cmp -s $@.new $@; then rm -f $@.new; else mv $@.new $@; fi
.PHONY: build-commit-now
