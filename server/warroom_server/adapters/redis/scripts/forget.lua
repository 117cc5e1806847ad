-- Take a node off the lists once it has neither a lease nor rooms: 1 if it was taken off.
-- KEYS: the list of all, of those that gave their lease up, how often each was found without a lease, the
-- node's lease, its rooms. ARGV: owner.
if redis.call('EXISTS', KEYS[4], KEYS[5]) > 0 then
  return 0
end
redis.call('SREM', KEYS[2], ARGV[1])
redis.call('HDEL', KEYS[3], ARGV[1])
return redis.call('SREM', KEYS[1], ARGV[1])
