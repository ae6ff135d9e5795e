# SPDX-License-Identifier: Apache-2.0
# Benchmarks and generators: not tests, built on demand. Tests use gen-tau, so `make check` builds it.
EXTRA_PROGRAMS += bench/gen-tau
bench_gen_tau_SOURCES = \
	%D%/gen-tau.c \
	%D%/tau-program.c %D%/tau-program.h \
	%D%/tau-rows.h \
	%D%/tau-writer.c %D%/tau-writer.h
bench_gen_tau_LDADD = $(GLIB_LIBS)
check_DATA += bench/gen-tau$(EXEEXT)

# What bench/run.sh calls.
BENCH_TOOLS = bench/gen-tau$(EXEEXT) bench/bench-run$(EXEEXT) bench/bench-read$(EXEEXT) bench/bench-decode$(EXEEXT) \
	bench/bench-insert$(EXEEXT)
EXTRA_PROGRAMS += bench/bench-run bench/bench-read bench/bench-decode
bench_bench_run_SOURCES = %D%/bench-run.c
bench_bench_run_LDADD =
bench_bench_read_SOURCES = %D%/bench-read.c
bench_bench_read_LDADD =
bench_bench_decode_SOURCES = %D%/bench-decode.c
EXTRA_DIST += %D%/lib.sh %D%/run.sh %D%/run-json.sh %D%/run-ctf.sh %D%/job-accuracy.sh
# The limit of import: the bare insert.
EXTRA_PROGRAMS += bench/bench-insert
bench_bench_insert_SOURCES = %D%/bench-insert.c
# The callbacks of the reader library.
EXTRA_PROGRAMS += bench/bench-callbacks
bench_bench_callbacks_SOURCES = %D%/bench-callbacks.c
bench_bench_callbacks_LDADD = libtracetool-tau.la
BENCH_TOOLS += bench/bench-callbacks$(EXEEXT)
# The bare JSON scanner.
EXTRA_PROGRAMS += bench/bench-json
bench_bench_json_SOURCES = %D%/bench-json.c
BENCH_TOOLS += bench/bench-json$(EXEEXT)
# Trace-event JSON. Tests use it too.
EXTRA_PROGRAMS += bench/gen-trace-json
bench_gen_trace_json_SOURCES = %D%/gen-trace-json.c
bench_gen_trace_json_LDADD = $(GLIB_LIBS)
check_DATA += bench/gen-trace-json$(EXEEXT)
BENCH_TOOLS += bench/gen-trace-json$(EXEEXT)
# A what-if on a large job.
EXTRA_PROGRAMS += bench/bench-simulate
bench_bench_simulate_SOURCES = %D%/bench-simulate.c
BENCH_TOOLS += bench/bench-simulate$(EXEEXT)
# Neutrino's traces.
EXTRA_PROGRAMS += bench/gen-neutrino bench/bench-neutrino
bench_gen_neutrino_SOURCES = %D%/gen-neutrino.c
bench_gen_neutrino_LDADD = $(GLIB_LIBS)
bench_bench_neutrino_SOURCES = %D%/bench-neutrino.c
BENCH_TOOLS += bench/gen-neutrino$(EXEEXT) bench/bench-neutrino$(EXEEXT)
EXTRA_DIST += %D%/run-neutrino.sh
# PI traces.
EXTRA_PROGRAMS += bench/gen-pi
bench_gen_pi_SOURCES = %D%/gen-pi.c
bench_gen_pi_LDADD = libpi.la $(GLIB_LIBS)
BENCH_TOOLS += bench/gen-pi$(EXEEXT)
EXTRA_DIST += %D%/run-pi.sh
EXTRA_DIST += %D%/run-pi-record.sh
# Graphs of operations, own and igraph's algorithms.
EXTRA_PROGRAMS += bench/bench-graphs
bench_bench_graphs_SOURCES = %D%/bench-graphs.c
BENCH_TOOLS += bench/bench-graphs$(EXEEXT)
EXTRA_DIST += %D%/run-graphs.sh
EXTRA_DIST += %D%/run-clocks.sh %D%/run-mpi.sh
