-- Record a finished match; recording it again changes nothing: 1.
-- KEYS: match, rated, outbox, every list that shows the match (none: the summary is not stored).
-- ARGV: code, ended_ms, summary, seconds to keep it, game, result for ratings (empty: none).
if #KEYS > 3 then
  redis.call('SET', KEYS[1], ARGV[3], 'EX', ARGV[4], 'NX')
end
for number = 4, #KEYS do
  redis.call('ZADD', KEYS[number], 'NX', ARGV[2], ARGV[1])
  redis.call('ZREMRANGEBYSCORE', KEYS[number], '-inf', '(' .. (ARGV[2] - ARGV[4] * 1000))
  redis.call('EXPIRE', KEYS[number], ARGV[4])
end
-- A known result is written again: WAIT waits only after a write.
if ARGV[6] ~= '' and redis.call('EXPIRE', KEYS[2], ARGV[4]) == 0 then
  local noted = redis.call('HGET', KEYS[3], ARGV[1])
  redis.call('HSET', KEYS[3], ARGV[1], noted or ARGV[5] .. ' ' .. ARGV[6])
end
return 1
