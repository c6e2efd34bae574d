"""What happens to a message."""
