"""The rules of notarising, pure: signed notes, checkpoints, how a change reads."""
