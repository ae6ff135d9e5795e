# Documentation.
EXTRA_DIST += %D%/performance.md %D%/formats.md %D%/training-jobs.md %D%/schema.md
EXTRA_DIST += %D%/pi.md %D%/pinsight-config.md %D%/probes.md
EXTRA_DIST += %D%/performance.md %D%/formats.md %D%/training-jobs.md %D%/pi.md %D%/probes.md
EXTRA_DIST += %D%/schema.md %D%/pinsight-config.md
dist_man_MANS = %D%/tracetool.1 %D%/neutrino-compile.1 %D%/TAU_tf.3
