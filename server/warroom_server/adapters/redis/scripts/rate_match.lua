-- Change the ratings of a match's players, once, and all of them or none:
-- 1 if they are changed, now or before; 0 if a rating is no longer the one before the change.
-- KEYS: rated, outbox, ratings, board. ARGV: code, seconds to remember it, then for each player: id, rating before
-- (empty: none), rating after, score.
-- EXPIRE is also a write: WAIT waits only after one.
if redis.call('EXPIRE', KEYS[1], ARGV[2]) == 0 then
  for first = 3, #ARGV, 4 do
    if (redis.call('HGET', KEYS[3], ARGV[first]) or '') ~= ARGV[first + 1] then
      return 0
    end
  end
  for first = 3, #ARGV, 4 do
    redis.call('HSET', KEYS[3], ARGV[first], ARGV[first + 2])
    redis.call('ZADD', KEYS[4], ARGV[first + 3], ARGV[first])
  end
  redis.call('SET', KEYS[1], '1', 'EX', ARGV[2])
end
redis.call('HDEL', KEYS[2], ARGV[1])
return 1
