"""One machine: broker, keys, the six services under one supervisor.

The way in: `up.run`, `down.run`, `status.collect`; for a program `stack.running`. Everything lies under one home
folder, `.stanchion` unless `STANCHION_HOME` names another.
"""
