import { CircleAlert, Mic, MicOff, Play, Square } from 'lucide-react';
import { cx } from '../../../../lib/class-names.ts';
import { useFailureWords } from '../../../../lib/failure-words.ts';
import { useFormats, useText } from '../../../../lib/text.ts';
import { Banner } from '../../../../ui/banner.tsx';
import { PressButton } from '../../../../ui/press-button.tsx';
import { usePlayerState, useSpeaking } from '../../speak-context.tsx';
import css from './clone-wizard.module.css';
import recorderCss from './recorder.module.css';
import { LevelBars } from './level-bars.tsx';
import type { Recorder } from './use-recorder.ts';

export interface KeptRecording {
  readonly url: string;
  readonly durationMs: number;
  /** Null while it is read. */
  readonly bars: ArrayLike<number> | null;
}

/** Records, and plays what was recorded. */
export function RecorderCard({
  recorder,
  kept,
  leastMs,
  mostMs,
  startLabel,
  hint = '',
}: {
  readonly recorder: Recorder;
  readonly kept: KeptRecording | null;
  readonly leastMs: number;
  readonly mostMs: number;
  readonly startLabel: string;
  /** Shown before anything was recorded. */
  readonly hint?: string;
}) {
  const t = useText();
  const formats = useFormats();
  const { phase, elapsedMs, bars } = recorder;
  const isOn = phase === 'recording' || phase === 'starting';
  const shownMs = isOn ? elapsedMs : (kept?.durationMs ?? 0);
  return (
    <div className={recorderCss['recorder']}>
      <div className={recorderCss['recorderRow']}>
        <PressButton
          className={cx(recorderCss['round'], isOn && recorderCss['roundOn'])}
          label={isOn ? t('voices.wizard.stopRecording') : kept === null ? startLabel : t('voices.wizard.again')}
          tip={{
            text: isOn ? t('voices.wizard.stopRecording') : kept === null ? startLabel : t('voices.wizard.again'),
          }}
          isDisabled={phase === 'saving'}
          onPress={() => {
            if (isOn) void recorder.stop();
            else recorder.start();
          }}
        >
          {isOn ? (
            <Square aria-hidden size={18} strokeWidth={0} fill="currentColor" />
          ) : (
            <Mic aria-hidden size={20} strokeWidth={1.75} />
          )}
        </PressButton>
        <div className={recorderCss['wave']}>
          {isOn ? (
            <LevelBars isRecording bars={bars} share={elapsedMs / mostMs} />
          ) : kept === null ? (
            <LevelBars bars={[]} />
          ) : (
            <KeptBars kept={kept} share={Math.min(1, kept.durationMs / mostMs)} />
          )}
        </div>
        {!isOn && kept !== null && <PlayKept kept={kept} />}
        <span className={recorderCss['clock']} role="timer" aria-label={formats.duration(shownMs)}>
          {formats.fixed(shownMs / 1000, 1)} <small aria-hidden>{t('voices.wizard.seconds')}</small>
        </span>
      </div>
      <div className={recorderCss['gauge']}>
        <span
          className={cx(recorderCss['gaugeFill'], shownMs >= leastMs && recorderCss['gaugeOk'])}
          style={{ transform: `scaleX(${String(Math.min(1, shownMs / mostMs))})` }}
        />
      </div>
      <div className={recorderCss['gaugeWords']} aria-hidden>
        <span>0</span>
        <span
          className={cx(shownMs >= leastMs && css['ok'])}
          style={{ insetInlineStart: `${String((leastMs / mostMs) * 100)}%` }}
        >
          {t(leastMs > 5000 ? 'voices.wizard.enough' : 'voices.wizard.enoughReading')}
        </span>
        <span>{`${String(mostMs / 1000)} ${t('voices.wizard.seconds')}`}</span>
      </div>
      <output className={recorderCss['said']}>
        {phase === 'starting'
          ? t('voices.wizard.starting')
          : phase === 'saving'
            ? t('voices.wizard.saving')
            : phase === 'idle' && kept === null
              ? hint
              : ''}
      </output>
    </div>
  );
}

/** Why there is no audio. `what`: a reading can only come from the microphone. */
export function RecorderTrouble({
  recorder,
  what = 'recording',
}: {
  readonly recorder: Recorder;
  readonly what?: 'recording' | 'reading';
}) {
  const t = useText();
  const words = useFailureWords();
  const { trouble, failure } = recorder;
  if (trouble !== null)
    return (
      <Banner role="alert" tone="bad" icon={MicOff} title={t(`voices.wizard.mic.${trouble}`)}>
        {t(
          what === 'reading' && trouble === 'absent'
            ? 'voices.wizard.mic.absentReading'
            : `voices.wizard.mic.${trouble}Text`,
        )}
      </Banner>
    );
  if (failure === null) return null;
  return (
    <Banner role="alert" tone="bad" icon={CircleAlert} title={words(failure).title}>
      {words(failure).textAfterTitle}
    </Banner>
  );
}

const partId = 'clone:recording';

export function KeptBars({ kept, share = 1 }: { readonly kept: KeptRecording; readonly share?: number }) {
  const { side } = useSpeaking();
  const heardMs = usePlayerState(side, (state) => (state.heardId === partId ? state.heardMs : null));
  return (
    <LevelBars
      bars={kept.bars ?? []}
      share={share}
      played={heardMs === null ? 1 : heardMs / Math.max(1, kept.durationMs)}
    />
  );
}

export function PlayKept({ kept }: { readonly kept: KeptRecording }) {
  const t = useText();
  const { side } = useSpeaking();
  const isHeard = usePlayerState(
    side,
    ({ status, heardId }) => status !== 'idle' && (heardId === partId || heardId === null),
  );
  const label = t(isHeard ? 'voices.wizard.stopPlaying' : 'voices.wizard.play');
  return (
    <PressButton
      className={recorderCss['playKept']}
      label={label}
      tip={{ text: label }}
      onPress={() => {
        if (isHeard) side.stop();
        else side.start([{ id: partId, url: kept.url, pauseMs: 0 }]);
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
