# SPDX-License-Identifier: Apache-2.0
# Tests: g_test programs and shell scripts, both speak TAP.
EXTRA_LTLIBRARIES =
# The longest first, or the others wait for it at the end.
LONG_TESTS = tests/cli/dead-program-longest.sh tests/cli/dead-program-long.sh tests/cli/dead-program.sh \
	tests/cli/damage.sh tests/cli/limits.sh tests/cli/installed.sh tests/cli/export.sh tests/cli/trace-json.sh tests/cli/lone-times.sh tests/cli/lone-edges.sh tests/cli/lost-ends.sh tests/cli/json-damage.sh tests/cli/json-order.sh \
	tests/cli/ctf.sh tests/cli/generated-job.sh tests/cli/job-truth.sh tests/cli/viewers.sh
EXTRA_DIST += $(LONG_TESTS)
TESTS = $(LONG_TESTS) $(check_PROGRAMS) $(dist_check_SCRIPTS)
TEST_EXTENSIONS = .sh
TAP_DRIVER = $(SHELL) $(top_srcdir)/tests/timed-driver.sh env AM_TAP_AWK='$(AWK)' $(SHELL) $(top_srcdir)/build-aux/tap-driver.sh
LOG_DRIVER = $(TAP_DRIVER)
SH_LOG_DRIVER = $(TAP_DRIVER)
SH_LOG_COMPILER = $(SHELL)
# GLib prints TAP by default since 2.62, so no flag is needed for the g_test programs. Ranks of one machine look for no other way
# to talk, and for no plugins for devices: that takes each a fourth of a short run.
AM_TESTS_ENVIRONMENT = \
	export G_TEST_SRCDIR='$(abs_top_srcdir)/tests'; \
	export G_TEST_BUILDDIR='$(abs_top_builddir)/tests'; \
	export TRACETOOL='$(abs_top_builddir)/tracetool'; \
	export TRACETOOL_DATA='$(abs_top_srcdir)/data'; \
	export SRCDIR='$(abs_top_srcdir)'; \
	export BUILDDIR='$(abs_top_builddir)'; \
	export CC='$(CC)'; \
	export SHARED_DATA='$(abs_top_srcdir)/../shared/data'; \
	export TSAN_OPTIONS=halt_on_error=1:exitcode=66:suppressions='$(abs_top_srcdir)/tests/tsan.supp'; \
	export LSAN_OPTIONS=suppressions='$(abs_top_srcdir)/tests/lsan.supp':print_suppressions=0; \
	export OMPI_MCA_pml=ob1 OMPI_MCA_btl=self,vader HWLOC_PLUGINS_PATH=/nowhere; \
	export PATH='$(abs_top_builddir)/tests/tools':"$$PATH"; \
	export LC_ALL=C; unset TRACETOOL_DB;
if THREAD_SANITIZER
libtracetool_a_SOURCES += tests/glib-locks.c
endif
EXTRA_DIST += tests/rounds.h tests/lsan.supp tests/tsan.supp tests/require.h
EXTRA_DIST += tests/cli/dead-program.txt tests/cli/dead-program.judged tests/cli/dead-program-lib.sh
dist_check_SCRIPTS += tests/cli/generated.sh
check_PROGRAMS += tests/formats/test-json-random tests/analyzers/test-span-parents tests/formats/test-probe-random \
	tests/formats/test-chrome-size tests/store/test-upgrade tests/store/test-store-import

check_PROGRAMS += tests/base/test-hash-ahead
tests_base_test_hash_ahead_SOURCES = tests/base/test-hash-ahead.c
check_PROGRAMS += tests/base/test-read-ahead
tests_base_test_read_ahead_SOURCES = tests/base/test-read-ahead.c
tests_base_test_read_ahead_LDADD = $(LDADD) $(ZLIB_LIBS)
check_PROGRAMS += tests/base/test-temporary-file
tests_base_test_temporary_file_SOURCES = tests/base/test-temporary-file.c
check_PROGRAMS += tests/base/test-turns
tests_base_test_turns_SOURCES = tests/base/test-turns.c
check_PROGRAMS += tests/base/test-spill
tests_base_test_spill_SOURCES = tests/base/test-spill.c

check_PROGRAMS += tests/trace/test-message-join
tests_trace_test_message_join_SOURCES = tests/trace/test-message-join.c
check_PROGRAMS += tests/trace/test-nest
tests_trace_test_nest_SOURCES = tests/trace/test-nest.c
tests_analyzers_test_span_parents_SOURCES = tests/analyzers/test-span-parents.c
check_PROGRAMS += tests/analyzers/test-stretches
tests_analyzers_test_stretches_SOURCES = tests/analyzers/test-stretches.c
check_PROGRAMS += tests/trace/test-arrange tests/trace/test-arrange-limits
tests_trace_test_arrange_SOURCES = tests/trace/test-arrange.c tests/trace/row-sink.c tests/trace/row-sink.h
tests_trace_test_arrange_limits_SOURCES = tests/trace/test-arrange-limits.c tests/trace/row-sink.c tests/trace/row-sink.h
check_PROGRAMS += %D%/base/test-containers
check_PROGRAMS += %D%/base/test-sorter
check_PROGRAMS += %D%/base/test-output
check_PROGRAMS += %D%/base/test-digits
check_PROGRAMS += %D%/base/test-clean-text
check_PROGRAMS += %D%/base/test-units
check_PROGRAMS += %D%/base/test-ids

dist_check_SCRIPTS += %D%/layers.sh
dist_check_SCRIPTS += %D%/dist.sh %D%/version.sh
EXTRA_DIST += %D%/layers.txt %D%/layers.awk
dist_check_SCRIPTS += %D%/cli/oracle.sh
dist_check_SCRIPTS += %D%/cli/upgrade.sh
dist_check_SCRIPTS += %D%/cli/runs.sh %D%/cli/apart.sh
dist_check_SCRIPTS += %D%/cli/clocks.sh %D%/cli/clocks-formats.sh %D%/cli/otf2-locks.sh %D%/cli/server-waits.sh %D%/cli/server-network.sh
dist_check_SCRIPTS += %D%/cli/tau-damage.sh %D%/cli/broken-inputs.sh %D%/cli/ctf-metadata.sh \
	%D%/cli/ctf-parts.sh %D%/cli/ctf-packed.sh %D%/cli/ctf-loss.sh %D%/cli/partial-job.sh
EXTRA_DIST += %D%/oracles/damaged_tau.py %D%/oracles/path_imbalance.py %D%/oracles/lone-times.py %D%/oracles/lose-ctf.py %D%/oracles/lttng_truth.py %D%/oracles/trust_marks.py
dist_check_SCRIPTS += %D%/cli/kill.sh %D%/cli/shards.sh %D%/cli/shard-folder.sh %D%/cli/shard-commands.sh
dist_check_SCRIPTS += %D%/cli/mpi.sh
dist_check_SCRIPTS += %D%/cli/mpi-faults.sh
dist_check_SCRIPTS += %D%/cli/mpi-export.sh
dist_check_SCRIPTS += %D%/cli/mpi-stats.sh
dist_check_SCRIPTS += %D%/cli/mpi-comm.sh
dist_check_SCRIPTS += %D%/cli/mpi-waits.sh
dist_check_SCRIPTS += %D%/cli/mpi-devices.sh
dist_check_SCRIPTS += %D%/cli/mpi-query.sh
dist_check_SCRIPTS += %D%/cli/mpi-compare.sh
dist_check_SCRIPTS += %D%/cli/mpi-graphs.sh
dist_check_SCRIPTS += %D%/cli/mpi-steps.sh
dist_check_SCRIPTS += %D%/cli/mpi-simulate.sh
dist_check_SCRIPTS += %D%/cli/mpi-speedscope.sh
dist_check_SCRIPTS += %D%/cli/log-files.sh
dist_check_SCRIPTS += %D%/cli/planted-links.sh
dist_check_SCRIPTS += %D%/cli/stop.sh
dist_check_SCRIPTS += %D%/cli/examples.sh
EXTRA_DIST += %D%/viewers
EXTRA_DIST += %D%/oracles/tau.py %D%/fuzz/fuzz.sh %D%/minimal-root.sh %D%/builds.sh %D%/copy-sources.sh %D%/timed-driver.sh %D%/fuzz/run-one.sh %D%/fuzz/minimise.sh %D%/container-root.py
EXTRA_DIST += %D%/mutants/mutants.sh %D%/mutants/plant.py %D%/mutants/hunt.py %D%/mutants/mutant.h
dist_check_SCRIPTS += %D%/fuzz/summary.sh
EXTRA_DIST += %D%/fuzz/json-mutator.c %D%/fuzz/ctf-packet-mutator.c %D%/fuzz/otf2-mutator.c %D%/fuzz/pi-archive-mutator.c %D%/fuzz/kept-threads.c %D%/fuzz/kept-threads.h %D%/fuzz/kept-connections.c %D%/fuzz/kept-connections.h %D%/fuzz/page-section.c %D%/fuzz/page-section.h %D%/fuzz/unseen.h %D%/fuzz/no-comparisons.c %D%/fuzz/job.dict %D%/fuzz/ptx.dict %D%/fuzz/query-split.dict
check_PROGRAMS += %D%/base/test-input

check_PROGRAMS += %D%/shards/test-told-plan
check_PROGRAMS += tests/trace/test-shard
tests_trace_test_shard_SOURCES = tests/trace/test-shard.c
check_PROGRAMS += tests/trace/test-names
tests_trace_test_names_SOURCES = tests/trace/test-names.c
check_PROGRAMS += %D%/select/test-selection
check_PROGRAMS += %D%/base/test-report
check_PROGRAMS += %D%/base/test-cut
check_PROGRAMS += %D%/base/test-wrap
check_PROGRAMS += %D%/base/test-suggest
check_PROGRAMS += %D%/base/test-glob
check_PROGRAMS += %D%/base/test-symbols

check_PROGRAMS += %D%/graphs/test-graph-svg
tests_graphs_test_graph_svg_SOURCES = %D%/graphs/test-graph-svg.c %D%/graphs/graph-test.c %D%/graphs/graph-test.h
check_PROGRAMS += %D%/graphs/test-graph %D%/graphs/test-graph-order %D%/graphs/test-graph-writers
tests_graphs_test_graph_SOURCES = %D%/graphs/test-graph.c %D%/graphs/graph-test.c %D%/graphs/graph-test.h
tests_graphs_test_graph_order_SOURCES = %D%/graphs/test-graph-order.c %D%/graphs/graph-test.c %D%/graphs/graph-test.h
tests_graphs_test_graph_writers_SOURCES = %D%/graphs/test-graph-writers.c %D%/graphs/graph-test.c %D%/graphs/graph-test.h
check_PROGRAMS += %D%/graphs/test-via
tests_graphs_test_via_SOURCES = %D%/graphs/test-via.c %D%/graphs/graph-test.c %D%/graphs/graph-test.h
check_PROGRAMS += %D%/graphs/test-structure
tests_graphs_test_structure_SOURCES = %D%/graphs/test-structure.c
check_PROGRAMS += %D%/graphs/test-nccl
tests_graphs_test_nccl_SOURCES = %D%/graphs/test-nccl.c
check_PROGRAMS += %D%/graphs/test-schedule
tests_graphs_test_schedule_SOURCES = %D%/graphs/test-schedule.c
check_PROGRAMS += %D%/analyzers/test-clock-parts
check_PROGRAMS += %D%/analyzers/test-tensor-bytes
check_PROGRAMS += %D%/graphs/test-job-graph
tests_graphs_test_job_graph_SOURCES = %D%/graphs/test-job-graph.c
check_PROGRAMS += %D%/analyzers/test-tally %D%/analyzers/test-pair-tally %D%/analyzers/test-joint-search
check_PROGRAMS += %D%/analyzers/test-comparison %D%/analyzers/test-span-places

chrome_test_sources = \
	%D%/formats/chrome-test.c %D%/formats/chrome-test.h \
	%D%/formats/perfetto-decode.c %D%/formats/perfetto-decode.h
check_PROGRAMS += %D%/formats/test-chrome %D%/formats/test-chrome-flows \
	%D%/formats/test-chrome-viewers %D%/formats/test-chrome-order
%C%_formats_test_chrome_SOURCES = %D%/formats/test-chrome.c $(chrome_test_sources)
%C%_formats_test_chrome_flows_SOURCES = %D%/formats/test-chrome-flows.c $(chrome_test_sources)
%C%_formats_test_chrome_order_SOURCES = %D%/formats/test-chrome-order.c $(chrome_test_sources)
%C%_formats_test_chrome_size_SOURCES = %D%/formats/test-chrome-size.c $(chrome_test_sources)
%C%_formats_test_chrome_viewers_SOURCES = %D%/formats/test-chrome-viewers.c $(chrome_test_sources)
check_PROGRAMS += %D%/formats/test-perfetto-packets %D%/formats/test-perfetto-export
%C%_formats_test_perfetto_packets_SOURCES = \
	%D%/formats/test-perfetto-packets.c %D%/formats/perfetto-decode.c %D%/formats/perfetto-decode.h
%C%_formats_test_perfetto_export_SOURCES = %D%/formats/test-perfetto-export.c $(chrome_test_sources)
EXTRA_DIST += %D%/oracles/check-chrome.py %D%/oracles/check-stacks.py %D%/oracles/paths-of-stacks.py %D%/oracles/crossing-trace.py %D%/oracles/check-perfetto.py
dist_check_SCRIPTS += %D%/cli/export-stacks.sh
dist_check_SCRIPTS += %D%/cli/default-output.sh
check_PROGRAMS += %D%/analyzers/test-measured-path
tests_analyzers_test_measured_path_SOURCES = %D%/analyzers/test-measured-path.c %D%/analyzers/trace.h
check_PROGRAMS += %D%/analyzers/test-event-stats

check_PROGRAMS += tests/store/test-store
tests_store_test_store_SOURCES = tests/store/test-store.c tests/store/store-example.c tests/store/store-example.h
check_PROGRAMS += %D%/store/test-page-checksum
check_PROGRAMS += tests/store/test-bulk-table
tests_store_test_bulk_table_SOURCES = tests/store/test-bulk-table.c
check_PROGRAMS += %D%/store/test-table-writer
check_PROGRAMS += %D%/store/test-args-format
check_PROGRAMS += tests/store/test-table-pages
check_PROGRAMS += tests/store/test-virtual-events
tests_store_test_virtual_events_SOURCES = tests/store/test-virtual-events.c tests/store/store-example.c tests/store/store-example.h \
	tests/store/odd-databases.c tests/store/odd-databases.h
check_PROGRAMS += tests/store/test-query-joint
tests_store_test_query_joint_SOURCES = tests/store/test-query-joint.c tests/store/store-example.c tests/store/store-example.h \
	tests/store/odd-databases.c tests/store/odd-databases.h tests/store/random-query.c tests/store/random-query.h
tests_store_test_table_pages_SOURCES = tests/store/test-table-pages.c tests/store/store-example.c tests/store/store-example.h
tests_store_test_store_import_SOURCES = tests/store/test-store-import.c tests/store/store-example.c tests/store/store-example.h
check_PROGRAMS += tests/store/test-schema-doc
tests_store_test_schema_doc_SOURCES = tests/store/test-schema-doc.c tests/store/store-example.c tests/store/store-example.h
check_PROGRAMS += %D%/analyzers/test-comm
dist_check_SCRIPTS += %D%/cli/main.sh
dist_check_SCRIPTS += %D%/cli/clean-output.sh
dist_check_SCRIPTS += %D%/cli/help.sh
dist_check_SCRIPTS += %D%/cli/completion.sh %D%/cli/pictures.sh
EXTRA_DIST += %D%/oracles/type-in-shell.py
dist_check_SCRIPTS += %D%/cli/import.sh
dist_check_SCRIPTS += %D%/cli/info.sh %D%/cli/info-check.sh
dist_check_SCRIPTS += %D%/cli/outputs.sh
EXTRA_DIST += %D%/cli/expected
dist_check_SCRIPTS += %D%/cli/stats.sh
dist_check_SCRIPTS += %D%/cli/hostile-names.sh

# Calls that fail: a sample of those that `make faults` tries.
dist_check_SCRIPTS += %D%/faults/sample.sh
EXTRA_DIST += %D%/faults/commands.txt %D%/faults/faults.sh
EXTRA_LTLIBRARIES += %D%/faults/libfault-inject.la
check_DATA += %D%/faults/libfault-inject.la
%C%_faults_libfault_inject_la_SOURCES = %D%/faults/fault-inject.c
%C%_faults_libfault_inject_la_CPPFLAGS = -U_FORTIFY_SOURCE
%C%_faults_libfault_inject_la_CFLAGS = -std=gnu11 $(WARN_CFLAGS)
%C%_faults_libfault_inject_la_LDFLAGS = -module -avoid-version -shared -rpath /nowhere
EXTRA_PROGRAMS += %D%/faults/sweep
check_DATA += %D%/faults/sweep$(EXEEXT)
%C%_faults_sweep_SOURCES = %D%/faults/sweep.c %D%/faults/trial.c %D%/faults/trial.h \
	%D%/faults/tree.c %D%/faults/tree.h
%C%_faults_sweep_LDADD = $(GLIB_LIBS)
dist_check_SCRIPTS += %D%/cli/comm.sh %D%/cli/communicators.sh %D%/cli/communicators-doubt.sh %D%/cli/clocks-recorded.sh
EXTRA_DIST += %D%/cli/change-database.py %D%/cli/lib.sh %D%/cli/mpi-lib.sh %D%/cli/readers-lib.sh %D%/oracles/tau-callbacks.py
check_PROGRAMS += %D%/analyzers/test-around
tests_analyzers_test_around_SOURCES = %D%/analyzers/test-around.c %D%/analyzers/trace.h
check_PROGRAMS += %D%/analyzers/test-dep-graph
tests_analyzers_test_dep_graph_SOURCES = %D%/analyzers/test-dep-graph.c %D%/analyzers/trace.h

# The reader and writer library for other programs: helpers of tests/cli/tau-library.sh and a program of its own.
TAU_TEST_CFLAGS = -std=c11 $(WARN_CFLAGS) $(SANITIZER_CFLAGS) $(COVERAGE_CFLAGS)
EXTRA_PROGRAMS += tests/formats/tau-callbacks tests/formats/tau-copy tests/formats/tau-seed
check_DATA += tests/formats/tau-callbacks$(EXEEXT) tests/formats/tau-copy$(EXEEXT) tests/formats/tau-seed$(EXEEXT)
tests_formats_tau_callbacks_SOURCES = %D%/formats/tau-callbacks.c %D%/formats/tau-print.c %D%/formats/tau-print.h
tests_formats_tau_callbacks_CFLAGS = $(TAU_TEST_CFLAGS)
tests_formats_tau_callbacks_LDADD = libtracetool-tau.la
tests_formats_tau_copy_SOURCES = %D%/formats/tau-copy.c
tests_formats_tau_copy_CFLAGS = $(TAU_TEST_CFLAGS)
tests_formats_tau_copy_LDADD = libtracetool-tau.la
tests_formats_tau_seed_SOURCES = %D%/formats/tau-seed.c
tests_formats_tau_seed_CPPFLAGS = -I$(top_srcdir)/formats/tau
tests_formats_tau_seed_CFLAGS = $(TAU_TEST_CFLAGS)
tests_formats_tau_seed_LDADD = libtracetool-tau.la
TAU_LOG_SOURCES = %D%/formats/tau-log.c %D%/formats/tau-log.h %D%/formats/tau-print.c %D%/formats/tau-print.h
check_PROGRAMS += %D%/formats/test-tau-library %D%/formats/test-tau-seek
tests_formats_test_tau_library_SOURCES = %D%/formats/test-tau-library.c $(TAU_LOG_SOURCES)
tests_formats_test_tau_library_LDADD = libtracetool-tau.la $(GLIB_LIBS)
tests_formats_test_tau_seek_SOURCES = %D%/formats/test-tau-seek.c $(TAU_LOG_SOURCES)
tests_formats_test_tau_seek_LDADD = libtracetool-tau.la $(GLIB_LIBS)
check_PROGRAMS += %D%/formats/test-tau-kept-names
tests_formats_test_tau_kept_names_SOURCES = %D%/formats/test-tau-kept-names.c $(TAU_LOG_SOURCES)
tests_formats_test_tau_kept_names_LDADD = libtracetool-tau.la $(GLIB_LIBS)
dist_check_SCRIPTS += %D%/cli/tau-library.sh
dist_check_SCRIPTS += %D%/cli/tau-readers.sh
dist_check_SCRIPTS += %D%/formats/libraries-32bit.sh
check_DATA += %D%/formats/libraries.txt
%D%/formats/libraries.txt: Makefile
	$(AM_V_GEN)echo 'tau $(libtau_la_SOURCES)' >$@
CLEANFILES += %D%/formats/libraries.txt
check_PROGRAMS += %D%/fuzz/test-replay-tau-trc
%C%_fuzz_test_replay_tau_trc_SOURCES = %D%/fuzz/replay-corpus.c %D%/fuzz/fuzz-tau-trc.c
%C%_fuzz_test_replay_tau_trc_CPPFLAGS = $(AM_CPPFLAGS) -DCORPUS=\"tau-trc\"
check_PROGRAMS += %D%/fuzz/test-replay-ctf-metadata
%C%_fuzz_test_replay_ctf_metadata_SOURCES = %D%/fuzz/replay-corpus.c %D%/fuzz/fuzz-ctf-metadata.c %D%/fuzz/ctf-schema.h
%C%_fuzz_test_replay_ctf_metadata_CPPFLAGS = $(AM_CPPFLAGS) -DCORPUS=\"ctf-metadata\"
check_PROGRAMS += %D%/fuzz/test-replay-ctf-packets
%C%_fuzz_test_replay_ctf_packets_SOURCES = %D%/fuzz/replay-corpus.c %D%/fuzz/fuzz-ctf-packets.c %D%/fuzz/ctf-packets.h \
	%D%/fuzz/memory-file.h
%C%_fuzz_test_replay_ctf_packets_CPPFLAGS = $(AM_CPPFLAGS) -DCORPUS=\"ctf-packets\"
check_PROGRAMS += %D%/fuzz/test-replay-ctf-fragments
%C%_fuzz_test_replay_ctf_fragments_SOURCES = %D%/fuzz/replay-corpus.c %D%/fuzz/fuzz-ctf-fragments.c %D%/fuzz/ctf-schema.h %D%/fuzz/memory-file.h
%C%_fuzz_test_replay_ctf_fragments_CPPFLAGS = $(AM_CPPFLAGS) -DCORPUS=\"ctf-fragments\"
check_PROGRAMS += %D%/fuzz/test-replay-tar
%C%_fuzz_test_replay_tar_SOURCES = %D%/fuzz/replay-corpus.c %D%/fuzz/fuzz-tar.c %D%/fuzz/memory-file.h
%C%_fuzz_test_replay_tar_CPPFLAGS = $(AM_CPPFLAGS) -DCORPUS=\"tar\"
check_PROGRAMS += %D%/fuzz/test-replay-tau-edf
%C%_fuzz_test_replay_tau_edf_SOURCES = %D%/fuzz/replay-corpus.c %D%/fuzz/fuzz-tau-edf.c
%C%_fuzz_test_replay_tau_edf_CPPFLAGS = $(AM_CPPFLAGS) -DCORPUS=\"tau-edf\"
check_PROGRAMS += %D%/fuzz/test-replay-tau-api
%C%_fuzz_test_replay_tau_api_SOURCES = %D%/fuzz/replay-corpus.c %D%/fuzz/fuzz-tau-api.c %D%/fuzz/memory-file.h
%C%_fuzz_test_replay_tau_api_CPPFLAGS = $(AM_CPPFLAGS) -DCORPUS=\"tau-api\"
check_PROGRAMS += %D%/fuzz/test-replay-shard
%C%_fuzz_test_replay_shard_SOURCES = %D%/fuzz/replay-corpus.c %D%/fuzz/fuzz-shard.c %D%/fuzz/memory-file.h
%C%_fuzz_test_replay_shard_CPPFLAGS = $(AM_CPPFLAGS) -DCORPUS=\"shard\"
check_PROGRAMS += %D%/fuzz/test-replay-arrange
%C%_fuzz_test_replay_arrange_SOURCES = %D%/fuzz/replay-corpus.c %D%/fuzz/fuzz-arrange.c
%C%_fuzz_test_replay_arrange_CPPFLAGS = $(AM_CPPFLAGS) -DCORPUS=\"arrange\"
EXTRA_DIST += %D%/corpus
dist_check_SCRIPTS += %D%/cli/bars.sh %D%/cli/depgraph.sh %D%/cli/critical-path.sh

check_PROGRAMS += %D%/formats/test-tau-edf
check_PROGRAMS += %D%/formats/test-tau-name
check_PROGRAMS += %D%/formats/test-tau-import
%C%_formats_test_tau_import_SOURCES = %D%/formats/test-tau-import.c %D%/formats/tau-test.c %D%/formats/tau-test.h
%C%_formats_test_tau_import_LDADD = $(LDADD) $(ZLIB_LIBS)
check_PROGRAMS += %D%/formats/test-tau-golden
%C%_formats_test_tau_golden_SOURCES = %D%/formats/test-tau-golden.c %D%/formats/tau-test.c %D%/formats/tau-test.h
check_PROGRAMS += %D%/formats/test-format
%C%_formats_test_format_SOURCES = %D%/formats/test-format.c %D%/formats/tau-test.c %D%/formats/tau-test.h
check_PROGRAMS += %D%/analyzers/test-steps

check_PROGRAMS += %D%/analyzers/test-job-parts
EXTRA_PROGRAMS += tests/store/load-events
check_DATA += tests/store/load-events$(EXEEXT)
tests_store_load_events_SOURCES = %D%/store/load-events.c
dist_check_SCRIPTS += %D%/cli/simulate.sh
dist_check_SCRIPTS += %D%/cli/topology.sh
dist_check_SCRIPTS += %D%/cli/torch-replay.sh
EXTRA_DIST += %D%/oracles/torch_simulator.py %D%/oracles/nccl_times.py
check_PROGRAMS += %D%/analyzers/test-what-if
check_PROGRAMS += %D%/analyzers/test-training-job
dist_check_SCRIPTS += %D%/cli/steps.sh
# Pictures: plot, and a reader of SVG.
dist_check_SCRIPTS += %D%/cli/plot.sh
dist_check_SCRIPTS += %D%/cli/plot-probes.sh
EXTRA_DIST += %D%/oracles/picture.py %D%/oracles/picture-rows.py %D%/oracles/roofline.py %D%/oracles/probe-pictures.py
# The page: report, and a reader of HTML.
dist_check_SCRIPTS += %D%/cli/report.sh
EXTRA_DIST += %D%/oracles/report-page.py
# What a browser makes of it; skipped where there is none.
dist_check_SCRIPTS += %D%/browser/report.sh
EXTRA_DIST += %D%/browser/report.py %D%/browser/chromium.py
# What Catapult makes of exports, where its sources are.
dist_check_SCRIPTS += %D%/browser/catapult.sh
EXTRA_DIST += %D%/oracles/steps.py %D%/oracles/template-events.py

check_PROGRAMS += %D%/formats/test-framework-names

check_PROGRAMS += %D%/trace/test-args-merge
check_PROGRAMS += %D%/trace/test-held-args
check_PROGRAMS += %D%/trace/test-repairs
check_PROGRAMS += %D%/trace/test-clock-map
check_PROGRAMS += %D%/trace/test-flow-join
check_PROGRAMS += %D%/store/test-store-args
tests_store_test_store_args_SOURCES = %D%/store/test-store-args.c %D%/store/store-example.c %D%/store/store-example.h
dist_check_SCRIPTS += %D%/cli/job.sh
EXTRA_DIST += %D%/oracles/job.py %D%/oracles/otf2-attributes.py %D%/oracles/otf2-printed.py %D%/oracles/otf2-write.py %D%/oracles/otf2-scorep-gpu.py
check_PROGRAMS += %D%/fuzz/test-replay-job
%C%_fuzz_test_replay_job_SOURCES = %D%/fuzz/replay-corpus.c %D%/fuzz/fuzz-job.c %D%/fuzz/memory-file.h \
	%D%/fuzz/known-files.c %D%/fuzz/known-files.h
%C%_fuzz_test_replay_job_CPPFLAGS = $(AM_CPPFLAGS) -DCORPUS=\"job\"

# The JSON scanner.
check_PROGRAMS += %D%/formats/test-json %D%/formats/test-json-values %D%/fuzz/test-replay-json
%C%_formats_test_json_SOURCES = %D%/formats/test-json.c %D%/formats/json-tokens.h
%C%_formats_test_json_values_SOURCES = %D%/formats/test-json-values.c %D%/formats/json-tokens.h
%C%_formats_test_json_random_SOURCES = %D%/formats/test-json-random.c %D%/formats/json-tokens.h
%C%_fuzz_test_replay_json_SOURCES = %D%/fuzz/replay-corpus.c %D%/fuzz/fuzz-json.c %D%/formats/json-tokens.h
%C%_fuzz_test_replay_json_CPPFLAGS = $(AM_CPPFLAGS) -DCORPUS=\"json\"
%C%_formats_test_json_CFLAGS = $(AM_CFLAGS) $(YAJL_CFLAGS)
%C%_formats_test_json_LDADD = $(LDADD) $(YAJL_LIBS)
%C%_formats_test_json_values_CFLAGS = $(AM_CFLAGS) $(YAJL_CFLAGS)
%C%_formats_test_json_values_LDADD = $(LDADD) $(YAJL_LIBS)
%C%_formats_test_json_random_CFLAGS = $(AM_CFLAGS) $(YAJL_CFLAGS)
%C%_formats_test_json_random_LDADD = $(LDADD) $(YAJL_LIBS)
%C%_formats_test_event_fields_CFLAGS = $(AM_CFLAGS) $(YAJL_CFLAGS)
%C%_formats_test_event_fields_LDADD = $(LDADD) $(YAJL_LIBS)
%C%_fuzz_test_replay_json_CFLAGS = $(AM_CFLAGS) $(YAJL_CFLAGS)
%C%_fuzz_test_replay_json_LDADD = $(LDADD) $(YAJL_LIBS)

check_PROGRAMS += %D%/fuzz/test-replay-collectives
%C%_fuzz_test_replay_collectives_SOURCES = %D%/fuzz/replay-corpus.c %D%/fuzz/fuzz-collectives.c
%C%_fuzz_test_replay_collectives_CPPFLAGS = $(AM_CPPFLAGS) -DCORPUS=\"collectives\"
check_PROGRAMS += %D%/fuzz/test-replay-joint-words
%C%_fuzz_test_replay_joint_words_SOURCES = %D%/fuzz/replay-corpus.c %D%/fuzz/fuzz-joint-words.c
%C%_fuzz_test_replay_joint_words_CPPFLAGS = $(AM_CPPFLAGS) -DCORPUS=\"joint-words\"
check_PROGRAMS += %D%/fuzz/test-replay-args-form
%C%_fuzz_test_replay_args_form_SOURCES = %D%/fuzz/replay-corpus.c %D%/fuzz/fuzz-args-form.c
%C%_fuzz_test_replay_args_form_CPPFLAGS = $(AM_CPPFLAGS) -DCORPUS=\"args-form\"
check_PROGRAMS += %D%/fuzz/test-replay-query-split
%C%_fuzz_test_replay_query_split_SOURCES = %D%/fuzz/replay-corpus.c %D%/fuzz/fuzz-query-split.c
%C%_fuzz_test_replay_query_split_CPPFLAGS = $(AM_CPPFLAGS) -DCORPUS=\"query-split\"
check_PROGRAMS += %D%/fuzz/test-replay-trace-json
%C%_fuzz_test_replay_trace_json_SOURCES = %D%/fuzz/replay-corpus.c %D%/fuzz/fuzz-trace-json.c %D%/fuzz/memory-file.h %D%/formats/trace-json.h
%C%_fuzz_test_replay_trace_json_CPPFLAGS = $(AM_CPPFLAGS) -DCORPUS=\"trace-json\"
check_PROGRAMS += %D%/formats/test-event-fields
%C%_formats_test_event_fields_SOURCES = %D%/formats/test-event-fields.c %D%/formats/json-tokens.h
check_PROGRAMS += %D%/formats/test-event-feed
check_PROGRAMS += %D%/formats/test-trace-json
%C%_formats_test_trace_json_SOURCES = %D%/formats/test-trace-json.c %D%/formats/trace-json.h
EXTRA_DIST += %D%/oracles/trace-json.py %D%/oracles/round-trip.py %D%/oracles/comm-groups.py %D%/oracles/communicators.py \
	%D%/oracles/skew_recorded.py %D%/oracles/crossed_groups.py %D%/oracles/clock_bounds.py %D%/oracles/wait_comms.py
check_PROGRAMS += %D%/formats/test-kineto
check_PROGRAMS += %D%/formats/test-dialects
dist_check_SCRIPTS += %D%/cli/device-path.sh
EXTRA_DIST += %D%/oracles/path.py
dist_check_SCRIPTS += %D%/cli/kineto.sh %D%/cli/kineto-names.sh %D%/cli/ranks.sh %D%/cli/breakdown.sh \
	%D%/cli/imbalance.sh %D%/cli/process-groups.sh %D%/cli/waits.sh %D%/cli/kernels.sh %D%/cli/tree.sh %D%/cli/tables.sh
dist_check_SCRIPTS += %D%/cli/recorded.sh %D%/cli/compare.sh
EXTRA_DIST += %D%/oracles/recorded.py %D%/oracles/mpi_truth.py
EXTRA_DIST += %D%/oracles/hostile.py
EXTRA_DIST += %D%/oracles/ctf.py %D%/oracles/damage-ctf.py %D%/oracles/mutate-ctf.py
EXTRA_DIST += %D%/oracles/torch-roots.py %D%/oracles/kineto.py %D%/oracles/steps-of-profiler.py %D%/oracles/breakdown.py %D%/oracles/ideal_network.py %D%/oracles/hurt-ctf.py \
	%D%/oracles/hybrid_efficiency.py %D%/oracles/trace_spans.py \
	%D%/oracles/same-breakdown.py %D%/oracles/random-devices.py %D%/oracles/random-ranges.py \
	%D%/oracles/skew_tau.py \
	%D%/oracles/imbalance.py %D%/oracles/waits.py %D%/oracles/locks.py %D%/oracles/same-waits.py %D%/oracles/same-causes.py \
	%D%/oracles/same-imbalance.py %D%/oracles/job-arrivals.py %D%/oracles/random-ranks.py %D%/oracles/random-spans.py %D%/oracles/random-steps.py %D%/oracles/crossing.py \
	%D%/oracles/kernels.py %D%/oracles/nsys-traces.py %D%/oracles/same-kernels.py %D%/oracles/tables.py %D%/oracles/call-tree.py
EXTRA_DIST += %D%/oracles/compare.py %D%/oracles/compare-pairs.py
check_PROGRAMS += %D%/formats/test-parameters
check_PROGRAMS += %D%/analyzers/test-fine-category
dist_check_SCRIPTS += %D%/cli/framework.sh
EXTRA_DIST += %D%/oracles/framework.py %D%/oracles/job-simulator.py
check_PROGRAMS += %D%/fuzz/test-replay-database
%C%_fuzz_test_replay_database_SOURCES = %D%/fuzz/replay-corpus.c %D%/fuzz/fuzz-database.c \
	%D%/fuzz/memory-vfs.c %D%/fuzz/memory-vfs.h %D%/fuzz/small-database.c %D%/fuzz/small-database.h \
	%D%/fuzz/sqlite-memory.c %D%/fuzz/sqlite-memory.h
%C%_fuzz_test_replay_database_CPPFLAGS = $(AM_CPPFLAGS) -DCORPUS=\"database\"
check_PROGRAMS += %D%/fuzz/test-replay-nsys
%C%_fuzz_test_replay_nsys_SOURCES = %D%/fuzz/replay-corpus.c %D%/fuzz/fuzz-nsys.c \
	%D%/fuzz/memory-vfs.c %D%/fuzz/memory-vfs.h %D%/fuzz/sqlite-memory.c %D%/fuzz/sqlite-memory.h
%C%_fuzz_test_replay_nsys_CPPFLAGS = $(AM_CPPFLAGS) -DCORPUS=\"nsys\"
dist_check_SCRIPTS += %D%/cli/networkx.sh
EXTRA_DIST += %D%/oracles/networkx-graphs.py %D%/oracles/networkx-via.py
dist_check_SCRIPTS += %D%/cli/otf2-rows.sh %D%/cli/otf2-runs.sh %D%/cli/otf2.sh %D%/cli/otf2-tau.sh %D%/cli/nsys.sh
EXTRA_DIST += %D%/oracles/nsys.py %D%/oracles/nsys-reports.py
check_PROGRAMS += %D%/fuzz/test-replay-framework
%C%_fuzz_test_replay_framework_SOURCES = %D%/fuzz/replay-corpus.c %D%/fuzz/fuzz-framework.c %D%/fuzz/memory-file.h
%C%_fuzz_test_replay_framework_CPPFLAGS = $(AM_CPPFLAGS) -DCORPUS=\"framework\"
dist_check_SCRIPTS += %D%/cli/nccl.sh %D%/cli/job-graph.sh %D%/cli/job-path.sh %D%/cli/rank-path.sh
EXTRA_DIST += %D%/oracles/generated.py %D%/oracles/job_path.py %D%/oracles/job_waits.py %D%/oracles/clock_stretch.py %D%/oracles/rank_path.py
EXTRA_DIST += %D%/oracles/trail.py
check_PROGRAMS += %D%/fuzz/test-replay-graphs
%C%_fuzz_test_replay_graphs_SOURCES = %D%/fuzz/replay-corpus.c %D%/fuzz/fuzz-graphs.c %D%/fuzz/memory-file.h
%C%_fuzz_test_replay_graphs_CPPFLAGS = $(AM_CPPFLAGS) -DCORPUS=\"graphs\"
dist_check_SCRIPTS += %D%/cli/neutrino.sh
EXTRA_DIST += %D%/oracles/neutrino.py %D%/oracles/gcn-hazards.py
check_PROGRAMS += %D%/fuzz/test-replay-neutrino-bin
%C%_fuzz_test_replay_neutrino_bin_SOURCES = %D%/fuzz/replay-corpus.c %D%/fuzz/fuzz-neutrino-bin.c %D%/fuzz/memory-file.h
%C%_fuzz_test_replay_neutrino_bin_CPPFLAGS = $(AM_CPPFLAGS) -DCORPUS=\"neutrino-bin\"
check_PROGRAMS += %D%/fuzz/test-replay-neutrino-log
%C%_fuzz_test_replay_neutrino_log_SOURCES = %D%/fuzz/replay-corpus.c %D%/fuzz/fuzz-neutrino-log.c %D%/fuzz/memory-file.h
%C%_fuzz_test_replay_neutrino_log_CPPFLAGS = $(AM_CPPFLAGS) -DCORPUS=\"neutrino-log\"
check_PROGRAMS += %D%/fuzz/test-replay-neutrino-toml
%C%_fuzz_test_replay_neutrino_toml_SOURCES = %D%/fuzz/replay-corpus.c %D%/fuzz/fuzz-neutrino-toml.c
%C%_fuzz_test_replay_neutrino_toml_CPPFLAGS = $(AM_CPPFLAGS) -DCORPUS=\"neutrino-toml\"
check_PROGRAMS += %D%/formats/test-neutrino-layout
check_PROGRAMS += %D%/formats/test-neutrino-log

# Probes: the compiler, run on machines of its own.
PROBE_MACHINES = tests/formats/probe-run.c tests/formats/probe-run.h tests/formats/probe-run-ir.c tests/formats/probe-run-ptx.c tests/formats/probe-run-gcn.c
PROBE_SOURCES = tests/formats/probe-source.c tests/formats/probe-source.h tests/formats/probe-source-private.h \
	tests/formats/probe-source-print.c tests/formats/probe-source-run.c
%C%_formats_test_probe_random_SOURCES = %D%/formats/test-probe-random.c $(PROBE_SOURCES) $(PROBE_MACHINES)
EXTRA_PROGRAMS += tests/formats/wrap-probe
check_DATA += tests/formats/wrap-probe$(EXEEXT)
tests_formats_wrap_probe_SOURCES = %D%/formats/wrap-probe.c $(PROBE_MACHINES)
EXTRA_PROGRAMS += tests/formats/random-probe
check_DATA += tests/formats/random-probe$(EXEEXT)
tests_formats_random_probe_SOURCES = %D%/formats/random-probe.c $(PROBE_SOURCES) $(PROBE_MACHINES)
check_PROGRAMS += %D%/formats/test-probe %D%/formats/test-probe-output %D%/formats/test-gcn-expression
dist_check_SCRIPTS += %D%/cli/probe.sh
dist_check_SCRIPTS += %D%/cli/probe-run.sh %D%/cli/probe-run-gcn.sh %D%/cli/probe-weave.sh %D%/cli/probe-weave-gcn.sh
EXTRA_DIST += %D%/gpu/weave.py %D%/gpu/float-reads.py %D%/gpu/weave-random-gcn.py %D%/gpu/guarded.ptx %D%/gpu/probes
EXTRA_DIST += %D%/gpu/dot.py %D%/gpu/dot-bf16.ptx %D%/gpu/dot-fp16.ptx %D%/gpu/dot-fp32.ptx %D%/gpu/dot-half.ptx
EXTRA_DIST += %D%/gpu/as-gcn.h %D%/gpu/kernels-gfx90a.s %D%/gpu/kernels-gfx942.s %D%/gpu/waits.py
EXTRA_DIST += %D%/gpu/as-cuda.h %D%/gpu/kernels.cl %D%/gpu/kernels.py %D%/gpu/kernels-O0.ptx %D%/gpu/kernels-O2.ptx
check_PROGRAMS += %D%/fuzz/test-replay-probe
%C%_fuzz_test_replay_probe_SOURCES = %D%/fuzz/replay-corpus.c %D%/fuzz/fuzz-probe.c $(PROBE_MACHINES)
%C%_fuzz_test_replay_probe_CPPFLAGS = $(AM_CPPFLAGS) -DCORPUS=\"probe\"
check_PROGRAMS += %D%/fuzz/test-replay-gcn
%C%_fuzz_test_replay_gcn_SOURCES = %D%/fuzz/replay-corpus.c %D%/fuzz/fuzz-gcn.c
%C%_fuzz_test_replay_gcn_CPPFLAGS = $(AM_CPPFLAGS) -DCORPUS=\"gcn\"
check_PROGRAMS += %D%/fuzz/test-replay-ptx
%C%_fuzz_test_replay_ptx_SOURCES = %D%/fuzz/replay-corpus.c %D%/fuzz/fuzz-ptx.c
%C%_fuzz_test_replay_ptx_CPPFLAGS = $(AM_CPPFLAGS) -DCORPUS=\"ptx\"
check_PROGRAMS += %D%/formats/test-pi-side
check_PROGRAMS += %D%/formats/test-pi-native
check_PROGRAMS += %D%/fuzz/test-replay-pi-desc %D%/fuzz/test-replay-pi-graph
%C%_fuzz_test_replay_pi_desc_SOURCES = %D%/fuzz/replay-corpus.c %D%/fuzz/fuzz-pi-desc.c
%C%_fuzz_test_replay_pi_desc_CPPFLAGS = $(AM_CPPFLAGS) -DCORPUS=\"pi-desc\"
%C%_fuzz_test_replay_pi_graph_SOURCES = %D%/fuzz/replay-corpus.c %D%/fuzz/fuzz-pi-graph.c
%C%_fuzz_test_replay_pi_graph_CPPFLAGS = $(AM_CPPFLAGS) -DCORPUS=\"pi-graph\"
check_PROGRAMS += %D%/formats/test-pi-api %D%/formats/test-pi-rows

# A host for PI: a program with a runtime in it, a plugin, a framework; see tests/pi-host/README.md.
PI_HOST_CFLAGS = -std=c11 -D_DEFAULT_SOURCE $(WARN_CFLAGS) -Wno-pedantic
PI_HOST_MODULE = -module -avoid-version -shared -rpath /nowhere
EXTRA_DIST += %D%/pi-host/README.md
EXTRA_PROGRAMS += tests/pi-host/program tests/pi-host/ur-program tests/pi-host/ur-loader
EXTRA_LTLIBRARIES += tests/pi-host/libpi_opencl.la tests/pi-host/libxptifw.la tests/pi-host/libur_adapter_host.la
check_DATA += tests/pi-host/ur-loader$(EXEEXT) tests/pi-host/libur_adapter_host.la
check_DATA += tests/pi-host/program$(EXEEXT) tests/pi-host/ur-program$(EXEEXT) tests/pi-host/libpi_opencl.la
if HAVE_CXX
check_DATA += tests/pi-host/libxptifw.la
endif
tests_pi_host_program_SOURCES = %D%/pi-host/program.c %D%/pi-host/program-copies.h %D%/pi-host/pi-host.h
tests_pi_host_program_CFLAGS = $(PI_HOST_CFLAGS)
tests_pi_host_program_LDADD = -ldl -lpthread
tests_pi_host_ur_program_SOURCES = %D%/pi-host/ur-program.c %D%/pi-host/ur-stream.h %D%/pi-host/pi-host.h
tests_pi_host_ur_program_CFLAGS = $(PI_HOST_CFLAGS)
tests_pi_host_ur_program_LDADD = -ldl -lpthread
tests_pi_host_ur_loader_SOURCES = %D%/pi-host/ur-loader.c %D%/pi-host/ur-copies.h %D%/pi-host/ur-host.h %D%/pi-host/ur-stream.h %D%/pi-host/pi-host.h
tests_pi_host_ur_loader_CFLAGS = $(PI_HOST_CFLAGS)
tests_pi_host_ur_loader_LDADD = -ldl
tests_pi_host_ur_loader_LDFLAGS = -export-dynamic
tests_pi_host_libur_adapter_host_la_SOURCES = %D%/pi-host/ur-adapter.c %D%/pi-host/ur-adapter-copies.h %D%/pi-host/device.h %D%/pi-host/ur-host.h
tests_pi_host_libur_adapter_host_la_CFLAGS = $(PI_HOST_CFLAGS) -fvisibility=hidden
tests_pi_host_libur_adapter_host_la_LDFLAGS = $(PI_HOST_MODULE)
tests_pi_host_libpi_opencl_la_SOURCES = %D%/pi-host/plugin.c %D%/pi-host/plugin-copies.h %D%/pi-host/device.h %D%/pi-host/pi-host.h
tests_pi_host_libpi_opencl_la_CFLAGS = $(PI_HOST_CFLAGS) -fvisibility=hidden
tests_pi_host_libpi_opencl_la_LDFLAGS = $(PI_HOST_MODULE)
tests_pi_host_libxptifw_la_SOURCES = %D%/pi-host/framework.cpp %D%/pi-host/pi-host.h
tests_pi_host_libxptifw_la_CXXFLAGS = -std=c++11 -Wall -Wextra
tests_pi_host_libxptifw_la_LDFLAGS = $(PI_HOST_MODULE)
EXTRA_PROGRAMS += tests/formats/pi-calls
check_DATA += tests/formats/pi-calls$(EXEEXT)
tests_formats_pi_calls_SOURCES = %D%/formats/pi-calls.c
dist_check_SCRIPTS += %D%/cli/ur-replay.sh %D%/cli/ur-profile.sh %D%/cli/ur-real.sh %D%/cli/pi-record.sh %D%/cli/pi-device.sh %D%/cli/pi-tasks.sh
EXTRA_DIST += %D%/pi-host/lib.sh %D%/oracles/pi-native.py %D%/oracles/pi-tasks.py %D%/oracles/ur-trace.py
check_PROGRAMS += %D%/formats/test-pi-print
dist_check_SCRIPTS += %D%/cli/pi-print.sh
EXTRA_DIST += %D%/oracles/pi-print.py %D%/oracles/make-pi-ur.py %D%/oracles/make-span-extras.py
dist_check_SCRIPTS += %D%/cli/pi.sh
EXTRA_DIST += %D%/oracles/pi.py
check_PROGRAMS += %D%/fuzz/test-replay-pi-raw
%C%_fuzz_test_replay_pi_raw_SOURCES = %D%/fuzz/replay-corpus.c %D%/fuzz/fuzz-pi-raw.c %D%/fuzz/pi-fuzz.h %D%/fuzz/memory-file.h
%C%_fuzz_test_replay_pi_raw_CPPFLAGS = $(AM_CPPFLAGS) -DCORPUS=\"pi-raw\"
check_PROGRAMS += %D%/fuzz/test-replay-pi-protobuf
%C%_fuzz_test_replay_pi_protobuf_SOURCES = %D%/fuzz/replay-corpus.c %D%/fuzz/fuzz-pi-protobuf.c %D%/fuzz/pi-fuzz.h %D%/fuzz/memory-file.h
%C%_fuzz_test_replay_pi_protobuf_CPPFLAGS = $(AM_CPPFLAGS) -DCORPUS=\"pi-protobuf\"
check_PROGRAMS += %D%/fuzz/test-replay-pi-archive
%C%_fuzz_test_replay_pi_archive_SOURCES = %D%/fuzz/replay-corpus.c %D%/fuzz/fuzz-pi-archive.c %D%/fuzz/pi-fuzz.h %D%/fuzz/memory-file.h
%C%_fuzz_test_replay_pi_archive_CPPFLAGS = $(AM_CPPFLAGS) -DCORPUS=\"pi-archive\"
check_PROGRAMS += %D%/fuzz/test-replay-pi-print
%C%_fuzz_test_replay_pi_print_SOURCES = %D%/fuzz/replay-corpus.c %D%/fuzz/fuzz-pi-print.c
%C%_fuzz_test_replay_pi_print_CPPFLAGS = $(AM_CPPFLAGS) -DCORPUS=\"pi-print\"
dist_check_SCRIPTS += %D%/cli/pi-pack.sh %D%/cli/pi-replay.sh
EXTRA_DIST += %D%/oracles/pi-archive.py
check_PROGRAMS += %D%/fuzz/test-replay-otf2
%C%_fuzz_test_replay_otf2_SOURCES = %D%/fuzz/replay-corpus.c %D%/fuzz/fuzz-otf2.c
%C%_fuzz_test_replay_otf2_CPPFLAGS = $(AM_CPPFLAGS) -DCORPUS=\"otf2\"
check_PROGRAMS += %D%/fuzz/test-replay-rocprof
%C%_fuzz_test_replay_rocprof_SOURCES = %D%/fuzz/replay-corpus.c %D%/fuzz/fuzz-rocprof.c %D%/fuzz/memory-file.h
%C%_fuzz_test_replay_rocprof_CPPFLAGS = $(AM_CPPFLAGS) -DCORPUS=\"rocprof\"
dist_check_SCRIPTS += %D%/cli/rocprof.sh
EXTRA_DIST += %D%/oracles/rocprof.py
check_PROGRAMS += %D%/fuzz/test-replay-pi-native
%C%_fuzz_test_replay_pi_native_SOURCES = %D%/fuzz/replay-corpus.c %D%/fuzz/fuzz-pi-native.c %D%/fuzz/pi-fuzz.h %D%/fuzz/memory-file.h
%C%_fuzz_test_replay_pi_native_CPPFLAGS = $(AM_CPPFLAGS) -DCORPUS=\"pi-native\"
check_PROGRAMS += %D%/formats/test-sampling %D%/formats/test-config
check_PROGRAMS += %D%/fuzz/test-replay-config
%C%_fuzz_test_replay_config_SOURCES = %D%/fuzz/replay-corpus.c %D%/fuzz/fuzz-config.c
%C%_fuzz_test_replay_config_CPPFLAGS = $(AM_CPPFLAGS) -DCORPUS=\"config\"
dist_check_SCRIPTS += %D%/cli/config.sh %D%/cli/config-suggest.sh %D%/cli/nowait.sh %D%/cli/roots.sh %D%/cli/sampled.sh
EXTRA_DIST += %D%/oracles/config.py %D%/oracles/config-suggest.py %D%/oracles/nowait.py %D%/oracles/roots.py %D%/oracles/sampled.py
EXTRA_DIST += %D%/oracles/pinsight-recorded.py
check_PROGRAMS += %D%/base/test-shipped

# A judge of clocks, waits and their causes: runs that it made up itself.
dist_check_SCRIPTS += %D%/cli/mpi-simulator.sh
EXTRA_DIST += %D%/oracles/mpi_simulator.py \
	%D%/oracles/mpi_simulator/__init__.py %D%/oracles/mpi_simulator/archive.py %D%/oracles/mpi_simulator/causes.py \
	%D%/oracles/mpi_simulator/checks.py %D%/oracles/mpi_simulator/clocks.py %D%/oracles/mpi_simulator/ctf.py \
	%D%/oracles/mpi_simulator/engine.py %D%/oracles/mpi_simulator/kineto.py \
	%D%/oracles/mpi_simulator/programs.py %D%/oracles/mpi_simulator/tau.py \
	%D%/oracles/mpi_simulator/waits.py %D%/oracles/simulated_answers.py %D%/oracles/thread_locks.py \
	%D%/oracles/window_locks.py %D%/oracles/server_waits.py %D%/oracles/server_simulator.py
# Not a test of its own: tests/cli/ctf-events.sh runs it.
EXTRA_PROGRAMS += %D%/formats/ctf-events
check_DATA += %D%/formats/ctf-events$(EXEEXT)
%C%_formats_ctf_events_CPPFLAGS = $(AM_CPPFLAGS) $(BABELTRACE2_CFLAGS)
%C%_formats_ctf_events_LDADD = $(LDADD) $(BABELTRACE2_LIBS)
dist_check_SCRIPTS += %D%/cli/ctf-events.sh %D%/cli/ctf2.sh %D%/cli/ctf-ranges.sh %D%/cli/ctf-growth.sh %D%/cli/ctf-perf.sh %D%/cli/archives.sh %D%/cli/kernel-states.sh \
	%D%/cli/kernel-devices.sh %D%/cli/user-states.sh %D%/cli/binaries.sh
EXTRA_DIST += %D%/oracles/ctf2.py %D%/oracles/ctf_ranges.py %D%/oracles/ctf_headers.py %D%/oracles/ctf_growth.py %D%/oracles/kernel_states.py %D%/oracles/kernel_devices.py \
	%D%/oracles/user_states.py %D%/oracles/binaries.py %D%/oracles/perf_sched.py

# Programs of CUDA without a GPU: a driver that runs kernels as `probe run` does, and a program that uses it.
EXTRA_PROGRAMS += tests/gpu/cuda-program
EXTRA_LTLIBRARIES += tests/gpu/libcuda.la
check_DATA += tests/gpu/cuda-program$(EXEEXT) tests/gpu/libcuda.la
tests_gpu_cuda_program_SOURCES = %D%/gpu/cuda-program.c
tests_gpu_cuda_program_CFLAGS = -std=c11 -D_DEFAULT_SOURCE $(WARN_CFLAGS) -Wno-pedantic
tests_gpu_cuda_program_LDADD = -ldl
# Again, for these have to be position-independent.
tests_gpu_libcuda_la_SOURCES = %D%/gpu/stand-in-cuda.c \
	src/gpu/run/access.c \
	src/gpu/run/control.c \
	src/gpu/run/convert.c \
	src/gpu/run/decode.c \
	src/gpu/run/group.c \
	src/gpu/run/integer.c \
	src/gpu/run/launch.c \
	src/gpu/run/matrix.c \
	src/gpu/run/memory.c \
	src/gpu/run/opcodes.c \
	src/gpu/run/real.c \
	src/gpu/run/schedule.c \
	src/gpu/run/values.c \
	src/gpu/run/words.c \
	src/gpu/regions.c \
	formats/ptx/lexer.c \
	formats/ptx/module.c \
	formats/ptx/parse-body.c \
	formats/ptx/parse-declare.c \
	formats/ptx/parse-instruction.c \
	formats/ptx/parser.c \
	formats/ptx/scopes.c \
	formats/ptx/type.c \
	formats/neutrino/arena.c \
	src/base/error.c
# Without a sanitizer: the program that loads it has none.
tests_gpu_libcuda_la_CFLAGS = $(GLIB_CFLAGS) $(SQLITE_CFLAGS) $(WARN_CFLAGS) $(PREFIX_MAP_CFLAGS) -fvisibility=hidden -Wno-missing-prototypes -Wno-pedantic
tests_gpu_libcuda_la_LDFLAGS = -module -Wl,-Bsymbolic -avoid-version -shared -rpath /nowhere \
	-Wl,--no-undefined -Wl,--version-script=$(srcdir)/%D%/gpu/stand-in-cuda.map
tests_gpu_libcuda_la_LIBADD = $(GLIB_LIBS) -lm
EXTRA_DIST += %D%/gpu/stand-in-cuda.map %D%/gpu/fat-binary.py
dist_check_SCRIPTS += %D%/cli/probe-record.sh
