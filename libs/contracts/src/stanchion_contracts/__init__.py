"""Every message on the line and in the interfaces: classes, Avro codec, topics, generated code."""
