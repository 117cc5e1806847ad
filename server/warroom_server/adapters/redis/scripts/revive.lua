-- Take a room up again that the server forgot, with the entry that follows what it still has: answers as of an append.
-- KEYS: record, log, replay. ARGV: owner, epoch, rev, nonce, entry, chain, the chain before the entry (empty: none).
local record = redis.call('HMGET', KEYS[1], 'owner', 'epoch')
local head = redis.call('XLEN', KEYS[2])
local rev = tonumber(ARGV[3])
if record[1] == ARGV[1] and record[2] == ARGV[2] then
  -- Done before, and the reply was lost.
  redis.call('HSET', KEYS[1], 'epoch', ARGV[2]) -- without a write of its own a connection does not WAIT for replicas
  local known = redis.call('XRANGE', KEYS[2], ARGV[3] .. '-0', ARGV[3] .. '-0')[1]
  return known and (known[2][6] == ARGV[4] and 'YES' or 'FENCED') or head
end
if record[1] and tonumber(record[2]) >= tonumber(ARGV[2]) or redis.call('EXISTS', KEYS[3]) == 1 then
  return 'FENCED'
end
if head ~= rev - 1 then
  return {head}
end
local last = redis.call('XREVRANGE', KEYS[2], '+', '-', 'COUNT', 1)[1]
if (last and last[2][4] or '') ~= ARGV[7] then
  return 'FENCED'
end
redis.call('HSET', KEYS[1], 'owner', ARGV[1], 'epoch', ARGV[2])
redis.call('HSETNX', KEYS[1], 'made', ARGV[4])
redis.call('XADD', KEYS[2], ARGV[3] .. '-0', 'entry', ARGV[5], 'chain', ARGV[6], 'nonce', ARGV[4])
return 'YES'
