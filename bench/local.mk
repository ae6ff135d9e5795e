# Benchmarks and generators: not tests, built on demand. Tests use gen-tau, so `make check` builds it.
EXTRA_PROGRAMS += bench/gen-tau
bench_gen_tau_SOURCES = \
	%D%/gen-tau.c \
	%D%/tau-program.c %D%/tau-program.h \
	%D%/tau-rows.h \
	%D%/tau-writer.c %D%/tau-writer.h
bench_gen_tau_LDADD = $(GLIB_LIBS)
check_DATA += bench/gen-tau$(EXEEXT)

# The limit of import: the bare insert.
EXTRA_PROGRAMS += bench/bench-insert
bench_bench_insert_SOURCES = %D%/bench-insert.c
