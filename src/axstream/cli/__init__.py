"""The command: arguments, terminal, exit codes; the only place that opens registries and hands objects down."""
