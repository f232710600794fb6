import { createContext, useContext, useEffect, useEffectEvent, useMemo, useState, type ReactNode } from 'react';
import { createStore, useStore } from 'zustand';
import { nextLanguage } from '../../../shared/domain/dictation/choose-language.ts';
import type { WrittenRewriting } from '../../../shared/domain/dictation/rewriting.ts';
import type { DictationMode, SendingState, TakeChange } from '../../../shared/domain/dictation/take-view.ts';
import type { WrittenPhrase } from '../../../shared/domain/dictation/written-phrases.ts';
import type { SpeechLanguage } from '../../../shared/domain/languages.ts';
import { modeOf } from '../../../shared/domain/modes.ts';
import type { Failure } from '../../../shared/result/failure.ts';
import { captureRate, frameSamples, type CaptureFrame } from '../../audio/capture/capture-frame.ts';
import {
  longestFinishMs,
  openMicrophone,
  type Microphone,
  type MicrophoneListener,
  type MicrophoneTrouble,
} from '../../audio/capture/microphone.ts';
import type { StudioClient } from '../../bridge/client.ts';
import { useConnection, useSettings } from '../../bridge/live-state.tsx';
import { useStudio } from '../../bridge/studio-context.tsx';
import { useSettingsChange } from '../../bridge/use-settings-change.ts';
import { useCommands } from '../../lib/commands.tsx';
import { useFormats, useText } from '../../lib/text.ts';
import { useCopy, useUndoNotice } from '../../ui/notices.ts';
import { useToast } from '../../ui/toast.tsx';

const DictationContext = createContext<DictationStore | null>(null);

export function useDictation(): DictationStore {
  const value = useContext(DictationContext);
  if (value === null) throw new Error('useDictation outside of DictationProvider');
  return value;
}

export const useDictationState = <T,>(select: (state: DictationState) => T): T =>
  useStore(useDictation().store, select);

/** Surrounds all screens, because recording goes on whichever section is shown. */
export function DictationProvider({ children }: { readonly children: ReactNode }) {
  const studio = useStudio();
  const [dictation] = useState(() => createDictationStore(studio));
  const { dictationLanguage, dictationMode, dictationDevice, dictationSounds, dictationSession, keepsMicrophoneReady } =
    useSettings();
  const change = useSettingsChange();
  const showToast = useToast();
  const t = useText();
  const copy = useCopy();
  const formats = useFormats();
  const showUndo = useUndoNotice();
  const { mode } = useConnection();
  const discard = async () => {
    const discarded = await dictation.discard();
    const { takeId } = dictation.store.getState();
    if (takeId === null || discarded.length === 0) return;
    const seconds = formats.number(
      Math.round(discarded.reduce((sum, { startMs, endMs }) => sum + (endMs ?? startMs) - startMs, 0) / 100) / 10,
    );
    const isCharged = !modeOf(mode).isFree && discarded.some(({ unanswered }) => unanswered > 0);
    showUndo({
      text: [t('dictation.discarded', { seconds }), ...(isCharged ? [t('dictation.sentBefore')] : [])].join('. '),
      undo: () => {
        for (const { id } of discarded) void studio.request('dictation.restore', { takeId, phraseId: id });
      },
    });
  };
  useEffect(() => dictation.follow(), [dictation]);
  // Another way to start and stop ends what was begun in the old one.
  useEffect(() => () => dictation.stop(), [dictation, dictationMode]);
  const readyDevice = keepsMicrophoneReady ? dictationDevice : null;
  useEffect(() => {
    void dictation.keepReady(readyDevice);
    return () => void dictation.keepReady(null);
  }, [dictation, readyDevice]);
  useKeptSession(dictation, dictationSession, (takeId) => void change({ dictationSession: takeId }));
  useEffect(
    () =>
      dictation.store.subscribe(({ phase }, { phase: before }) => {
        if (!dictationSounds || phase === before) return;
        if (phase === 'recording') playCue('start');
        if (before === 'recording') playCue('stop');
      }),
    [dictation, dictationSounds],
  );
  const toggle = useMemo(
    () => ({
      'dictation.toggle': () => {
        if (dictation.store.getState().phase !== 'idle') dictation.stop();
        else
          void dictation.start({
            language: dictationLanguage,
            mode: dictationMode === 'hold' ? 'toggle' : dictationMode,
            device: dictationDevice,
          });
      },
      'dictation.nextLanguage': () => {
        const language = nextLanguage(dictationLanguage);
        void change({ dictationLanguage: language });
        dictation.setLanguage(language);
        showToast({ text: t('dictation.languageNow', { language: t(`common.languages.${language}`) }) });
      },
      'dictation.swapRaw': () => {
        const { takeId, phrases } = dictation.store.getState();
        const last = phrases.findLast(({ cleanUp, isEdited }) => cleanUp?.isChanged === true && !isEdited);
        if (takeId === null || last === undefined) showToast({ text: t('dictation.cleanUp.nothingToSwap') });
        else
          void studio.request('dictation.showRaw', {
            takeId,
            phraseId: last.id,
            isRaw: last.cleanUp?.isShown === true,
          });
      },
      'dictation.pasteLast': () => {
        const text = dictation.store.getState().phrases.findLast(({ state }) => state === 'text')?.text ?? '';
        if (text === '') return;
        // Inserted into the focused field like typed text; elsewhere it is only copied.
        const field = document.activeElement;
        if (field instanceof HTMLElement && field.matches('input, textarea, [contenteditable]'))
          document.execCommand('insertText', false, text);
        else void copy(text);
      },
    }),
    [dictation, dictationLanguage, dictationMode, dictationDevice, change, copy, showToast, studio, t],
  );
  useCommands(toggle);
  const isOn = useStore(dictation.store, ({ phase }) => phase === 'starting' || phase === 'recording');
  useCommands({ 'dictation.discard': isOn && (() => void discard()) });
  return <DictationContext value={dictation}>{children}</DictationContext>;
}

/** From one pitch in hertz to the other: rising when the microphone goes on, falling when it goes off. */
const pitches = { start: [523.25, 783.99], stop: [659.25, 392] } as const;
const lastsS = 0.09;
const loudness = 0.08;

/** A short sound for the state of the microphone, for users who don't watch the screen. */
function playCue(cue: keyof typeof pitches): void {
  const context = new AudioContext();
  const gain = context.createGain();
  gain.connect(context.destination);
  const [from, to] = pitches[cue];
  const tone = context.createOscillator();
  const now = context.currentTime;
  tone.frequency.setValueAtTime(from, now);
  tone.frequency.setValueAtTime(to, now + lastsS / 2);
  gain.gain.setValueAtTime(loudness, now);
  gain.gain.exponentialRampToValueAtTime(0.0001, now + lastsS);
  tone.connect(gain);
  tone.start(now);
  tone.stop(now + lastsS);
  tone.addEventListener('ended', () => void context.close());
}

/** A session lasts until another one begins, so it is there again after a restart, once the library is open. */
function useKeptSession(dictation: DictationStore, kept: string, keep: (takeId: string) => void): void {
  const onTake = useEffectEvent(keep);
  const { mode, practice } = useConnection();
  useEffect(() => {
    if (kept !== '' && dictation.store.getState().takeId === null) void dictation.continueWith(kept);
  }, [dictation, kept, mode, practice]);
  useEffect(
    () =>
      dictation.store.subscribe(({ takeId }, { takeId: before }) => {
        if (takeId !== before) onTake(takeId ?? '');
      }),
    [dictation],
  );
}

/** How much audio before the key press is kept: people begin to speak while they press it. */
const preRollMs = 500;
const mostFrames = Math.ceil((preRollMs * captureRate) / 1000 / frameSamples);

/** How many bars show the recent volume, 0 to 1, newest last. */
const levelBars = 31;
const silentAfterMs = 5000;
/** A text that needs longer is not waited for. */
const longestTextMs = 30_000;
/** The service takes nothing shorter. */
const shortestMs = 100;

interface DictationState {
  readonly phase: 'idle' | 'starting' | 'recording' | 'stopping';
  /** While it starts: the microphone was ready, so what is said now is in the take. */
  readonly isHearing: boolean;
  /** The take of this session: everything said until a new session begins. */
  readonly takeId: string | null;
  readonly startedAtMs: number;
  /** Its length before the microphone went on this time. */
  readonly fromMs: number;
  readonly phrases: readonly WrittenPhrase[];
  readonly rewritings: readonly WrittenRewriting[];
  readonly sending: SendingState | null;
  readonly hasDiskTrouble: boolean;
  /** The system's name of the microphone in use. */
  readonly device: string;
  readonly levels: readonly number[];
  readonly capturedMs: number;
  /** Nothing but zeros came for some time. */
  readonly isMute: boolean;
  readonly trouble: MicrophoneTrouble | null;
  readonly failure: Failure | null;
  /** The last press was shorter than the service accepts. */
  readonly wasTooShort: boolean;
  /** Counts changes of takes that may be in the history. */
  readonly changes: number;
}

const still = Array.from({ length: levelBars }, () => 0);

const initial: DictationState = {
  phase: 'idle',
  isHearing: false,
  takeId: null,
  startedAtMs: 0,
  fromMs: 0,
  phrases: [],
  rewritings: [],
  sending: null,
  hasDiskTrouble: false,
  device: '',
  levels: still,
  capturedMs: 0,
  isMute: false,
  trouble: null,
  failure: null,
  wasTooShort: false,
  changes: 0,
};

interface StartOptions {
  readonly language: SpeechLanguage;
  readonly mode: DictationMode;
  readonly device: string;
}

type Open = Awaited<ReturnType<typeof openSession>>;
const openSession = (studio: StudioClient, options: StartOptions, continues: string | null) =>
  studio.open('dictation.session', { ...options, continues });

/** The microphone of this page and its take. One at a time; stopping is safe at any moment. */
function createDictationStore(studio: StudioClient) {
  const store = createStore<DictationState>(() => initial);
  let microphone: Microphone | null = null;
  const warm = createWarmMicrophone(studio);
  /** The first sample of this take on the clock of the audio thread. */
  let firstAt: number | null = null;
  let session: Extract<Open, { ok: true }>['value'] | null = null;
  /** Stopping before it had begun. */
  let isStopWanted = false;
  let isDiscardWanted = false;
  let loudAtMs = 0;
  let levels = still;
  let isPainting = false;

  const paint = (capturedMs: number): void => {
    if (isPainting) return;
    isPainting = true;
    requestAnimationFrame(() => {
      isPainting = false;
      if (store.getState().phase === 'recording')
        store.setState({ levels, capturedMs, isMute: capturedMs - loudAtMs > silentAfterMs });
    });
  };

  const hear = ({ at: atOfThread, pcm, peak, rms, speech }: CaptureFrame): void => {
    firstAt ??= atOfThread;
    const at = atOfThread - firstAt;
    const capturedMs = store.getState().fromMs + Math.round(((at + pcm.length) * 1000) / captureRate);
    if (peak > 0) loudAtMs = capturedMs;
    levels = [...levels.slice(1), levelOf(rms)];
    void session?.send({ kind: 'frame', at, pcm, speech });
    paint(capturedMs);
  };

  const end = (): void => {
    microphone?.close();
    microphone = null;
    warm.rest();
    session?.finish();
    session = null;
    levels = still;
    const { capturedMs, fromMs, trouble } = store.getState();
    store.setState({ phase: 'idle', levels: still, wasTooShort: trouble === null && capturedMs - fromMs < shortestMs });
  };

  /** The end of the last word is still on its way from the audio thread. */
  const finish = async (): Promise<void> => {
    store.setState({ phase: 'stopping' });
    if (isDiscardWanted) {
      microphone?.close();
      void session?.send({ kind: 'discard' });
      return;
    }
    await microphone?.finish();
    if (store.getState().phase === 'stopping') end();
  };

  const change = (one: TakeChange): void => {
    const { takeId, changes } = store.getState();
    if (one.takeId !== takeId) {
      store.setState({ changes: changes + 1 });
      return;
    }
    store.setState({
      changes: changes + 1,
      startedAtMs: one.startedAtMs,
      rewritings: one.rewritings,
      sending: one.sending,
      hasDiskTrouble: one.hasDiskTrouble,
      ...(one.phrases === null ? {} : { phrases: one.phrases }),
    });
    // Main ends a take by itself after a long silence.
    if (!one.isRecording && ['recording', 'stopping'].includes(store.getState().phase)) end();
  };

  const until = async (isSo: (state: DictationState) => boolean): Promise<void> => {
    if (isSo(store.getState())) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, longestTextMs);
    const unsubscribe = store.subscribe((state) => {
      if (isSo(state)) resolve();
    });
    await promise;
    clearTimeout(timer);
    unsubscribe();
  };

  return {
    store,
    /** Subscribes to changes from main; the returned function unsubscribes. */
    follow: () => studio.subscribe('dictation.changed', change),

    async start(options: StartOptions): Promise<void> {
      isStopWanted = false;
      // Pressed again while the end of the last word is still on its way.
      if (store.getState().phase === 'stopping') await until(({ phase }) => phase !== 'stopping');
      if (store.getState().phase !== 'idle') return;
      isDiscardWanted = false;
      loudAtMs = 0;
      firstAt = null;
      const { takeId: before } = store.getState();
      const isHearing = warm.hold(options.device);
      store.setState({ phase: 'starting', isHearing, failure: null, trouble: null, wasTooShort: false, isMute: false });
      const opened = await openSession(studio, options, before);
      if (!opened.ok) {
        warm.rest();
        store.setState({ phase: 'idle', failure: opened.error });
        return;
      }
      session = opened.value;
      const { incoming, ended } = opened.value;
      void ended.then((result) => {
        if (session !== opened.value) return;
        if (!result.ok) store.setState({ failure: result.error });
        end();
      });
      const started = await incoming[Symbol.asyncIterator]().next();
      if (started.done === true) return;
      const { takeId, fromMs } = started.value;
      // A new take when the previous one no longer exists.
      if (takeId !== before) {
        const { changes } = store.getState();
        store.setState({ ...initial, changes, phase: 'starting', isHearing, takeId, startedAtMs: Date.now() });
      }
      loudAtMs = fromMs;
      store.setState({ fromMs, capturedMs: fromMs });
      const listener = {
        onFrame: hear,
        onGone: () => {
          store.setState({ trouble: 'gone' });
          void session?.send({ kind: 'gone', device: store.getState().device });
          end();
        },
      };
      const found = warm.take(options.device, listener) ?? (await openMicrophone(options.device, listener));
      if (typeof found === 'string') {
        end();
        // Main keeps no take without audio.
        if (takeId !== before) store.setState({ ...initial, changes: store.getState().changes });
        store.setState({ trouble: found, wasTooShort: false });
        return;
      }
      microphone = found;
      store.setState({ phase: 'recording', device: found.device });
      if (isStopWanted) await finish();
    },

    stop(): void {
      isStopWanted = true;
      if (store.getState().phase === 'recording') void finish();
    },

    /** Stops; what was said since the microphone went on and has no text yet is discarded. Resolves to that. */
    async discard(): Promise<readonly WrittenPhrase[]> {
      isDiscardWanted = true;
      const { fromMs } = store.getState();
      await this.stopped();
      return store.getState().phrases.filter(({ state, startMs }) => state === 'discarded' && startMs >= fromMs);
    },

    /** Stops; resolves when the microphone is off. */
    async stopped(): Promise<void> {
      this.stop();
      await until(({ phase }) => phase === 'idle');
    },

    /**
     * Stops; resolves when each phrase has its text, the model's too if one writes it, or when texts are not to be
     * expected soon.
     */
    async settled(): Promise<void> {
      await this.stopped();
      await until(
        ({ phrases, sending }) =>
          !phrases.some(
            ({ state, cleanUp }) => state === 'speaking' || state === 'waiting' || cleanUp?.isArriving === true,
          ) ||
          sending?.kind === 'stopped' ||
          sending?.kind === 'held',
      );
    },

    /** Keeps a microphone on between takes; null: none. */
    keepReady: (device: string | null) => warm.keep(device),

    /** Applies from the next phrase on. */
    setLanguage(language: SpeechLanguage): void {
      void session?.send({ kind: 'language', language });
    },

    /** The next words begin a new session; the previous one is in the history. */
    startNew(): void {
      if (store.getState().phase === 'idle') store.setState({ ...initial, changes: store.getState().changes });
    },

    /** Goes on with a take of before. */
    async continueWith(takeId: string): Promise<void> {
      const found = await studio.request('dictation.read', { takeId });
      if (!found.ok || store.getState().phase !== 'idle') return;
      const { phrases, rewritings, summary } = found.value;
      const { changes } = store.getState();
      const { startedAtMs, durationMs: capturedMs } = summary;
      store.setState({ ...initial, changes, takeId, phrases, rewritings, startedAtMs, capturedMs });
    },
  };
}

type DictationStore = ReturnType<typeof createDictationStore>;

/** Volume on a perceptual scale: from -60 dB to -6 dB. */
function levelOf(rms: number): number {
  const db = 20 * Math.log10(Math.max(1, rms) / 32_768);
  return Math.max(0, Math.min(1, (db + 60) / 54));
}

interface Warm {
  readonly device: string;
  readonly microphone: Microphone;
  readonly close: () => void;
}

/** A microphone that is on before it is needed, with the last half second of audio. */
function createWarmMicrophone(studio: StudioClient) {
  let wanted: string | null = null;
  let warm: Warm | null = null;
  let ring: CaptureFrame[] = [];
  /** After the press nothing is discarded until the take begins. */
  let isHeld = false;
  let listener: MicrophoneListener | null = null;
  let opening = Promise.resolve();
  /** A take that ends waits for the frame that was being filled. */
  let onNext: () => void = () => undefined;

  const close = (): void => {
    warm?.close();
    warm = null;
    ring = [];
  };

  const onFrame = (frame: CaptureFrame): void => {
    if (listener !== null) {
      listener.onFrame(frame);
      onNext();
      return;
    }
    ring.push(frame);
    if (!isHeld && ring.length > mostFrames) ring.shift();
  };
  const onGone = (): void => {
    close();
    listener?.onGone();
    listener = null;
  };

  const open = async (device: string): Promise<void> => {
    // Main grants the microphone only while a stream declares its use.
    const stream = await studio.open('dictation.ready', {});
    if (!stream.ok) return;
    const microphone = await openMicrophone(device, { onFrame, onGone });
    if (typeof microphone === 'string' || wanted !== device) {
      if (typeof microphone !== 'string') microphone.close();
      stream.value.finish();
      return;
    }
    const end = (): void => {
      microphone.close();
      stream.value.finish();
    };
    warm = { device, microphone, close: end };
  };

  return {
    /** One after another, so that a quick change leaves no microphone on. */
    keep(device: string | null): Promise<void> {
      wanted = device;
      opening = opening.then(async () => {
        if (warm?.device === wanted || listener !== null) return;
        close();
        if (wanted !== null) await open(wanted);
      });
      return opening;
    },
    /**
     * The key was pressed: audio from now on belongs to the take, together with the buffered part. False: this
     * microphone is not on yet.
     */
    hold(device: string): boolean {
      isHeld = true;
      return warm?.device === device;
    },
    /** Hands the running microphone to a take, with its buffered audio first. Closing the take leaves it on. */
    take(device: string, taker: MicrophoneListener): Microphone | null {
      if (warm === null || warm.device !== device) return null;
      listener = taker;
      for (const frame of ring.splice(0)) taker.onFrame(frame);
      const finish = async (): Promise<void> => {
        const { promise, resolve } = Promise.withResolvers<void>();
        onNext = resolve;
        setTimeout(resolve, longestFinishMs);
        await promise;
      };
      return { device: warm.microphone.device, close: () => undefined, finish };
    },
    /** The take is over. */
    rest(): void {
      listener = null;
      isHeld = false;
      ring = [];
      // Another one may have been chosen meanwhile, or none.
      if (warm?.device !== wanted) void this.keep(wanted);
    },
  };
}
