/** The orders without a unit: deploying, wood, walls, passing. */

import type { Action, Deploy, GameEvent, PrivateView, PublicView } from "warroom-client/games/timberwall";
import type { BoardProps } from "../board";
import { Answer, legalIf, OrderButton, type Ordering, OrderRow, toMove, Undo } from "../orders";
import type { Draft } from "./position";
import { type Asking, whyNoUnits, whyNoWall } from "./reasons";

type Props = BoardProps<PublicView, PrivateView, Action, GameEvent> &
  Ordering<Action> & {
    readonly selection: Draft | null;
    readonly asking: Asking | null;
  };

export function Orders(props: Props) {
  const { moment, table, asked, isOpen, why, say, play, setDraft, selection, asking } = props;
  const legal = asked?.legal ?? [];
  const has = (type: Action["type"]) => legal.some((action) => action.type === type);
  const mode = (name: string, of: "wall" | "remove") => (
    <OrderButton
      isLegal={isOpen}
      isPressed={selection?.mode === of}
      onOrder={() => setDraft(selection?.mode === of ? null : { mode: of })}
    >
      {name}
    </OrderButton>
  );
  /** An order that is impossible now, and explains why when pressed. */
  const inVain = (name: string, reason: string) => (
    <OrderButton isLegal={false} kind="tw-vain" why={reason} say={say}>
      {name}
    </OrderButton>
  );
  return (
    <div class="tw-orders orders">
      <Answer why={why} hint={hint(moment.public, table, asked, selection)} />
      <OrderRow>
        {asked?.legal && asking && (
          <>
            {has("deploy") ? <Deployment {...props} legal={legal} /> : inVain("Deploy…", whyNoUnits(asking))}
            {has("build_wall") ? mode("Wall…", "wall") : inVain("Wall…", whyNoWall(asking))}
            {has("remove_wall") && mode("Remove…", "remove")}
            {(["convert", "convert_all"] as const).map(
              (type) =>
                has(type) && (
                  <OrderButton key={type} isLegal={isOpen} onOrder={() => void play({ type })}>
                    {type === "convert" ? "20 wood → 1 reserve" : "All wood → reserves"}
                  </OrderButton>
                ),
            )}
          </>
        )}
        {asked && selection && <Undo onUndo={() => setDraft(null)} />}
        {asked && (
          <OrderButton isLegal={isOpen} onOrder={() => void play({ type: "pass" })}>
            Pass
          </OrderButton>
        )}
      </OrderRow>
    </div>
  );
}

function Deployment({ legal, isOpen, selection, setDraft }: Props & { readonly legal: readonly Action[] }) {
  const levels = levelsIn(legal);
  const points = levels.find((level) => selection?.mode === "deploy" && selection.points === level);
  return (
    <label class="tw-deploy">
      <span class="unseen">Deploy a unit of</span>
      <select
        class="select"
        data-legal={legalIf(isOpen && !points)}
        value={points ?? ""}
        onChange={(event) => {
          const chosen = Number(event.currentTarget.value);
          setDraft(chosen ? { mode: "deploy", points: chosen } : null);
        }}
      >
        <option value="">Deploy…</option>
        {levels.map((level) => (
          <option key={level} value={level}>
            {level} {level === 1 ? "point" : "points"}
          </option>
        ))}
      </select>
    </label>
  );
}

/** The possible points of a deployed unit, lowest first. */
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
      return "Choose an edge. One wall per turn, 10 wood.";
    case "remove":
      return "Choose one of your walls to remove.";
    default:
      return "Deploy and build as you like; then one unit acts, which ends your turn.";
  }
}
