-- Find a room for a player who wants a quick match and hold a seat there: {verdict, code}.
-- KEYS: open rooms, the answer to this request, the player's last hold. ARGV: the request and the rules as JSON; sets are
-- tables with true for each member.
local ask = cjson.decode(ARGV[1])
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local rooms, count, stored = {}, 0, redis.call('HGETALL', KEYS[1])
for index = 1, #stored, 2 do
  local code, room = stored[index], cjson.decode(stored[index + 1])
  local is_lapsed = now - room.at > ask.lapsed_ms and not ask.owners[room.owner]
  if code == ask.missing or is_lapsed or now > (room.making or now) then
    redis.call('HDEL', KEYS[1], code)
  else
    rooms[code], count = room, count + 1
  end
end
local answer = redis.call('GET', KEYS[2])
if answer and answer ~= ask.missing then
  local is_making = rooms[answer] and rooms[answer].making
  return {is_making and (answer == ask.room and 'make' or 'making') or 'join', answer}
end
-- How far the player's skill is from the mean of a room; nil if there is no seat.
local function gap(room)
  local free, sum, known = room.free, 0, 0
  for _, skill in ipairs(room.skills) do
    sum, known = sum + skill, known + 1
  end
  for player, hold in pairs(room.held) do
    if hold.till <= now then
      room.held[player] = nil
    elseif player ~= ask.player then
      free, sum, known = free - 1, sum + (hold.skill or 0), known + (hold.skill and 1 or 0)
    end
  end
  if free > 0 and not room.kicked[ask.player] then
    return ask.skill and known > 0 and math.abs(sum / known - ask.skill) or 0
  end
end
-- The least rank is the best: where the player sits, then the fullest and oldest room within the window, then the nearest.
local SITS, FAR = -1e18, 1e18
local chosen, least = nil, math.huge
for code, room in pairs(rooms) do
  local distance, rank = gap(room), nil
  if ask.excluded[code] or not ask.owners[room.owner] then
    rank = math.huge
  elseif room.players[ask.player] then
    rank = SITS
  elseif distance then
    local window = ask.window * (1 + (now - room.since + ask.waited_ms) / ask.widens_ms)
    rank = distance <= window and room.since - 1e15 * (ask.seats - room.free) or FAR + 1e3 * distance
  end
  if rank and rank < least then
    chosen, least = code, rank
  end
end
if chosen and least >= FAR and ask.waited_ms < ask.patience_ms then
  return {'wait', ask.room}
end
local verdict = chosen and (rooms[chosen].making and 'making' or 'join') or 'make'
if not chosen then
  chosen = ask.room
  rooms[chosen] = {owner = ask.owner, epoch = 0, free = ask.seats, players = {}, kicked = {}, skills = {}, held = {}}
  rooms[chosen].since, rooms[chosen].at, rooms[chosen].making = now, now, now + ask.making_ms
end
-- One seat at a time is held for a player: a hold moves to the new room and ends when it would have ended.
redis.call('SET', KEYS[3], now + ask.held_ms, 'NX', 'PX', ask.held_ms + ask.rest_ms)
local hold = {till = tonumber(redis.call('GET', KEYS[3])), skill = ask.skill}
for code, room in pairs(rooms) do
  local was_held, is_held = room.held[ask.player], code == chosen and least > SITS
  room.held[ask.player] = is_held and hold or nil
  if was_held or is_held and (verdict ~= 'make' or count < ask.most_open) then
    redis.call('HSET', KEYS[1], code, cjson.encode(room))
  end
end
redis.call('EXPIRE', KEYS[1], 86400)
redis.call('SET', KEYS[2], chosen, 'PX', ask.answered_ms)
return {verdict, chosen}
