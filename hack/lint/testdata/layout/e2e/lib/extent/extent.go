package extent
