/** The news of a room, which start before its screen is ready. */

import { expect, test } from "vitest";

import { type News, Room } from "../src/client/room";

function textsHeard(room: Room): string[] {
  const heard: string[] = [];
  room.onNews((news: News) => heard.push(news.kind === "remark" ? news.text : news.kind));
  return heard;
}

test("the first listener gets all news in order, later ones only new news", () => {
  const room = new Room(
    { ask: () => new Promise(() => undefined), tell: () => undefined, now: () => 0 },
    7,
    null,
    "ada",
  );
  room.remark("one");
  room.remark("two");
  const first = textsHeard(room);
  room.remark("three");
  const second = textsHeard(room);
  room.remark("four");
  expect(first).toEqual(["one", "two", "three", "four"]);
  expect(second).toEqual(["four"]);
});
