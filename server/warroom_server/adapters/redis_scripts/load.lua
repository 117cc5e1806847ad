-- Return owner, epoch, both snapshots (rev, bytes; null where there is none), the log after the older of two, and the
-- first entry if that log does not begin with it.
-- KEYS: record, log, both slots.
local record = redis.call('HMGET', KEYS[1], 'owner', 'epoch')
if not record[1] then
  return false
end
local even = redis.call('HMGET', KEYS[3], 'rev', 'snapshot')
local odd = redis.call('HMGET', KEYS[4], 'rev', 'snapshot')
local first, opening = 1, ''
if even[1] and odd[1] then
  first = math.min(tonumber(even[1]), tonumber(odd[1])) + 1
  opening = redis.call('XRANGE', KEYS[2], '1-0', '1-0')[1][2][2]
end
local entries = redis.call('XRANGE', KEYS[2], string.format('%d-0', first), '+')
return {record[1], record[2], even, odd, entries, opening}
