"""Tests of whole studies."""
