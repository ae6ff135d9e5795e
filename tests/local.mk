# Tests: g_test programs and shell scripts, both speak TAP.
TESTS = $(check_PROGRAMS) $(dist_check_SCRIPTS)
TEST_EXTENSIONS = .sh
TAP_DRIVER = env AM_TAP_AWK='$(AWK)' $(SHELL) $(top_srcdir)/build-aux/tap-driver.sh
LOG_DRIVER = $(TAP_DRIVER)
SH_LOG_DRIVER = $(TAP_DRIVER)
SH_LOG_COMPILER = $(SHELL)
# GLib prints TAP by default since 2.62, so no flag is needed for the g_test programs.
AM_TESTS_ENVIRONMENT = \
	export G_TEST_SRCDIR='$(abs_top_srcdir)/tests'; \
	export G_TEST_BUILDDIR='$(abs_top_builddir)/tests'; \
	export TRACETOOL='$(abs_top_builddir)/tracetool'; \
	export TRACETOOL_DATA='$(abs_top_srcdir)/data'; \
	export SRCDIR='$(abs_top_srcdir)'; \
	export BUILDDIR='$(abs_top_builddir)'; \
	export SHARED_DATA='$(abs_top_srcdir)/../shared/data'; \
	export ASAN_OPTIONS=fast_unwind_on_malloc=0; \
	export LSAN_OPTIONS=suppressions='$(abs_top_srcdir)/tests/lsan.supp':print_suppressions=0; \
	export LC_ALL=C; unset TRACETOOL_DB;
EXTRA_DIST += tests/lsan.supp tests/valgrind.supp
dist_check_SCRIPTS += tests/cli-generated.sh

check_PROGRAMS += tests/test-spill
tests_test_spill_SOURCES = tests/test-spill.c

check_PROGRAMS += tests/test-nest
tests_test_nest_SOURCES = tests/test-nest.c
check_PROGRAMS += tests/test-around
tests_test_around_SOURCES = tests/test-around.c
check_PROGRAMS += tests/test-arrange
tests_test_arrange_SOURCES = tests/test-arrange.c
check_PROGRAMS += %D%/test-sorter
check_PROGRAMS += %D%/test-output
check_PROGRAMS += %D%/test-units

dist_check_SCRIPTS += %D%/layers.sh
dist_check_SCRIPTS += %D%/dist.sh
EXTRA_DIST += %D%/vocabulary.txt
dist_check_SCRIPTS += %D%/cli-oracle.sh
dist_check_SCRIPTS += %D%/cli-kill.sh
dist_check_SCRIPTS += %D%/cli-stop.sh
dist_check_SCRIPTS += %D%/cli-examples.sh
EXTRA_DIST += %D%/oracle-tau.py %D%/fuzz.sh %D%/minimal-root.sh
check_PROGRAMS += %D%/test-input

check_PROGRAMS += tests/test-names
tests_test_names_SOURCES = tests/test-names.c
check_PROGRAMS += %D%/test-selection
check_PROGRAMS += %D%/test-report
check_PROGRAMS += %D%/test-suggest

check_PROGRAMS += %D%/test-graph
tests_test_graph_SOURCES = %D%/test-graph.c
check_PROGRAMS += %D%/test-nccl
tests_test_nccl_SOURCES = %D%/test-nccl.c
check_PROGRAMS += %D%/test-schedule
tests_test_schedule_SOURCES = %D%/test-schedule.c
check_PROGRAMS += %D%/test-tensor-bytes
check_PROGRAMS += %D%/test-job-graph
tests_test_job_graph_SOURCES = %D%/test-job-graph.c
check_PROGRAMS += %D%/test-tally

check_PROGRAMS += %D%/test-chrome
dist_check_SCRIPTS += %D%/cli-export.sh
EXTRA_DIST += %D%/check-chrome.py
check_PROGRAMS += %D%/test-measured-path
tests_test_measured_path_SOURCES = %D%/test-measured-path.c %D%/trace.h
check_PROGRAMS += %D%/test-event-stats

check_PROGRAMS += tests/test-store
tests_test_store_SOURCES = tests/test-store.c tests/store-example.c tests/store-example.h
check_PROGRAMS += tests/test-store-import
tests_test_store_import_SOURCES = tests/test-store-import.c tests/store-example.c tests/store-example.h
check_PROGRAMS += tests/test-schema-doc
tests_test_schema_doc_SOURCES = tests/test-schema-doc.c tests/store-example.c tests/store-example.h
check_PROGRAMS += %D%/test-comm
dist_check_SCRIPTS += %D%/cli-main.sh
dist_check_SCRIPTS += %D%/cli-help.sh
dist_check_SCRIPTS += %D%/cli-completion.sh
dist_check_SCRIPTS += %D%/cli-import.sh
dist_check_SCRIPTS += %D%/cli-info.sh
dist_check_SCRIPTS += %D%/cli-stats.sh
dist_check_SCRIPTS += %D%/cli-comm.sh
EXTRA_DIST += %D%/cli-lib.sh %D%/tau-callbacks.py
check_PROGRAMS += %D%/test-dep-graph
tests_test_dep_graph_SOURCES = %D%/test-dep-graph.c %D%/trace.h

# The reader and writer library for other programs: helpers of tests/cli-tau-library.sh and a program of its own.
TAU_TEST_CFLAGS = -std=c11 $(WARN_CFLAGS) $(SANITIZER_CFLAGS) $(COVERAGE_CFLAGS)
EXTRA_PROGRAMS += tests/tau-callbacks tests/tau-copy tests/tau-seed
check_DATA += tests/tau-callbacks$(EXEEXT) tests/tau-copy$(EXEEXT) tests/tau-seed$(EXEEXT)
tests_tau_callbacks_SOURCES = %D%/tau-callbacks.c
tests_tau_callbacks_CFLAGS = $(TAU_TEST_CFLAGS)
tests_tau_callbacks_LDADD = libtracetool-tau.la
tests_tau_copy_SOURCES = %D%/tau-copy.c
tests_tau_copy_CFLAGS = $(TAU_TEST_CFLAGS)
tests_tau_copy_LDADD = libtracetool-tau.la
tests_tau_seed_SOURCES = %D%/tau-seed.c
tests_tau_seed_CPPFLAGS = -I$(top_srcdir)/formats/tau
tests_tau_seed_CFLAGS = $(TAU_TEST_CFLAGS)
tests_tau_seed_LDADD = libtracetool-tau.la
check_PROGRAMS += %D%/test-tau-library
tests_test_tau_library_SOURCES = %D%/test-tau-library.c
tests_test_tau_library_LDADD = libtracetool-tau.la $(GLIB_LIBS)
dist_check_SCRIPTS += %D%/cli-tau-library.sh
check_PROGRAMS += %D%/test-replay-tau-trc
%C%_test_replay_tau_trc_SOURCES = %D%/replay-corpus.c %D%/fuzz-tau-trc.c
%C%_test_replay_tau_trc_CPPFLAGS = $(AM_CPPFLAGS) -DCORPUS=\"tau-trc\"
check_PROGRAMS += %D%/test-replay-ctf-metadata
%C%_test_replay_ctf_metadata_SOURCES = %D%/replay-corpus.c %D%/fuzz-ctf-metadata.c
%C%_test_replay_ctf_metadata_CPPFLAGS = $(AM_CPPFLAGS) -DCORPUS=\"ctf-metadata\"
check_PROGRAMS += %D%/test-replay-tau-edf
%C%_test_replay_tau_edf_SOURCES = %D%/replay-corpus.c %D%/fuzz-tau-edf.c
%C%_test_replay_tau_edf_CPPFLAGS = $(AM_CPPFLAGS) -DCORPUS=\"tau-edf\"
check_PROGRAMS += %D%/test-replay-tau-api
%C%_test_replay_tau_api_SOURCES = %D%/replay-corpus.c %D%/fuzz-tau-api.c
%C%_test_replay_tau_api_CPPFLAGS = $(AM_CPPFLAGS) -DCORPUS=\"tau-api\"
check_PROGRAMS += %D%/test-replay-arrange
%C%_test_replay_arrange_SOURCES = %D%/replay-corpus.c %D%/fuzz-arrange.c
%C%_test_replay_arrange_CPPFLAGS = $(AM_CPPFLAGS) -DCORPUS=\"arrange\"
EXTRA_DIST += %D%/corpus
dist_check_SCRIPTS += %D%/cli-depgraph.sh %D%/cli-critical-path.sh

check_PROGRAMS += %D%/test-tau-edf
check_PROGRAMS += %D%/test-tau-name
check_PROGRAMS += %D%/test-tau-import
%C%_test_tau_import_SOURCES = %D%/test-tau-import.c %D%/tau-test.c %D%/tau-test.h
%C%_test_tau_import_LDADD = $(LDADD) $(ZLIB_LIBS)
check_PROGRAMS += %D%/test-tau-golden
%C%_test_tau_golden_SOURCES = %D%/test-tau-golden.c %D%/tau-test.c %D%/tau-test.h
check_PROGRAMS += %D%/test-format
%C%_test_format_SOURCES = %D%/test-format.c %D%/tau-test.c %D%/tau-test.h
check_PROGRAMS += %D%/test-steps

check_PROGRAMS += %D%/test-job-parts
EXTRA_PROGRAMS += tests/load-events
check_DATA += tests/load-events$(EXEEXT)
tests_load_events_SOURCES = %D%/load-events.c
dist_check_SCRIPTS += %D%/cli-simulate.sh
check_PROGRAMS += %D%/test-what-if
dist_check_SCRIPTS += %D%/cli-steps.sh
EXTRA_DIST += %D%/oracle-steps.py %D%/template-events.py

check_PROGRAMS += %D%/test-framework-names

check_PROGRAMS += %D%/test-args-merge
check_PROGRAMS += %D%/test-flow-join
check_PROGRAMS += %D%/test-store-args
tests_test_store_args_SOURCES = %D%/test-store-args.c %D%/store-example.c %D%/store-example.h
dist_check_SCRIPTS += %D%/cli-job.sh
EXTRA_DIST += %D%/oracle-job.py
check_PROGRAMS += %D%/test-replay-job
%C%_test_replay_job_SOURCES = %D%/replay-corpus.c %D%/fuzz-job.c
%C%_test_replay_job_CPPFLAGS = $(AM_CPPFLAGS) -DCORPUS=\"job\"

# The JSON scanner.
check_PROGRAMS += %D%/test-json %D%/test-json-values %D%/test-json-random %D%/test-replay-json
%C%_test_json_SOURCES = %D%/test-json.c %D%/json-tokens.h
%C%_test_json_values_SOURCES = %D%/test-json-values.c %D%/json-tokens.h
%C%_test_json_random_SOURCES = %D%/test-json-random.c %D%/json-tokens.h
%C%_test_replay_json_SOURCES = %D%/replay-corpus.c %D%/fuzz-json.c %D%/json-tokens.h
%C%_test_replay_json_CPPFLAGS = $(AM_CPPFLAGS) -DCORPUS=\"json\"
%C%_test_json_CFLAGS = $(AM_CFLAGS) $(YAJL_CFLAGS)
%C%_test_json_LDADD = $(LDADD) $(YAJL_LIBS)
%C%_test_json_values_CFLAGS = $(AM_CFLAGS) $(YAJL_CFLAGS)
%C%_test_json_values_LDADD = $(LDADD) $(YAJL_LIBS)
%C%_test_json_random_CFLAGS = $(AM_CFLAGS) $(YAJL_CFLAGS)
%C%_test_json_random_LDADD = $(LDADD) $(YAJL_LIBS)
%C%_test_replay_json_CFLAGS = $(AM_CFLAGS) $(YAJL_CFLAGS)
%C%_test_replay_json_LDADD = $(LDADD) $(YAJL_LIBS)

check_PROGRAMS += %D%/test-replay-trace-json
%C%_test_replay_trace_json_SOURCES = %D%/replay-corpus.c %D%/fuzz-trace-json.c %D%/trace-json.h
%C%_test_replay_trace_json_CPPFLAGS = $(AM_CPPFLAGS) -DCORPUS=\"trace-json\"
check_PROGRAMS += %D%/test-trace-json
%C%_test_trace_json_SOURCES = %D%/test-trace-json.c %D%/trace-json.h
EXTRA_DIST += %D%/oracle-trace-json.py %D%/round-trip.py
check_PROGRAMS += %D%/test-kineto
dist_check_SCRIPTS += %D%/cli-device-path.sh
EXTRA_DIST += %D%/oracle-path.py
dist_check_SCRIPTS += %D%/cli-kineto.sh
dist_check_SCRIPTS += %D%/cli-ctf.sh
EXTRA_DIST += %D%/oracle-ctf.py %D%/damage-ctf.py
EXTRA_DIST += %D%/oracle-kineto.py
check_PROGRAMS += %D%/test-parameters
check_PROGRAMS += %D%/test-fine-category
dist_check_SCRIPTS += %D%/cli-framework.sh
EXTRA_DIST += %D%/oracle-framework.py
check_PROGRAMS += %D%/test-replay-framework
%C%_test_replay_framework_SOURCES = %D%/replay-corpus.c %D%/fuzz-framework.c
%C%_test_replay_framework_CPPFLAGS = $(AM_CPPFLAGS) -DCORPUS=\"framework\"
dist_check_SCRIPTS += %D%/cli-nccl.sh %D%/cli-job-graph.sh
dist_check_SCRIPTS += %D%/cli-generated-job.sh
EXTRA_DIST += %D%/oracle-generated.py
EXTRA_DIST += %D%/oracle-trail.py
check_PROGRAMS += %D%/test-replay-graphs
%C%_test_replay_graphs_SOURCES = %D%/replay-corpus.c %D%/fuzz-graphs.c
%C%_test_replay_graphs_CPPFLAGS = $(AM_CPPFLAGS) -DCORPUS=\"graphs\"
dist_check_SCRIPTS += %D%/cli-trace-json.sh
dist_check_SCRIPTS += %D%/cli-neutrino.sh
EXTRA_DIST += %D%/oracle-neutrino.py
check_PROGRAMS += %D%/test-replay-neutrino-bin
%C%_test_replay_neutrino_bin_SOURCES = %D%/replay-corpus.c %D%/fuzz-neutrino-bin.c
%C%_test_replay_neutrino_bin_CPPFLAGS = $(AM_CPPFLAGS) -DCORPUS=\"neutrino-bin\"
check_PROGRAMS += %D%/test-replay-neutrino-log
%C%_test_replay_neutrino_log_SOURCES = %D%/replay-corpus.c %D%/fuzz-neutrino-log.c
%C%_test_replay_neutrino_log_CPPFLAGS = $(AM_CPPFLAGS) -DCORPUS=\"neutrino-log\"
check_PROGRAMS += %D%/test-replay-neutrino-toml
%C%_test_replay_neutrino_toml_SOURCES = %D%/replay-corpus.c %D%/fuzz-neutrino-toml.c
%C%_test_replay_neutrino_toml_CPPFLAGS = $(AM_CPPFLAGS) -DCORPUS=\"neutrino-toml\"
check_PROGRAMS += %D%/test-neutrino-layout

# Probes: the compiler, run on machines of its own.
PROBE_MACHINES = tests/probe-run.c tests/probe-run.h tests/probe-run-ir.c tests/probe-run-ptx.c tests/probe-run-gcn.c
PROBE_SOURCES = tests/probe-source.c tests/probe-source.h tests/probe-source-private.h \
	tests/probe-source-print.c tests/probe-source-run.c
check_PROGRAMS += %D%/test-probe-random
%C%_test_probe_random_SOURCES = %D%/test-probe-random.c $(PROBE_SOURCES) $(PROBE_MACHINES)
EXTRA_PROGRAMS += tests/wrap-probe
check_DATA += tests/wrap-probe$(EXEEXT)
tests_wrap_probe_SOURCES = %D%/wrap-probe.c $(PROBE_MACHINES)
EXTRA_PROGRAMS += tests/random-probe
check_DATA += tests/random-probe$(EXEEXT)
tests_random_probe_SOURCES = %D%/random-probe.c $(PROBE_SOURCES) $(PROBE_MACHINES)
check_PROGRAMS += %D%/test-probe %D%/test-probe-output
dist_check_SCRIPTS += %D%/cli-probe.sh
check_PROGRAMS += %D%/test-replay-probe
%C%_test_replay_probe_SOURCES = %D%/replay-corpus.c %D%/fuzz-probe.c $(PROBE_MACHINES)
%C%_test_replay_probe_CPPFLAGS = $(AM_CPPFLAGS) -DCORPUS=\"probe\"
check_PROGRAMS += %D%/test-pi-side
check_PROGRAMS += %D%/test-replay-pi-desc %D%/test-replay-pi-graph
%C%_test_replay_pi_desc_SOURCES = %D%/replay-corpus.c %D%/fuzz-pi-desc.c
%C%_test_replay_pi_desc_CPPFLAGS = $(AM_CPPFLAGS) -DCORPUS=\"pi-desc\"
%C%_test_replay_pi_graph_SOURCES = %D%/replay-corpus.c %D%/fuzz-pi-graph.c
%C%_test_replay_pi_graph_CPPFLAGS = $(AM_CPPFLAGS) -DCORPUS=\"pi-graph\"
check_PROGRAMS += %D%/test-pi-api

# A host for PI: a program with a runtime in it, a plugin, a framework; see tests/pi-host/README.md.
PI_HOST_CFLAGS = -std=c11 -D_DEFAULT_SOURCE $(WARN_CFLAGS) -Wno-pedantic
PI_HOST_MODULE = -module -avoid-version -shared -rpath /nowhere
EXTRA_DIST += %D%/pi-host/README.md
EXTRA_PROGRAMS += tests/pi-host/program tests/pi-host/ur-program
EXTRA_LTLIBRARIES = tests/pi-host/libpi_opencl.la tests/pi-host/libxptifw.la
check_DATA += tests/pi-host/program$(EXEEXT) tests/pi-host/ur-program$(EXEEXT) tests/pi-host/libpi_opencl.la
if HAVE_CXX
check_DATA += tests/pi-host/libxptifw.la
endif
tests_pi_host_program_SOURCES = %D%/pi-host/program.c %D%/pi-host/pi-host.h
tests_pi_host_program_CFLAGS = $(PI_HOST_CFLAGS)
tests_pi_host_program_LDADD = -ldl -lpthread
tests_pi_host_ur_program_SOURCES = %D%/pi-host/ur-program.c %D%/pi-host/pi-host.h
tests_pi_host_ur_program_CFLAGS = $(PI_HOST_CFLAGS)
tests_pi_host_ur_program_LDADD = -ldl -lpthread
tests_pi_host_libpi_opencl_la_SOURCES = %D%/pi-host/plugin.c %D%/pi-host/pi-host.h
tests_pi_host_libpi_opencl_la_CFLAGS = $(PI_HOST_CFLAGS) -fvisibility=hidden
tests_pi_host_libpi_opencl_la_LDFLAGS = $(PI_HOST_MODULE)
tests_pi_host_libxptifw_la_SOURCES = %D%/pi-host/framework.cpp %D%/pi-host/pi-host.h
tests_pi_host_libxptifw_la_CXXFLAGS = -std=c++11 -Wall -Wextra
tests_pi_host_libxptifw_la_LDFLAGS = $(PI_HOST_MODULE)
EXTRA_PROGRAMS += tests/pi-calls
check_DATA += tests/pi-calls$(EXEEXT)
tests_pi_calls_SOURCES = %D%/pi-calls.c
dist_check_SCRIPTS += %D%/cli-pi-record.sh
EXTRA_DIST += %D%/pi-host/lib.sh %D%/oracle-pi-native.py
check_PROGRAMS += %D%/test-pi-print
dist_check_SCRIPTS += %D%/cli-pi-print.sh
EXTRA_DIST += %D%/oracle-pi-print.py %D%/make-pi-ur.py
EXTRA_DIST += %D%/oracle-pi-print.py
dist_check_SCRIPTS += %D%/cli-pi.sh
EXTRA_DIST += %D%/oracle-pi.py
check_PROGRAMS += %D%/test-replay-pi-raw
%C%_test_replay_pi_raw_SOURCES = %D%/replay-corpus.c %D%/fuzz-pi-raw.c %D%/pi-fuzz.h
%C%_test_replay_pi_raw_CPPFLAGS = $(AM_CPPFLAGS) -DCORPUS=\"pi-raw\"
check_PROGRAMS += %D%/test-replay-pi-protobuf
%C%_test_replay_pi_protobuf_SOURCES = %D%/replay-corpus.c %D%/fuzz-pi-protobuf.c %D%/pi-fuzz.h
%C%_test_replay_pi_protobuf_CPPFLAGS = $(AM_CPPFLAGS) -DCORPUS=\"pi-protobuf\"
check_PROGRAMS += %D%/test-replay-pi-archive
%C%_test_replay_pi_archive_SOURCES = %D%/replay-corpus.c %D%/fuzz-pi-archive.c %D%/pi-fuzz.h
%C%_test_replay_pi_archive_CPPFLAGS = $(AM_CPPFLAGS) -DCORPUS=\"pi-archive\"
check_PROGRAMS += %D%/test-replay-pi-print
%C%_test_replay_pi_print_SOURCES = %D%/replay-corpus.c %D%/fuzz-pi-print.c
%C%_test_replay_pi_print_CPPFLAGS = $(AM_CPPFLAGS) -DCORPUS=\"pi-print\"
dist_check_SCRIPTS += %D%/cli-pi-pack.sh %D%/cli-pi-replay.sh
EXTRA_DIST += %D%/oracle-pi-archive.py
check_PROGRAMS += %D%/test-replay-pi-native
%C%_test_replay_pi_native_SOURCES = %D%/replay-corpus.c %D%/fuzz-pi-native.c %D%/pi-fuzz.h
%C%_test_replay_pi_native_CPPFLAGS = $(AM_CPPFLAGS) -DCORPUS=\"pi-native\"
check_PROGRAMS += %D%/test-sampling %D%/test-config
check_PROGRAMS += %D%/test-replay-config
%C%_test_replay_config_SOURCES = %D%/replay-corpus.c %D%/fuzz-config.c
%C%_test_replay_config_CPPFLAGS = $(AM_CPPFLAGS) -DCORPUS=\"config\"
dist_check_SCRIPTS += %D%/cli-config.sh
EXTRA_DIST += %D%/oracle-config.py
