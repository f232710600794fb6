import { CircleAlert, Download } from 'lucide-react';
import { useState } from 'react';
import type { JobView } from '../../../../shared/domain/jobs/job-view.ts';
import { localFailure } from '../../../../shared/domain/jobs/job-failures.ts';
import type { Failure } from '../../../../shared/result/failure.ts';
import { useStudio } from '../../../bridge/studio-context.tsx';
import { useFailureText } from '../../../lib/failure-text.ts';
import { useText } from '../../../lib/text.ts';
import { formatEntries, savedFormats } from '../../../parts/jobs/job-actions.ts';
import { Banner } from '../../../ui/banner.tsx';
import { Button } from '../../../ui/button.tsx';
import { Menu } from '../../../ui/menu.tsx';
import { useToast } from '../../../ui/toast.tsx';
import { useIsolate } from '../isolate-provider.tsx';
import { comparedOf, measuresOf, saveMix } from '../save-mix.ts';

/** Isolated to try it, instead of the whole recording. */
const isExcerptOnly = (job: JobView): boolean => job.kind === 'isolate' && job.isExcerpt === true;

const readyOf = (jobs: readonly JobView[]): string[] =>
  jobs.flatMap(({ state }) => (state.tag === 'done' ? (state.audioId ?? []) : []));

export const hasSeveralReady = (jobs: readonly JobView[]): boolean =>
  readyOf(jobs.filter((job) => !isExcerptOnly(job))).length > 1;

/** Saved among whole recordings, an excerpt would look like one of them. Selected, it is saved too. */
export function SaveMany(props: {
  readonly jobs: readonly JobView[];
  readonly isSelection?: boolean;
  readonly saveAll: ReturnType<typeof useSaveAll>;
}) {
  const { jobs, isSelection = false, saveAll } = props;
  const t = useText();
  const { saving, save } = saveAll;
  const whole = jobs.filter((job) => isSelection || !isExcerptOnly(job));
  const audioIds = readyOf(whole);
  if (audioIds.length === 0) return null;
  const text = t(`isolate.batch.save${whole.length < jobs.length ? 'Whole' : 'All'}`, { count: audioIds.length });
  return (
    <Menu
      label={text}
      entries={formatEntries(savedFormats, (format) => void save(audioIds, format))}
      trigger={
        <Button size="sm" icon={Download} isLoading={saving !== null}>
          {saving === null ? text : t('isolate.batch.saving', { number: saving.index + 1, count: saving.count })}
        </Button>
      }
    />
  );
}

export function SaveFailures({
  failures,
  hideFailures,
}: Pick<ReturnType<typeof useSaveAll>, 'failures' | 'hideFailures'>) {
  const t = useText();
  const words = useFailureText();
  if (failures.length === 0) return null;
  return (
    <Banner
      role="alert"
      tone="warn"
      icon={CircleAlert}
      title={t('isolate.batch.notSaved', { count: failures.length })}
      onDismiss={hideFailures}
    >
      {failures.map(({ name, failure }) => `${name}: ${words(failure).title}`).join('; ')}
    </Banner>
  );
}

export function useSaveAll() {
  const t = useText();
  const words = useFailureText();
  const studio = useStudio();
  const store = useIsolate();
  const showToast = useToast();
  const [saving, setSaving] = useState<{ readonly index: number; readonly count: number } | null>(null);
  const [failures, setFailures] = useState<readonly { readonly name: string; readonly failure: Failure }[]>([]);
  /** Like the single Save: aligned with the original, and where that fails, the file of the service. */
  const saveOne = async (audioId: string, format: (typeof savedFormats)[number], placeToken: string) => {
    const audio = await studio.request('isolation.open', { audioId });
    if (!audio.ok) return { name: audioId, failure: audio.error };
    const name = audio.value.sourceName;
    const compared = comparedOf({ ...audio.value, variant: null });
    const measures = compared === null ? null : await measuresOf(compared.name, compared.urls);
    if (compared !== null && measures !== null) {
      const wanted = {
        audioId,
        format,
        result: { tag: 'isolated' },
        urls: compared.urls,
        measures,
        placeToken,
      } as const;
      const outcome = await saveMix(studio, wanted, () => undefined);
      if (outcome.tag === 'saved') return null;
      if (outcome.tag !== 'not-mixed')
        return { name, failure: outcome.tag === 'failed' ? outcome.failure : localFailure('export-unfinished') };
    }
    const fetched = await studio.request('isolation.save', { audioId, format, placeToken });
    return fetched.ok ? null : { name, failure: fetched.error };
  };
  const save = async (audioIds: readonly string[], format: (typeof savedFormats)[number]) => {
    setFailures([]);
    const place = await studio.request('isolation.choosePlace', {});
    if (!place.ok) showToast({ icon: CircleAlert, text: words(place.error).text });
    const placeToken = place.ok ? place.value.placeToken : null;
    if (placeToken === null) return;
    const failed: { readonly name: string; readonly failure: Failure }[] = [];
    for (const [index, audioId] of audioIds.entries()) {
      setSaving({ index, count: audioIds.length });
      const failure = await saveOne(audioId, format, placeToken);
      if (failure !== null) failed.push(failure);
    }
    setSaving(null);
    setFailures(failed);
    const savedCount = audioIds.length - failed.length;
    const action = {
      text: t('isolate.results.show'),
      onPress: () => void store.ask('exports.reveal', { revealToken: placeToken }),
    };
    if (savedCount > 0) showToast({ icon: Download, text: t('isolate.batch.saved', { count: savedCount }), action });
  };
  return { saving, failures, save, hideFailures: () => setFailures([]) };
}
