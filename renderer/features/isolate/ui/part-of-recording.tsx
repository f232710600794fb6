import { Blend, Pause, Play } from 'lucide-react';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { excerptFrom } from '../../../../shared/domain/jobs/recording-parts.ts';
import { modeOf } from '../../../../shared/domain/modes.ts';
import { clock } from '../../../../shared/domain/time/time-code.ts';
import { createPlayer } from '../../../audio/player.ts';
import { useJobsNow, useSettings } from '../../../bridge/live-state.tsx';
import type { IsolatedAudio } from '../../../bridge/types.ts';
import { useFormats, useText } from '../../../lib/text.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { useToast } from '../../../ui/toast.tsx';
import { useIsolate } from '../isolate-provider.tsx';
import css from './another-place.module.css';
import { dragging, percent, Ruler, WholePicture } from './lane.tsx';
import { useCostWords } from './use-cost-words.ts';
import { useWholePeaks, type Whole } from './whole.ts';

/** After a trial: all of it with its price, or what is there of it already. */
export function OrderWhole({ audio, whole }: { readonly audio: IsolatedAudio; readonly whole: Whole }) {
  const t = useText();
  const formats = useFormats();
  const costWords = useCostWords();
  const { isFree } = modeOf(useSettings().mode);
  const store = useIsolate();
  const showToast = useToast();
  const jobsNow = useJobsNow();
  const [isAdding, setAdding] = useState(false);
  const { jobId, lengthMs } = whole;
  if (jobId !== null)
    return (
      <Button variant="primary" onPress={() => store.list.goTo({ jobId, opens: true })}>
        {t('isolate.part.openWhole')}
      </Button>
    );
  const add = async () => {
    setAdding(true);
    const added = await store.ask('isolation.addWhole', { audioId: audio.audioId }).then(store.goToListed);
    setAdding(false);
    if (added === null) return;
    const there = jobsNow().find(({ id }) => id === added.listedId);
    if (added.jobId !== null) showToast({ text: t('isolate.part.wholeAdded') });
    else if (there?.state.tag === 'done') store.list.goTo({ jobId: there.id, opens: true });
    else if (there !== undefined) showToast({ text: t('isolate.alreadyListed', { name: there.name }) });
  };
  const facts = [
    t('isolate.part.whole', { length: formats.clock(lengthMs) }),
    ...(isFree ? [] : [costWords([{ durationMs: lengthMs, sizeBytes: 0 }])]),
  ];
  return (
    <Button variant="primary" icon={Blend} isLoading={isAdding} onPress={() => void add()}>
      {facts.join(' · ')}
    </Button>
  );
}

export function PlaceDialog(props: {
  readonly audioId: string;
  readonly url: string;
  readonly wholeMs: number;
  readonly startMs: number;
  readonly onClose: () => void;
}) {
  const { audioId, url, wholeMs, startMs, onClose } = props;
  const t = useText();
  const store = useIsolate();
  const showToast = useToast();
  const costWords = useCostWords();
  const [start, setStart] = useState(startMs);
  const { startMs: from, endMs: to } = excerptFrom(start, wholeMs);
  const peaks = useWholePeaks({ url, lengthMs: wholeMs });
  const listening = useListening(url, from, to);
  const [isAdding, setAdding] = useState(false);
  const add = async () => {
    setAdding(true);
    const added = await store.ask('isolation.addExcerpt', { audioId, startMs: from }).then(store.goToListed);
    setAdding(false);
    if (added === null) return;
    onClose();
    // One that is in the list is shown there.
    if (added.jobId === null) return;
    showToast({ text: t('isolate.place.added', { from: clock(from), to: clock(to) }) });
  };
  const times = t('isolate.partNote', { from: clock(from), to: clock(to) });
  return (
    <Dialog
      isOpen
      width="lg"
      title={t('isolate.place.title')}
      onClose={onClose}
      footer={
        <>
          <Button onPress={onClose}>{t('common.cancel')}</Button>
          <Button variant="primary" icon={Blend} isLoading={isAdding} onPress={() => void add()}>
            {t('isolate.place.add')}
          </Button>
        </>
      }
    >
      <p className={css['text']}>{t('isolate.place.text')}</p>
      <div
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- the thumb of an input is not thirty seconds wide
        role="slider"
        tabIndex={0}
        aria-label={t('isolate.place.position')}
        aria-valuemin={0}
        aria-valuemax={Math.floor((wholeMs - (to - from)) / 1000)}
        aria-valuenow={Math.round(from / 1000)}
        aria-valuetext={times}
        className={css['whole']}
        onKeyDown={(event) => {
          const next = byKey(event.key, from, wholeMs);
          if (next === null) return;
          event.preventDefault();
          setStart(next);
        }}
        {...dragging((share) => setStart(share * wholeMs - (to - from) / 2))}
      >
        <WholePicture peaks={peaks} lengthMs={wholeMs} />
        <div
          className={css['frame']}
          style={{ insetInlineStart: percent((from + to) / 2 / wholeMs), inlineSize: percent((to - from) / wholeMs) }}
        />
      </div>
      <Ruler span={{ startMs: 0, endMs: wholeMs }} originMs={0} />
      <div className={css['line']}>
        <Button size="sm" icon={listening.isPlaying ? Pause : Play} onPress={listening.toggle}>
          {t(listening.isPlaying ? 'isolate.compare.pause' : 'isolate.place.listen')}
        </Button>
        <output className="digits">{times}</output>
        <span className="apart text-sm muted">{costWords([{ durationMs: to - from, sizeBytes: 0 }])}</span>
      </div>
    </Dialog>
  );
}

function byKey(key: string, fromMs: number, wholeMs: number): number | null {
  const steps: Readonly<Record<string, number>> = {
    ArrowLeft: -1000,
    ArrowDown: -1000,
    ArrowRight: 1000,
    ArrowUp: 1000,
    PageDown: -30_000,
    PageUp: 30_000,
    Home: -fromMs,
    End: wholeMs - fromMs,
  };
  const step = steps[key];
  return step === undefined ? null : fromMs + step;
}

function useListening(url: string, startMs: number, endMs: number) {
  const [player] = useState(createPlayer);
  const { isPlaying } = useSyncExternalStore(player.subscribe, player.getState);
  useEffect(() => {
    player.open(url);
    return player.close;
  }, [player, url]);
  useEffect(() => {
    if (!isPlaying) return undefined;
    // Moving the frame during playback plays the new position.
    if (player.timeMs() < startMs || player.timeMs() > endMs) player.seek(startMs);
    return player.onTime((timeMs) => {
      if (timeMs >= endMs) player.pause();
    });
  }, [player, isPlaying, startMs, endMs]);
  return { isPlaying, toggle: () => (isPlaying ? player.pause() : player.playFrom(startMs)) };
}
