import type { BrowserWindow } from 'electron';

const step = 0.5;
const least = -3;
const most = 4;

/** Which way a key press zooms, or null. Ctrl (on macOS the menu does this) with +, − or 0. */
export function zoomOf(input: {
  readonly type: string;
  readonly control: boolean;
  readonly alt: boolean;
  readonly key: string;
}): 'in' | 'out' | 'reset' | null {
  if (input.type !== 'keyDown' || !input.control || input.alt) return null;
  if (input.key === '+' || input.key === '=') return 'in';
  if (input.key === '-' || input.key === '_') return 'out';
  return input.key === '0' ? 'reset' : null;
}

/** Ctrl +, Ctrl − and Ctrl 0 where there is no menu bar to bring them. */
export function enableZoomKeys(window: BrowserWindow): void {
  const contents = window.webContents;
  contents.on('before-input-event', (event, input) => {
    const zoom = zoomOf(input);
    if (zoom === null) return;
    event.preventDefault();
    const level = contents.getZoomLevel();
    if (zoom === 'reset') contents.setZoomLevel(0);
    else contents.setZoomLevel(Math.min(most, Math.max(least, level + (zoom === 'in' ? step : -step))));
  });
}
