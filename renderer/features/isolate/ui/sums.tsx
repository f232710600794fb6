import { useQuery } from '@tanstack/react-query';
import { isUnsent } from '../../../../shared/domain/jobs/batch-progress.ts';
import { lengthToSend } from '../../../../shared/domain/jobs/recording-parts.ts';
import type { JobView } from '../../../../shared/domain/jobs/job-view.ts';
import { modeOf } from '../../../../shared/domain/modes.ts';
import { useSettings } from '../../../bridge/live-state.tsx';
import { valueOrThrow } from '../../../bridge/request-error.ts';
import { useStudio } from '../../../bridge/studio-context.tsx';
import { useFormats, useText } from '../../../lib/text.ts';
import { FactList } from '../../../ui/fact-list.tsx';
import { InspectorSection } from '../../../ui/panel.tsx';
import { stageOf } from './batch-bar.tsx';
import css from './results.module.css';
import { useCostWords, useRoundedCredits } from './use-cost-words.ts';

/** Totals for many recordings: their progress and their credits. */
export function Sums({ jobs }: { readonly jobs: readonly JobView[] }) {
  const t = useText();
  const formats = useFormats();
  const studio = useStudio();
  const costWords = useCostWords();
  const creditsOf = useRoundedCredits();
  const { mode } = useSettings();
  const done = jobs.filter(({ state }) => state.tag === 'done');
  const { data } = useQuery({
    queryKey: ['isolation', 'list', done.length],
    queryFn: () => valueOrThrow(studio.request('isolation.list', {})),
    retry: false,
  });
  const charged = new Map(data?.audio.map(({ jobId, credits }) => [jobId, credits]));
  const used = done.reduce((sum, { id }) => sum + Number(charged.get(id) ?? 0), 0);
  const held = jobs.filter(({ state: { tag } }) => tag === 'queued-at-service' || tag === 'processing');
  const failed = jobs.filter(({ state }) => state.tag === 'failed');
  const unsent = jobs.filter(isUnsent);
  const more = creditsOf([...held, ...unsent]);
  const count = (stage: ReturnType<typeof stageOf>) => jobs.filter((job) => stageOf(job) === stage).length;
  const stopped = count('needsYou');
  const amount = (credits: number) => t('isolate.credit', { count: credits, amount: formats.number(credits) });
  const lines: readonly (readonly [string, string])[] = [
    [t('isolate.sums.length'), formats.duration(jobs.reduce((sum, job) => sum + (lengthToSend(job) ?? 0), 0))],
    ...(modeOf(mode).isFree
      ? [[t('isolate.next.expected'), t('isolate.next.free')] as const]
      : [
          ...(used > 0 ? [[t('isolate.sums.used'), amount(Math.ceil(used))] as const] : []),
          ...(held.length > 0 ? [[t('isolate.sums.held'), costWords(held)] as const] : []),
          ...(failed.length > 0 ? [[t('isolate.sums.released'), formats.number(failed.length)] as const] : []),
          ...(unsent.length > 0 ? [[t('isolate.sums.unsent'), costWords(unsent)] as const] : []),
          ...(more !== null && more > 0 ? [[t('isolate.sums.most'), amount(Math.ceil(used) + more)] as const] : []),
        ]),
  ];
  return (
    <InspectorSection title={t('isolate.sums.title')}>
      <p className={css['hint']}>
        {[
          t('isolate.sums.ready', { count: done.length }),
          t('isolate.sums.running', { count: count('running') }),
          ...(stopped === 0 ? [] : [t('isolate.sums.stopped', { count: stopped })]),
        ].join(' · ')}
      </p>
      <FactList areFigures facts={lines.map(([label, value]) => ({ label, value }))} />
      {!modeOf(mode).isFree && held.length + unsent.length > 0 && (
        <p className={css['note']}>{t('isolate.sums.note')}</p>
      )}
    </InspectorSection>
  );
}
