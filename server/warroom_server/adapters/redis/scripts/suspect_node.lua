-- Note that a node was found without a lease, before its rooms are claimed: 1, or 0 if it holds its lease.
-- KEYS: how often each node was found without a lease, the lease. ARGV: owner.
if redis.call('EXISTS', KEYS[2]) == 1 then
  return 0
end
redis.call('HINCRBY', KEYS[1], ARGV[1], 1)
return 1
