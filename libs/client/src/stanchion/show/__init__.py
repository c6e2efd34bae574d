"""What a person sees: pure functions from results to text; aligned, quiet, colour only where it means something."""
