-- Take a room over by compare-and-set: the new epoch, or null if the room is gone or somebody else's.
-- KEYS: record. ARGV: owner, epoch, claimant, next epoch.
local record = redis.call('HMGET', KEYS[1], 'owner', 'epoch')
if record[1] == ARGV[1] and record[2] == ARGV[2] then
  redis.call('HSET', KEYS[1], 'owner', ARGV[3], 'epoch', ARGV[4])
  return tonumber(ARGV[4])
end
-- The claimant's own claim, asked again because the reply was lost.
if record[1] == ARGV[3] and record[2] == ARGV[4] then
  return tonumber(ARGV[4])
end
return false
