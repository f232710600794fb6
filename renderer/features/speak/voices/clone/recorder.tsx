import { type Stretch, type VoiceRange, readVoice, type VoiceAudio } from '../../../../audio/voice/read-voice.ts';
import { CircleAlert, CircleCheck, Mic, MicOff, Play, Square, TriangleAlert } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { SpeechLanguage } from '../../../../../shared/domain/languages.ts';
import type { RecordingCheck } from '../../../../../shared/domain/voices/check-recording.ts';
import { cloneRules } from '../../../../../shared/domain/voices/clone-rules.ts';
import type { Failure } from '../../../../../shared/result/failure.ts';
import { openMicrophone, type Microphone, type MicrophoneTrouble } from '../../../../audio/capture/microphone.ts';
import { useHasMicrophone } from '../../../../audio/capture/use-has-microphone.ts';
import { useSettings } from '../../../../bridge/live-state.tsx';
import { useStudio } from '../../../../bridge/studio-context.tsx';
import { cx } from '../../../../lib/class-names.ts';
import { useFailureText } from '../../../../lib/failure-text.ts';
import { useFormats, useText } from '../../../../lib/text.ts';
import { Banner } from '../../../../ui/banner.tsx';
import { PressButton } from '../../../../ui/press-button.tsx';
import { usePlayerState, useSpeaking } from '../../speak-context.tsx';
import css from './clone-wizard.module.css';

export interface KeptRecording {
  readonly url: string;
  readonly durationMs: number;
  readonly bars: ArrayLike<number> | null;
}

export function RecorderCard(props: {
  readonly recorder: Recorder;
  readonly kept: KeptRecording | null;
  readonly range: VoiceRange;
  readonly startLabel: string;
  readonly hint?: string;
}) {
  const {
    recorder,
    kept,
    range: { leastMs, mostMs },
    startLabel,
    hint = '',
  } = props;
  const t = useText();
  const formats = useFormats();
  const { phase, elapsedMs, bars } = recorder;
  const isOn = phase === 'recording' || phase === 'starting';
  const shownMs = isOn ? elapsedMs : (kept?.durationMs ?? 0);
  const label = isOn ? t('voices.wizard.stopRecording') : kept === null ? startLabel : t('voices.wizard.again');
  return (
    <div className={css['recorder']}>
      <div className="row gap-14 thin">
        <PressButton
          className={cx(css['round'], isOn && css['roundOn'])}
          label={label}
          tip={{ text: label }}
          isDisabled={phase === 'saving'}
          onPress={() => (isOn ? void recorder.stop() : recorder.start())}
        >
          {isOn ? (
            <Square aria-hidden size={18} strokeWidth={0} fill="currentColor" />
          ) : (
            <Mic aria-hidden size={20} strokeWidth={1.75} />
          )}
        </PressButton>
        {isOn || kept === null ? (
          <div className={css['wave']}>
            <LevelBars isRecording={isOn} bars={isOn ? bars : []} share={isOn ? elapsedMs / mostMs : 1} />
          </div>
        ) : (
          <KeptBars kept={kept} share={Math.min(1, kept.durationMs / mostMs)} />
        )}
        {!isOn && kept !== null && <PlayKept kept={kept} />}
        <span className={css['clock']} role="timer" aria-label={formats.duration(shownMs)}>
          {formats.fixed(shownMs / 1000, 1)} <small aria-hidden>{t('voices.wizard.seconds')}</small>
        </span>
      </div>
      <div className={css['gauge']}>
        <span
          className={cx(css['gaugeFill'], shownMs >= leastMs && css['gaugeOk'])}
          style={{ transform: `scaleX(${String(Math.min(1, shownMs / mostMs))})` }}
        />
      </div>
      <div className={css['gaugeWords']} aria-hidden>
        <span>0</span>
        <span
          className={cx(shownMs >= leastMs && css['ok'])}
          style={{ insetInlineStart: `${String((leastMs / mostMs) * 100)}%` }}
        >
          {t(leastMs > 5000 ? 'voices.wizard.enough' : 'voices.wizard.enoughReading')}
        </span>
        <span>{`${String(mostMs / 1000)} ${t('voices.wizard.seconds')}`}</span>
      </div>
      <output className="small muted if-any">
        {phase === 'starting' || phase === 'saving' ? t(`voices.wizard.${phase}`) : !isOn && kept === null && hint}
      </output>
    </div>
  );
}

/** Why there is no audio. `what`: a reading can only come from the microphone. */
export function RecorderTrouble(props: { readonly recorder: Recorder; readonly what?: 'recording' | 'reading' }) {
  const {
    recorder: { trouble, failure },
    what = 'recording',
  } = props;
  const t = useText();
  const words = useFailureText();
  if (trouble !== null) {
    const text = what === 'reading' && trouble === 'absent' ? 'absentReading' : (`${trouble}Text` as const);
    return (
      <Banner role="alert" tone="bad" icon={MicOff} title={t(`voices.wizard.mic.${trouble}`)}>
        {t(`voices.wizard.mic.${text}`)}
      </Banner>
    );
  }
  if (failure === null) return null;
  return (
    <Banner role="alert" tone="bad" icon={CircleAlert} title={words(failure).title}>
      {words(failure).textAfterTitle}
    </Banner>
  );
}

export function NoMicrophone({ text }: { readonly text: 'absentLater' | 'absentNext' | 'absentReading' }) {
  const t = useText();
  if (useHasMicrophone()) return null;
  return (
    <Banner tone="warn" icon={MicOff} title={t('voices.wizard.mic.absent')}>
      {t(`voices.wizard.mic.${text}`)}
    </Banner>
  );
}

const partId = 'clone:recording';

export function KeptBars({ kept, share = 1 }: { readonly kept: KeptRecording; readonly share?: number }) {
  const { side } = useSpeaking();
  const heardMs = usePlayerState(side, (state) => (state.heardId === partId ? state.heardMs : null));
  const played = heardMs === null ? 1 : heardMs / Math.max(1, kept.durationMs);
  return (
    <div className={css['wave']}>
      <LevelBars bars={kept.bars ?? []} share={share} played={played} />
    </div>
  );
}

export function PlayKept({ kept: { url } }: { readonly kept: KeptRecording }) {
  const { side } = useSpeaking();
  const isHeard = usePlayerState(
    side,
    ({ status, heardId }) => status !== 'idle' && (heardId === partId || heardId === null),
  );
  return <RoundPlay label="play" isHeard={isHeard} onPlay={() => side.start([{ id: partId, url, pauseMs: 0 }])} />;
}

export function RoundPlay(props: {
  readonly label: 'play' | 'playPart';
  readonly isHeard: boolean;
  readonly onPlay: () => void;
}) {
  const { label, isHeard, onPlay } = props;
  const t = useText();
  const { side } = useSpeaking();
  const text = t(`voices.wizard.${isHeard ? 'stopPlaying' : label}`);
  return (
    <PressButton className={css['playKept']} label={text} tip={{ text }} onPress={isHeard ? () => side.stop() : onPlay}>
      {isHeard ? (
        <Square aria-hidden size={14} strokeWidth={1.75} />
      ) : (
        <Play aria-hidden size={16} strokeWidth={1.75} />
      )}
    </PressButton>
  );
}

/** The local check of a recording: hints, and only the service decides. `range`: the length that this step accepts. */
export function CheckList({ check, range }: { readonly check: RecordingCheck; readonly range: VoiceRange }) {
  const t = useText();
  const { length, level, clipping, noise, speakers } = check;
  const seconds = (length === 'short' ? range.leastMs : range.mostMs) / 1000;
  const said: (readonly [isGood: boolean, text: string])[] = [];
  if (length !== 'good') said.push([false, t(`voices.wizard.length.${length}`, { seconds })]);
  said.push([level === 'good', t(`voices.wizard.level.${level}`)]);
  if (level !== 'silent') {
    if (clipping !== 'none') said.push([false, t(`voices.wizard.clipping.${clipping}`)]);
    said.push([noise === 'low', t(`voices.wizard.noise.${noise}`)]);
    if (speakers !== 'unknown') said.push([speakers === 'one', t(`voices.wizard.speakers.${speakers}`)]);
  }
  const isUnclear = noise === 'much' || clipping === 'much';
  return (
    <>
      <ul className={css['checks']} aria-label={t('voices.wizard.checks')}>
        {said.map(([isGood, text]) => (
          <li key={text} className={cx('row gap-6', css[isGood ? 'ok' : 'warn'])}>
            {isGood ? (
              <CircleCheck aria-hidden size={14} strokeWidth={1.75} />
            ) : (
              <TriangleAlert aria-hidden size={14} strokeWidth={1.75} />
            )}
            {text}
          </li>
        ))}
      </ul>
      {level !== 'silent' && (speakers === 'several' || isUnclear) && (
        <p className="caption subtle">{t(`voices.wizard.advice.${speakers === 'several' ? 'several' : 'unclear'}`)}</p>
      )}
    </>
  );
}

const barCount = 90;

/** The volume of a recording as bars. `share`: how much of the width it takes. `played`: the played part, 0 to 1. */
export function LevelBars(props: {
  readonly bars: ArrayLike<number>;
  readonly share?: number;
  readonly played?: number;
  readonly isRecording?: boolean;
}) {
  const { bars, share = 1, played = 1, isRecording = false } = props;
  const filled = Math.max(0, Math.min(barCount, Math.round(barCount * share)));
  const heights = Array.from({ length: barCount }, (_, at) => {
    if (at >= filled || bars.length === 0) return null;
    const from = Math.floor((at * bars.length) / filled);
    const to = Math.max(from + 1, Math.floor(((at + 1) * bars.length) / filled));
    let peak = 0;
    for (let bar = from; bar < to; bar += 1) peak = Math.max(peak, bars[bar] ?? 0);
    return peak;
  });
  return (
    <svg
      aria-hidden
      className={css[isRecording ? 'barsRecording' : 'bars']}
      viewBox={`0 0 ${String(barCount * 4)} 48`}
      preserveAspectRatio="none"
    >
      {heights.map((height, at) => {
        // Perceived volume instead of the measured one.
        const size = height === null ? 2 : Math.max(2, 46 * height ** 0.6);
        const opacity = height === null ? 0.25 : at <= played * filled ? 1 : 0.45;
        return (
          <rect key={String(at)} x={at * 4 + 1} y={24 - size / 2} width={2} height={size} rx={1} opacity={opacity} />
        );
      })}
    </svg>
  );
}

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
  readonly stop: () => Promise<boolean>;
}

const quiet = { phase: 'idle', elapsedMs: 0, bars: [], trouble: null, failure: null } as const;

/** Records into the draft: the audio is stored as soon as the recording ends, however it ends; then `onKept` is called. */
export function useRecorder(
  recorded: {
    readonly what: 'reference' | 'reading';
    readonly language: SpeechLanguage;
    readonly removesNoise: boolean;
  },
  onKept: () => Promise<void>,
): Recorder {
  const studio = useStudio();
  const { dictationDevice } = useSettings();
  const [state, setState] = useState<Omit<Recorder, 'start' | 'stop'>>(quiet);
  const running = useRef<{ readonly end: () => Promise<boolean> } | null>(null);
  const latest = useRef({ ...recorded, onKept });
  useEffect(() => {
    latest.current = { ...recorded, onKept };
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
    const { what, language, removesNoise } = latest.current;
    setState({ ...quiet, phase: 'starting' });
    const opened = await studio.open('clone.record', { what, language, removesNoise, sampleRate });
    if (!opened.ok) return setState({ ...quiet, failure: opened.error });
    const session = opened.value;
    await session.incoming[Symbol.asyncIterator]().next();
    if (isLeft.current) {
      await session.send({ kind: 'call-off' });
      session.finish();
      return setState(quiet);
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
          if ((heard * 1000) / sampleRate >= cloneRules[what].mostMs) void end();
        },
        onGone: () => void end({ trouble: 'gone' }),
      },
      sampleRate,
    );
    if (typeof found === 'string') {
      await end({ trouble: found });
      return undefined;
    }
    microphone = found;
    if (ending !== null) found.close();
    else setState({ ...quiet, phase: 'recording' });
    return undefined;
  };

  return { ...state, start: () => void start(), stop: async () => (await running.current?.end()) ?? false };
}

/** A recording, decoded in a separate thread. `failed`: it contains no audio. */
export function useVoiceAudio(url: string | null): VoiceAudio | 'reading' | 'failed' | null {
  const [read, setRead] = useState<{ readonly of: string; readonly audio: VoiceAudio | null } | null>(null);
  useEffect(() => (url === null ? undefined : readVoice(url, (audio) => setRead({ of: url, audio }))), [url]);
  if (url === null) return null;
  return read?.of === url ? (read.audio ?? 'failed') : 'reading';
}

export function useKept(url: string | null | undefined, stored: { readonly durationMs: number } | null | undefined) {
  const audio = useVoiceAudio(url ?? null);
  const read = audio === null || typeof audio === 'string' ? null : audio;
  const kept = url == null || stored == null ? null : { url, durationMs: stored.durationMs, bars: read?.bars ?? null };
  return { read, kept };
}

export function useCheck(audio: VoiceAudio | null, range: VoiceRange, stretch?: Stretch): RecordingCheck | null {
  const { fromMs, toMs } = stretch ?? { fromMs: 0, toMs: audio?.durationMs ?? 0 };
  const [found, setFound] = useState<{ readonly of: VoiceAudio; readonly check: RecordingCheck } | null>(null);
  useEffect(() => {
    if (audio === null) return undefined;
    let isWanted = true;
    void audio.check({ fromMs, toMs }, range).then((check) => {
      if (isWanted) setFound({ of: audio, check });
    });
    return () => {
      isWanted = false;
    };
  }, [audio, fromMs, toMs, range]);
  return found !== null && found.of === audio ? found.check : null;
}
