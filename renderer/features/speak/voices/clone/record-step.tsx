import { ArrowRight, CircleAlert, FileAudio, Timer } from 'lucide-react';
import { useEffect, useEffectEvent, useRef, useState, type PointerEvent, type ReactNode } from 'react';
import { speechLanguages, type SpeechLanguage } from '../../../../../shared/domain/languages.ts';
import { Resampler } from '../../../../../shared/domain/media/resample.ts';
import { isUsable, type RecordingCheck } from '../../../../../shared/domain/voices/check-recording.ts';
import { cloneRules, findRecordingTrouble } from '../../../../../shared/domain/voices/clone-rules.ts';
import { challengeLeftMs } from '../../../../../shared/domain/voices/clone-draft.ts';
import type { Stretch, VoiceAudio } from '../../../../audio/voice/read-voice.ts';
import { useSettings } from '../../../../bridge/live-state.tsx';
import { useStudio } from '../../../../bridge/studio-context.tsx';
import { Scope } from '../../../../lib/scope.ts';
import { useFormats, useText } from '../../../../lib/text.ts';
import { Banner } from '../../../../ui/banner.tsx';
import { Button } from '../../../../ui/button.tsx';
import { Question } from '../../../../ui/dialog.tsx';
import { Range, type RangeProps } from '../../../../ui/range.tsx';
import { Segmented } from '../../../../ui/segmented.tsx';
import { Switch } from '../../../../ui/switch.tsx';
import { useNow } from '../../../../lib/use-now.ts';
import { Chip } from '../../../../ui/chip.tsx';
import { usePlayerState, useSpeaking } from '../../speak-context.tsx';
import { ownNames } from '../voice-filters.tsx';
import css from './clone-wizard.module.css';
import {
  CheckList,
  KeptBars,
  LevelBars,
  NoMicrophone,
  PlayKept,
  RecorderCard,
  RecorderTrouble,
  RoundPlay,
  useCheck,
  useKept,
  useRecorder,
  useVoiceAudio,
  type KeptRecording,
} from './recorder.tsx';
import {
  CloneFailure,
  DiscardDraft,
  isUploadLost,
  Sending,
  useWait,
  type Clone,
  type StepProps,
} from './use-clone.tsx';

const range = cloneRules.reference;

/** 10 to 30 seconds of one person, from the microphone or a file; nothing is sent before the user continues. */
export function RecordStep({ clone, frame, onLook, onClose }: StepProps) {
  const t = useText();
  const { dictationLanguage } = useSettings();
  const { draft } = clone;
  const [source, setSource] = useState<'microphone' | 'file'>(draft?.reference?.name == null ? 'microphone' : 'file');
  const [first, setFirst] = useState({ language: dictationLanguage, removesNoise: true });
  const { language, removesNoise } = draft ?? first;
  const recorder = useRecorder({ what: 'reference', language, removesNoise }, clone.reload);
  const { read, kept } = useKept(draft?.referenceUrl, draft?.reference);
  const check = useCheck(read, range);
  const [part, setPart] = useState<ChosenPart | null>(null);
  const [isAsked, setIsAsked] = useState(false);
  const [isKeeping, setIsKeeping] = useState(false);
  const used = source === 'file' && part !== null ? part.check : check;
  const waitMs = useWait(clone);
  const isLost = isUploadLost(draft?.failure);
  const isBegun = draft?.enrollmentId != null && !draft.isOver;
  const change = (patch: Partial<typeof first>) => {
    if (draft === null) setFirst({ ...first, ...patch });
    else clone.change(patch);
  };
  const use = async () => {
    if (source === 'file' && part !== null) {
      setIsKeeping(true);
      const isKept = await part.keep();
      setIsKeeping(false);
      if (!isKept) return;
    } else if (isBegun) return onLook(null);
    const sent = await clone.send('upload');
    if (sent !== null && sent.step !== 'record') onLook(null);
  };
  const missing =
    used === null
      ? kept !== null || part !== null
        ? null
        : t(source === 'file' ? 'voices.wizard.needsFile' : 'voices.wizard.needsRecording')
      : used.length !== 'good'
        ? t(`voices.wizard.length.${used.length}`)
        : used.level === 'silent'
          ? t('voices.wizard.level.silent')
          : null;
  return frame(
    <>
      <div>
        <h3>{t('voices.wizard.recordTitle')}</h3>
        <p className={css['lead']}>{t('voices.wizard.recordText')}</p>
      </div>
      <div className={css['pair']}>
        <Segmented
          isBlock
          isLabelShown
          label={t('voices.wizard.language')}
          value={language}
          options={speechLanguages.map((value) => ({ value, text: ownNames[value], lang: value }))}
          onChange={(value) => change({ language: value })}
        />
        <Segmented
          isBlock
          isLabelShown
          label={t('voices.wizard.source')}
          value={source}
          options={[
            { value: 'microphone', text: t('voices.wizard.microphone') },
            { value: 'file', text: t('voices.wizard.file') },
          ]}
          onChange={setSource}
        />
      </div>
      {source === 'microphone' ? (
        <RecorderCard
          recorder={recorder}
          kept={kept}
          range={range}
          startLabel={t('voices.wizard.start')}
          hint={t('voices.wizard.idle')}
        />
      ) : (
        <FilePart clone={clone} kept={kept} language={language} removesNoise={removesNoise} onPart={setPart} />
      )}
      {source === 'microphone' && <RecorderTrouble recorder={recorder} />}
      {check !== null && part === null && recorder.phase === 'idle' && <CheckList check={check} range={range} />}
      <Switch
        label={t('voices.wizard.noiseSwitch')}
        hint={t('voices.wizard.noiseHint')}
        isOn={removesNoise}
        isDisabled={isBegun}
        onChange={(isOn) => change({ removesNoise: isOn })}
      />
      {source === 'file' && <NoMicrophone text="absentLater" />}
      <CloneFailure clone={clone} />
      <Question
        isOpen={isAsked}
        title={t('voices.wizard.severalTitle')}
        confirm={t('voices.wizard.severalConfirm')}
        cancel={t('voices.wizard.back')}
        onConfirm={() => void use()}
        onClose={() => setIsAsked(false)}
      >
        {t('voices.wizard.severalText')}
      </Question>
      {isBegun && <p className="caption subtle">{t('voices.wizard.newStart')}</p>}
    </>,
    <>
      <DiscardDraft clone={clone} onDiscarded={onClose} />
      <span className={css['footNote']}>
        {clone.sending !== null ? (
          <Sending clone={clone} />
        ) : (
          (missing ?? t(isBegun || isLost ? 'voices.wizard.wasSent' : 'voices.wizard.stays'))
        )}
      </span>
      <Button
        variant="primary"
        iconAfter={ArrowRight}
        isLoading={clone.sending !== null || isKeeping}
        isDisabled={recorder.phase !== 'idle' || used === null || !isUsable(used) || waitMs > 0}
        onPress={() => {
          // What was sent already needs no second question.
          if (used?.speakers === 'several' && !(isBegun && part === null)) setIsAsked(true);
          else void use();
        }}
      >
        {t(`voices.wizard.${draft?.isOver === true ? 'beginAnew' : isLost ? 'sendAgain' : 'use'}`)}
      </Button>
    </>,
  );
}

interface ChosenPart {
  readonly check: RecordingCheck | null;
  readonly keep: () => Promise<boolean>;
}

function FilePart(props: {
  readonly clone: Clone;
  readonly kept: KeptRecording | null;
  readonly language: SpeechLanguage;
  readonly removesNoise: boolean;
  /** Called whenever the stretch changes; null: nothing unsaved is selected. */
  readonly onPart: (part: ChosenPart | null) => void;
}) {
  const { clone, kept, language, removesNoise, onPart } = props;
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
  const check = useCheck(read, range, stretch);
  const choose = async (dropped: File | null) => {
    const token = dropped === null ? null : await studio.fileTokenFor(dropped);
    if (token?.ok === false) return clone.fail(token.error);
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
    scope.listen<DragEvent>(area.current, 'dragover', (event) => event.preventDefault());
    scope.listen<DragEvent>(area.current, 'drop', (event) => {
      event.preventDefault();
      const [dropped] = event.dataTransfer?.files ?? [];
      if (dropped !== undefined) drop(dropped);
    });
    return () => scope.dispose();
  }, []);
  const keep = async (): Promise<boolean> => {
    if (read === null || file === null) return false;
    const { pcm, sampleRate } = await read.cut(stretch);
    const name = file.name.slice(0, 300);
    const answer = await studio.request('clone.keepRecording', { pcm, sampleRate, language, removesNoise, name });
    if (answer.ok) {
      clone.show(answer.value.draft);
      setFile(null);
    } else clone.fail(answer.error);
    return answer.ok;
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
    <section ref={area} className={css['recorder']} aria-label={t('voices.wizard.file')}>
      <div className="row gap-14 thin">
        <Button icon={FileAudio} onPress={() => void choose(null)}>
          {t(file === null && kept === null ? 'voices.wizard.chooseFile' : 'voices.wizard.otherFile')}
        </Button>
        <span className="fill breaks text-sm muted">
          {file?.name ?? (kept === null ? t('voices.wizard.dropFile') : (clone.draft?.reference?.name ?? ''))}
        </span>
        {audio === 'reading' && <output className="caption subtle">{t('voices.wizard.reading')}</output>}
      </div>
      {audio === 'failed' && (
        <Banner role="alert" tone="bad" icon={CircleAlert} title={t('voices.wizard.fileFailed')}>
          {t('voices.wizard.fileFailedText')}
        </Banner>
      )}
      {file === null && kept !== null && (
        <div className="row gap-14 thin">
          <PlayKept kept={kept} />
          <KeptBars kept={kept} />
          <span className={css['clock']}>
            {formats.fixed(kept.durationMs / 1000, 1)} <small>{t('voices.wizard.seconds')}</small>
          </span>
        </div>
      )}
      {read !== null && (
        <>
          <div className="row gap-14 thin">
            <PlayPart sound={read} stretch={stretch} />
            <PartMarker sound={read} stretch={stretch} onMove={move} />
          </div>
          {totalMs > range.leastMs && (
            <div className={css['pair']}>
              <Slider
                label={t('voices.wizard.from')}
                min={0}
                max={totalMs - range.leastMs}
                value={fromMs}
                valueText={formats.duration(fromMs)}
                onChange={setFromMs}
              >
                {formats.clock(fromMs)}
              </Slider>
              <Slider
                label={t('voices.wizard.partLength')}
                min={range.leastMs}
                max={Math.min(range.mostMs, totalMs)}
                value={lengthMs}
                valueText={formats.duration(lengthMs)}
                onChange={setWantedMs}
              >
                {formats.duration(lengthMs)}
              </Slider>
            </div>
          )}
          {check !== null && <CheckList check={check} range={range} />}
        </>
      )}
    </section>
  );
}

function Slider({ children, ...range }: Omit<RangeProps, 'step'> & { readonly children: ReactNode }) {
  return (
    <label className={css['slider']}>
      <span className="flex between">
        {range.label} <b>{children}</b>
      </span>
      <Range {...range} step={500} />
    </label>
  );
}

const partId = 'clone:part';
const playedRate = 24_000;

function PlayPart({ sound, stretch }: { readonly sound: VoiceAudio; readonly stretch: Stretch }) {
  const { side } = useSpeaking();
  const isHeard = usePlayerState(side, ({ status, heardId }) => status !== 'idle' && heardId === partId);
  const play = async () => {
    side.start([{ id: partId, url: null, pauseMs: 0 }]);
    const { pcm, sampleRate } = await sound.cut(stretch);
    const resampler = new Resampler(sampleRate, playedRate);
    const samples = Float32Array.from(pcm, (sample) => sample / 32_768);
    const toPcm = (sample: number) => Math.max(-32_768, Math.min(32_767, Math.round(sample * 32_768)));
    for (const part of [resampler.push(samples), resampler.flush()]) side.push(partId, Int16Array.from(part, toPcm));
    side.finish(partId, null);
  };
  return <RoundPlay label="playPart" isHeard={isHeard} onPlay={() => void play()} />;
}

const edgePixels = 10;

/** The whole recording with the selected stretch. The pointer moves it or its edges; the sliders do so by keyboard. */
function PartMarker(props: {
  readonly sound: VoiceAudio;
  readonly stretch: Stretch;
  readonly onMove: (fromMs: number, lengthMs: number) => void;
}) {
  const {
    sound: { durationMs, bars },
    stretch: { fromMs, toMs },
    onMove,
  } = props;
  const pull = (event: PointerEvent<HTMLDivElement>) => {
    const box = event.currentTarget;
    const { left, width } = box.getBoundingClientRect();
    const msAt = (x: number) => Math.max(0, Math.min(durationMs, ((x - left) * durationMs) / width));
    const near = (ms: number) => Math.abs(event.clientX - left - (ms * width) / durationMs) <= edgePixels;
    const at = msAt(event.clientX);
    const lengthMs = toMs - fromMs;
    const grip = near(fromMs) ? 'from' : near(toMs) ? 'to' : 'whole';
    const offset = at >= fromMs && at <= toMs ? at - fromMs : lengthMs / 2;
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
  const place = { insetInlineStart: share(fromMs), inlineSize: share(toMs - fromMs) };
  return (
    <div className={css['marker']} onPointerDown={durationMs > range.leastMs ? pull : undefined}>
      <LevelBars bars={bars} />
      <span aria-hidden className={css['part']} style={place} />
    </div>
  );
}

const readingRange = cloneRules.reading;

/** The text must be read aloud within ten minutes; each submitted try uses up its text. */
export function ReadStep({ clone, frame, onLook, onClose }: StepProps) {
  const t = useText();
  const formats = useFormats();
  const { draft } = clone;
  const challenge = draft?.challenge ?? null;
  const now = useNow(challenge !== null);
  const leftMs = challengeLeftMs(challenge, now);
  const isExpired = leftMs === 0;
  const isOver = draft?.isOver === true;
  const waitMs = useWait(clone);
  const { language = 'uz', removesNoise = true } = draft ?? {};
  const recorder = useRecorder({ what: 'reading', language, removesNoise }, clone.reload);
  const { read, kept } = useKept(draft?.readingUrl, draft?.reading);
  const check = useCheck(read, readingRange);
  const isOn = recorder.phase === 'recording';
  const canRead = challenge !== null && !isExpired && !isOver && clone.sending === null;
  const stopAndCheck = async () => {
    if (await recorder.stop()) await clone.send('verify');
  };
  // Main has measured its length; what is heard in it may take a while to be known.
  const hasReading = draft?.reading != null && findRecordingTrouble('reading', draft.reading) === null;
  const pressSpace = useEffectEvent((event: KeyboardEvent) => {
    if (event.code !== 'Space' || !canRead || event.repeat) return;
    // On a control it presses that.
    if (event.target instanceof HTMLElement && event.target.closest('button, input, textarea, select, a') !== null)
      return;
    event.preventDefault();
    if (isOn) void stopAndCheck();
    else if (recorder.phase === 'idle' && !hasReading) recorder.start();
  });
  useEffect(() => {
    const scope = new Scope();
    scope.listen<KeyboardEvent>(window, 'keydown', (event) => pressSpace(event));
    return () => scope.dispose();
  }, []);
  const attempt = Math.min(cloneRules.attempts, (draft?.attempts ?? 0) + 1);
  return frame(
    <>
      <div className={css['readHead']}>
        <div>
          <h3>{t('voices.wizard.readTitle')}</h3>
          <p className={css['lead']}>{t('voices.wizard.readText')}</p>
        </div>
        <span className="flex gap-6 top digits">
          {leftMs !== null && !isOver && (
            <Chip tone={leftMs < 120_000 ? 'warn' : 'neutral'} icon={Timer}>
              {t('voices.wizard.left', { time: formats.clock(leftMs) })}
            </Chip>
          )}
          <Chip>{t('voices.wizard.attempt', { number: attempt })}</Chip>
        </span>
      </div>
      {challenge !== null && !isOver && (
        <p lang={draft?.language} className={css['reading']} data-expired={isExpired || undefined}>
          {challenge.text}
        </p>
      )}
      <CloneFailure clone={clone} />
      {isExpired && draft?.failure?.kind !== 'reading-expired' && (
        <Banner role="alert" tone="warn" icon={Timer} title={t('voices.wizard.expired')}>
          {t('voices.wizard.expiredText')}
        </Banner>
      )}
      {challenge === null && !isOver && draft?.failure == null && (
        <Banner icon={Timer} title={t('voices.wizard.noText')}>
          {t('voices.wizard.noTextText')}
        </Banner>
      )}
      {canRead && (
        <>
          <RecorderCard
            recorder={recorder}
            kept={kept}
            range={readingRange}
            startLabel={t('voices.wizard.startReading')}
          />
          {recorder.trouble === null && <NoMicrophone text="absentReading" />}
          <RecorderTrouble recorder={recorder} what="reading" />
          {check !== null && !isOn && <CheckList check={{ ...check, speakers: 'unknown' }} range={readingRange} />}
          <p className="caption subtle">{t('voices.wizard.rehearse')}</p>
        </>
      )}
    </>,

    <>
      <Button variant="ghost" isDisabled={clone.sending !== null || isOn} onPress={() => onLook('details')}>
        {t('voices.wizard.back')}
      </Button>
      {!isOn && clone.sending === null && <DiscardDraft clone={clone} onDiscarded={onClose} />}
      <span className={css['footNote']}>
        <Sending clone={clone} />
      </span>
      {isOver ? (
        <Button variant="primary" onPress={() => onLook('record')}>
          {t('voices.wizard.beginAnew')}
        </Button>
      ) : canRead ? (
        <>
          <Button isDisabled={isOn || waitMs > 0} onPress={() => void clone.send('challenge')}>
            {t('voices.wizard.newText')}
          </Button>
          {isOn ? (
            <Button variant="primary" shortcut="Space" onPress={() => void stopAndCheck()}>
              {t('voices.wizard.stopAndCheck')}
            </Button>
          ) : (
            hasReading && (
              <Button variant="primary" isDisabled={waitMs > 0} onPress={() => void clone.send('verify')}>
                {t('voices.wizard.check')}
              </Button>
            )
          )}
        </>
      ) : (
        <Button
          variant="primary"
          isLoading={clone.sending !== null}
          isDisabled={waitMs > 0}
          onPress={() => void clone.send('challenge')}
        >
          {t(clone.sending === 'verify' ? 'voices.wizard.check' : 'voices.wizard.newText')}
        </Button>
      )}
    </>,
  );
}
