// Written by tools/generate_types.py from the Python types; change those, then run `./dev page`.

/** A plain value: what views, options and actions are made of. */
export type View = null | boolean | number | string | readonly View[] | { readonly [key: string]: View };

/** How far a viewer has come in a room. */
export interface Position {
  readonly life: number;
  readonly p: number;
  readonly q: number;
}

/** The clock of a room after a step. */
export interface Clock {
  readonly at: number;
  readonly turn: number;
  readonly deadline: number | null;
  readonly banks: readonly number[];
}

/** A game that the server hosts. */
export interface GameListing {
  readonly game: string;
  readonly name: string;
  readonly summary: string;
  readonly rules_version: number;
  readonly min_seats: number;
  readonly max_seats: number;
  readonly usual_seats: number;
  readonly turn_ms: number;
  readonly complete: boolean;
  readonly options: { readonly [key: string]: View };
  readonly actions: { readonly [key: string]: View };
  readonly has_draws: boolean;
  readonly bots: readonly string[];
}

/** A player in a list of rooms or matches. */
export interface ListedPlayer {
  readonly player: string;
  readonly name: string;
  readonly bot: string | null;
}

/** A room as an anonymous spectator knows it. */
export interface RoomListing {
  readonly room: number;
  readonly code: string;
  readonly game: string;
  readonly phase: string;
  readonly seats: number;
  readonly taken: number;
  readonly watching: number;
  readonly turn_ms: number;
  readonly players: readonly ListedPlayer[];
  readonly watch: string;
  readonly delay: number;
  readonly rated: boolean;
}

/** What never changes about a room. */
export interface About {
  readonly game: string;
  readonly rules_version: number;
  readonly seats: number;
  readonly options: { readonly [key: string]: View };
  readonly room_options: { readonly [key: string]: View };
  readonly commitment: string;
  readonly follows: number | null;
}

/** How a deadline was judged, in room time. */
export interface Receipt {
  readonly deadline: number;
  readonly credit: number;
  readonly arrived: number | null;
  readonly judged: number;
}

/** A seat of a room. */
export interface SeatState {
  readonly seat: number;
  readonly player: string | null;
  readonly name: string;
  readonly connected: boolean;
  readonly out: boolean;
  readonly bot: string | null;
  readonly stood_in: boolean;
  readonly grace: number | null;
  readonly kept: string | null;
  readonly hired: boolean;
}

/** A finished match. */
export interface MatchSummary {
  readonly room: number;
  readonly code: string;
  readonly game: string;
  readonly rules_version: number;
  readonly players: readonly ListedPlayer[];
  readonly ranks: readonly number[];
  readonly reason: string;
  readonly ended_ms: number;
  readonly turns: number;
  readonly rated: boolean;
  readonly left: readonly number[];
  readonly detail: string;
}

/** A player in a ranking. The three estimates are in thousandths. */
export interface Rated {
  readonly place: number;
  readonly player: string;
  readonly name: string;
  readonly bot: string | null;
  readonly score: number;
  readonly skill: number;
  readonly uncertainty: number;
  readonly matches: number;
}

/** The connection is open: the answer to `hello`. */
export interface Welcome {
  readonly type: "welcome";
  readonly ref: number;
  readonly version: number;
  readonly player: string;
  readonly token: string;
  readonly name: string;
  readonly server: string;
}

/** The games that the server hosts: the answer to `games`. */
export interface GameList {
  readonly type: "games";
  readonly ref: number;
  readonly games: readonly GameListing[];
  readonly room_options: { readonly [key: string]: View };
}

/** At most 100 rooms whose match is not over, newest first: the answer to `rooms` and `older`. */
export interface RoomList {
  readonly type: "rooms";
  readonly ref: number;
  readonly rooms: readonly RoomListing[];
}

/** What changed since the last `rooms` or `listed` of a live list, at most twice a second. */
export interface Listed {
  readonly type: "listed";
  readonly rooms: readonly RoomListing[];
  readonly gone: readonly number[];
}

/** The room exists: the answer to `create` and `quick`. `join` or `watch` enters it. */
export interface Created {
  readonly type: "created";
  readonly ref: number;
  readonly room: number;
  readonly code: string;
  readonly key: string | null;
}

/** The connection is in the room: the answer to `join`, `watch` and `claim`. */
export interface Joined {
  readonly type: "joined";
  readonly ref: number;
  readonly room: number;
  readonly code: string;
  readonly life: number;
  readonly seat: number | null;
  readonly seat_token: string | null;
  readonly about: About;
}

/** The connection is back in the room: the answer to `join` and `watch` with a position that can be resumed. */
export interface Resumed {
  readonly type: "resumed";
  readonly ref: number;
  readonly room: number;
  readonly code: string;
  readonly life: number;
  readonly seat: number | null;
  readonly seat_token: string | null;
  readonly about: About;
}

/** Everything that the viewer may know. It replaces everything known before. */
export interface Snapshot {
  readonly type: "snapshot";
  readonly room: number;
  readonly life: number;
  readonly p: number;
  readonly q: number;
  readonly public: View;
  readonly private: View;
  readonly clock: Clock;
  readonly public_sum: number;
  readonly private_sum: number;
}

/** The next step of the public stream: the same bytes for everyone in the room. */
export interface Update {
  readonly type: "update";
  readonly room: number;
  readonly p: number;
  readonly patch: View;
  readonly events: readonly View[];
  readonly clock: Clock | null;
  readonly sum: number | null;
}

/** The next step of the private stream of a seat, sent only to the connections that hold the seat. */
export interface Private {
  readonly type: "private";
  readonly room: number;
  readonly q: number;
  readonly p: number;
  readonly joint: boolean;
  readonly patch: View;
  readonly events: readonly View[];
  readonly sum: number | null;
}

/** The seat must decide. Its connections get it when the decision opens and again when they enter the room. */
export interface Prompt {
  readonly type: "prompt";
  readonly room: number;
  readonly seat: number;
  readonly turn: number;
  readonly at: number;
  readonly deadline: number;
}

/** The one answer to an `act`. The `private` and `update` of an accepted action come before it. */
export interface Verdict {
  readonly type: "verdict";
  readonly room: number;
  readonly id: number;
  readonly code: string | null;
  readonly detail: string | null;
  readonly p: number;
  readonly q: number;
  readonly receipt: Receipt | null;
}

/** The seat ran out of time, and the clock played the game's default action for it. */
export interface Expired {
  readonly type: "expired";
  readonly room: number;
  readonly seat: number;
  readonly turn: number;
  readonly receipt: Receipt;
  readonly acted: boolean;
  readonly left: number | null;
}

/** What the seat may do: the answer to `legal`. */
export interface LegalList {
  readonly type: "legal";
  readonly ref: number;
  readonly room: number;
  readonly turn: number;
  readonly complete: boolean;
  readonly actions: readonly View[] | null;
  readonly notes: readonly string[] | null;
}

/** Who sits where, sent on entering and when it changes (presence at most a few times a second). */
export interface Seats {
  readonly type: "seats";
  readonly room: number;
  readonly phase: string;
  readonly host: string | null;
  readonly seats: readonly SeatState[];
  readonly watching: number;
}

/** The room's time, and whether it stands still. It is sent when the room pauses, when it goes on, and on entering. */
export interface Paused {
  readonly type: "paused";
  readonly room: number;
  readonly at: number | null;
  readonly reason: string | null;
  readonly left_ms: number | null;
}

/** What players offer each other now. Only players get it: when it changes, and on entering a match. */
export interface Offers {
  readonly type: "offers";
  readonly room: number;
  readonly offers: readonly (readonly ["draw" | "pause" | "rematch" | "resume", readonly number[]])[];
}

/** A chat line. */
export interface Said {
  readonly type: "said";
  readonly room: number;
  readonly at: number | null;
  readonly player: string;
  readonly name: string;
  readonly seat: number | null;
  readonly text: string;
}

/** There is a room for the rematch. Nobody is moved by it: a client that wants to go there sends `join` or `watch`. */
export interface Moved {
  readonly type: "moved";
  readonly room: number;
  readonly to: number;
  readonly code: string;
  readonly key: string | null;
}

/** The match is over. It comes after the last update, and again to everyone who enters later. */
export interface Ended {
  readonly type: "ended";
  readonly room: number;
  readonly ranks: readonly number[];
  readonly reason: string;
  readonly seed: string;
  readonly chain: string;
  readonly detail: string;
  readonly rated: boolean;
  readonly left: readonly number[];
}

/** At most 50 finished matches: the answer to `matches`. */
export interface MatchList {
  readonly type: "matches";
  readonly ref: number;
  readonly matches: readonly MatchSummary[];
}

/** A part of a replay file, as much as fits one message: the answer to `replay`. */
export interface ReplayPart {
  readonly type: "replay";
  readonly ref: number;
  readonly room: number;
  readonly offset: number;
  readonly size: number;
  readonly data: Uint8Array;
}

/** At most 50 players of a ranking: the answer to `ranking`. */
export interface RankingList {
  readonly type: "ranking";
  readonly ref: number;
  readonly game: string;
  readonly size: number;
  readonly players: readonly Rated[];
  readonly bots: boolean;
}

/** The request is done, and there is nothing to say about it. */
export interface Done {
  readonly type: "done";
  readonly ref: number;
}

/** Something that the viewer should know. */
export interface Notice {
  readonly type: "notice";
  readonly room: number | null;
  readonly code: string;
  readonly detail: string;
}

/** The answer to `ping`. */
export interface Pong {
  readonly type: "pong";
  readonly ref: number;
}

/** A request was refused and changed nothing, or the connection did something wrong. */
export interface Error {
  readonly type: "error";
  readonly ref: number | null;
  readonly code: string;
  readonly detail: string;
}

/** Open the conversation. It must be the first message, and it may be sent only once. */
export interface HelloRequest {
  readonly type: "hello";
  readonly ref: number;
  readonly versions: readonly number[];
  readonly name: string;
  readonly token?: string | null;
  readonly agent?: string;
  readonly rotate?: boolean;
  readonly bot?: string | null;
  readonly key?: string | null;
}

/** Ask which games the server hosts. */
export interface GamesRequest {
  readonly type: "games";
  readonly ref: number;
}

/** Ask for the listed rooms. With *live*, changes follow as `listed` until the next `rooms` of this connection. */
export interface RoomsRequest {
  readonly type: "rooms";
  readonly ref: number;
  readonly game?: string | null;
  readonly phase?: "lobby" | "playing" | null;
  readonly open?: boolean;
  readonly player?: string | null;
  readonly live?: boolean;
}

/** Ask for the next page of a list of rooms, with the filters of `rooms`. A live list stays live. */
export interface OlderRequest {
  readonly type: "older";
  readonly ref: number;
  readonly before: number;
  readonly game?: string | null;
  readonly phase?: "lobby" | "playing" | null;
  readonly open?: boolean;
  readonly player?: string | null;
}

/** Create a room without entering it. */
export interface CreateRequest {
  readonly type: "create";
  readonly ref: number;
  readonly game: string;
  readonly seats?: number | null;
  readonly options?: { readonly [key: string]: View };
  readonly room_options?: { readonly [key: string]: View };
}

/** Ask for any room to play in: an open one of the same kind, or a new one. It does not enter the room. */
export interface QuickRequest {
  readonly type: "quick";
  readonly ref: number;
  readonly game: string;
  readonly seats?: number | null;
  readonly options?: { readonly [key: string]: View };
  readonly room_options?: { readonly [key: string]: View };
}

/** Enter a room as a player. */
export interface JoinRequest {
  readonly type: "join";
  readonly ref: number;
  readonly room: number;
  readonly seat?: number | null;
  readonly seat_token?: string | null;
  readonly position?: Position | null;
  readonly key?: string | null;
}

/** Enter a room as a spectator, who sees the public view and no private one. */
export interface WatchRequest {
  readonly type: "watch";
  readonly ref: number;
  readonly room: number;
  readonly position?: Position | null;
  readonly key?: string | null;
}

/** Leave a room. Nothing of the room is sent after the answer. */
export interface LeaveRequest {
  readonly type: "leave";
  readonly ref: number;
  readonly room: number;
}

/** Start the match with the seats that are taken; open seats are removed. Only the host may. */
export interface StartRequest {
  readonly type: "start";
  readonly ref: number;
  readonly room: number;
}

/** Ask for bots on open seats. Only the host may, before the match starts. */
export interface FillRequest {
  readonly type: "fill";
  readonly ref: number;
  readonly room: number;
  readonly seat?: number | null;
  readonly bot?: string | null;
}

/** Remove a person or bot from a seat. Only the host may, before the match starts. */
export interface KickRequest {
  readonly type: "kick";
  readonly ref: number;
  readonly room: number;
  readonly seat: number;
}

/** Play an action. It is the one request without a ref: its *id* names it. */
export interface ActRequest {
  readonly type: "act";
  readonly room: number;
  readonly id: number;
  readonly turn: number;
  readonly action: View;
}

/** Ask what the connection's seat may do now. */
export interface LegalRequest {
  readonly type: "legal";
  readonly ref: number;
  readonly room: number;
  readonly notes?: boolean;
}

/** Ask for a snapshot, because the client's copy of a view is wrong or has a gap. */
export interface ResyncRequest {
  readonly type: "resync";
  readonly ref: number;
  readonly room: number;
  readonly reason?: string;
}

/** Give up the match. The seat is out; the game's rules say what that means for the others. */
export interface ResignRequest {
  readonly type: "resign";
  readonly ref: number;
  readonly room: number;
}

/** Take the seat back from the bot that stands in. */
export interface ReclaimRequest {
  readonly type: "reclaim";
  readonly ref: number;
  readonly room: number;
}

/** Offer something to the other players, agree to their offer, or withdraw one's own. */
export interface OfferRequest {
  readonly type: "offer";
  readonly ref: number;
  readonly room: number;
  readonly what: "draw" | "pause" | "rematch" | "resume";
  readonly on?: boolean;
}

/** Say something: a player to everyone in the room, a spectator to the spectators. */
export interface SayRequest {
  readonly type: "say";
  readonly ref: number;
  readonly room: number;
  readonly text: string;
}

/** Stop hearing a player in this room. */
export interface MuteRequest {
  readonly type: "mute";
  readonly ref: number;
  readonly room: number;
  readonly player: string;
  readonly on?: boolean;
  readonly everybody?: boolean;
}

/** Ask for finished matches of public rooms, newest first. For the next page, pass the last room as *before*. */
export interface MatchesRequest {
  readonly type: "matches";
  readonly ref: number;
  readonly game?: string | null;
  readonly player?: string | null;
  readonly before?: number | null;
}

/** Ask for a finished match as a file, part by part. */
export interface ReplayRequest {
  readonly type: "replay";
  readonly ref: number;
  readonly room: number;
  readonly view?: "all" | "own" | "public";
  readonly offset?: number;
  readonly key?: string | null;
}

/** Ask for the best players of a game, or for its best bots. */
export interface RankingRequest {
  readonly type: "ranking";
  readonly ref: number;
  readonly game: string;
  readonly offset?: number;
  readonly bots?: boolean;
}

/** Ask for a `pong`, to measure the round trip. The server also sends and answers websocket pings. */
export interface PingRequest {
  readonly type: "ping";
  readonly ref: number;
}

export type ServerMessage =
  | Welcome
  | GameList
  | RoomList
  | Listed
  | Created
  | Joined
  | Resumed
  | Snapshot
  | Update
  | Private
  | Prompt
  | Verdict
  | Expired
  | LegalList
  | Seats
  | Paused
  | Offers
  | Said
  | Moved
  | Ended
  | MatchList
  | ReplayPart
  | RankingList
  | Done
  | Notice
  | Pong
  | Error;

export type ClientMessage =
  | HelloRequest
  | GamesRequest
  | RoomsRequest
  | OlderRequest
  | CreateRequest
  | QuickRequest
  | JoinRequest
  | WatchRequest
  | LeaveRequest
  | StartRequest
  | FillRequest
  | KickRequest
  | ActRequest
  | LegalRequest
  | ResyncRequest
  | ResignRequest
  | ReclaimRequest
  | OfferRequest
  | SayRequest
  | MuteRequest
  | MatchesRequest
  | ReplayRequest
  | RankingRequest
  | PingRequest;

/** What answers each message that is not refused. */
export interface Replies {
  readonly hello: Welcome;
  readonly games: GameList;
  readonly rooms: RoomList;
  readonly older: RoomList;
  readonly create: Created;
  readonly quick: Created;
  readonly join: Joined | Resumed;
  readonly watch: Joined | Resumed;
  readonly leave: Done;
  readonly start: Done;
  readonly fill: Done;
  readonly kick: Done;
  readonly act: Verdict;
  readonly legal: LegalList;
  readonly resync: Done;
  readonly resign: Done;
  readonly reclaim: Done;
  readonly offer: Done;
  readonly say: Done;
  readonly mute: Done;
  readonly matches: MatchList;
  readonly replay: ReplayPart;
  readonly ranking: RankingList;
  readonly ping: Pong;
}

/** The fields in their order; `:Part` names what a field holds (`*`: many), `=` its default. */
export const PART_SHAPES: Readonly<Record<string, string>> = {
  Position: "life p q",
  Clock: "at turn deadline banks=[]",
  GameListing: "game name summary rules_version min_seats max_seats usual_seats turn_ms complete options actions has_draws=false bots=[]",
  ListedPlayer: "player name bot",
  RoomListing: "room code game phase seats taken watching turn_ms players:ListedPlayer*=[] watch=\"public\" delay=0 rated=true",
  About: "game rules_version seats options room_options commitment follows=null",
  Receipt: "deadline credit arrived judged",
  SeatState: "seat player name connected out bot=null stood_in=false grace=null kept=null hired=false",
  MatchSummary: "room code game rules_version players:ListedPlayer* ranks reason ended_ms turns rated left=[] detail=\"\"",
  Rated: "place player name bot score skill uncertainty matches",
};

/** The fields in their order; `:Part` names what a field holds (`*`: many), `=` its default. */
export const SERVER_SHAPES: Readonly<Record<string, string>> = {
  welcome: "ref version player token name server",
  games: "ref games:GameListing* room_options",
  rooms: "ref rooms:RoomListing*",
  listed: "rooms:RoomListing* gone",
  created: "ref room code key=null",
  joined: "ref room code life seat seat_token about:About",
  resumed: "ref room code life seat seat_token about:About",
  snapshot: "room life p q public private clock:Clock public_sum private_sum",
  update: "room p patch events clock:Clock sum",
  private: "room q p joint patch events sum",
  prompt: "room seat turn at deadline",
  verdict: "room id code detail p q receipt:Receipt",
  expired: "room seat turn receipt:Receipt acted=false left=null",
  legal: "ref room turn complete actions notes=null",
  seats: "room phase host seats:SeatState* watching",
  paused: "room at reason left_ms=null",
  offers: "room offers",
  said: "room at player name seat text",
  moved: "room to code key",
  ended: "room ranks reason seed chain detail=\"\" rated=false left=[]",
  matches: "ref matches:MatchSummary*",
  replay: "ref room offset size data",
  ranking: "ref game size players:Rated* bots=false",
  done: "ref",
  notice: "room code detail",
  pong: "ref",
  error: "ref code detail",
};

/** The fields in their order; `:Part` names what a field holds (`*`: many), `=` its default. */
export const CLIENT_SHAPES: Readonly<Record<string, string>> = {
  hello: "ref versions name token=null agent=\"\" rotate=false bot=null key=null",
  games: "ref",
  rooms: "ref game=null phase=null open=false player=null live=false",
  older: "ref before game=null phase=null open=false player=null",
  create: "ref game seats=null options={} room_options={}",
  quick: "ref game seats=null options={} room_options={}",
  join: "ref room seat=null seat_token=null position:Position=null key=null",
  watch: "ref room position:Position=null key=null",
  leave: "ref room",
  start: "ref room",
  fill: "ref room seat=null bot=null",
  kick: "ref room seat",
  act: "room id turn action",
  legal: "ref room notes=false",
  resync: "ref room reason=\"\"",
  resign: "ref room",
  reclaim: "ref room",
  offer: "ref room what on=true",
  say: "ref room text",
  mute: "ref room player on=true everybody=false",
  matches: "ref game=null player=null before=null",
  replay: "ref room view=\"all\" offset=0 key=null",
  ranking: "ref game offset=0 bots=false",
  ping: "ref",
};

export const PROTOCOL_VERSIONS: readonly number[] = [1];

export const RELEASE: string = "0.1.0";

export const MAX_CLIENT_BYTES: number = 4096;

export const MAX_VALUES: number = 1024;

export const MAX_DEPTH: number = 6;
