-- Append one entry to a room's log. Return 'COMMITTED', 'FENCED', or the length of the log if entries before this one, or
-- the owner, are missing.
-- KEYS: record, log, replay. ARGV: owner, epoch, rev, entry, chain. To repair a log also: the chain of the entry before
-- (empty: there is none), and of the first entry the nonce of its creation and the rules.
local record = redis.call('HMGET', KEYS[1], 'owner', 'epoch')
-- Revisions have no gaps and nothing is trimmed, so the length of the log is its head.
local head = redis.call('XLEN', KEYS[2])
local rev = tonumber(ARGV[3])
local id = ARGV[3] .. '-0'
if record[1] ~= ARGV[1] or record[2] ~= ARGV[2] then
  if record[1] and tonumber(record[2]) >= tonumber(ARGV[2]) or redis.call('EXISTS', KEYS[3]) == 1 then
    return 'FENCED'
  end
  if not ARGV[6] or head < rev - 1 then
    return head
  end
  -- The sender must know the same history: its own entry or the one before it is the last one here.
  local last = redis.call('XREVRANGE', KEYS[2], '+', '-', 'COUNT', 1)[1]
  if head > rev or (last and last[2][4] or '') ~= (head == rev and ARGV[5] or ARGV[6]) then
    return 'FENCED'
  end
  redis.call('HSET', KEYS[1], 'owner', ARGV[1], 'epoch', ARGV[2])
  if rev == 1 then
    redis.call('HSET', KEYS[1], 'made', ARGV[7], 'rules', ARGV[8])
  end
end
if rev == head + 1 then
  redis.call('XADD', KEYS[2], id, 'entry', ARGV[4], 'chain', ARGV[5])
  return 'COMMITTED'
end
if rev > head then
  return head
end
if redis.call('XRANGE', KEYS[2], id, id)[1][2][4] ~= ARGV[5] then
  return 'FENCED'
end
-- The same entry again. A write is needed, because WAIT waits for replicas only after a write on its connection.
redis.call('HSET', KEYS[1], 'epoch', ARGV[2])
return 'COMMITTED'
