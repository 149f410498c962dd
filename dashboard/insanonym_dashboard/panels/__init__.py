"""The tabs: each binds widgets to its state and draws what the core returns; no arithmetic here."""
