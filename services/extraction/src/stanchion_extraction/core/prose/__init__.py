"""Free text read by rules: what it states becomes claims, what it wants becomes intents, and never the other way round."""
