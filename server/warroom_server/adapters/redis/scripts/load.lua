-- Return owner, epoch, both snapshots (rev, bytes; null where there is none), the log after the older of two, and the
-- first entry if that log does not begin with it, the fingerprint of the rules, what the owner before left for this one,
-- and the life it has to begin. KEYS: record, log, both slots.
local record = redis.call('HMGET', KEYS[1], 'owner', 'epoch', 'rules', 'given', 'head', 'handoff', 'life')
if not record[1] then
  return false
end
local head = redis.call('XLEN', KEYS[2])
local function snapshot(slot)
  local kept = redis.call('HMGET', slot, 'rev', 'snapshot')
  -- One of entries that are being written again tells nothing while they are missing.
  if kept[1] and tonumber(kept[1]) > head then
    return {false, false}
  end
  return kept
end
local even, odd = snapshot(KEYS[3]), snapshot(KEYS[4])
local first, opening = 1, ''
if even[1] and odd[1] then
  first = math.min(tonumber(even[1]), tonumber(odd[1])) + 1
  opening = redis.call('XRANGE', KEYS[2], '1-0', '1-0')[1][2][2]
end
local entries = redis.call('XRANGE', KEYS[2], string.format('%d-0', first), '+')
local handoff = ''
-- Left for the next epoch alone, and out of date once anything was appended.
if record[4] and tonumber(record[4]) == record[2] - 1 and tonumber(record[5]) == head then
  handoff = record[6]
end
return {record[1], record[2], even, odd, entries, opening, record[3] or '', handoff, record[7] or 0}
