-- Take or renew the lease of a node; return a number that changes when other nodes found the lease ended.
-- KEYS: all nodes, nodes that gave up their lease, how often each was found without one, the lease.
-- ARGV: owner, value of the lease, milliseconds.
redis.call('SET', KEYS[4], ARGV[2], 'PX', ARGV[3])
if redis.call('SADD', KEYS[1], ARGV[1]) == 1 then
  -- The node is new, or others claimed its rooms and removed it with its number. The next number was never used.
  redis.call('HSET', KEYS[3], ARGV[1], redis.call('HINCRBY', KEYS[3], '', 1000000))
end
redis.call('SREM', KEYS[2], ARGV[1])
return tonumber(redis.call('HGET', KEYS[3], ARGV[1]) or 0)
