-- Open rooms of one kind to quick matches and close others: 1.
-- KEYS: open rooms, the prefix of the keys of players' last holds. ARGV: owner, the limit of open rooms, the number of
-- closed rooms, their codes, then for each open room: code, room as JSON.
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local function read(code)
  local room = redis.call('HGET', KEYS[1], code)
  return room and cjson.decode(room)
end
local first = 4 + ARGV[3]
for index = 4, first - 1 do
  local room = read(ARGV[index])
  if room and room.owner == ARGV[1] then
    redis.call('HDEL', KEYS[1], ARGV[index])
    for player, hold in pairs(room.held) do
      if hold.till > now then
        redis.call('DEL', KEYS[2] .. player) -- the seat was held until the room closed, so the player did not miss it
      end
    end
  end
end
for index = first, #ARGV, 2 do
  local room, known = cjson.decode(ARGV[index + 1]), read(ARGV[index])
  if known and known.epoch <= room.epoch or not known and redis.call('HLEN', KEYS[1]) < tonumber(ARGV[2]) then
    room.owner, room.at = ARGV[1], now
    room.since, room.held = known and known.since or now, known and known.held or {}
    for player in pairs(room.players) do
      room.held[player] = nil
      redis.call('DEL', KEYS[2] .. player)
    end
    redis.call('HSET', KEYS[1], ARGV[index], cjson.encode(room))
    redis.call('EXPIRE', KEYS[1], 86400)
  end
end
return 1
