"""The dashboard: what the core computes, live on a page."""
