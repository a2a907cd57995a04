"""The package is installed, not collected."""

collect_ignore_glob = ["package/*"]
