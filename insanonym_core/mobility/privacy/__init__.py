"""Privacy measures of GPS traces beside the attacks."""
