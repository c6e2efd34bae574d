"""Client and command line of Stanchion: what a team knows, and whether it still holds."""
