import type { JobView } from '../../shared/domain/jobs/job-view.ts';
import type { Capabilities, Settings } from '../bridge/types.ts';

export interface DiagnosticsSource {
  readonly error: unknown;
  readonly atMs: number;
  readonly app: { readonly version: string; readonly capabilities: Capabilities; readonly settings: Settings } | null;
  readonly jobs: readonly JobView[];
  /** The part of the page's address after `#`. */
  readonly location: string;
}

const mostFrames = 12;
/** `at name (address/file.js:1:2)`, the name optional. */
const frame = /^\s*at (?:(?:async |new )?([\w$.<>]{1,60}) )?\(?(?:\S*\/)?([\w.-]{1,60}):(\d{1,8}):(\d{1,8})\)?$/;

/**
 * Facts that help to find a bug, without anything personal: names of our own functions and files, never the message of
 * an error (it may quote a text), a folder, an address, a file name or a key.
 */
export function writeDiagnostics({ error, atMs, app, jobs, location }: DiagnosticsSource): string {
  const name = error instanceof Error && /^[A-Za-z]{1,40}$/.test(error.name) ? error.name : 'unknown';
  const stack = error instanceof Error ? (error.stack ?? '') : '';
  const frames = stack.split('\n').flatMap((line) => {
    const found = frame.exec(line);
    return found ? [`  ${found[1] ?? '?'} ${found[2] ?? ''}:${found[3] ?? ''}:${found[4] ?? ''}`] : [];
  });
  const counts = new Map<string, number>();
  for (const { state } of jobs) {
    const tag = /^[a-z-]{1,30}$/.test(state.tag) ? state.tag : 'unknown';
    counts.set(tag, (counts.get(tag) ?? 0) + 1);
  }
  const states = [...counts].map(([tag, count]) => `${tag} ${String(count)}`).join(', ');
  return [
    `Ovoz Studio ${app?.version ?? '?'}`,
    `time: ${new Date(atMs).toISOString()}`,
    ...(app
      ? [
          `shell: ${app.capabilities.shell}, ${app.capabilities.platform}`,
          `settings: ${app.settings.mode}, ${app.settings.interfaceLanguage}, ${app.settings.appearance}, ${String(app.settings.interfaceZoom)} %`,
        ]
      : []),
    `screen: ${screenOf(location)}`,
    `jobs: ${states === '' ? 'none' : states}`,
    `error: ${name}`,
    ...frames.slice(0, mostFrames),
  ].join('\n');
}

/** The kind of screen, without the id of its content. */
const screenOf = (location: string): string => {
  const [first = ''] = location.split('/').filter((part) => part !== '');
  return /^[a-z]{1,20}$/.test(first) ? first : 'start';
};
