"""axstream."""
