# SPDX-License-Identifier: Apache-2.0
# Documentation.
EXTRA_DIST += %D%/formats.md %D%/performance.md %D%/pi.md %D%/pinsight-config.md %D%/probes.md %D%/schema.md \
	%D%/training-jobs.md
dist_man_MANS = %D%/tracetool.1 %D%/neutrino-compile.1 %D%/TAU_tf.3
# The picture of architecture.md, drawn from the sources by the program itself.
EXTRA_DIST += %D%/architecture.md %D%/rooms.sh %D%/rooms.svg
.PHONY: rooms
rooms: tracetool$(EXEEXT)
	$(AM_V_GEN)$(SHELL) $(srcdir)/%D%/rooms.sh $(srcdir) >rooms.gml && \
		$(abs_builddir)/tracetool depgraph --from rooms.gml -o $(srcdir)/%D%/rooms.svg && rm -f rooms.gml
