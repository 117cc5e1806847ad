-- Take a node off the lists once it has neither a lease nor rooms: 1 if it was taken off.
-- KEYS: the list of all, the list of those that gave their lease up, the node's lease, the node's rooms. ARGV: owner.
if redis.call('EXISTS', KEYS[3], KEYS[4]) > 0 then
  return 0
end
redis.call('SREM', KEYS[2], ARGV[1])
return redis.call('SREM', KEYS[1], ARGV[1])
