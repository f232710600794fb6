import type { BrowserWindow, BrowserWindowConstructorOptions } from 'electron';

interface FixtureBridge {
  echo(value: unknown): Promise<unknown>;
  sender(): Promise<{ url: string; origin: string; isTop: boolean; contents: number; window: number | null }>;
  fails(): Promise<never>;
  unknown(): Promise<never>;
  pathOf(file: unknown): string;
  add(a: number, b: number): number;
  nested: { list: [number, { deep: boolean }] };
  portToMain(tell: (data: unknown) => void): void;
}

interface Loop {
  readonly value: number;
  readonly loop: Loop;
}

interface BridgedValues {
  readonly loop: Loop;
  readonly symbol: symbol;
  own(value: symbol): boolean;
  keyed(): Record<symbol, number>;
  same(value: unknown): unknown;
  alike(one: unknown, other: unknown): boolean;
  prototype(value: unknown): [boolean, boolean];
  getter(): unknown;
  throws(): never;
  throwsText(): never;
  uncloneable(): unknown;
  rejects(): Promise<never>;
}

declare global {
  interface Window {
    fixture: FixtureBridge;
    bridged: BridgedValues;
    bridgeWasThere: string;
    inlineRan?: boolean;
    dropped: [name: string, path: string][] | null;
  }
  // Visible to functions that run in the fixture's main process.
  var fixture: {
    log: (readonly [string, ...unknown[]])[];
    second: { argv: string[]; directory: string; data: unknown }[];
    allow: Set<string>;
    denyNavigation: boolean;
    keepOpen: boolean;
    /** How often an icon was asked for, which only a browser with tabs does. */
    icons: number;
    utility: string;
    /** The text of the error that a call throws; null if it throws none. */
    readonly thrown: (call: () => unknown) => string | null;
    lastRequest: { url: string; method: string; origin: string | null };
    window: BrowserWindow;
    createWindow(options?: BrowserWindowConstructorOptions): BrowserWindow;
  };
}
