-- Return owner, epoch, the older of two snapshots (rev, bytes; empty unless there are two), the log after it, the
-- fingerprint of the rules, the hand-over state, and the life that the room has to begin. KEYS: record, log, both slots.
-- A new owner starts from the older snapshot: see `older_snapshot`.
local record = redis.call('HMGET', KEYS[1], 'owner', 'epoch', 'rules', 'given', 'head', 'handoff', 'life')
if not record[1] then
  return false
end
local head = redis.call('XLEN', KEYS[2])
local function snapshot(slot)
  local kept = redis.call('HMGET', slot, 'rev', 'snapshot')
  -- Ignore a snapshot of entries that are missing: their owner appends them again.
  if kept[1] and tonumber(kept[1]) > head then
    return {false, false}
  end
  return kept
end
local even, odd = snapshot(KEYS[3]), snapshot(KEYS[4])
local older = even[1] and odd[1] and (tonumber(even[1]) < tonumber(odd[1]) and even or odd) or {}
local entries = redis.call('XRANGE', KEYS[2], string.format('%d-0', (older[1] or 0) + 1), '+')
local handoff = ''
-- The hand-over state is for the next epoch only, and outdated once an entry was appended.
if record[4] and tonumber(record[4]) == record[2] - 1 and tonumber(record[5]) == head then
  handoff = record[6]
end
return {record[1], record[2], older, entries, record[3] or '', handoff, record[7] or 0}
