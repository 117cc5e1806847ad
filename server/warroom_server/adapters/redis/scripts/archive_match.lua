-- Store the replay and remove the running room, unless it has another owner: 1 if it is gone, now or before.
-- KEYS: record, replay, log, both slots, last owner. ARGV: owner, epoch, replay, seconds to keep it, end of the match,
-- seconds to keep the last owner.
local record = redis.call('HMGET', KEYS[1], 'owner', 'epoch', 'made')
if not record[1] then
  redis.call('EXPIRE', KEYS[2], ARGV[4]) -- WAIT waits only after a write
  return 1
end
if record[1] ~= ARGV[1] or record[2] ~= ARGV[2] then
  return 0
end
redis.call('HSET', KEYS[2], 'replay', ARGV[3], 'made', record[3], 'ended_ms', ARGV[5])
redis.call('EXPIRE', KEYS[2], ARGV[4])
redis.call('SET', KEYS[6], ARGV[2] .. ' ' .. ARGV[1], 'EX', ARGV[6])
redis.call('UNLINK', KEYS[1], KEYS[3], KEYS[4], KEYS[5])
return 1
