import { EventEmitter } from 'node:events';

export interface ScreenReport {
  readonly dark?: boolean;
  readonly width?: number;
  readonly height?: number;
  readonly availWidth?: number;
  readonly availHeight?: number;
  readonly scaleFactor?: number;
}

/** What pages have reported about their display; only the browser knows it here. */
export const screenReport: { current: ScreenReport } = { current: {} };
export const screenChanges = new EventEmitter();

export function reportScreen(report: ScreenReport): void {
  const before = screenReport.current;
  screenReport.current = { ...before, ...report };
  if (before.dark !== screenReport.current.dark) screenChanges.emit('dark');
}
