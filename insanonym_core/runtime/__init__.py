"""Work under way: jobs, what is kept between runs and with the data, the memory of the process."""
