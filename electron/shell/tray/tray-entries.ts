import { batchProgress, bulkStep, stageOf } from '../../../shared/domain/jobs/batch-progress.ts';
import type { JobView, QueueView } from '../../../shared/domain/jobs/job-view.ts';
import type { InterfaceLanguage } from '../../../shared/domain/languages.ts';
import { translate } from '../words.ts';

export type TrayAction = 'pause' | 'send' | 'go-on' | 'go-on-rows' | 'open' | 'quit';

export type TrayEntry =
  | { readonly kind: 'separator' }
  | { readonly kind: 'fact'; readonly text: string }
  | { readonly kind: 'action'; readonly action: TrayAction; readonly text: string; readonly isEnabled: boolean };

export interface TrayState {
  readonly jobs: readonly JobView[];
  readonly queue: QueueView;
  readonly isOpen: boolean;
  readonly isLocal: boolean;
  readonly language: InterfaceLanguage;
}

export interface TrayLook {
  readonly tooltip: string;
  readonly entries: readonly TrayEntry[];
}

/** How many files are listed individually; a longer list does not suit a menu. */
const mostShown = 5;
const longestName = 40;

/** An empty queue can be paused before anything is added. */
const steps = {
  pause: ['pause', 'pauseAll'],
  send: ['send', 'sendAll'],
  'go-on': ['go-on-rows', 'goOn'],
} as const;

const segmenter = new Intl.Segmenter();
const shorten = (name: string): string => {
  const letters = Array.from(segmenter.segment(name), ({ segment }) => segment);
  return letters.length <= longestName ? name : `${letters.slice(0, longestName - 1).join('')}…`;
};

/** A percentage counts bytes sent from this computer, and is shown only then. */
export function describeTray({ jobs, queue, isOpen, isLocal, language }: TrayState): TrayLook {
  const say = (key: string, values: Readonly<Record<string, string | number>> = {}) => translate(language, key, values);
  const percent = (fraction: number) =>
    new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 0 }).format(
      Math.floor(fraction * 100) / 100,
    );
  const batch = batchProgress(jobs);
  const counts = [
    ...(batch.runningCount > 0 ? [say('shell.jobs.running', { count: batch.runningCount })] : []),
    ...(batch.waitingCount > 0 ? [say('shell.jobs.waiting', { count: batch.waitingCount })] : []),
    ...(batch.attentionCount > 0 ? [say('jobs.attention', { count: batch.attentionCount })] : []),
  ];
  const summary = counts.length === 0 ? say('tray.nothing') : counts.join(', ');
  const sent =
    batch.sentFraction === null ? '' : `, ${say('shell.announce.sent', { percent: percent(batch.sentFraction) })}`;
  const running = jobs.filter((job) => stageOf(job) === 'running');
  const lines = running.slice(0, mostShown).map(({ name, state }): TrayEntry => {
    const fraction =
      state.tag === 'uploading' && state.totalBytes > 0 ? percent(state.sentBytes / state.totalBytes) : null;
    const isAtService = state.tag === 'processing' || state.tag === 'queued-at-service';
    const status = fraction ?? (isAtService ? say('tray.atService') : say('tray.preparing'));
    return { kind: 'fact', text: `${shorten(name)}: ${status}` };
  });
  const [action, text] = queue.isHeld ? (['go-on', 'goOn'] as const) : steps[bulkStep(jobs, isLocal)?.step ?? 'pause'];
  const more = running.length - lines.length;
  return {
    tooltip: `Ovoz Studio: ${queue.isHeld ? `${say('tray.held')}, ` : ''}${summary}${sent}`,
    entries: [
      { kind: 'fact', text: queue.isHeld ? say('tray.held') : `${summary}${sent}` },
      ...lines,
      ...(more > 0 ? [{ kind: 'fact', text: say('tray.more', { count: more }) } as const] : []),
      { kind: 'separator' },
      { kind: 'action', action, text: say(`transcribe.batch.${text}`), isEnabled: isOpen },
      { kind: 'separator' },
      { kind: 'action', action: 'open', text: say('tray.open'), isEnabled: true },
      { kind: 'action', action: 'quit', text: say('menu.roles.quit'), isEnabled: true },
    ],
  };
}
