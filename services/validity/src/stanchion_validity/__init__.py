"""Validity: keeps decisions and rules standing on what they rest on."""
