"""Facts derived from the model: links, routes, GIDs, job environments, ASICs, DCQCN parameters."""
