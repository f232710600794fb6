import { Blend, Download, Pause, Play, Scan } from 'lucide-react';
import { useState, useCallback, useEffect, useRef, type PointerEvent } from 'react';
import { excerptFrom } from '../../../../shared/domain/jobs/recording-parts.ts';
import { clock } from '../../../../shared/domain/time/time-code.ts';
import { paintLane } from '../../../audio/compare/paint-lane.ts';
import { loadPeaks, type PeaksState } from '../../../audio/load-peaks.ts';
import { useJobs, useJobsNow } from '../../../bridge/live-state.tsx';
import type { IsolatedAudio } from '../../../bridge/types.ts';
import { Scope } from '../../../lib/scope.ts';
import { useFormats, useText } from '../../../lib/text.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { InspectorSection } from '../../../ui/panel.tsx';
import { useToast } from '../../../ui/toast.tsx';
import { useIsolate } from '../isolate-store.ts';
import anotherPlaceCss from './another-place.module.css';
import css from './results.module.css';
import { useSaving } from './results.tsx';
import { useCostWords } from './use-cost-words.ts';
import { Picture, Ruler, percent } from './lanes.tsx';

export function PartOfRecording({ audio }: { readonly audio: IsolatedAudio }) {
  const t = useText();
  const formats = useFormats();
  const costWords = useCostWords();
  const store = useIsolate();
  const wholeId = useWholeOf(audio.jobId);
  const [isPlacing, setIsPlacing] = useState(false);
  const { part } = audio;
  if (part === null) return null;
  const times = { from: clock(part.startMs), to: clock(part.endMs) };
  return part.index === null ? (
    <InspectorSection title={t('isolate.part.excerpt')}>
      <p className={css['note']}>
        {t(wholeId === null ? 'isolate.part.excerptText' : 'isolate.part.excerptOf', times)}
      </p>
      <div className={css['more']}>
        {wholeId === null ? (
          <AddWhole audioId={audio.audioId} />
        ) : (
          <Button variant="primary" onPress={() => store.list.goTo({ jobId: wholeId, opens: true })}>
            {t('isolate.part.openWhole')}
          </Button>
        )}
        {wholeId === null && part.wholeMs !== null && (
          <p className={css['hint']}>
            {`${formats.clock(part.wholeMs)} · ${costWords([{ durationMs: part.wholeMs, sizeBytes: 0 }])}`}
          </p>
        )}
        {part.wholeMs !== null && part.wholeUrl !== null && (
          <>
            <Button icon={Scan} onPress={() => setIsPlacing(true)}>
              {t('isolate.place.open')}
            </Button>
            {isPlacing && (
              <PlaceDialog
                audioId={audio.audioId}
                url={part.wholeUrl}
                wholeMs={part.wholeMs}
                startMs={part.startMs}
                onClose={() => setIsPlacing(false)}
              />
            )}
          </>
        )}
      </div>
    </InspectorSection>
  ) : (
    <InspectorSection title={t('isolate.part.title', { number: part.index + 1, count: part.count })}>
      <p className={css['note']}>{t(part.isJoinable ? 'isolate.part.joinable' : 'isolate.part.waiting', times)}</p>
      {part.isJoinable && (
        <div className={css['side']}>
          {(['wav', 'flac', 'mp3'] as const).map((format) => (
            <SaveJoined key={format} audioId={audio.audioId} format={format} />
          ))}
        </div>
      )}
    </InspectorSection>
  );
}

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

function AddWhole({ audioId }: { readonly audioId: string }) {
  const t = useText();
  const store = useIsolate();
  const showToast = useToast();
  const jobsNow = useJobsNow();
  const [isAdding, setAdding] = useState(false);
  const add = async () => {
    setAdding(true);
    const added = await store.ask('isolation.addWhole', { audioId }).then(store.goToListed);
    setAdding(false);
    if (added === null) return;
    const there = jobsNow().find(({ id }) => id === added.listedId);
    if (added.jobId !== null) showToast({ text: t('isolate.part.wholeAdded') });
    else if (there?.state.tag === 'done') store.list.goTo({ jobId: there.id, opens: true });
    else if (there !== undefined) showToast({ text: t('isolate.alreadyListed', { name: there.name }) });
  };
  return (
    <Button variant="primary" icon={Blend} isLoading={isAdding} onPress={() => void add()}>
      {t('isolate.part.whole')}
    </Button>
  );
}

function SaveJoined({ audioId, format }: { readonly audioId: string; readonly format: 'wav' | 'flac' | 'mp3' }) {
  const t = useText();
  const store = useIsolate();
  const { isSaving, save } = useSaving(() => store.ask('isolation.saveJoined', { audioId, format }));
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

function PlaceDialog(props: {
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
  const peaks = usePeaks(url, wholeMs);
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
  const place = (event: PointerEvent<HTMLElement>) => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    setStart(((event.clientX - left) / Math.max(1, width)) * wholeMs - (to - from) / 2);
  };
  const pyramid = peaks.kind === 'drawing' || peaks.kind === 'ready' ? peaks.pyramid : null;
  const revision = peaks.kind === 'drawing' ? peaks.revision : -1;
  const paint = useCallback<Parameters<typeof Picture>[0]['paint']>(
    (ctx, area) => {
      // The pyramid object is mutated while it grows, so its identity never changes.
      if (pyramid !== null && revision > -2)
        paintLane(ctx, { ...area, pyramid, span: { startMs: 0, endMs: wholeMs }, loudest: pyramid.loudest });
    },
    [pyramid, revision, wholeMs],
  );
  const times = t('isolate.partNote', { from: clock(from), to: clock(to) });
  return (
    <Dialog
      isOpen
      width="lg"
      title={t('isolate.place.title')}
      closeLabel={t('common.close')}
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
      <p className={anotherPlaceCss['text']}>{t('isolate.place.text')}</p>
      <div
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- the thumb of an input is not thirty seconds wide
        role="slider"
        tabIndex={0}
        aria-label={t('isolate.place.position')}
        aria-valuemin={0}
        aria-valuemax={Math.floor((wholeMs - (to - from)) / 1000)}
        aria-valuenow={Math.round(from / 1000)}
        aria-valuetext={times}
        className={anotherPlaceCss['whole']}
        onKeyDown={(event) => {
          const next = byKey(event.key, from, wholeMs);
          if (next === null) return;
          event.preventDefault();
          setStart(next);
        }}
        onPointerDown={(event) => {
          if (event.button !== 0) return;
          event.currentTarget.setPointerCapture(event.pointerId);
          place(event);
        }}
        onPointerMove={(event) => {
          if (event.currentTarget.hasPointerCapture(event.pointerId)) place(event);
        }}
      >
        <Picture paint={paint} />
        <div
          className={anotherPlaceCss['frame']}
          style={{ insetInlineStart: percent((from + to) / 2 / wholeMs), inlineSize: percent((to - from) / wholeMs) }}
        />
      </div>
      <Ruler span={{ startMs: 0, endMs: wholeMs }} originMs={0} />
      <div className={anotherPlaceCss['line']}>
        <Button size="sm" icon={listening.isPlaying ? Pause : Play} onPress={listening.toggle}>
          {t(listening.isPlaying ? 'isolate.compare.pause' : 'isolate.place.listen')}
        </Button>
        <output className={anotherPlaceCss['times']}>{times}</output>
        <span className={anotherPlaceCss['cost']}>{costWords([{ durationMs: to - from, sizeBytes: 0 }])}</span>
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

function usePeaks(url: string, wholeMs: number): PeaksState {
  const [state, setState] = useState<PeaksState>({ kind: 'opening' });
  useEffect(
    // A frame on the waveform; redrawing is cheaper than caching it.
    () => loadPeaks({ url, expectedMs: wholeMs }, setState),
    [url, wholeMs],
  );
  return state;
}

function useListening(url: string, startMs: number, endMs: number) {
  const audio = useRef<HTMLAudioElement>(null);
  const [isPlaying, setPlaying] = useState(false);
  useEffect(() => {
    const element = new Audio(url);
    const scope = new Scope();
    audio.current = element;
    scope.listen(element, 'pause', () => setPlaying(false));
    scope.listen(element, 'play', () => setPlaying(true));
    return () => {
      element.pause();
      element.removeAttribute('src');
      scope.dispose();
    };
  }, [url]);
  useEffect(() => {
    const element = audio.current;
    if (element === null || !isPlaying) return undefined;
    // Moving the frame during playback plays the new position.
    if (element.currentTime * 1000 < startMs || element.currentTime * 1000 > endMs)
      element.currentTime = startMs / 1000;
    const scope = new Scope();
    scope.listen(element, 'timeupdate', () => {
      if (element.currentTime * 1000 >= endMs) element.pause();
    });
    return () => scope.dispose();
  }, [isPlaying, startMs, endMs]);
  return {
    isPlaying,
    toggle: () => {
      const element = audio.current;
      if (element === null) return;
      if (isPlaying) {
        element.pause();
        return;
      }
      element.currentTime = startMs / 1000;
      // If the recording can't be played, the frame and its times still work.
      element.play().catch(() => undefined);
    },
  };
}
