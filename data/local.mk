# SPDX-License-Identifier: Apache-2.0
# Shipped data.
exampleranksdir = $(pkgdatadir)/examples/tau-mpi4
dist_exampleranks_DATA = \
	%D%/tau-mpi4/events.0.edf %D%/tau-mpi4/tautrace.0.0.0.trc \
	%D%/tau-mpi4/events.1.edf %D%/tau-mpi4/tautrace.1.0.0.trc \
	%D%/tau-mpi4/events.2.edf %D%/tau-mpi4/tautrace.2.0.0.trc \
	%D%/tau-mpi4/events.3.edf %D%/tau-mpi4/tautrace.3.0.0.trc
examplemergeddir = $(pkgdatadir)/examples/tau-merged
dist_examplemerged_DATA = %D%/tau-merged/run.trc %D%/tau-merged/run.edf
EXTRA_DIST += %D%/databases %D%/generators/databases.sh
EXTRA_DIST += %D%/kineto %D%/generators/kineto.py %D%/collectives %D%/generators/collectives.py
EXTRA_DIST += %D%/kineto %D%/generators/kineto.py
EXTRA_DIST += %D%/nsys %D%/generators/nsys.py
EXTRA_DIST += %D%/otf2
EXTRA_DIST += %D%/recorded
EXTRA_DIST += %D%/rocprof %D%/generators/rocprof.py
EXTRA_DIST += %D%/ctf-hosts %D%/ctf-devices %D%/ctf-lttng %D%/generators/ctf.py
EXTRA_DIST += %D%/pi-run %D%/pi-g1 %D%/pi-g2 %D%/pi-doc %D%/generators/pi.py %D%/generators/ur-releases.py
EXTRA_DIST += %D%/chrome %D%/generators/chrome.py
EXTRA_DIST += %D%/README.md %D%/generators/tau.sh %D%/succeed %D%/fail
EXTRA_DIST += %D%/framework %D%/generators/framework.py %D%/generators/job.py
EXTRA_DIST += %D%/README.md %D%/generators/tau.sh %D%/generators/job-2x1.py %D%/job-2x1 %D%/succeed %D%/fail
dist_pkgdata_DATA = %D%/name-rules.ini %D%/pinsight-domains.tsv %D%/pinsight-operations.tsv
EXTRA_DIST += %D%/pinsight
EXTRA_DIST += %D%/generators/neutrino.py %D%/neutrino-new %D%/neutrino-old %D%/neutrino-hip %D%/neutrino-cap %D%/neutrino-dynamic
EXTRA_DIST += %D%/neutrino-odd-device %D%/neutrino-odd-small %D%/neutrino-odd-file %D%/neutrino-times %D%/neutrino-seed
EXTRA_DIST += %D%/neutrino
# What the command `completion` prints; each shell looks for a name of its own in a folder of its own.
completiondir = $(pkgdatadir)/completion
dist_completion_DATA = %D%/completion/tracetool.bash %D%/completion/tracetool.zsh %D%/completion/tracetool.fish
install-data-hook: install-completion
install-completion:
	$(MKDIR_P) '$(DESTDIR)$(bashcompletiondir)' '$(DESTDIR)$(zshcompletiondir)' '$(DESTDIR)$(fishcompletiondir)'
	$(INSTALL_DATA) '$(srcdir)/%D%/completion/tracetool.bash' '$(DESTDIR)$(bashcompletiondir)/tracetool'
	$(INSTALL_DATA) '$(srcdir)/%D%/completion/tracetool.zsh' '$(DESTDIR)$(zshcompletiondir)/_tracetool'
	$(INSTALL_DATA) '$(srcdir)/%D%/completion/tracetool.fish' '$(DESTDIR)$(fishcompletiondir)/tracetool.fish'
uninstall-hook: uninstall-completion
uninstall-completion:
	rm -f '$(DESTDIR)$(bashcompletiondir)/tracetool' '$(DESTDIR)$(zshcompletiondir)/_tracetool' \
		'$(DESTDIR)$(fishcompletiondir)/tracetool.fish'
.PHONY: install-completion uninstall-completion
