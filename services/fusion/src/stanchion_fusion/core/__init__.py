"""The rules of fusion, pure: what a workspace keeps, and how a belief is stated."""
