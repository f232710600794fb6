import { Blend, Pause, Play, Scan } from 'lucide-react';
import { useCallback, useEffect, useRef, useState, type PointerEvent } from 'react';
import { excerptFrom } from '../../../../shared/domain/jobs/recording-parts.ts';
import { clock } from '../../../../shared/domain/time/time-code.ts';
import { paintLane } from '../../../audio/compare/paint-lane.ts';
import { loadPeaks, type PeaksState } from '../../../audio/load-peaks.ts';
import { Scope } from '../../../lib/scope.ts';
import { useText } from '../../../lib/text.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { useToast } from '../../../ui/toast.tsx';
import { useIsolate } from '../isolate-context.ts';
import css from './another-place.module.css';
import { useCostWords } from './use-cost-words.ts';
import { Picture, Ruler, percent } from './wave.tsx';

interface Props {
  readonly audioId: string;
  readonly url: string;
  readonly wholeMs: number;
  /** The position of the excerpt that is compared now. */
  readonly startMs: number;
}

/** Lets the user choose where another excerpt of the same recording starts. */
export function AnotherPlace(props: Props) {
  const t = useText();
  const [isOpen, setOpen] = useState(false);
  const close = () => {
    setOpen(false);
  };
  return (
    <>
      <Button
        icon={Scan}
        onPress={() => {
          setOpen(true);
        }}
      >
        {t('isolate.place.open')}
      </Button>
      {isOpen && <PlaceDialog {...props} onClose={close} />}
    </>
  );
}

function PlaceDialog({ audioId, url, wholeMs, startMs, onClose }: Props & { readonly onClose: () => void }) {
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
    const added = await store.addExcerpt(audioId, from);
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
          className={css['frame']}
          style={{ insetInlineStart: percent((from + to) / 2 / wholeMs), inlineSize: percent((to - from) / wholeMs) }}
        />
      </div>
      <Ruler span={{ startMs: 0, endMs: wholeMs }} originMs={0} />
      <div className={css['line']}>
        <Button size="sm" icon={listening.isPlaying ? Pause : Play} onPress={listening.toggle}>
          {t(listening.isPlaying ? 'isolate.compare.pause' : 'isolate.place.listen')}
        </Button>
        <output className={css['times']}>{times}</output>
        <span className={css['cost']}>{costWords([{ durationMs: to - from, sizeBytes: 0 }])}</span>
      </div>
    </Dialog>
  );
}

/** Where the frame begins after a key, in milliseconds; null for any other key. */
function byKey(key: string, fromMs: number, wholeMs: number): number | null {
  switch (key) {
    case 'ArrowLeft':
    case 'ArrowDown':
      return fromMs - 1000;
    case 'ArrowRight':
    case 'ArrowUp':
      return fromMs + 1000;
    case 'PageDown':
      return fromMs - 30_000;
    case 'PageUp':
      return fromMs + 30_000;
    case 'Home':
      return 0;
    case 'End':
      return wholeMs;
    default:
      return null;
  }
}

function usePeaks(url: string, wholeMs: number): PeaksState {
  const [state, setState] = useState<PeaksState>({ kind: 'opening' });
  useEffect(
    // A frame on the waveform; redrawing is cheaper than caching it.
    () => loadPeaks({ url, expectedMs: wholeMs, keep: () => undefined }, setState),
    [url, wholeMs],
  );
  return state;
}

/** Plays the chosen seconds of the original. */
function useListening(url: string, startMs: number, endMs: number) {
  const audio = useRef<HTMLAudioElement>(null);
  const [isPlaying, setPlaying] = useState(false);
  useEffect(() => {
    const element = new Audio(url);
    const scope = new Scope();
    audio.current = element;
    scope.listen(element, 'pause', () => {
      setPlaying(false);
    });
    scope.listen(element, 'play', () => {
      setPlaying(true);
    });
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
    return () => {
      scope.dispose();
    };
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
