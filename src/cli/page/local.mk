# SPDX-License-Identifier: Apache-2.0
# The page of `report`: sections, and the texts that do not change, which are files of their own and compiled in.
libtracetool_a_SOURCES += \
	%D%/breakdown.c \
	%D%/comm.c \
	%D%/compare.c \
	%D%/graph.c \
	%D%/imbalance.c \
	%D%/kernels.c \
	%D%/page-write.c \
	%D%/page.c %D%/page.h \
	%D%/path.c \
	%D%/sections.c \
	%D%/span-cells.c %D%/span-cells.h \
	%D%/stats.c \
	%D%/steps.c \
	%D%/timeline.c \
	%D%/transfers.c \
	%D%/trust.c \
	%D%/waits.c
PAGE_TEXTS = %D%/page.html %D%/page.css %D%/page.js %D%/timeline.js
BUILT_SOURCES += %D%/page-texts.h
CLEANFILES += %D%/page-texts.h
EXTRA_DIST += %D%/page-texts.sh $(PAGE_TEXTS)
$(filter %D%/%page-write.$(OBJEXT),$(libtracetool_a_OBJECTS)): %D%/page-texts.h
%D%/page-texts.h: %D%/page-texts.sh $(PAGE_TEXTS)
	$(AM_V_GEN)$(MKDIR_P) %D% && cd $(srcdir) && \
		$(SHELL) %D%/page-texts.sh $(PAGE_TEXTS) >'$(abs_top_builddir)/$@.new' && \
		mv '$(abs_top_builddir)/$@.new' '$(abs_top_builddir)/$@'
