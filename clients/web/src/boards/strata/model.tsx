/** The container of the 3D model, whose code loads on first use. */

import { useEffect, useRef, useState } from "preact/hooks";

import type { Vertex } from "./position";
import type { Model, Sight } from "./scene";

export function ModelView({ sight, pick }: { readonly sight: Sight; readonly pick: (vertex: Vertex) => void }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const latest = useRef({ sight, pick });
  latest.current = { sight, pick };
  const [model, setModel] = useState<Model | null>(null);
  const [trouble, setTrouble] = useState<string | null>(null);
  useEffect(() => {
    if (!hasGraphics()) {
      setTrouble("This browser has no 3D graphics. The layers show everything.");
      return;
    }
    let built: Model | null = null;
    let isGone = false;
    import("./scene").then(
      ({ buildModel }) => {
        if (isGone || !canvas.current) return;
        built = buildModel(canvas.current, (vertex) => latest.current.pick(vertex));
        built.show(latest.current.sight);
        setModel(built);
      },
      () => setTrouble("The 3D model could not be loaded. The layers show everything."),
    );
    return () => {
      isGone = true;
      built?.dispose();
    };
  }, []);
  useEffect(() => model?.show(sight));
  useEffect(() => (model ? onThemeChange(() => model.show(latest.current.sight)) : undefined), [model]);
  if (trouble) return <p class="st-model st-flat quiet">{trouble}</p>;
  return (
    <div class="st-model">
      <canvas ref={canvas} />
      <span class="st-turn tiny quiet">Drag to turn</span>
    </div>
  );
}

/** Call back when the page's colours change, by the system or by its button; return a function that stops it. */
function onThemeChange(call: () => void): () => void {
  const night = matchMedia("(prefers-color-scheme: dark)");
  const button = new MutationObserver(call);
  night.addEventListener("change", call);
  button.observe(document.documentElement, { attributeFilter: ["data-theme"] });
  return () => {
    night.removeEventListener("change", call);
    button.disconnect();
  };
}

let isDrawn: boolean | undefined;

/** Whether WebGL works: checked first, as a later failure logs an error; once, as each check uses a context. */
function hasGraphics(): boolean {
  try {
    isDrawn ??= document.createElement("canvas").getContext("webgl2") !== null;
  } catch {
    isDrawn = false;
  }
  return isDrawn;
}
