import { expectedCredits } from '../../../../shared/domain/ledger/expected-cost.ts';
import { isUnsent } from '../../../../shared/domain/jobs/batch-progress.ts';
import { batchLeftMs } from '../../../../shared/domain/jobs/time-left.ts';
import { modeOf } from '../../../../shared/domain/modes.ts';
import { useJobs, useQueue, useSettings } from '../../../bridge/live-state.tsx';
import { useCreditRate, useUsedToday } from '../../../bridge/use-credits.ts';
import { useFormats, useText } from '../../../lib/text.ts';
import { FactList } from '../../../ui/fact-list.tsx';
import { InspectorNote, InspectorSection } from '../../../ui/panel.tsx';

/** An estimate is shown without decimals. */
const roughly = (credits: number): number => (credits < 10 ? Math.ceil(credits * 10) / 10 : Math.ceil(credits));

/**
 * What is still to be sent: its length, its estimated cost and its estimated duration, before any of it is sent. If the
 * service never reported a cost, that is said, and only the length is shown.
 */
export function CostSection() {
  const t = useText();
  const formats = useFormats();
  const { jobs } = useJobs();
  const { mode } = useSettings();
  const { pace, uploadsAtOnce } = useQueue();
  const rate = useCreditRate();
  const used = useUsedToday();
  const { isFree, origin } = modeOf(mode);
  const unsent = jobs.filter(isUnsent);
  const lengthMs = unsent.reduce((sum, { durationMs }) => sum + (durationMs ?? 0), 0);
  const unknownCount = unsent.filter(({ durationMs }) => durationMs === null).length;
  const credits = expectedCredits(unsent, rate);
  // Practice mode runs at the speed of this computer, so its throughput predicts nothing for the real service.
  const leftMs = isFree ? null : batchLeftMs(unsent, pace, uploadsAtOnce, 0);
  const hasUsed = !isFree && used !== null && used.actionCount > used.unreportedCount;
  const usedCredits = Math.ceil(Number(used?.credits ?? 0) * 10) / 10;
  if (origin === 'local' || (unsent.length === 0 && !hasUsed)) return null;
  const length = formats.duration(lengthMs);
  const lines: readonly (readonly [string, string])[] = [
    ...(unsent.length === 0
      ? []
      : ([
          [t('transcribe.cost.files'), formats.number(unsent.length)],
          ...(lengthMs > 0
            ? [
                [
                  t('transcribe.cost.length'),
                  unknownCount > 0 ? t('transcribe.cost.atLeast', { time: length }) : length,
                ] as const,
              ]
            : []),
          [
            t('transcribe.cost.expected'),
            isFree
              ? t('transcribe.cost.nothing')
              : credits === null
                ? t('transcribe.cost.unreported')
                : t('transcribe.cost.about', { count: roughly(credits), amount: formats.number(roughly(credits)) }),
          ],
          ...(leftMs === null
            ? []
            : [
                [
                  t('transcribe.cost.time'),
                  t('transcribe.cost.aboutTime', { time: formats.duration(coarse(leftMs)) }),
                ] as const,
              ]),
        ] as const)),
    ...(hasUsed
      ? [
          [
            t('transcribe.cost.today'),
            t(used.unreportedCount > 0 ? 'transcribe.cost.amountAtLeast' : 'transcribe.cost.amount', {
              count: usedCredits,
              amount: formats.number(usedCredits),
            }),
          ] as const,
        ]
      : []),
  ];
  const note = isFree
    ? t('transcribe.cost.practiceNote')
    : rate.sampleCount > 0
      ? t('transcribe.cost.note', { count: rate.sampleCount })
      : t('transcribe.cost.unreportedNote');
  return (
    <InspectorSection title={t('transcribe.cost.title')}>
      <FactList areFigures facts={lines.map(([label, value]) => ({ label, value }))} />
      {unsent.length > 0 && <InspectorNote>{note}</InspectorNote>}
    </InspectorSection>
  );
}

/**
 * Rounds an estimate in milliseconds to whole minutes, or to tens of seconds if it is short, because exact seconds
 * would only flicker.
 */
const coarse = (ms: number): number =>
  ms > 90_000 ? Math.ceil(ms / 60_000) * 60_000 : Math.ceil(ms / 10_000) * 10_000;
