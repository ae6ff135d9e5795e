# SPDX-License-Identifier: Apache-2.0
# Documentation.
EXTRA_DIST += %D%/formats.md %D%/limits.md %D%/performance.md %D%/scale.md %D%/slurm-import.sh %D%/pi.md %D%/pinsight-config.md %D%/probes.md \
	%D%/schema.md %D%/training-jobs.md %D%/viewers.md
# What is installed says its version.
EXTRA_DIST += %D%/tracetool.1 %D%/neutrino-compile.1 %D%/TAU_tf.3
nodist_man_MANS = %D%/man/tracetool.1 %D%/man/neutrino-compile.1 %D%/man/TAU_tf.3
CLEANFILES += $(nodist_man_MANS)
%D%/man/%: %D%/% config.status
	$(AM_V_GEN)$(MKDIR_P) $(@D) && $(SED) 's/^\(\.TH .*\)"tracetool"/\1"tracetool $(PACKAGE_VERSION)"/' $< >$@.new && mv $@.new $@
# The picture of architecture.md, drawn from the sources by the program itself.
EXTRA_DIST += %D%/architecture.md %D%/rooms.sh %D%/rooms.svg
# The pictures of README.md, drawn by the program from the example trace.
EXTRA_DIST += %D%/pictures.sh %D%/stats.svg %D%/graph.svg %D%/timeline.svg %D%/roofline.svg
.PHONY: pictures
pictures: tracetool$(EXEEXT)
	$(AM_V_GEN)$(SHELL) $(srcdir)/%D%/pictures.sh '$(abs_builddir)/tracetool' $(srcdir)/data $(srcdir)/%D%
.PHONY: rooms
rooms: tracetool$(EXEEXT)
	$(AM_V_GEN)$(SHELL) $(srcdir)/%D%/rooms.sh $(srcdir) >rooms.gml && \
		$(abs_builddir)/tracetool depgraph --from rooms.gml -o $(srcdir)/%D%/rooms.svg && rm -f rooms.gml
