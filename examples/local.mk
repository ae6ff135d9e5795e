# SPDX-License-Identifier: Apache-2.0
# Programs against libtracetool-tau, built by `make check` and shipped as source.
exampledir = $(pkgdatadir)/examples
dist_example_DATA = %D%/tau-summary.c %D%/tau-profile.cpp
EXTRA_PROGRAMS += examples/tau-summary examples/tau-profile
examples_tau_summary_SOURCES = %D%/tau-summary.c
examples_tau_summary_CPPFLAGS = -I$(top_srcdir)/formats/tau
examples_tau_summary_CFLAGS = -std=c11 $(WARN_CFLAGS) $(SANITIZER_CFLAGS)
examples_tau_summary_LDADD = libtracetool-tau.la
examples_tau_profile_SOURCES = %D%/tau-profile.cpp
examples_tau_profile_CPPFLAGS = -I$(top_srcdir)/formats/tau
examples_tau_profile_CXXFLAGS = -std=c++11 -Wall -Wextra $(SANITIZER_CFLAGS)
examples_tau_profile_LDADD = libtracetool-tau.la
check_DATA += examples/tau-summary$(EXEEXT)
if HAVE_CXX
check_DATA += examples/tau-profile$(EXEEXT)
endif
