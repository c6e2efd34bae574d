"""Free text read by rules: what it states becomes claims, what it wants intents, never the other way round."""
