"""The wire between Warroom's server and its clients: messages, codec, patches, codes."""
