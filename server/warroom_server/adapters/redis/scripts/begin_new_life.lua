-- Make a room begin a new life if its log lacks an acknowledged entry: 1 if so, else 0.
-- The raised epoch fences the owner, which must load the room again.
-- KEYS: record, log, and others of the room. ARGV: life, rev, chain.
local record = redis.call('HMGET', KEYS[1], 'epoch', 'life')
if not record[1] or tonumber(record[2] or 0) > tonumber(ARGV[1]) then
  return 0
end
local found = redis.call('XRANGE', KEYS[2], ARGV[2] .. '-0', ARGV[2] .. '-0')[1]
if found and found[2][4] == ARGV[3] then
  return 0
end
redis.call('HSET', KEYS[1], 'epoch', record[1] + 1, 'life', ARGV[1] + 1)
return 1
