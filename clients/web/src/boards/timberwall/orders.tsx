/** The orders that begin with no unit: deploying, wood, walls, passing. */

import type { Action, Deploy, GameEvent, PrivateView, PublicView } from "../../generated/games/timberwall";
import type { BoardProps } from "../board";
import { Answer, canOrder, legalIf, OrderButton, toMove, Undo } from "../orders";
import type { Draft } from "./field";
import { type Asking, whyNoUnits, whyNoWall } from "./why";

type Props = BoardProps<PublicView, PrivateView, Action, GameEvent> & {
  readonly selection: Draft | null;
  readonly asking: Asking | null;
  readonly why: string | null;
  readonly say: (why: string) => void;
};

export function Orders(props: Props) {
  const { moment, table, asked, refusal, play, setDraft, selection, asking, why, say } = props;
  const legal = asked?.legal ?? [];
  const has = (type: Action["type"]) => legal.some((action) => action.type === type);
  const isOpen = canOrder(asked);
  const levels = levelsIn(legal);
  return (
    <div class="tw-orders orders">
      <Answer why={why} refusal={refusal} hint={hint(moment.public, table, asked, selection)} />
      {asked && (
        <div class="row">
          {levels.length > 0 ? (
            <label class="tw-deploy">
              <span class="unseen">Deploy a unit of</span>
              <select
                class="select"
                value={selection?.mode === "deploy" ? String(selection.points) : ""}
                onChange={(event) => {
                  const points = Number(event.currentTarget.value);
                  setDraft(points ? { mode: "deploy", points } : null);
                }}
              >
                <option value="">Deploy…</option>
                {levels.map((points) => (
                  <option key={points} value={points}>
                    {points} {points === 1 ? "point" : "points"}
                  </option>
                ))}
              </select>
            </label>
          ) : (
            asking && <InVain name="Deploy…" why={whyNoUnits(asking)} isOpen={isOpen} say={say} />
          )}
          {has("build_wall") ? (
            <Mode name="Wall…" mode="wall" isOpen={isOpen} selection={selection} setDraft={setDraft} />
          ) : (
            asking && <InVain name="Wall…" why={whyNoWall(asking)} isOpen={isOpen} say={say} />
          )}
          {has("remove_wall") && (
            <Mode name="Remove…" mode="remove" isOpen={isOpen} selection={selection} setDraft={setDraft} />
          )}
          {(["convert", "convert_all"] as const).map(
            (type) =>
              has(type) && (
                <OrderButton key={type} isLegal={isOpen} onOrder={() => void play({ type })}>
                  {type === "convert" ? "20 wood → 1 reserve" : "All wood → reserves"}
                </OrderButton>
              ),
          )}
          {selection && <Undo onUndo={() => setDraft(null)} />}
          <OrderButton isLegal={isOpen} onOrder={() => void play({ type: "pass" })}>
            Pass
          </OrderButton>
        </div>
      )}
    </div>
  );
}

interface ModeProps {
  readonly name: string;
  readonly mode: "wall" | "remove";
  readonly isOpen: boolean;
  readonly selection: Draft | null;
  readonly setDraft: Props["setDraft"];
}

function Mode({ name, mode, isOpen, selection, setDraft }: ModeProps) {
  const isOn = selection?.mode === mode;
  return (
    <button
      type="button"
      class="button"
      aria-pressed={isOn}
      data-legal={legalIf(isOpen && !isOn)}
      onClick={() => setDraft(isOn ? null : { mode })}
    >
      {name}
    </button>
  );
}

interface InVainProps {
  readonly name: string;
  readonly why: string;
  readonly isOpen: boolean;
  readonly say: (why: string) => void;
}

/** An order that cannot be given now, and says why when it is tried. */
function InVain({ name, why, isOpen, say }: InVainProps) {
  return (
    <button
      type="button"
      class="button tw-vain"
      aria-disabled="true"
      disabled={!isOpen}
      title={why}
      onClick={() => say(why)}
    >
      {name}
    </button>
  );
}

/** The points that a unit can be deployed with, the fewest first. */
function levelsIn(legal: readonly Action[]): number[] {
  const points = legal.filter((action): action is Deploy => action.type === "deploy").map((action) => action.points);
  return [...new Set(points)].sort((one, other) => one - other);
}

function hint(view: PublicView, table: Props["table"], asked: Props["asked"], selection: Draft | null): string {
  if (view.ended) return "The match is over.";
  if (!asked) return toMove(table, view.seat);
  switch (selection?.mode) {
    case "unit":
      return "Choose where it goes, what it attacks or which wall it hits. That ends your turn.";
    case "deploy":
      return "Choose a tile near your base.";
    case "wall":
      return "Choose an edge. One wall a turn, 10 wood.";
    case "remove":
      return "Choose which of your walls goes.";
    default:
      return "Deploy and build as you like; then one unit acts, which ends your turn.";
  }
}
