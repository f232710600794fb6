import { useEffect, useRef, useState } from 'react';
import type { SpeechLanguage } from '../../../../../shared/domain/languages.ts';
import type { Failure } from '../../../../../shared/result/failure.ts';
import { openMicrophone, type Microphone, type MicrophoneTrouble } from '../../../../audio/capture/microphone.ts';
import { useSettings } from '../../../../bridge/live-state.tsx';
import { useStudio } from '../../../../bridge/studio-context.tsx';

const sampleRate = 48_000;
/** Microphone frames that are sent to main together. */
const frameSamples = 320;
const framesAtOnce = 8;
const barSamples = sampleRate / 20;

export interface Recorder {
  readonly phase: 'idle' | 'starting' | 'recording' | 'saving';
  readonly elapsedMs: number;
  /** Twenty peaks a second since the start, 0 to 1. */
  readonly bars: readonly number[];
  readonly trouble: MicrophoneTrouble | null;
  readonly failure: Failure | null;
  readonly start: () => void;
  /** Ends the recording; true when it is on the disk. */
  readonly stop: () => Promise<boolean>;
}

export interface RecorderOptions {
  readonly what: 'reference' | 'reading';
  readonly language: SpeechLanguage;
  readonly removesNoise: boolean;
  /** Ends by itself then. */
  readonly mostMs: number;
  /** It is on the disk. */
  readonly onKept: () => Promise<void>;
}

const quiet = { phase: 'idle', elapsedMs: 0, bars: [], trouble: null, failure: null } as const;

/** Records into the draft: the audio is stored as soon as the recording ends, however it ends. */
export function useRecorder(options: RecorderOptions): Recorder {
  const studio = useStudio();
  const { dictationDevice } = useSettings();
  const [state, setState] = useState<Omit<Recorder, 'start' | 'stop'>>(quiet);
  const running = useRef<{ readonly end: () => Promise<boolean> } | null>(null);
  const latest = useRef(options);
  useEffect(() => {
    latest.current = options;
  });
  // Leaving ends a recording and keeps it; one that has not begun by then does not begin.
  const isLeft = useRef(false);
  useEffect(() => {
    isLeft.current = false;
    return () => {
      isLeft.current = true;
      void running.current?.end();
    };
  }, []);

  const start = async (): Promise<void> => {
    if (running.current !== null) return;
    const { what, language, removesNoise, mostMs } = latest.current;
    setState({ ...quiet, phase: 'starting' });
    const opened = await studio.open('clone.record', { what, language, removesNoise, sampleRate });
    if (!opened.ok) {
      setState({ ...quiet, failure: opened.error });
      return;
    }
    const session = opened.value;
    await session.incoming[Symbol.asyncIterator]().next();
    if (isLeft.current) {
      await session.send({ kind: 'call-off' });
      session.finish();
      setState(quiet);
      return;
    }
    const bars: number[] = [];
    let [heard, peakOfBar, inBar] = [0, 0, 0];
    let part = new Int16Array(frameSamples * framesAtOnce);
    let filled = 0;
    let isDrawing = false;
    let microphone: Microphone | null = null;
    let ending: Promise<boolean> | null = null;
    const send = () => {
      if (filled > 0) void session.send({ kind: 'frame', pcm: part.slice(0, filled) });
      part = new Int16Array(frameSamples * framesAtOnce);
      filled = 0;
    };
    const end = (more: Partial<Recorder> = {}): Promise<boolean> => {
      ending ??= (async () => {
        microphone?.close();
        send();
        running.current = null;
        setState((now) => ({ ...now, phase: 'saving' }));
        if (heard === 0) await session.send({ kind: 'call-off' });
        session.finish();
        const ended = await session.ended;
        if (ended.ok) await latest.current.onKept();
        setState({ ...quiet, ...more, failure: ended.ok ? null : ended.error });
        return ended.ok && heard > 0;
      })();
      return ending;
    };
    const draw = () => {
      if (isDrawing) return;
      isDrawing = true;
      requestAnimationFrame(() => {
        isDrawing = false;
        if (ending === null)
          setState({ ...quiet, phase: 'recording', elapsedMs: (heard * 1000) / sampleRate, bars: [...bars] });
      });
    };
    running.current = { end };
    const found = await openMicrophone(
      dictationDevice,
      {
        onFrame({ pcm, peak }) {
          if (ending !== null) return;
          part.set(pcm, filled);
          filled += pcm.length;
          heard += pcm.length;
          peakOfBar = Math.max(peakOfBar, peak / 32_768);
          inBar += pcm.length;
          if (inBar >= barSamples) {
            bars.push(peakOfBar);
            [peakOfBar, inBar] = [0, inBar - barSamples];
          }
          if (filled >= part.length) send();
          draw();
          if ((heard * 1000) / sampleRate >= mostMs) void end();
        },
        onGone: () => void end({ trouble: 'gone' }),
      },
      sampleRate,
    );
    if (typeof found === 'string') {
      await end({ trouble: found });
      return;
    }
    microphone = found;
    if (ending !== null) found.close();
    else setState({ ...quiet, phase: 'recording' });
  };

  return { ...state, start: () => void start(), stop: async () => (await running.current?.end()) ?? false };
}
