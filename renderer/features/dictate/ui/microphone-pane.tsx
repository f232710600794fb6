import { Mic } from 'lucide-react';
import { useEffect, useEffectEvent, useRef, useState, type RefObject } from 'react';
import { toHundredths } from '../../../../shared/domain/dictation/clean-up.ts';
import { expectedCredits, minuteMs } from '../../../../shared/domain/ledger/expected-cost.ts';
import { modeOf } from '../../../../shared/domain/modes.ts';
import { useHasMicrophone } from '../../../audio/capture/use-has-microphone.ts';
import { useConnection, useSettings } from '../../../bridge/live-state.tsx';
import { useDictationRate } from '../../../bridge/use-credits.ts';
import { cx } from '../../../lib/class-names.ts';
import { useFormats, useText } from '../../../lib/text.ts';
import { useLacksKey } from '../../../parts/connection/key-help.tsx';
import { Keys } from '../../../ui/keys.tsx';
import shared from '../dictate-screen.module.css';
import css from './microphone-pane.module.css';
import { useDictation, useDictationState } from '../dictation-context.tsx';
import { DeviceMenu } from './microphone-device.tsx';

const radius = 110;
const around = 2 * Math.PI * radius;
const longestMs = 35_000;
/** From here on a phrase ends at the next short pause. */
const nearLimitMs = 26_000;
/** A shorter press starts, and the next one stops. */
const tapMs = 250;
/**
 * Elements in which Space has a meaning already: text fields, and everything it activates. Radios are selected with the
 * arrow keys.
 */
const ownSpace =
  'input:not([type="radio"]), textarea, select, [contenteditable], button:not([role="link"]), [role="menu"], [role="dialog"]';

/** The button, the volume, the length of the phrase, and the microphone. */
export function MicrophonePane() {
  const t = useText();
  const formats = useFormats();
  /** 00:07.2 */
  const tenths = (ms: number): string => formats.timeCode(ms).slice(0, -2);
  const button = useRef<HTMLButtonElement>(null);
  // Users come here to dictate, so Space works at once.
  useEffect(() => {
    button.current?.focus();
  }, []);
  const phase = useDictationState((state) => state.phase);
  const trouble = useDictationState((state) => state.trouble);
  const wasTooShort = useDictationState((state) => state.wasTooShort);
  const phrases = useDictationState((state) => state.phrases);
  const capturedMs = useDictationState((state) => state.capturedMs);
  const { dictationMode, mode } = useSettings();
  const release = modeOf(mode).isOnThisComputer ? 'dictation.releaseToFinish' : 'dictation.releaseToSend';
  const isHearing = useDictationState((state) => state.isHearing);
  const isAbsent = !useHasMicrophone();
  const lacksKey = useLacksKey();
  // Nothing can be dictated, so neither the button nor its key does anything until one is connected.
  const isDead = isAbsent && phase === 'idle';
  const press = usePress(button, isDead);
  const isOn = phase === 'recording' || (phase === 'starting' && isHearing);
  const open = isOn ? phrases.findLast(({ state }) => state === 'speaking') : undefined;
  const phraseMs = open === undefined ? 0 : Math.max(0, capturedMs - open.startMs);
  const isNear = phraseMs > nearLimitMs;
  const status = isOn
    ? t(dictationMode === 'hands-free' ? 'dictation.listeningHandsFree' : 'dictation.listening')
    : t(
        phase === 'starting'
          ? 'dictation.starting'
          : lacksKey
            ? 'ask.noKey.title'
            : isAbsent
              ? 'dictation.noMicrophone'
              : 'dictation.ready',
      );
  return (
    <section className={css['microphone']} aria-label={t('dictation.microphone')}>
      <div className={css['press']}>
        <svg viewBox="0 0 232 232" fill="none" aria-hidden>
          <circle cx="116" cy="116" r={radius} className={css['ring']} />
          {phraseMs > 0 && (
            <circle
              cx="116"
              cy="116"
              r={radius}
              className={cx(css['ringFilled'], isNear && css['near'])}
              strokeDasharray={`${String(Math.min(1, phraseMs / longestMs) * around)} ${String(around)}`}
              transform="rotate(-90 116 116)"
            />
          )}
        </svg>
        <button
          ref={button}
          type="button"
          className={cx(css['core'], isOn && css['on'])}
          aria-pressed={phase !== 'idle'}
          aria-disabled={isDead || undefined}
          aria-label={t(isOn ? 'dictation.stopLabel' : 'dictation.startLabel')}
          onPointerDown={(event) => {
            if (event.button === 0) press.down();
          }}
          onPointerUp={press.up}
          onPointerCancel={press.up}
          onClick={(event) => {
            // A screen reader activates without a pointer and without a key.
            if (event.detail === 0) press.toggle();
          }}
        >
          <Mic aria-hidden size={52} strokeWidth={1.5} />
        </button>
      </div>
      <Meter />
      <output className={css['status']}>
        {trouble === null && <b>{status}</b>}
        <span className={shared['hint']}>
          {isDead ? (
            !lacksKey && t('dictation.connectMicrophone')
          ) : wasTooShort ? (
            t('dictation.tooShort')
          ) : isNear ? (
            t('dictation.splitsSoon')
          ) : dictationMode === 'hold' ? (
            <>
              {t(!isOn ? 'dictation.holdToTalk' : press.isDown ? release : 'dictation.pressToFinish')}{' '}
              <Keys shortcut="Space" />
            </>
          ) : (
            t(dictationMode === 'hands-free' ? 'dictation.pauseEnds' : 'dictation.pressAgain')
          )}
        </span>
      </output>
      <span className={shared['time']} aria-hidden>
        {tenths(phraseMs)} / 00:35
      </span>
      {!isOn && <DictationPrice />}
      <SessionFacts />
      <DeviceMenu />
    </section>
  );
}

/**
 * One key for both: a tap starts and the next press stops, holding records as long as it lasts. A lost release ends it
 * too.
 */
function usePress(button: RefObject<HTMLButtonElement | null>, isDead: boolean) {
  const dictation = useDictation();
  const { dictationLanguage, dictationMode, dictationDevice } = useSettings();
  const downAt = useRef<number | null>(null);
  const [isDown, setDown] = useState(false);
  const isOn = () => dictation.store.getState().phase !== 'idle';
  const start = () =>
    void dictation.start({ language: dictationLanguage, mode: dictationMode, device: dictationDevice });
  const down = () => {
    if (isDead) return;
    if (isOn()) {
      dictation.stop();
      return;
    }
    downAt.current = performance.now();
    setDown(true);
    start();
  };
  const up = () => {
    const since = downAt.current;
    downAt.current = null;
    setDown(false);
    if (since !== null && dictationMode === 'hold' && performance.now() - since > tapMs) dictation.stop();
  };
  const toggle = () => {
    if (isOn()) dictation.stop();
    else if (!isDead) start();
  };
  const onKeyDown = useEffectEvent(down);
  const onKeyUp = useEffectEvent(up);
  useEffect(() => {
    const takesKey = ({ target }: KeyboardEvent): boolean =>
      !(target instanceof Element) || target === button.current || target.closest(ownSpace) === null;
    const onDown = (event: KeyboardEvent): void => {
      if (event.code !== 'Space' || event.ctrlKey || event.metaKey || event.altKey) return;
      if (!takesKey(event)) return;
      event.preventDefault();
      event.stopPropagation();
      button.current?.focus();
      if (!event.repeat) onKeyDown();
    };
    const onUp = (event: KeyboardEvent): void => {
      if (event.code === 'Space') onKeyUp();
    };
    // The release of a key pressed here may go to another window, which counts as a release too.
    const onLeave = (): void => onKeyUp();
    // Handled before the rail, whose links ignore Space.
    window.addEventListener('keydown', onDown, { capture: true });
    window.addEventListener('keyup', onUp);
    window.addEventListener('blur', onLeave);
    return () => {
      onKeyUp();
      window.removeEventListener('keydown', onDown, { capture: true });
      window.removeEventListener('keyup', onUp);
      window.removeEventListener('blur', onLeave);
    };
  }, [dictation, button]);
  return { down, up, toggle, isDown };
}

function Meter() {
  const levels = useDictationState((state) => state.levels);
  const middle = (levels.length - 1) / 2;
  // The newest is in the middle and moves outwards, so that the eye has one place to look at.
  const shown = levels.map((_level, at) => levels[levels.length - 1 - 2 * Math.abs(Math.round(at - middle))] ?? 0);
  return (
    <div className={css['meter']} aria-hidden>
      {shown.map((level, at) => (
        <i
          // oxlint-disable-next-line react/no-array-index-key -- bars stand where they stand
          key={at}
          style={{
            blockSize: `${String(4 + level * 28)}px`,
            opacity: 0.35 + 0.65 * (1 - Math.abs(at - middle) / middle),
          }}
        />
      ))}
    </div>
  );
}

/** What speaking costs, before it does, as far as it can be known. */
function DictationPrice() {
  const t = useText();
  const formats = useFormats();
  const rate = useDictationRate();
  const { mode } = useConnection();
  if (modeOf(mode).isFree) return null;
  const credits = rate.creditsPerHour === null ? null : expectedCredits([{ durationMs: minuteMs, sizeBytes: 0 }], rate);
  const count = toHundredths(String(credits ?? 0));
  return (
    <p className={cx(shared['hint'], css['price'])}>
      {credits === null
        ? t('dictation.price.unknown')
        : t('dictation.price.about', { count, amount: formats.factor(count) })}
    </p>
  );
}

function SessionFacts() {
  const t = useText();
  const formats = useFormats();
  const phrases = useDictationState((state) => state.phrases);
  const capturedMs = useDictationState((state) => state.capturedMs);
  const { dictationMode } = useSettings();
  if (dictationMode !== 'hands-free') return null;
  const words = phrases.reduce((sum, { text }) => sum + (text.match(/\S+/g)?.length ?? 0), 0);
  return (
    <dl className={css['facts']}>
      <dt>{t('dictation.thisSession')}</dt>
      <dd>{formats.clock(capturedMs)}</dd>
      <dt>{t('dictation.phrases')}</dt>
      <dd>{formats.number(phrases.filter(({ state }) => state === 'text').length)}</dd>
      <dt>{t('dictation.words')}</dt>
      <dd>{formats.number(words)}</dd>
    </dl>
  );
}
