import type { BrowserWindow, BrowserWindowConstructorOptions, Session } from 'electron';

interface FixtureBridge {
  echo(value: unknown): Promise<unknown>;
  sender(): Promise<{ url: string; origin: string; isTop: boolean; contents: number; window: number | null }>;
  fails(): Promise<never>;
  unknown(): Promise<never>;
  send(...args: unknown[]): void;
  sync(value: unknown): unknown;
  onMessage(listener: (...args: unknown[]) => void): () => void;
  pathOf(file: unknown): string;
  add(a: number, b: number): number;
  call(fn: (x: number) => number): number;
  later(value: unknown): Promise<unknown>;
  throws(): never;
  nested: { list: [number, { deep: boolean }] };
  portToMain(): void;
  preloadGlobals: { process: string; sandboxed: boolean; argv: boolean };
}

interface FixtureMain {
  log: (readonly [string, ...unknown[]])[];
  requests: (string | null)[];
  second: { argv: string[]; directory: string; data: unknown }[];
  allow: Set<string>;
  checked?: string[];
  denyNavigation: boolean;
  keepOpen: boolean;
  named: string[];
  preload: string;
  utility: string;
  lastRequest: { url: string; method: string; origin: string | null };
  window: BrowserWindow;
  createWindow(options?: BrowserWindowConstructorOptions): BrowserWindow;
  guard(session: Session): void;
  serve(request: Request): Promise<Response>;
}

declare global {
  interface Window {
    fixture: FixtureBridge;
    bridgeWasThere: string;
    inlineRan?: boolean;
    dropped: { name: string; path: string }[] | null;
    fromMain: unknown[][];
    portMessages: unknown[];
    keys: string[];
    port: MessagePort;
    probe?: unknown;
  }
  // Visible to functions that run in the fixture's main process.
  var fixture: FixtureMain;
}
