/** What browsers and Node both offer; the package uses nothing else of them. */

declare function setTimeout<Nothing>(callback: (nothing: Nothing) => void, ms?: number): { readonly timer: never };
declare function clearTimeout(timer: { readonly timer: never } | undefined): void;
declare function queueMicrotask(callback: () => void): void;
declare const performance: { now(): number };
declare const crypto: { getRandomValues<Numbers extends Uint32Array>(numbers: Numbers): Numbers };

declare class URL {
  constructor(address: string);
  readonly protocol: string;
  readonly host: string;
  readonly pathname: string;
  readonly search: string;
}

declare class TextEncoder {
  encode(text: string): Uint8Array<ArrayBuffer>;
}

declare class TextDecoder {
  constructor(label: string, options: { readonly fatal: boolean; readonly ignoreBOM: boolean });
  decode(bytes: Uint8Array): string;
}
