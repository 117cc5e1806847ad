/** The lattice in 3D: stacked layers, stacks as columns, rotated by dragging. */

import {
  AmbientLight,
  BufferGeometry,
  Color,
  CylinderGeometry,
  DirectionalLight,
  Group,
  LineBasicMaterial,
  LineSegments,
  Mesh,
  MeshStandardMaterial,
  PerspectiveCamera,
  Raycaster,
  Scene,
  SphereGeometry,
  Vector2,
  Vector3,
  WebGLRenderer,
} from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";

import type { PublicView } from "warroom-client/games/strata";
import { LAYERS, occupies, same, stackAt, type Vertex, verticesOf } from "./position";

const RISE = 1.9;
const PIECE = 0.28;
const TALLEST = 2;
/** The camera: vertical field of view in degrees, and half the width at distance 1. */
const TALL_ANGLE = 36;
const HALF_WIDTH = 0.29;

/** What the model shows at one moment. */
export interface Sight {
  readonly view: PublicView;
  readonly chosen: Vertex | null;
  isTarget(vertex: Vertex): boolean;
  isChoice(vertex: Vertex): boolean;
}

export interface Model {
  show(sight: Sight): void;
  dispose(): void;
}

/** Draw into a canvas; call *pick* with every clicked vertex. */
export function buildModel(canvas: HTMLCanvasElement, pick: (vertex: Vertex) => void): Model {
  const renderer = new WebGLRenderer({ canvas, antialias: true, alpha: true });
  const scene = new Scene();
  const camera = new PerspectiveCamera(TALL_ANGLE, 1, 0.1, 100);
  camera.position.set(9.5, 7.5, 12.5);
  const controls = new OrbitControls(camera, canvas);
  controls.enablePan = false;
  controls.enableZoom = false; // the wheel scrolls the page
  canvas.style.touchAction = "pan-y"; // so does a vertical swipe; the controls would capture both
  const sun = new DirectionalLight(0xffffff, 2.2);
  sun.position.set(5, 10, 7);
  scene.add(new AmbientLight(0xffffff, 1.5), sun);
  const lines = new LineSegments(wires(), new LineBasicMaterial({ transparent: true, opacity: 0.55 }));
  const pieces = new Group();
  scene.add(lines, pieces);

  const dot = new SphereGeometry(0.1, 16, 12);
  const column = new CylinderGeometry(0.3, 0.34, 1, 24);
  let frame = 0;

  function render() {
    frame = 0;
    renderer.render(scene, camera);
  }

  function renderSoon() {
    if (!frame) frame = requestAnimationFrame(render);
  }

  function resize() {
    const { clientWidth, clientHeight } = canvas;
    if (!clientWidth || !clientHeight) return;
    renderer.setPixelRatio(Math.min(2, devicePixelRatio));
    renderer.setSize(clientWidth, clientHeight, false);
    camera.aspect = clientWidth / clientHeight;
    camera.fov = Math.max(TALL_ANGLE, (2 * Math.atan(HALF_WIDTH / camera.aspect) * 180) / Math.PI);
    camera.updateProjectionMatrix();
    renderSoon();
  }

  const sizes = new ResizeObserver(resize);
  sizes.observe(canvas);
  controls.addEventListener("change", renderSoon);
  const unclick = onClick(canvas, (x, y) => {
    const ray = new Raycaster();
    ray.setFromCamera(new Vector2(x, y), camera);
    const hit = ray.intersectObjects(pieces.children)[0];
    if (hit) pick(hit.object.userData.vertex as Vertex);
  });

  return {
    show(sight) {
      const ink = paint(canvas);
      lines.material.color = ink("--line-2");
      pieces.clear();
      for (const vertex of LAYERS.flatMap((_, layer) => verticesOf(layer))) {
        const stack = stackAt(sight.view, vertex);
        const isLit = sight.isTarget(vertex);
        const shade = isLit ? "--accent" : sight.isChoice(vertex) ? "--ink" : "--line-2";
        const color = stack ? ink(stack.seat === 0 ? "--seat-0" : "--seat-1") : ink(shade);
        const material = new MeshStandardMaterial({ color, roughness: 0.55 });
        if (stack) {
          material.transparent = true;
          material.opacity = occupies(stack, vertex) ? 1 : 0.5;
          if (same(sight.chosen, vertex)) material.emissive = color; // it glows in its own colour, not in its owner's
        }
        const mesh = new Mesh(stack ? column : dot, material);
        const height = stack ? Math.min(TALLEST, PIECE * (stack.pieces + 1)) : 1;
        mesh.position.copy(spot(vertex));
        if (stack) {
          mesh.scale.y = height;
          mesh.position.y += height / 2;
        } else if (isLit) mesh.scale.setScalar(1.8);
        mesh.userData.vertex = vertex;
        pieces.add(mesh);
      }
      renderSoon();
    },
    dispose() {
      cancelAnimationFrame(frame);
      sizes.disconnect();
      unclick();
      controls.dispose();
      renderer.dispose();
    },
  };
}

function spot([layer, x, y]: Vertex): Vector3 {
  const middle = ((LAYERS[layer]?.size ?? 1) - 1) / 2;
  return new Vector3(x - middle, (layer - 2) * RISE, y - middle);
}

/** The edges on and between the layers; the flat view shows where layers wrap around. */
function wires(): BufferGeometry {
  const points: Vector3[] = [];
  for (const [layer, { size }] of LAYERS.entries()) {
    for (const [, x, y] of verticesOf(layer)) {
      if (x + 1 < size) points.push(spot([layer, x, y]), spot([layer, x + 1, y]));
      if (y + 1 < size) points.push(spot([layer, x, y]), spot([layer, x, y + 1]));
      const above = LAYERS[layer + 1];
      if (!above) continue;
      const shift = (above.size - size) / 2;
      const [u, v] = [x + shift, y + shift];
      if (u >= 0 && v >= 0 && u < above.size && v < above.size)
        points.push(spot([layer, x, y]), spot([layer + 1, u, v]));
    }
  }
  return new BufferGeometry().setFromPoints(points);
}

/** The page's current colours, light or dark. */
function paint(canvas: HTMLCanvasElement): (name: string) => Color {
  const probe = document.createElement("i");
  probe.style.transition = "none"; // otherwise a transition would return the first colour every time
  canvas.parentElement?.append(probe);
  const colors = new Map<string, Color>();
  queueMicrotask(() => probe.remove());
  return (name) => {
    const known = colors.get(name);
    if (known) return known;
    probe.style.color = `var(${name})`;
    const color = new Color(getComputedStyle(probe).color);
    colors.set(name, color);
    return color;
  };
}

/** Call back with clicks that are not drags, in camera coordinates. */
function onClick(canvas: HTMLCanvasElement, call: (x: number, y: number) => void): () => void {
  let down: PointerEvent | null = null;
  const press = (event: PointerEvent) => {
    down = event;
  };
  const lift = (event: PointerEvent) => {
    if (!down || Math.hypot(event.clientX - down.clientX, event.clientY - down.clientY) > 6) return;
    const box = canvas.getBoundingClientRect();
    call(((event.clientX - box.left) / box.width) * 2 - 1, 1 - ((event.clientY - box.top) / box.height) * 2);
  };
  canvas.addEventListener("pointerdown", press);
  canvas.addEventListener("pointerup", lift);
  return () => {
    canvas.removeEventListener("pointerdown", press);
    canvas.removeEventListener("pointerup", lift);
  };
}
