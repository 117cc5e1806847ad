-- List rooms of a node and unlist others: 1.
-- KEYS: rooms, left, order of leaving, owners, then the prefixes of the keys of lists and of the sets of nodes.
-- ARGV: owner, the limit of remembered rooms that left, the number of unlisted rooms, their codes, then for each listed
-- room: code, epoch, opened_ms, the names of its lists, listing.
local function read(code)
  return string.match(redis.call('HGET', KEYS[1], code) or '', '^(%d+) (%S+) (%d+) ([^\n]*)\n')
end
local function unlist(code, lists)
  for name in string.gmatch(lists, '%S+') do
    redis.call('ZREM', KEYS[5] .. name, code)
  end
end
local set = KEYS[6] .. ARGV[1]
local first = 4 + ARGV[3]
for index = 4, first - 1 do
  local code = ARGV[index]
  local _, owner, opened, lists = read(code)
  if owner == ARGV[1] then
    unlist(code, lists)
    redis.call('HDEL', KEYS[1], code)
    redis.call('SREM', set, code)
    redis.call('HSET', KEYS[2], code, opened)
    if redis.call('RPUSH', KEYS[3], code) > tonumber(ARGV[2]) then
      redis.call('HDEL', KEYS[2], redis.call('LPOP', KEYS[3]))
    end
  end
end
for index = first, #ARGV, 5 do
  local code, epoch, opened, lists, listing = unpack(ARGV, index, index + 4)
  local known, owner, _, before = read(code)
  if not known or tonumber(known) <= tonumber(epoch) then
    if before ~= lists then
      unlist(code, before or '')
      for name in string.gmatch(lists, '%S+') do
        redis.call('ZADD', KEYS[5] .. name, opened, code)
      end
    end
    redis.call('SREM', KEYS[6] .. (owner or ARGV[1]), code)
    redis.call('SADD', set, code)
    redis.call('HDEL', KEYS[2], code)
    redis.call('HSET', KEYS[1], code, epoch .. ' ' .. ARGV[1] .. ' ' .. opened .. ' ' .. lists .. '\n' .. listing)
  end
end
redis.call(redis.call('EXISTS', set) == 1 and 'SADD' or 'SREM', KEYS[4], ARGV[1])
return 1
