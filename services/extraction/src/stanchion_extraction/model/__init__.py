"""The model-based extractor, an optional process beside the line.

It tails `observations` in a consumer group of its own, has a language model name the claims of each text, and submits
them through `requests` like anybody else: with the words they were read from, judged by the same firewall.
`claim.py` says what of an answer is submitted; read it first.
"""
