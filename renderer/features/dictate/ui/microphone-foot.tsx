import { CircleQuestionMark, Mic, Square } from 'lucide-react';
import { useEffect, useEffectEvent, useRef, useState, type RefObject } from 'react';
import { toHundredths } from '../../../../shared/domain/dictation/clean-up.ts';
import { literalWords, spokenCommands } from '../../../../shared/domain/dictation/spoken-commands.ts';
import { expectedCredits, minuteMs } from '../../../../shared/domain/ledger/expected-cost.ts';
import { modeOf } from '../../../../shared/domain/modes.ts';
import { useHasMicrophone } from '../../../audio/capture/use-has-microphone.ts';
import { useConnection, useSettings } from '../../../bridge/live-state.tsx';
import { useDictationRate } from '../../../bridge/use-credits.ts';
import { useSettingsChange } from '../../../bridge/use-settings-change.ts';
import { useFormats, useText } from '../../../lib/text.ts';
import { useLacksKey } from '../../../parts/connection/key-help.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { Popover } from '../../../ui/popover.tsx';
import { Switch } from '../../../ui/switch.tsx';
import css from '../dictate.module.css';
import { useDictation, useDictationState } from '../dictation-context.tsx';

const radius = 36;
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

/** The button; while one speaks, the volume, and how long the phrase is. */
export function MicrophoneFoot() {
  const t = useText();
  const formats = useFormats();
  const button = useRef<HTMLButtonElement>(null);
  // Users come here to dictate, so Space works at once.
  useEffect(() => {
    button.current?.focus();
  }, []);
  const phase = useDictationState((state) => state.phase);
  const phrases = useDictationState((state) => state.phrases);
  const capturedMs = useDictationState((state) => state.capturedMs);
  const isHearing = useDictationState((state) => state.isHearing);
  const isAbsent = !useHasMicrophone();
  // Nothing can be dictated, so neither the button nor its key does anything until one is connected.
  const isDead = isAbsent && phase === 'idle';
  const press = usePress(button, isDead);
  const isOn = phase === 'recording' || (phase === 'starting' && isHearing);
  const open = isOn ? phrases.findLast(({ state }) => state === 'speaking') : undefined;
  const phraseMs = open === undefined ? 0 : Math.max(0, capturedMs - open.startMs);
  const isNear = phraseMs > nearLimitMs;
  const label = t(isOn ? 'dictation.stopLabel' : 'dictation.startLabel');
  const Icon = isOn ? Square : Mic;
  return (
    <footer className={css['foot']} data-bottom-bar>
      {isOn ? (
        <span className="row gap-8 thin">
          <Meter />
          <span className={css['time']} aria-hidden>
            {formats.clock(phraseMs)}
          </span>
        </span>
      ) : (
        <DictationPrice />
      )}
      <button
        ref={button}
        type="button"
        className={css['microphone']}
        aria-pressed={phase !== 'idle'}
        aria-disabled={isDead || undefined}
        aria-label={label}
        // A tip would come at once, because the button has the focus from the start.
        title={`${label} · Space`}
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
        {isOn && (
          <svg
            className={css['ring']}
            viewBox="0 0 78 78"
            fill="none"
            strokeWidth={3}
            data-near={isNear ? '' : undefined}
            aria-hidden
          >
            <circle cx="39" cy="39" r={radius} />
            <circle
              cx="39"
              cy="39"
              r={radius}
              strokeDasharray={`${String(Math.min(1, phraseMs / longestMs) * around)} ${String(around)}`}
              transform="rotate(-90 39 39)"
            />
          </svg>
        )}
        <Icon aria-hidden size={24} strokeWidth={1.75} />
      </button>
      <span className="row gap-8 thin">
        <Status isOn={isOn} isNear={isNear} isDown={press.isDown} />
        <SpokenCommands />
      </span>
    </footer>
  );
}

interface StatusProps {
  readonly isOn: boolean;
  readonly isNear: boolean;
  readonly isDown: boolean;
}

function Status({ isOn, isNear, isDown }: StatusProps) {
  const t = useText();
  const phase = useDictationState((state) => state.phase);
  const wasTooShort = useDictationState((state) => state.wasTooShort);
  const { dictationMode, mode } = useSettings();
  const isAbsent = !useHasMicrophone();
  const lacksKey = useLacksKey();
  const release = modeOf(mode).isOnThisComputer ? 'dictation.releaseToFinish' : 'dictation.releaseToSend';
  const text = (): string => {
    if (isOn && isNear) return t('dictation.splitsSoon');
    if (isOn && dictationMode === 'hold') return t(isDown ? release : 'dictation.pressToFinish');
    if (isOn) return t(dictationMode === 'hands-free' ? 'dictation.listeningHandsFree' : 'dictation.listening');
    if (phase === 'starting') return t('dictation.starting');
    if (isAbsent && !lacksKey) return `${t('dictation.noMicrophone')}. ${t('dictation.connectMicrophone')}`;
    return wasTooShort ? t('dictation.tooShort') : '';
  };
  return <output className={css['hint']}>{text()}</output>;
}

/** What can be said instead of typed. */
function SpokenCommands() {
  const t = useText();
  const change = useSettingsChange();
  const { dictationLanguage, obeysSpokenSigns } = useSettings();
  const [literal] = literalWords[dictationLanguage];
  const title = t('dictation.commands.titleIn', { language: t(`common.languages.${dictationLanguage}`) });
  return (
    <Popover
      label={title}
      placement="top end"
      className={css['panel']}
      trigger={<IconButton icon={CircleQuestionMark} label={title} />}
    >
      <h2 className="small medium muted">{title}</h2>
      <Switch
        label={t('dictation.commands.obey')}
        hint={t('dictation.commands.literal', { word: literal })}
        isOn={obeysSpokenSigns}
        onChange={(isOn) => void change({ obeysSpokenSigns: isOn })}
      />
      {obeysSpokenSigns && (
        <dl className={css['commands']}>
          {spokenCommands[dictationLanguage].map(({ say, means }) => (
            <div key={say[0]} style={{ display: 'contents' }}>
              <dt lang={dictationLanguage}>{say[0]}</dt>
              <dd>{means === 'scratch' ? t('dictation.commands.lastPhrase') : means.text.replaceAll('\n', '↵')}</dd>
            </div>
          ))}
        </dl>
      )}
      <p className={css['hint']}>{t('dictation.onePhrase')}</p>
    </Popover>
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
  const isOn = () => ['starting', 'recording'].includes(dictation.store.getState().phase);
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
  return (
    <div className={css['meter']} aria-hidden>
      {levels.map((level, at) => (
        <i
          // oxlint-disable-next-line react/no-array-index-key -- bars stand where they stand
          key={at}
          style={{ blockSize: `${String(4 + level * 26)}px`, opacity: 0.6 + level * 0.4 }}
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
  if (modeOf(mode).isFree) return <span />;
  const credits = rate.creditsPerHour === null ? null : expectedCredits([{ durationMs: minuteMs, sizeBytes: 0 }], rate);
  const count = toHundredths(String(credits ?? 0));
  return (
    <p className={css['hint']}>
      {credits === null
        ? t('dictation.price.unknown')
        : t('dictation.price.about', { count, amount: formats.factor(count) })}
    </p>
  );
}
