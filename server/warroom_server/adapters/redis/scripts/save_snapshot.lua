-- Store a snapshot in its slot, unless the room has another owner or the slot a newer snapshot: 1 if stored.
-- KEYS: record, slot. ARGV: owner, epoch, rev, snapshot.
local record = redis.call('HMGET', KEYS[1], 'owner', 'epoch')
if record[1] ~= ARGV[1] or record[2] ~= ARGV[2] then
  return 0
end
local kept = redis.call('HGET', KEYS[2], 'rev')
if kept and tonumber(kept) >= tonumber(ARGV[3]) then
  return 0
end
redis.call('HSET', KEYS[2], 'rev', ARGV[3], 'snapshot', ARGV[4])
return 1
