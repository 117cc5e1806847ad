-- Create a room with its first entry: 1 if it exists under this nonce, 0 if the number is taken.
-- KEYS: record, log, replay. ARGV: owner, epoch, nonce, entry, chain, rules.
local made = redis.call('HGET', KEYS[1], 'made')
if made == ARGV[3] then
  redis.call('HSET', KEYS[1], 'made', made) -- WAIT waits only after a write
end
made = made or redis.call('HGET', KEYS[3], 'made')
if made then
  return made == ARGV[3] and 1 or 0
end
redis.call('HSET', KEYS[1], 'owner', ARGV[1], 'epoch', ARGV[2], 'made', ARGV[3], 'rules', ARGV[6])
redis.call('XADD', KEYS[2], '1-0', 'entry', ARGV[4], 'chain', ARGV[5])
return 1
