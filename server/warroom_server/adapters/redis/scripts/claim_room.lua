-- Claim a room by compare-and-set: the new epoch, or null if the room is gone or another node's.
-- KEYS: record, and others of the room. ARGV: owner, epoch, claimant, next epoch.
local record = redis.call('HMGET', KEYS[1], 'owner', 'epoch', 'given')
if record[1] == ARGV[1] and record[2] == ARGV[2] then
  redis.call('HSET', KEYS[1], 'owner', ARGV[3], 'epoch', ARGV[4])
  -- An owner that claims its room again before any entry keeps the hand-over state.
  if ARGV[1] == ARGV[3] and record[3] and tonumber(record[3]) == ARGV[2] - 1 then
    redis.call('HSET', KEYS[1], 'given', ARGV[2])
  end
-- The same claim comes again if its reply was lost.
elseif record[1] ~= ARGV[3] or record[2] ~= ARGV[4] then
  return false
end
return tonumber(ARGV[4])
