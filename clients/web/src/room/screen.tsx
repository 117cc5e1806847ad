/** A room: the board in the middle; players, log, chat and rules beside it. */

import { useEffect, useRef, useState } from "preact/hooks";
import { type About, isTemporary, parseInvitation, RejectedError, type Room } from "warroom-client";
import { inWords } from "../client/error_text";
import { type Route, useSubject } from "../routes";
import { gameName, session } from "../state";
import { ErrorText, useActionErrors } from "../ui/action_errors";
import { safely } from "../ui/error_boundary";
import { counted } from "../ui/numbers";
import { DeadEnd, MatchSkeleton } from "../ui/placeholders";
import { Tabs } from "../ui/tabs";
import { Banners, Offers } from "./banners";
import { BoardPlace } from "./board_frame";
import { Chat } from "./chat";
import { TurnBar } from "./clock";
import { Log, told } from "./log";
import { type Match, matchOf } from "./match";
import { muted } from "./muted";
import { RulesPanel } from "./rules_panel";
import { colourOf, Seats } from "./seats";
import { Share } from "./share";
import { look, useVisit } from "./use_room";

export default function RoomScreen({ at }: { readonly at: Route }) {
  return at.at === "room" ? <Entered key={at.code} code={at.code} /> : null;
}

function Entered({ code }: { readonly code: string }) {
  const found = parseInvitation(code);
  const visit = useVisit(found?.room ?? null, found?.key ?? null, (enter) => look(found?.room ?? 0, enter));
  const [seated, setSeated] = useState<Room | null>(null);
  const [refused, setRefused] = useState<unknown>(null);
  const room = seated ?? visit.room;
  const error = refused ?? visit.error;
  if (!found) return <NoRoom code={code} why="This is not a room code." />;
  if (room?.state.about) return <OpenRoom match={matchOf(room)} />;
  if (error instanceof RejectedError && error.code === "watch.nobody") {
    const sit = (): Promise<void> =>
      session.enter(found.room, found.key, "join").then(setSeated, (why: unknown) => {
        if (isTemporary(why)) throw why;
        setRefused(why);
      });
    return <Doorstep sit={sit} />;
  }
  return error ? <NoRoom code={code} why={inWords(error)} /> : <MatchSkeleton isHeldUp={visit.isHeldUp} />;
}

function OpenRoom({ match }: { readonly match: Match }) {
  const { room } = match;
  const state = room.state;
  const board = match.board.value;
  const moment = match.steps.moment.value;
  const delay = Number(state.about?.room_options.delay ?? 0);
  const name = gameName(state.about?.game ?? "");
  useSubject(`${match.asked.value ? "Your turn: " : ""}${name} ${room.code}`);
  const view = state.phase === "playing" ? moment.public : null;
  const toAct = safely(() => view !== null && board?.toAct?.(view), null) || [];
  const out = safely(() => view !== null && board?.out?.(view), null) || [];
  return (
    <main class={state.phase === "lobby" ? "screen room waiting" : "screen room"}>
      <div class="head">
        <h1>{name}</h1>
        <span class="tag number">{room.code}</span>
        {state.seat === null && <span class="tag">watching</span>}
        {state.seat === null && delay > 0 && <span class="tag warn">{counted(delay, "turn")} behind</span>}
        {isRated(state.about?.room_options) && <span class="tag">rated</span>}
        <span class="quiet tiny number">{state.watching > 0 && `${state.watching} watching`}</span>
        {state.phase === "playing" && state.seat !== null && !out.includes(state.seat) && (
          <Offers room={room} state={state} />
        )}
      </div>
      <div class="place">
        <Banners match={match} />
        <TurnBar match={match} />
        <BoardPlace match={match} class="sheet board-frame" role="group" aria-label="The board" tabindex={-1} />
      </div>
      <div class="side">
        <Seats room={room} state={state} toAct={toAct} out={out} colour={(seat) => colourOf(match, seat)} />
        {state.phase === "lobby" && <Share room={room} />}
        <SideTabs match={match} />
      </div>
    </main>
  );
}

/** Whether the result counts: never in a private room, or if spectators see all hands. */
function isRated(options: About["room_options"] | undefined): boolean {
  return options?.rated === true && options.private !== true && options.watch !== "all";
}

type Tab = "log" | "chat" | "rules";
function SideTabs({ match }: { readonly match: Match }) {
  const [tab, setTab] = useState<Tab>("log");
  const [heard, setHeard] = useState(0);
  const last = match.sayings.value.at(-1)?.id ?? 0;
  const unheard = match.sayings.value.filter(({ id, player }) => id > heard && !muted.value.includes(player)).length;
  useEffect(() => {
    if (tab === "chat") setHeard(last);
  }, [tab, last]);
  // Tabs stay mounted once opened, so that the scroll position is kept.
  const hasRules = useRef(false);
  hasRules.current ||= tab === "rules";
  const chatInput = ["Chat", tab !== "chat" && unheard > 0 && <span class="tag hot">{unheard}</span>];
  const tabs = [["log", "Log"] as const, ["chat", chatInput] as const, ["rules", "Rules"] as const];
  return (
    <section class="sheet side-tabs">
      <Tabs label="Beside the board" tabs={tabs} chosen={tab} panel="beside" onChoose={setTab} />
      <div role="tabpanel" id="beside">
        {tab === "log" && <Log lines={told(match.lines.value, match.board.value, match.table.value)} />}
        {tab === "chat" && <Chat match={match} />}
        {hasRules.current && (
          <div style={{ display: "contents" }} hidden={tab !== "rules"}>
            <RulesPanel game={match.table.value.game} table={match.table.value} />
          </div>
        )}
      </div>
    </section>
  );
}

/** No spectators: entering means taking a seat, which must not happen by following a link. */
function Doorstep({ sit }: { readonly sit: () => Promise<void> }) {
  const { trouble, begin } = useActionErrors();
  const way = (
    <button type="button" class="button main" onClick={() => begin(sit)}>
      Take a seat
    </button>
  );
  return (
    <DeadEnd title="No spectators" ways={way}>
      <p>This room does not allow spectators, but you can take a seat.</p>
      <ErrorText>{trouble}</ErrorText>
    </DeadEnd>
  );
}

function NoRoom({ code, why }: { readonly code: string; readonly why: string }) {
  return (
    <DeadEnd title="You cannot enter this room">
      <p>{why}</p>
      <p class="quiet">
        If a match was played there and is over, its <a href={`#/replay/${code}`}>replay</a> may still be had.
      </p>
    </DeadEnd>
  );
}
