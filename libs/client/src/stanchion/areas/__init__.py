"""What a client does, one module for each area; `stanchion.client` puts them together."""
