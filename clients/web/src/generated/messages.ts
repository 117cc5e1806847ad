// Written by tools/generate_types.py from the Python types; change those, then run `./dev page`.

/** A plain value: what views, options and actions are made of. */
export type View = null | boolean | number | string | readonly View[] | { readonly [key: string]: View };

/** How far a viewer has come in a room: its life, the public number and the private number. */
export interface Position {
  readonly life: number;
  readonly p: number;
  readonly q: number;
}

/** Room time in milliseconds, the game's turn, when that turn runs out (nil: no turn is running), and the time that each seat may use beyond it (empty: none has any). */
export interface Clock {
  readonly at: number;
  readonly turn: number;
  readonly deadline: number | null;
  readonly banks: readonly number[];
}

/** One game: its seats, its usual turn, the bots that can fill seats, JSON schemas of its options and actions. */
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

/** One player of a listed room; *bot* names the bot that it is. */
export interface ListedPlayer {
  readonly player: string;
  readonly name: string;
  readonly bot: string | null;
}

/** One room as an anonymous spectator may know it; *watch* and *delay* are its options of those names. */
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

/** What never changes about a room: game, options, the SHA-256 (hex) that the seed was committed to with, and the room whose rematch it is. */
export interface About {
  readonly game: string;
  readonly rules_version: number;
  readonly seats: number;
  readonly options: { readonly [key: string]: View };
  readonly room_options: { readonly [key: string]: View };
  readonly commitment: string;
  readonly follows: number | null;
}

/** How a deadline was judged, in room time: *arrived* is nil where nothing arrived at all. */
export interface Receipt {
  readonly deadline: number;
  readonly credit: number;
  readonly arrived: number | null;
  readonly judged: number;
}

/** One seat: who sits there (nil: open), whether a connection holds it, whether the player has left the match. */
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

/** One finished match: players by seat with their ranks, when it ended (milliseconds since 1970), how, how long. */
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

/** One player in a ranking: *score* is the skill that is all but certain, all three in thousandths. */
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

/** The connection is open: the version chosen, who the player is, and the token that proves it next time. */
export interface Welcome {
  readonly type: "welcome";
  readonly ref: number;
  readonly version: number;
  readonly player: string;
  readonly token: string;
  readonly name: string;
  readonly server: string;
}

/** The games this server hosts, and the JSON schema of the options that every room has. */
export interface GameList {
  readonly type: "games";
  readonly ref: number;
  readonly games: readonly GameListing[];
  readonly room_options: { readonly [key: string]: View };
}

/** The listed rooms, the newest first. */
export interface RoomList {
  readonly type: "rooms";
  readonly ref: number;
  readonly rooms: readonly RoomListing[];
}

/** What changed in the rooms that were asked for *live*: rooms as they are now, and numbers of rooms that went. */
export interface Listed {
  readonly type: "listed";
  readonly rooms: readonly RoomListing[];
  readonly gone: readonly number[];
}

/** The room exists; join or watch it by its number, and by its *key* if it is private. *code* is for people. */
export interface Created {
  readonly type: "created";
  readonly ref: number;
  readonly room: number;
  readonly code: string;
  readonly key: string | null;
}

/** The viewer is in, as player (*seat*) or spectator (nil); a snapshot follows. */
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

/** The viewer is back in; every frame it missed follows, and nothing else of the numbered streams. */
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

/** The whole of what the viewer may know, at public number *p* and private number *q*. */
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

/** The next step of the public stream. */
export interface Update {
  readonly type: "update";
  readonly room: number;
  readonly p: number;
  readonly patch: View;
  readonly events: readonly View[];
  readonly clock: Clock;
  readonly sum: number | null;
}

/** The next step of the own seat's stream; with *joint* it belongs to update *p*, which follows. */
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

/** The seat is asked to act: *turn* is the token its action must carry; *at* is the room time of this message. */
export interface Prompt {
  readonly type: "prompt";
  readonly room: number;
  readonly seat: number;
  readonly turn: number;
  readonly at: number;
  readonly deadline: number;
}

/** The one answer to an action: accepted (*code* nil) or refused; *p* and *q* are where the seat's streams stand. */
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

/** The seat ran out of time for decision *turn*, and the clock acted for it. */
export interface Expired {
  readonly type: "expired";
  readonly room: number;
  readonly seat: number;
  readonly turn: number;
  readonly receipt: Receipt;
  readonly acted: boolean;
  readonly left: number | null;
}

/** What the seat may do at decision *turn*; *complete* says that nothing else is legal. */
export interface LegalList {
  readonly type: "legal";
  readonly ref: number;
  readonly room: number;
  readonly turn: number;
  readonly complete: boolean;
  readonly actions: readonly View[];
  readonly notes: readonly string[] | null;
}

/** Who sits where; *phase* is `lobby`, `playing` or `ended`. The latest one holds. */
export interface Seats {
  readonly type: "seats";
  readonly room: number;
  readonly phase: string;
  readonly host: string | null;
  readonly seats: readonly SeatState[];
  readonly watching: number;
}

/** The room's clock stands still for *reason*; nil says that it runs again. It does so by itself in *left_ms*. */
export interface Paused {
  readonly type: "paused";
  readonly room: number;
  readonly at: number | null;
  readonly reason: string | null;
  readonly left_ms: number | null;
}

/** What is offered now, and by which seats. The latest one holds. */
export interface Offers {
  readonly type: "offers";
  readonly room: number;
  readonly offers: readonly (readonly ["draw" | "pause" | "rematch" | "resume", readonly number[]])[];
}

/** Somebody said something: a player at room time *at*, or (*at* and *seat* nil) a spectator. */
export interface Said {
  readonly type: "said";
  readonly room: number;
  readonly at: number | null;
  readonly player: string;
  readonly name: string;
  readonly seat: number | null;
  readonly text: string;
}

/** The match goes into another round: the room *to* is its rematch, where seats are kept for the players. */
export interface Moved {
  readonly type: "moved";
  readonly room: number;
  readonly to: number;
  readonly code: string;
  readonly key: string | null;
}

/** The match is over: rank per seat (1 is best), why, and what proves that nobody changed it afterwards. */
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

/** Finished matches, the newest first. */
export interface MatchList {
  readonly type: "matches";
  readonly ref: number;
  readonly matches: readonly MatchSummary[];
}

/** Part of a replay file: its bytes from *offset* on, of *size* in all. */
export interface ReplayPart {
  readonly type: "replay";
  readonly ref: number;
  readonly room: number;
  readonly offset: number;
  readonly size: number;
  readonly data: Uint8Array;
}

/** The best players of a game, the best first, out of *size*. */
export interface RankingList {
  readonly type: "ranking";
  readonly ref: number;
  readonly game: string;
  readonly size: number;
  readonly players: readonly Rated[];
}

/** What the request asked for is done. */
export interface Done {
  readonly type: "done";
  readonly ref: number;
}

/** Something the viewer should know, of one room or (nil) of the whole connection. */
export interface Notice {
  readonly type: "notice";
  readonly room: number | null;
  readonly code: string;
  readonly detail: string;
}

/** The answer to a ping. */
export interface Pong {
  readonly type: "pong";
  readonly ref: number;
}

/** A request was refused (*ref*), or the connection did something wrong (nil). */
export interface Error {
  readonly type: "error";
  readonly ref: number | null;
  readonly code: string;
  readonly detail: string;
}

/** Open a connection: the protocol versions spoken, a name, and the identity token of an earlier visit. */
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

/** Ask for the listed rooms: of one game or of all, in one phase or in any, with a free seat, with one player. */
export interface RoomsRequest {
  readonly type: "rooms";
  readonly ref: number;
  readonly game?: string | null;
  readonly phase?: "lobby" | "playing" | null;
  readonly open?: boolean;
  readonly player?: string | null;
  readonly live?: boolean;
}

/** Ask for the listed rooms that are older than room *before*, by the filters of `rooms`; a live list goes on. */
export interface OlderRequest {
  readonly type: "older";
  readonly ref: number;
  readonly before: number;
  readonly game?: string | null;
  readonly phase?: "lobby" | "playing" | null;
  readonly open?: boolean;
  readonly player?: string | null;
}

/** Create a room. The same ref from the same player names the same room, however often it is sent. */
export interface CreateRequest {
  readonly type: "create";
  readonly ref: number;
  readonly game: string;
  readonly seats?: number | null;
  readonly options?: { readonly [key: string]: View };
  readonly room_options?: { readonly [key: string]: View };
}

/** Ask for any room to play a game in: an open one of the same kind, or a new one that bots fill after a while. */
export interface QuickRequest {
  readonly type: "quick";
  readonly ref: number;
  readonly game: string;
  readonly seats?: number | null;
  readonly options?: { readonly [key: string]: View };
  readonly room_options?: { readonly [key: string]: View };
}

/** Take a seat, or come back to one; *position* asks for what was missed since. A private room wants its *key*. */
export interface JoinRequest {
  readonly type: "join";
  readonly ref: number;
  readonly room: number;
  readonly seat?: number | null;
  readonly seat_token?: string | null;
  readonly position?: Position | null;
  readonly key?: string | null;
}

/** Follow a room without a seat. A private room wants its *key*. */
export interface WatchRequest {
  readonly type: "watch";
  readonly ref: number;
  readonly room: number;
  readonly position?: Position | null;
  readonly key?: string | null;
}

/** Stop following a room; before the match has started this also frees the seat. */
export interface LeaveRequest {
  readonly type: "leave";
  readonly ref: number;
  readonly room: number;
}

/** Start the match with the seats taken so far (host only). */
export interface StartRequest {
  readonly type: "start";
  readonly ref: number;
  readonly room: number;
}

/** Let a bot take one open seat, or (nil) each of them (host only, before the match has started). */
export interface FillRequest {
  readonly type: "fill";
  readonly ref: number;
  readonly room: number;
  readonly seat?: number | null;
  readonly bot?: string | null;
}

/** Send whoever sits at a place away for good (host only, before the match has started). */
export interface KickRequest {
  readonly type: "kick";
  readonly ref: number;
  readonly room: number;
  readonly seat: number;
}

/** Play an action for the decision that *turn* names. */
export interface ActRequest {
  readonly type: "act";
  readonly room: number;
  readonly id: number;
  readonly turn: number;
  readonly action: View;
}

/** Ask what the own seat may do now; with *notes*, also what each action costs or brings. */
export interface LegalRequest {
  readonly type: "legal";
  readonly ref: number;
  readonly room: number;
  readonly notes?: boolean;
}

/** Ask for a snapshot, because the own copy of the view went wrong or fell behind. */
export interface ResyncRequest {
  readonly type: "resync";
  readonly ref: number;
  readonly room: number;
  readonly reason?: string;
}

/** Give the match up. */
export interface ResignRequest {
  readonly type: "resign";
  readonly ref: number;
  readonly room: number;
}

/** Take the own seat back from the bot that stands in, as soon as the turn that it plays is over. */
export interface ReclaimRequest {
  readonly type: "reclaim";
  readonly ref: number;
  readonly room: number;
}

/** Offer the others something, or agree to it; *on* false takes it back. It happens once all have offered it. */
export interface OfferRequest {
  readonly type: "offer";
  readonly ref: number;
  readonly room: number;
  readonly what: "draw" | "pause" | "rematch" | "resume";
  readonly on?: boolean;
}

/** Say something: players to everybody, spectators to spectators. */
export interface SayRequest {
  readonly type: "say";
  readonly ref: number;
  readonly room: number;
  readonly text: string;
}

/** Hear a player no more in this room, or again; the host may silence one for *everybody*. */
export interface MuteRequest {
  readonly type: "mute";
  readonly ref: number;
  readonly room: number;
  readonly player: string;
  readonly on?: boolean;
  readonly everybody?: boolean;
}

/** Ask for finished matches, the newest first: of one game, of one player, before the match of room *before*. */
export interface MatchesRequest {
  readonly type: "matches";
  readonly ref: number;
  readonly game?: string | null;
  readonly player?: string | null;
  readonly before?: number | null;
}

/** Ask for a finished match, from byte *offset* on: all of it, or as the public or the own seat saw it. */
export interface ReplayRequest {
  readonly type: "replay";
  readonly ref: number;
  readonly room: number;
  readonly view?: "all" | "own" | "public";
  readonly offset?: number;
  readonly key?: string | null;
}

/** Ask for the best players of a game, from place *offset* on. */
export interface RankingRequest {
  readonly type: "ranking";
  readonly ref: number;
  readonly game: string;
  readonly offset?: number;
}

/** Ask for a pong, to measure the line. */
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
  ranking: "ref game size players:Rated*",
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
  ranking: "ref game offset=0",
  ping: "ref",
};
