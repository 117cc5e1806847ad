-- Remove a node that has neither a lease nor rooms: 1 if it was removed.
-- KEYS: all nodes, nodes that gave up their lease, how often each was found without one, the lease, the rooms of the node.
-- ARGV: owner.
if redis.call('EXISTS', KEYS[4], KEYS[5]) > 0 then
  return 0
end
redis.call('SREM', KEYS[2], ARGV[1])
redis.call('HDEL', KEYS[3], ARGV[1])
return redis.call('SREM', KEYS[1], ARGV[1])
