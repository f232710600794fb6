import type { JobView } from '../../shared/domain/jobs/job-view.ts';
import type { Words } from './words.ts';

/** The line that is written over and over: how many are done, what is being sent and how far, what is at the service. */
export function describeProgress(
  words: Words,
  rows: readonly JobView[],
  count: { readonly done: number; readonly total: number },
): string {
  const parts = [words('cli.progress', count)];
  for (const { name, state } of rows) {
    if (state.tag !== 'uploading') continue;
    const percent = state.totalBytes === 0 ? 0 : Math.floor((state.sentBytes / state.totalBytes) * 100);
    parts.push(words('cli.uploading', { file: name, percent: `${percent}%` }));
    if (parts.length > 2) break;
  }
  const atService = rows.filter(({ state }) => state.tag === 'processing' || state.tag === 'queued-at-service').length;
  if (atService > 0) parts.push(words('cli.atService', { count: atService }));
  return parts.join(' · ');
}
