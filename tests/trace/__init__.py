"""The record: encoding, writing, reading."""
