import { Blend, Download } from 'lucide-react';
import { useState } from 'react';
import { clock } from '../../../../shared/domain/time/time-code.ts';
import { useJobs, useJobsNow } from '../../../bridge/live-state.tsx';
import type { IsolatedAudio } from '../../../bridge/types.ts';
import { useFormats, useText } from '../../../lib/text.ts';
import { Button } from '../../../ui/button.tsx';
import { InspectorSection } from '../../../ui/panel.tsx';
import { useToast } from '../../../ui/toast.tsx';
import { useIsolate } from '../isolate-context.ts';
import { AnotherPlace } from './another-place.tsx';
import css from './results.module.css';
import { useSaving } from './results.tsx';
import { useCostWords } from './use-cost-words.ts';

const joinedFormats = ['wav', 'flac', 'mp3'] as const;

/** The next step when only a part was sent: isolate the whole recording, or join all parts into one file. */
export function PartOfRecording({ audio }: { readonly audio: IsolatedAudio }) {
  const t = useText();
  const formats = useFormats();
  const costWords = useCostWords();
  const wholeId = useWholeOf(audio.jobId);
  const { part } = audio;
  if (part === null) return null;
  const times = { from: clock(part.startMs), to: clock(part.endMs) };
  return part.index === null ? (
    <InspectorSection title={t('isolate.part.excerpt')}>
      <p className={css['note']}>
        {t(wholeId === null ? 'isolate.part.excerptText' : 'isolate.part.excerptOf', times)}
      </p>
      <div className={css['more']}>
        {wholeId === null ? <AddWhole audioId={audio.audioId} /> : <OpenWhole jobId={wholeId} />}
        {wholeId === null && part.wholeMs !== null && (
          <p className={css['hint']}>
            {`${formats.clock(part.wholeMs)} · ${costWords([{ durationMs: part.wholeMs, sizeBytes: 0 }])}`}
          </p>
        )}
        {part.wholeMs !== null && part.wholeUrl !== null && (
          <AnotherPlace audioId={audio.audioId} url={part.wholeUrl} wholeMs={part.wholeMs} startMs={part.startMs} />
        )}
      </div>
    </InspectorSection>
  ) : (
    <InspectorSection title={t('isolate.part.title', { number: part.index + 1, count: part.count })}>
      <p className={css['note']}>{t(part.isJoinable ? 'isolate.part.joinable' : 'isolate.part.waiting', times)}</p>
      {part.isJoinable && (
        <div className={css['side']}>
          {joinedFormats.map((format) => (
            <SaveJoined key={format} audioId={audio.audioId} format={format} />
          ))}
        </div>
      )}
    </InspectorSection>
  );
}

/** The finished row of the whole recording that this excerpt was cut from; null while there is none. */
function useWholeOf(jobId: string): string | null {
  const { jobs } = useJobs();
  const excerpt = jobs.find(({ id }) => id === jobId);
  if (excerpt?.kind !== 'isolate') return null;
  const whole = jobs.find(
    (job) =>
      job.kind === 'isolate' &&
      job.state.tag === 'done' &&
      job.part === undefined &&
      job.name === excerpt.name &&
      job.sizeBytes === excerpt.sizeBytes &&
      job.restoresSpeech === excerpt.restoresSpeech &&
      job.restorationModel === excerpt.restorationModel,
  );
  return whole?.id ?? null;
}

function OpenWhole({ jobId }: { readonly jobId: string }) {
  const t = useText();
  const store = useIsolate();
  return (
    <Button
      variant="primary"
      onPress={() => {
        store.goTo({ jobId, opens: true });
      }}
    >
      {t('isolate.part.openWhole')}
    </Button>
  );
}

function AddWhole({ audioId }: { readonly audioId: string }) {
  const t = useText();
  const store = useIsolate();
  const showToast = useToast();
  const jobsNow = useJobsNow();
  const [isAdding, setAdding] = useState(false);
  const add = async () => {
    setAdding(true);
    const added = await store.addWhole(audioId);
    setAdding(false);
    if (added === null) return;
    const there = jobsNow().find(({ id }) => id === added.listedId);
    if (added.jobId !== null) showToast({ text: t('isolate.part.wholeAdded') });
    else if (there?.state.tag === 'done') store.goTo({ jobId: there.id, opens: true });
    else if (there !== undefined) showToast({ text: t('isolate.alreadyListed', { name: there.name }) });
  };
  return (
    <Button variant="primary" icon={Blend} isLoading={isAdding} onPress={() => void add()}>
      {t('isolate.part.whole')}
    </Button>
  );
}

function SaveJoined({
  audioId,
  format,
}: {
  readonly audioId: string;
  readonly format: (typeof joinedFormats)[number];
}) {
  const t = useText();
  const store = useIsolate();
  const { isSaving, save } = useSaving(() => store.saveJoined(audioId, format));
  return (
    <Button
      size="sm"
      icon={Download}
      isLoading={isSaving}
      label={t('isolate.part.saveJoined', { format: format.toUpperCase() })}
      onPress={() => void save()}
    >
      {format.toUpperCase()}
    </Button>
  );
}
