import { Square, Trash2 } from 'lucide-react';
import { useLocation } from 'wouter';
import { useKeyFor, useRunCommand } from '../../../lib/commands.tsx';
import { useFormats, useText } from '../../../lib/text.ts';
import { IconButton } from '../../../ui/icon-button.tsx';
import { PressButton } from '../../../ui/press-button.tsx';
import css from './on-air.module.css';
import { useDictation, useDictationState } from '../dictation-context.tsx';

/** On every screen while the microphone is on: nobody is recorded without a sign, and one click ends it. */
export function OnAirChip() {
  const t = useText();
  const formats = useFormats();
  const dictation = useDictation();
  const run = useRunCommand();
  const keyFor = useKeyFor();
  const [, navigate] = useLocation();
  const isOn = useDictationState(({ phase }) => phase === 'recording' || phase === 'starting');
  const seconds = useDictationState(({ capturedMs, fromMs }) => Math.floor((capturedMs - fromMs) / 1000));
  if (!isOn) return null;
  return (
    <fieldset className={css['chip']} aria-label={t('dictation.onAir')}>
      <PressButton
        className={css['open']}
        tip={{ text: t('dictation.onAirOpen'), shortcut: null, placement: 'bottom' }}
        onPress={() => {
          navigate('/dictate');
        }}
      >
        <span className={css['dot']} />
        <span className={css['word']}>{t('dictation.onAir')}</span>
        <span className={css['time']}>{formats.clock(seconds * 1000)}</span>
      </PressButton>
      <IconButton size="sm" icon={Square} label={t('dictation.stopLabel')} onPress={() => dictation.stop()} />
      <IconButton
        size="sm"
        icon={Trash2}
        label={t('dictation.discard')}
        shortcut={keyFor('dictation.discard')}
        onPress={() => run('dictation.discard')}
      />
    </fieldset>
  );
}

/** In the rail, visual only; the chip has the text. */
export function OnAirDot() {
  const isOn = useDictationState(({ phase }) => phase === 'recording' || phase === 'starting');
  return isOn && <span aria-hidden className={css['dot']} data-rail="" />;
}
