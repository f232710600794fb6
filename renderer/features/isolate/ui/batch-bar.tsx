import { CircleAlert, Download } from 'lucide-react';
import { useState } from 'react';
import type { JobView } from '../../../../shared/domain/jobs/job-view.ts';
import type { Failure } from '../../../../shared/result/failure.ts';
import { useStudio } from '../../../bridge/studio-context.tsx';
import type { ResultFile } from '../../../bridge/types.ts';
import { useFailureWords } from '../../../lib/failure-words.ts';
import { useText } from '../../../lib/text.ts';
import { Banner } from '../../../ui/banner.tsx';
import { Button } from '../../../ui/button.tsx';
import { Menu } from '../../../ui/menu.tsx';
import { Segmented } from '../../../ui/segmented.tsx';
import { useToast } from '../../../ui/toast.tsx';
import { useIsolate } from '../isolate-context.ts';
import css from './isolate-list.module.css';

export const stages = ['needsYou', 'running', 'ended'] as const;
export type Stage = (typeof stages)[number];

const formats = ['mp3', 'wav', 'flac', 'ogg', 'original'] as const;

interface Saving {
  readonly index: number;
  readonly count: number;
}

/** Of many recordings: the counts are the filter, and everything that is ready is saved at once. */
export function BatchBar({
  jobs,
  stageOf,
  shown,
  onShown,
}: {
  readonly jobs: readonly JobView[];
  readonly stageOf: (job: JobView) => Stage;
  readonly shown: Stage | 'all';
  readonly onShown: (stage: Stage | 'all') => void;
}) {
  const t = useText();
  const words = useFailureWords();
  const ready = jobs.flatMap(({ state }) => (state.tag === 'done' && state.audioId !== undefined ? state.audioId : []));
  const { saving, failures, save, hideFailures } = useSaveAll();
  return (
    <>
      <div className={css['batch']}>
        <Segmented
          size="sm"
          label={t('isolate.batch.show')}
          options={[
            { value: 'all' as const, text: t('isolate.batch.all', { count: jobs.length }) },
            ...stages.map((stage) => ({
              value: stage,
              text: t(`isolate.batch.${stage}`, { count: jobs.filter((job) => stageOf(job) === stage).length }),
            })),
          ]}
          value={shown}
          onChange={onShown}
        />
        {ready.length > 1 && (
          <Menu
            label={t('isolate.batch.saveAll', { count: ready.length })}
            entries={formats.map((format) => ({
              id: format,
              text: format === 'original' ? t('isolate.results.original') : format.toUpperCase(),
              onAction: () => void save(ready, format),
            }))}
            trigger={
              <Button size="sm" icon={Download} isLoading={saving !== null}>
                {saving === null
                  ? t('isolate.batch.saveAll', { count: ready.length })
                  : t('isolate.batch.saving', { number: saving.index + 1, count: saving.count })}
              </Button>
            }
          />
        )}
      </div>
      {failures.length > 0 && (
        <div className={css['failures']}>
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
        </div>
      )}
    </>
  );
}

function useSaveAll() {
  const t = useText();
  const words = useFailureWords();
  const studio = useStudio();
  const store = useIsolate();
  const showToast = useToast();
  const [saving, setSaving] = useState<Saving | null>(null);
  const [failures, setFailures] = useState<readonly { readonly name: string; readonly failure: Failure }[]>([]);
  const save = async (audioIds: string[], format: ResultFile['format']) => {
    setFailures([]);
    const opened = await studio.open('isolation.saveAll', { audioIds, format });
    if (!opened.ok) {
      showToast({ icon: CircleAlert, text: words(opened.error).text });
      return;
    }
    for await (const answer of opened.value.incoming) {
      if (answer.kind === 'saving') {
        setSaving(answer);
        continue;
      }
      const { savedCount, revealToken } = answer;
      setFailures(answer.failures);
      if (savedCount > 0)
        showToast({
          icon: Download,
          text: t('isolate.batch.saved', { count: savedCount }),
          action: { text: t('isolate.results.show'), onPress: () => void store.reveal(revealToken) },
        });
    }
    const ended = await opened.value.ended;
    setSaving(null);
    if (!ended.ok) showToast({ icon: CircleAlert, text: words(ended.error).text });
  };
  return {
    saving,
    failures,
    save,
    hideFailures: () => {
      setFailures([]);
    },
  };
}
