-- Take or renew the lease of a node; return how often other nodes found it ended, and began to claim its rooms.
-- KEYS: all nodes, nodes that gave up their lease, how often each was found without one, the lease.
-- ARGV: owner, value of the lease, milliseconds.
redis.call('SET', KEYS[4], ARGV[2], 'PX', ARGV[3])
redis.call('SADD', KEYS[1], ARGV[1])
redis.call('SREM', KEYS[2], ARGV[1])
return tonumber(redis.call('HGET', KEYS[3], ARGV[1]) or 0)
