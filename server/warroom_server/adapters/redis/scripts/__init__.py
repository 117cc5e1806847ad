"""The Lua scripts of the Redis store: each is one atomic step, and asking it twice does it once."""
