import { CircleAlert, FileAudio, Play, Square } from 'lucide-react';
import { useEffect, useEffectEvent, useRef, useState, type PointerEvent } from 'react';
import type { SpeechLanguage } from '../../../../../shared/domain/languages.ts';
import { Resampler } from '../../../../../shared/domain/media/resample.ts';
import type { RecordingCheck } from '../../../../../shared/domain/voices/check-recording.ts';
import { cloneRules } from '../../../../../shared/domain/voices/clone-rules.ts';
import type { VoiceAudio } from '../../../../audio/voice/read-voice.ts';
import type { Stretch } from '../../../../audio/voice/voice-messages.ts';
import { useStudio } from '../../../../bridge/studio-context.tsx';
import { Scope } from '../../../../lib/scope.ts';
import { useFormats, useText } from '../../../../lib/text.ts';
import { Banner } from '../../../../ui/banner.tsx';
import { Button } from '../../../../ui/button.tsx';
import { PressButton } from '../../../../ui/press-button.tsx';
import { Range } from '../../../../ui/range.tsx';
import { usePlayerState, useSpeaking } from '../../speak-context.tsx';
import { CheckList } from './check-list.tsx';
import css from './clone-wizard.module.css';
import recorderCss from './recorder.module.css';
import { KeptBars, PlayKept, type KeptRecording } from './recorder-card.tsx';
import { LevelBars } from './level-bars.tsx';
import type { Clone } from './use-clone.ts';
import { useCheck, useVoiceAudio } from './use-voice-audio.ts';

const range = cloneRules.reference;

/** A stretch of a chosen file that is not stored yet. */
export interface ChosenPart {
  readonly check: RecordingCheck | null;
  /** Cuts and stores it; false when that was refused. */
  readonly keep: () => Promise<boolean>;
}

/** Takes a recording from a file: a suitable stretch of it is selected and can be played. */
export function FilePart({
  clone,
  kept,
  language,
  removesNoise,
  onPart,
}: {
  readonly clone: Clone;
  readonly kept: KeptRecording | null;
  readonly language: SpeechLanguage;
  readonly removesNoise: boolean;
  /** Called whenever the stretch changes; null: nothing unsaved is selected. */
  readonly onPart: (part: ChosenPart | null) => void;
}) {
  const t = useText();
  const formats = useFormats();
  const studio = useStudio();
  const [file, setFile] = useState<{ readonly name: string; readonly mediaUrl: string } | null>(null);
  const [fromMs, setFromMs] = useState(0);
  const [wantedMs, setWantedMs] = useState<number>(range.mostMs);
  const audio = useVoiceAudio(file?.mediaUrl ?? null);
  const read = audio === null || typeof audio === 'string' ? null : audio;
  const totalMs = read?.durationMs ?? 0;
  const lengthMs = Math.min(wantedMs, totalMs - fromMs);
  const stretch = { fromMs, toMs: fromMs + lengthMs };
  const check = useCheck(read, stretch, range);
  const choose = async (dropped: File | null) => {
    const token = dropped === null ? null : await studio.fileTokenFor(dropped);
    if (token?.ok === false) {
      clone.fail(token.error);
      return;
    }
    const answer = await studio.request('clone.chooseFile', { token: token === null ? null : token.value });
    if (!answer.ok) clone.fail(answer.error);
    else if (answer.value.file !== null) {
      setFile(answer.value.file);
      setFromMs(0);
      setWantedMs(range.mostMs);
    }
  };
  const area = useRef<HTMLElement>(null);
  const drop = useEffectEvent((dropped: File) => void choose(dropped));
  useEffect(() => {
    if (area.current === null) return undefined;
    const scope = new Scope();
    scope.listen<DragEvent>(area.current, 'dragover', (event) => {
      event.preventDefault();
    });
    scope.listen<DragEvent>(area.current, 'drop', (event) => {
      event.preventDefault();
      const [dropped] = event.dataTransfer?.files ?? [];
      if (dropped !== undefined) drop(dropped);
    });
    return () => {
      scope.dispose();
    };
  }, []);
  const keep = async (): Promise<boolean> => {
    if (read === null || file === null) return false;
    const { pcm, sampleRate } = await read.cut(stretch);
    const answer = await studio.request('clone.keepRecording', {
      pcm,
      sampleRate,
      language,
      removesNoise,
      name: file.name.slice(0, 300),
    });
    if (!answer.ok) {
      clone.fail(answer.error);
      return false;
    }
    clone.show(answer.value.draft);
    setFile(null);
    return true;
  };
  const latest = useRef({ keep, onPart });
  useEffect(() => {
    latest.current = { keep, onPart };
  });
  useEffect(() => {
    latest.current.onPart(read === null ? null : { check, keep: () => latest.current.keep() });
  }, [read, check]);
  useEffect(() => () => latest.current.onPart(null), []);
  const move = (begin: number, length: number) => {
    const whole = Math.min(length, range.mostMs, totalMs);
    setWantedMs(whole);
    setFromMs(Math.max(0, Math.min(begin, totalMs - whole)));
  };
  return (
    <section ref={area} className={recorderCss['recorder']} aria-label={t('voices.wizard.file')}>
      <div className={recorderCss['recorderRow']}>
        <Button icon={FileAudio} onPress={() => void choose(null)}>
          {t(file === null && kept === null ? 'voices.wizard.chooseFile' : 'voices.wizard.otherFile')}
        </Button>
        <span className={recorderCss['fileName']}>
          {file?.name ?? (kept === null ? t('voices.wizard.dropFile') : (clone.draft?.reference?.name ?? ''))}
        </span>
        {audio === 'reading' && <output className={css['hint']}>{t('voices.wizard.reading')}</output>}
      </div>
      {audio === 'failed' && (
        <Banner role="alert" tone="bad" icon={CircleAlert} title={t('voices.wizard.fileFailed')}>
          {t('voices.wizard.fileFailedText')}
        </Banner>
      )}
      {file === null && kept !== null && (
        <div className={recorderCss['recorderRow']}>
          <PlayKept kept={kept} />
          <div className={recorderCss['wave']}>
            <KeptBars kept={kept} />
          </div>
          <span className={recorderCss['clock']}>
            {formats.fixed(kept.durationMs / 1000, 1)} <small>{t('voices.wizard.seconds')}</small>
          </span>
        </div>
      )}
      {read !== null && (
        <>
          <div className={recorderCss['recorderRow']}>
            <PlayPart sound={read} stretch={stretch} />
            <PartMarker sound={read} stretch={stretch} onMove={move} />
          </div>
          {totalMs > range.leastMs && (
            <div className={css['pair']}>
              <label className={recorderCss['slider']}>
                <span>
                  {t('voices.wizard.from')} <b>{formats.clock(fromMs)}</b>
                </span>
                <Range
                  label={t('voices.wizard.from')}
                  min={0}
                  max={totalMs - range.leastMs}
                  step={500}
                  value={fromMs}
                  valueText={formats.duration(fromMs)}
                  onChange={setFromMs}
                />
              </label>
              <label className={recorderCss['slider']}>
                <span>
                  {t('voices.wizard.partLength')} <b>{formats.duration(lengthMs)}</b>
                </span>
                <Range
                  label={t('voices.wizard.partLength')}
                  min={range.leastMs}
                  max={Math.min(range.mostMs, totalMs)}
                  step={500}
                  value={lengthMs}
                  valueText={formats.duration(lengthMs)}
                  onChange={setWantedMs}
                />
              </label>
            </div>
          )}
          {check !== null && <CheckList check={check} />}
        </>
      )}
    </section>
  );
}

const partId = 'clone:part';
/** What the player takes. */
const playedRate = 24_000;

/** Plays only the selected stretch. */
function PlayPart({ sound: audio, stretch }: { readonly sound: VoiceAudio; readonly stretch: Stretch }) {
  const t = useText();
  const { side } = useSpeaking();
  const isHeard = usePlayerState(side, ({ status, heardId }) => status !== 'idle' && heardId === partId);
  const label = t(isHeard ? 'voices.wizard.stopPlaying' : 'voices.wizard.playPart');
  const play = async () => {
    side.start([{ id: partId, url: null, pauseMs: 0 }]);
    const { pcm, sampleRate } = await audio.cut(stretch);
    const resampler = new Resampler(sampleRate, playedRate);
    const samples = Float32Array.from(pcm, (sample) => sample / 32_768);
    for (const part of [resampler.push(samples), resampler.flush()])
      side.push(
        partId,
        Int16Array.from(part, (sample) => Math.max(-32_768, Math.min(32_767, Math.round(sample * 32_768)))),
      );
    side.finish(partId, null);
  };
  return (
    <PressButton
      className={recorderCss['playKept']}
      label={label}
      tip={{ text: label }}
      onPress={() => {
        if (isHeard) side.stop();
        else void play();
      }}
    >
      {isHeard ? (
        <Square aria-hidden size={14} strokeWidth={1.75} />
      ) : (
        <Play aria-hidden size={16} strokeWidth={1.75} />
      )}
    </PressButton>
  );
}

/** Within this many pixels of an edge, dragging moves that edge. */
const edgePixels = 10;

/** The whole recording with the selected stretch. The pointer moves it or its edges; the sliders do so by keyboard. */
function PartMarker({
  sound: audio,
  stretch: { fromMs, toMs },
  onMove,
}: {
  readonly sound: VoiceAudio;
  readonly stretch: Stretch;
  readonly onMove: (fromMs: number, lengthMs: number) => void;
}) {
  const { durationMs } = audio;
  const pull = (event: PointerEvent<HTMLDivElement>) => {
    const box = event.currentTarget;
    const { left, width } = box.getBoundingClientRect();
    const msAt = (x: number) => Math.max(0, Math.min(durationMs, ((x - left) * durationMs) / width));
    const near = (ms: number) => Math.abs(event.clientX - left - (ms * width) / durationMs) <= edgePixels;
    const at = msAt(event.clientX);
    const lengthMs = toMs - fromMs;
    const isInside = at >= fromMs && at <= toMs;
    const grip = near(fromMs) ? 'from' : near(toMs) ? 'to' : 'whole';
    // A click elsewhere moves the stretch there.
    const offset = isInside ? at - fromMs : lengthMs / 2;
    const follow = (x: number) => {
      const ms = msAt(x);
      if (grip === 'to') onMove(fromMs, Math.max(range.leastMs, ms - fromMs));
      else if (grip === 'from') {
        const begin = Math.max(toMs - range.mostMs, Math.min(ms, toMs - range.leastMs));
        onMove(begin, toMs - begin);
      } else onMove(ms - offset, lengthMs);
    };
    box.setPointerCapture(event.pointerId);
    const scope = new Scope();
    scope.listen<globalThis.PointerEvent>(box, 'pointermove', ({ clientX }) => follow(clientX));
    for (const end of ['pointerup', 'pointercancel']) scope.listen(box, end, () => scope.dispose());
    if (grip === 'whole') follow(event.clientX);
  };
  const share = (ms: number) => `${String((ms * 100) / Math.max(1, durationMs))}%`;
  return (
    <div className={recorderCss['marker']} onPointerDown={durationMs > range.leastMs ? pull : undefined}>
      <LevelBars bars={audio.bars} />
      <span
        aria-hidden
        className={recorderCss['part']}
        style={{ insetInlineStart: share(fromMs), inlineSize: share(toMs - fromMs) }}
      />
    </div>
  );
}
