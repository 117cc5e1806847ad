-- Append one entry to a room's log: 'YES', 'FENCED', or how many entries there are if the server forgot some before this
-- one, or forgot the owner.
-- KEYS: record, log, replay. ARGV: owner, epoch, rev, nonce, entry, chain; then, to own a room again that the server
-- forgot: the chain of the entry before (empty: there is none), rules.
local record = redis.call('HMGET', KEYS[1], 'owner', 'epoch')
-- Revisions have no gaps and nothing is trimmed, so the length of the log is its head.
local head = redis.call('XLEN', KEYS[2])
local rev = tonumber(ARGV[3])
local id = ARGV[3] .. '-0'
if record[1] ~= ARGV[1] or record[2] ~= ARGV[2] then
  if record[1] and tonumber(record[2]) >= tonumber(ARGV[2]) or redis.call('EXISTS', KEYS[3]) == 1 then
    return 'FENCED'
  end
  if not ARGV[7] or head < rev - 1 then
    return head
  end
  local last = redis.call('XREVRANGE', KEYS[2], '+', '-', 'COUNT', 1)[1]
  if head > rev or head == rev and last[2][6] ~= ARGV[4] or head < rev and (last and last[2][4] or '') ~= ARGV[7] then
    return 'FENCED'
  end
  redis.call('HSET', KEYS[1], 'owner', ARGV[1], 'epoch', ARGV[2])
  if rev == 1 then
    redis.call('HSET', KEYS[1], 'made', ARGV[4], 'rules', ARGV[8])
  end
end
if rev == head + 1 then
  redis.call('XADD', KEYS[2], id, 'entry', ARGV[5], 'chain', ARGV[6], 'nonce', ARGV[4])
  return 'YES'
end
if rev > head then
  return head
end
local fields = redis.call('XRANGE', KEYS[2], id, id)[1][2]
if fields[6] ~= ARGV[4] then
  return 'FENCED'
end
-- Asked again because the reply was lost, or to be sure. Only after a write of its own does a connection WAIT for replicas.
redis.call('HSET', KEYS[1], 'epoch', ARGV[2])
return 'YES'
