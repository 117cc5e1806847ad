-- Note a finished match, once however often it is told: 1.
-- KEYS: match, rated, outbox, every list that shows the match (none: nobody would read the summary).
-- ARGV: code, ended_ms, summary, seconds to keep it, game, what is to be rated (empty: nothing).
if #KEYS > 3 then
  redis.call('SET', KEYS[1], ARGV[3], 'EX', ARGV[4], 'NX')
end
for number = 4, #KEYS do
  redis.call('ZADD', KEYS[number], 'NX', ARGV[2], ARGV[1])
  redis.call('ZREMRANGEBYSCORE', KEYS[number], '-inf', '(' .. (ARGV[2] - ARGV[4] * 1000))
  redis.call('EXPIRE', KEYS[number], ARGV[4])
end
if ARGV[6] ~= '' and redis.call('EXISTS', KEYS[2]) == 0 then
  redis.call('HSETNX', KEYS[3], ARGV[1], ARGV[5] .. ' ' .. ARGV[6])
end
return 1
