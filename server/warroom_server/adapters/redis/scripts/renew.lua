-- Hold or renew the lease of a node; return how often others found it ended, and set out to claim its rooms.
-- KEYS: the list of all nodes, of those that gave their lease up, how often each was found without one, the lease.
-- ARGV: owner, address, milliseconds.
redis.call('SET', KEYS[4], ARGV[2], 'PX', ARGV[3])
redis.call('SADD', KEYS[1], ARGV[1])
redis.call('SREM', KEYS[2], ARGV[1])
return tonumber(redis.call('HGET', KEYS[3], ARGV[1]) or 0)
