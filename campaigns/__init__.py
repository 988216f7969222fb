"""Long runs against real programs, with the figures that the claims need; ``python -m campaigns`` runs them."""
