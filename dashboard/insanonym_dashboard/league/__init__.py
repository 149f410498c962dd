"""The pages of a league: teams sign in with a code, hand in, and see the table."""
