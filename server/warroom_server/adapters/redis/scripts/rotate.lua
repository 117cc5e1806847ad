-- Makes all earlier tokens of a player void.
-- KEYS: generations   ARGV: player, generation, nonce
-- 1: done, or done before under the same nonce   0: the generation is not the latest one
local kept = redis.call('HGET', KEYS[1], ARGV[1]) or '0 '
local current, nonce = string.match(kept, '^(%d+) (.*)$')
if current == ARGV[2] then
  redis.call('HSET', KEYS[1], ARGV[1], string.format('%d %s', ARGV[2] + 1, ARGV[3]))
  return 1
end
if tonumber(current) == ARGV[2] + 1 and nonce == ARGV[3] then
  redis.call('HSET', KEYS[1], ARGV[1], kept) -- without a write of its own a connection does not WAIT for replicas
  return 1
end
return 0
