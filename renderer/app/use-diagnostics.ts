import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { JobView } from '../../shared/domain/jobs/job-view.ts';
import { jobsQuery } from '../bridge/jobs-list.ts';
import { appQuery } from '../bridge/live-state.tsx';
import { useStudio } from '../bridge/studio-context.tsx';
import type { Capabilities, Settings } from '../bridge/types.ts';
import { copyText } from '../ui/notices.ts';

const mostFrames = 12;

/** `at name (address/file.js:1:2)`, the name optional. */
const frame = /^\s*at (?:(?:async |new )?([\w$.<>]{1,60}) )?\(?(?:\S*\/)?([\w.-]{1,60}):(\d{1,8}):(\d{1,8})\)?$/;

const screenOf = (location: string): string => {
  const [first = ''] = location.split('/').filter((part) => part !== '');
  return /^[a-z]{1,20}$/.test(first) ? first : 'start';
};

export function useDiagnostics(error: unknown) {
  const studio = useStudio();
  const queries = useQueryClient();
  const [isCopied, setIsCopied] = useState(false);
  const [text] = useState(() =>
    writeDiagnostics({
      error,
      atMs: Date.now(),
      app: queries.getQueryData(appQuery(studio).queryKey) ?? null,
      jobs: queries.getQueryData(jobsQuery(studio).queryKey)?.jobs ?? [],
      location: window.location.hash.slice(1),
    }),
  );
  const copy = async () => {
    setIsCopied(await copyText(text));
  };
  return { text, isCopied, copy };
}

export interface DiagnosticsSource {
  readonly error: unknown;
  readonly atMs: number;
  readonly app: { readonly version: string; readonly capabilities: Capabilities; readonly settings: Settings } | null;
  readonly jobs: readonly JobView[];
  readonly location: string;
}

/** Nothing personal: no messages (they may quote a text), folders, addresses, file names or keys. */
export function writeDiagnostics({ error, atMs, app, jobs, location }: DiagnosticsSource): string {
  const name = error instanceof Error && /^[A-Za-z]{1,40}$/.test(error.name) ? error.name : 'unknown';
  const stack = error instanceof Error ? (error.stack ?? '') : '';
  const frames = stack.split('\n').flatMap((line) => {
    const found = frame.exec(line);
    return found ? [`  ${found[1] ?? '?'} ${found[2] ?? ''}:${found[3] ?? ''}:${found[4] ?? ''}`] : [];
  });
  const byTag = Map.groupBy(jobs, ({ state: { tag } }) => (/^[a-z-]{1,30}$/.test(tag) ? tag : 'unknown'));
  const states = [...byTag].map(([tag, { length }]) => `${tag} ${String(length)}`).join(', ');
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
