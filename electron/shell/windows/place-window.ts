import type { WebContents } from 'electron';
import type { SettingsStore } from '../../services/settings/stored-settings.ts';

export interface Area {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface SavedWindow {
  readonly x?: number | undefined;
  readonly y?: number | undefined;
  readonly width: number;
  readonly height: number;
}

export const minWidth = 960;
export const minHeight = 640;
/** How much of a window must be on some display so that a user can grab it. */
const graspPx = 80;

/** As it was left, unless that is outside every display now. */
export function placeWindow(
  saved: SavedWindow,
  displays: readonly Area[],
): Partial<Area> & { width: number; height: number } {
  const widest = Math.max(minWidth, ...displays.map((display) => display.width));
  const highest = Math.max(minHeight, ...displays.map((display) => display.height));
  const width = Math.min(Math.max(saved.width, minWidth), widest);
  const height = Math.min(Math.max(saved.height, minHeight), highest);
  const { x, y } = saved;
  if (x === undefined || y === undefined) return { width, height };
  const isReachable = displays.some(
    (display) =>
      x + width >= display.x + graspPx &&
      x <= display.x + display.width - graspPx &&
      y >= display.y &&
      y <= display.y + display.height - graspPx,
  );
  return isReachable ? { x, y, width, height } : { width, height };
}

/** What the next start opens of an address of the page: its section or its transcript, without a place or words in it. */
export function placeToReopen(address: string): string {
  const [, section = '', id = ''] = new URL(address).hash.split('/');
  return section === 'transcripts' ? `/transcripts/${id}` : `/${section}`;
}

/** A transcript that ends the app within this time after a start opened it is not opened by the start after that. */
const trustedAfterMs = 10_000;

/** Only what this start has opened is in doubt for a while: it may be what ended the app before. */
export function createReopening(start: string, keep: (location: string) => void) {
  let location = start;
  let trust: NodeJS.Timeout | undefined;
  const keepIt = () => {
    keep(location);
  };
  if (start.startsWith('/transcripts/')) {
    keep('');
    trust = setTimeout(keepIt, trustedAfterMs);
  }
  const stop = () => {
    clearTimeout(trust);
  };
  return {
    go(next: string): void {
      if (next === location) return;
      location = next;
      stop();
      keepIt();
    },
    end(): void {
      stop();
      keepIt();
    },
    stop,
  };
}

const spanMs = 5 * 60_000;
const maxRestarts = 3;

/** How often a failing page is reloaded: three times in five minutes, then no more (window-restarted). */
export function createRestartLimit(now: () => number) {
  let restarts: readonly number[] = [];
  return {
    mayRestart(): boolean {
      const atMs = now();
      restarts = restarts.filter((earlier) => atMs - earlier < spanMs);
      if (restarts.length >= maxRestarts) return false;
      restarts = [...restarts, atMs];
      return true;
    },
  };
}

export function followZoom(contents: WebContents, settings: SettingsStore): () => void {
  let shownPercent = 100;
  const apply = () => {
    const percent = settings.get().interfaceZoom;
    if (percent === shownPercent || contents.isDestroyed()) return;
    shownPercent = percent;
    contents.setZoomFactor(percent / 100);
  };
  contents.on('did-finish-load', () => {
    // A new document may start at its own zoom.
    shownPercent = 0;
    apply();
  });
  const stop = settings.onChanged(apply);
  contents.once('destroyed', stop);
  return stop;
}
