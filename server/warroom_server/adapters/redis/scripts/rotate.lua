-- Invalidate all earlier tokens of a player: 1 if done, now or before under the same nonce; 0 if the generation is not the
-- latest one.
-- KEYS: generations. ARGV: player, generation, nonce.
local kept = redis.call('HGET', KEYS[1], ARGV[1]) or '0 '
local current, nonce = string.match(kept, '^(%d+) (.*)$')
if current == ARGV[2] then
  redis.call('HSET', KEYS[1], ARGV[1], string.format('%d %s', ARGV[2] + 1, ARGV[3]))
  return 1
end
if tonumber(current) == ARGV[2] + 1 and nonce == ARGV[3] then
  redis.call('HSET', KEYS[1], ARGV[1], kept) -- WAIT waits only after a write
  return 1
end
return 0
