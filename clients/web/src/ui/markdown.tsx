/** Shows rules pages: the subset of Markdown that they use, as elements and never as foreign HTML. */

import type { ComponentChildren, VNode } from "preact";

export function Markdown({ text }: { readonly text: string }) {
  return <div class="markdown">{blocks(text.split("\n"))}</div>;
}

function blocks(lines: readonly string[]): VNode[] {
  const out: VNode[] = [];
  let at = 0;
  while (at < lines.length) {
    const [node, next] = block(lines, at);
    if (node) out.push(node);
    at = next;
  }
  return out;
}

function block(lines: readonly string[], at: number): [VNode | null, number] {
  const line = lines[at] ?? "";
  if (!line.trim()) return [null, at + 1];
  if (line.startsWith("<!--")) return [null, at + 1];
  if (line.startsWith("```")) return fenced(lines, at);
  const heading = /^(#{1,4}) (.*)$/.exec(line);
  if (heading) return [title(heading[1]?.length ?? 1, heading[2] ?? "", at), at + 1];
  if (line.startsWith("|")) return table(lines, at);
  if (/^\s*([-*]|\d+\.) /.test(line)) return list(lines, at);
  const end = until(lines, at, (each) => !each.trim() || /^(#{1,4} |\||```|\s*([-*]|\d+\.) )/.test(each));
  return [<p key={at}>{inline(lines.slice(at, Math.max(end, at + 1)).join(" "))}</p>, Math.max(end, at + 1)];
}

function title(level: number, text: string, key: number): VNode {
  const words = inline(text);
  return level <= 2 ? <h3 key={key}>{words}</h3> : <h4 key={key}>{words}</h4>;
}

function fenced(lines: readonly string[], at: number): [VNode, number] {
  const end = until(lines, at + 1, (line) => line.startsWith("```"));
  return [
    <pre key={at} tabindex={0}>
      <code>{lines.slice(at + 1, end).join("\n")}</code>
    </pre>,
    end + 1,
  ];
}

function table(lines: readonly string[], at: number): [VNode, number] {
  const end = until(lines, at, (line) => !line.startsWith("|"));
  const rows = lines.slice(at, end).map(cells);
  const [head = [], , ...body] = rows;
  const node = (
    <div key={at} class="scroll" tabindex={0} role="region" aria-label="Table">
      <table>
        <thead>
          <tr>
            {head.map((cell, index) => (
              <th key={index}>{inline(cell)}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {body.map((row, number) => (
            <tr key={number}>
              {row.map((cell, index) => (
                <td key={index}>{inline(cell)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
  return [node, end];
}

function cells(line: string): string[] {
  return line
    .replace(/^\||\|\s*$/g, "")
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim());
}

function list(lines: readonly string[], at: number): [VNode, number] {
  const end = until(lines, at, (line) => !line.trim() || /^(#{1,4} |\||```)/.test(line));
  const items: string[] = [];
  for (const line of lines.slice(at, end)) {
    const item = /^\s*(?:[-*]|\d+\.) (.*)$/.exec(line);
    if (item) items.push(item[1] ?? "");
    else items.push(`${items.pop() ?? ""} ${line.trim()}`);
  }
  const shown = items.map((item, index) => <li key={index}>{inline(item)}</li>);
  return [/^\s*\d/.test(lines[at] ?? "") ? <ol key={at}>{shown}</ol> : <ul key={at}>{shown}</ul>, end];
}

function until(lines: readonly string[], from: number, isEnd: (line: string) => boolean): number {
  const found = lines.slice(from).findIndex(isEnd);
  return found < 0 ? lines.length : from + found;
}

const INLINE = /(`[^`]+`|\*\*[^*]+\*\*|\*[^*]+\*|\[[^\]]+\]\([^)]+\))/;

/** Code, emphasis, and links as plain text: their targets are files beside the document. */
function inline(text: string): ComponentChildren {
  return text.split(INLINE).map((part, index) => {
    if (part.startsWith("`")) return <code key={index}>{part.slice(1, -1)}</code>;
    if (part.startsWith("**")) return <b key={index}>{part.slice(2, -2)}</b>;
    if (/^\*[^*]+\*$/.test(part)) return <i key={index}>{part.slice(1, -1)}</i>;
    const link = /^\[([^\]]+)\]\(([^)]+)\)$/.exec(part);
    if (link) return <span key={index}>{link[1]}</span>;
    return part.replaceAll("\\|", "|");
  });
}
