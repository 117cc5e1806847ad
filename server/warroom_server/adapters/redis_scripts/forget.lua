-- Take a node off the list once it has neither a lease nor rooms: 1 if it was taken off.
-- KEYS: the list, the node's lease, the node's rooms. ARGV: owner.
if redis.call('EXISTS', KEYS[2], KEYS[3]) > 0 then
  return 0
end
return redis.call('SREM', KEYS[1], ARGV[1])
