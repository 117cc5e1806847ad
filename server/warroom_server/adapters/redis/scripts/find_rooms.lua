-- Return the listings of rooms, the newest first; nil if the room that they follow is unknown.
-- KEYS: rooms, left, the list. ARGV: the code of the room that they follow (empty: none), the limit, a second list that
-- must have them (empty: none), then the owners whose rooms are shown.
local head = '^(%d+) (%S+) (%d+) ([^\n]*)\n'
local first = 0
if ARGV[1] ~= '' then
  local _, _, opened = string.match(redis.call('HGET', KEYS[1], ARGV[1]) or '', head)
  opened = opened or redis.call('HGET', KEYS[2], ARGV[1])
  if not opened then
    return false
  end
  first = redis.call('ZCOUNT', KEYS[3], '(' .. opened, '+inf')
  for _, code in ipairs(redis.call('ZRANGEBYSCORE', KEYS[3], opened, opened)) do
    first = first + (code >= ARGV[1] and 1 or 0)
  end
end
local owners, found, limit = {}, {}, tonumber(ARGV[2])
for index = 4, #ARGV do
  owners[ARGV[index]] = true
end
-- Skip only a limited number of hidden rooms, such as those of a large dead node: appends wait for this script.
local last = first + 10 * limit
while #found < limit and first < last do
  local codes = redis.call('ZREVRANGE', KEYS[3], first, first + limit - 1)
  if #codes == 0 then
    break
  end
  first = first + #codes
  for _, room in ipairs(redis.call('HMGET', KEYS[1], unpack(codes))) do
    local _, owner, _, lists = string.match(room or '', head)
    local is_wanted = ARGV[3] == '' or string.find(' ' .. (lists or '') .. ' ', ' ' .. ARGV[3] .. ' ', 1, true)
    if #found < limit and owners[owner or ''] and is_wanted then
      found[#found + 1] = string.sub(room, string.find(room, '\n', 1, true) + 1)
    end
  end
end
return found
