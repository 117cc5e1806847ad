-- Release a room and store the hand-over state for the next owner: 1, or 0 if it has another owner or epoch.
-- KEYS: record, log, and others of the room. ARGV: owner, epoch, handoff.
local record = redis.call('HMGET', KEYS[1], 'owner', 'epoch')
if record[1] ~= ARGV[1] or record[2] ~= ARGV[2] then
  return 0
end
redis.call('HSET', KEYS[1], 'given', ARGV[2], 'head', redis.call('XLEN', KEYS[2]), 'handoff', ARGV[3])
return 1
