-- Append one entry to a room's log: 'YES', 'FENCED', the number of the last entry if some are missing before this one,
-- or {that number} if the server has gone back to before this owner had the room (a server without the room has {0}).
-- KEYS: record, log. ARGV: owner, epoch, rev, nonce, entry, chain.
local record = redis.call('HMGET', KEYS[1], 'owner', 'epoch')
if record[1] ~= ARGV[1] or record[2] ~= ARGV[2] then
  if record[1] and tonumber(record[2]) >= tonumber(ARGV[2]) then
    return 'FENCED'
  end
  return {redis.call('XLEN', KEYS[2])}
end
-- Revisions have no gaps and nothing is trimmed, so the length of the log is its head.
local head = redis.call('XLEN', KEYS[2])
local rev = tonumber(ARGV[3])
local id = ARGV[3] .. '-0'
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
