-- Invalidate all earlier tokens of a player: 1 if done, now or before under the same nonce; 0 if the generation is not the
-- latest one.
-- KEYS: generations. ARGV: player, generation, nonce.
local kept = redis.call('HGET', KEYS[1], ARGV[1]) or '0 '
local taken = string.format('%d %s', ARGV[2] + 1, ARGV[3])
if string.match(kept, '^%d+') == ARGV[2] or kept == taken then
  redis.call('HSET', KEYS[1], ARGV[1], taken) -- also if it was done before: WAIT waits only after a write
  return 1
end
return 0
