import { CircleAlert, Download } from 'lucide-react';
import { useState } from 'react';
import type { JobView } from '../../../../shared/domain/jobs/job-view.ts';
import type { Failure } from '../../../../shared/result/failure.ts';
import { useStudio } from '../../../bridge/studio-context.tsx';
import { useFailureText } from '../../../lib/failure-text.ts';
import { useText } from '../../../lib/text.ts';
import { savedFormats } from '../../../parts/jobs/job-actions.ts';
import { useListedJobs } from '../../../parts/jobs/jobs-context.ts';
import { Banner } from '../../../ui/banner.tsx';
import { Button } from '../../../ui/button.tsx';
import { Menu } from '../../../ui/menu.tsx';
import { useToast } from '../../../ui/toast.tsx';
import { useIsolate } from '../isolate-store.ts';

type SaveAll = ReturnType<typeof useSaveAll>;

/** Isolated to try it, instead of the whole recording. */
const isExcerptOnly = (job: JobView): boolean => job.kind === 'isolate' && job.isExcerpt === true;

const readyOf = (jobs: readonly JobView[]): string[] =>
  jobs.flatMap(({ state }) => (state.tag === 'done' && state.audioId !== undefined ? state.audioId : []));

/** Saved among whole recordings, an excerpt would look like one of them. Selected, it is saved too. */
export function SaveReady({ saveAll }: { readonly saveAll: SaveAll }) {
  const t = useText();
  const { jobs } = useListedJobs();
  const ready = readyOf(jobs.filter((job) => !isExcerptOnly(job)));
  if (ready.length < 2) return null;
  const text = t(`isolate.batch.save${jobs.some(isExcerptOnly) ? 'Whole' : 'All'}`, { count: ready.length });
  return <SaveButton audioIds={ready} text={text} saveAll={saveAll} />;
}

export function SaveSelected({ jobs, saveAll }: { readonly jobs: readonly JobView[]; readonly saveAll: SaveAll }) {
  const t = useText();
  const ready = readyOf(jobs);
  if (ready.length === 0) return null;
  return <SaveButton audioIds={ready} text={t('isolate.batch.saveAll', { count: ready.length })} saveAll={saveAll} />;
}

function SaveButton(props: { readonly audioIds: string[]; readonly text: string; readonly saveAll: SaveAll }) {
  const { audioIds, text, saveAll } = props;
  const t = useText();
  const { saving, save } = saveAll;
  return (
    <Menu
      label={text}
      entries={savedFormats.map((format) => ({
        id: format,
        text: format.toUpperCase(),
        onAction: () => void save(audioIds, format),
      }))}
      trigger={
        <Button size="sm" icon={Download} isLoading={saving !== null}>
          {saving === null ? text : t('isolate.batch.saving', { number: saving.index + 1, count: saving.count })}
        </Button>
      }
    />
  );
}

export function SaveFailures({ saveAll: { failures, hideFailures } }: { readonly saveAll: SaveAll }) {
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
      dismissLabel={t('common.dismiss')}
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
  const tellFailure = (failure: Failure) => showToast({ icon: CircleAlert, text: words(failure).text });
  const [saving, setSaving] = useState<{ readonly index: number; readonly count: number } | null>(null);
  const [failures, setFailures] = useState<readonly { readonly name: string; readonly failure: Failure }[]>([]);
  const save = async (audioIds: string[], format: (typeof savedFormats)[number]) => {
    setFailures([]);
    const opened = await studio.open('isolation.saveAll', { audioIds, format });
    if (!opened.ok) {
      tellFailure(opened.error);
      return;
    }
    for await (const answer of opened.value.incoming) {
      if (answer.kind === 'saving') {
        setSaving(answer);
        continue;
      }
      const { savedCount, revealToken } = answer;
      setFailures(answer.failures);
      const action = {
        text: t('isolate.results.show'),
        onPress: () => void store.ask('exports.reveal', { revealToken }),
      };
      if (savedCount > 0) showToast({ icon: Download, text: t('isolate.batch.saved', { count: savedCount }), action });
    }
    const ended = await opened.value.ended;
    setSaving(null);
    if (!ended.ok) tellFailure(ended.error);
  };
  return { saving, failures, save, hideFailures: () => setFailures([]) };
}
