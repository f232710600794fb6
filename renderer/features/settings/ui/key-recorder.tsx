import css from './key-recorder.module.css';
import { TriangleAlert } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { CommandId } from '../../../../shared/domain/commands/command-list.ts';
import { useCommandTitle, useKeymap } from '../../../lib/commands.tsx';
import type { Shortcut } from '../../../../shared/domain/commands/accelerator.ts';
import { keyCaps, shortcutOfPress } from '../../../lib/hotkeys.ts';
import { useFormats, useText } from '../../../lib/text.ts';
import { Button } from '../../../ui/button.tsx';
import { Keys } from '../../../ui/keys.tsx';
import { judgeKey } from '../model/choose-key.ts';

export interface KeyRecorderProps {
  readonly id: CommandId;
  readonly name: string;
  /** A key that is judged at once, as if it had been pressed. */
  readonly wanted: Shortcut | null;
  readonly onCancel: () => void;
  readonly onGive: (key: Shortcut | null) => void;
}

/** Records the next key combination. Tab moves on to the buttons and Escape cancels, so that nobody is trapped. */
export function KeyRecorder({ id, name, wanted, onCancel, onGive }: KeyRecorderProps) {
  const t = useText();
  const keymap = useKeymap();
  const [pressed, setPressed] = useState(wanted);
  const box = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    box.current?.focus();
  }, []);

  const take = (event: React.KeyboardEvent) => {
    const key = shortcutOfPress(event);
    if (key === 'Tab' || key === 'Shift+Tab') return;
    // No other part of the app may react to these keys.
    event.preventDefault();
    event.stopPropagation();
    if (key === null || event.repeat) return;
    if (key === 'Escape') onCancel();
    else if (judgeKey(keymap, id, key).tag === 'free') onGive(key);
    else setPressed(key);
  };
  return (
    <div className={css['recorder']}>
      {pressed !== null && <Keys shortcut={pressed} />}
      <button
        ref={box}
        type="button"
        className={css['box']}
        aria-label={t('settings.shortcuts.pressFor', { action: name })}
        onKeyDown={take}
      >
        <span>{t('settings.shortcuts.press')}</span>
      </button>
      <Button
        size="sm"
        isDisabled={keymap.keyOf(id) === null}
        onPress={() => {
          onGive(null);
        }}
      >
        {t('settings.shortcuts.clear')}
      </Button>
      <Button size="sm" variant="ghost" onPress={onCancel}>
        {t('settings.shortcuts.cancel')}
      </Button>
      <output className={css['verdict']}>
        {pressed !== null && <Verdict id={id} pressed={pressed} onGive={onGive} />}
      </output>
    </div>
  );
}

/** Why the keys are not available, or which command would lose them. */
function Verdict({
  id,
  pressed,
  onGive,
}: {
  readonly id: CommandId;
  readonly pressed: Shortcut;
  readonly onGive: (key: Shortcut) => void;
}) {
  const t = useText();
  const formats = useFormats();
  const keymap = useKeymap();
  const titleOf = useCommandTitle();
  const keys = keyCaps(pressed).join(' ');
  const verdict = judgeKey(keymap, id, pressed);
  if (verdict.tag === 'free') return null;
  if (verdict.tag === 'taken') return <Warning>{t('settings.shortcuts.taken', { keys })}</Warning>;
  const actions = formats.list(verdict.ids.map((other) => titleOf(other)));
  if (verdict.tag === 'fixed') return <Warning>{t('settings.shortcuts.fixed', { keys, actions })}</Warning>;
  return (
    <>
      <Warning>{t('settings.shortcuts.conflict', { keys, actions })}</Warning>
      <Button
        size="sm"
        onPress={() => {
          onGive(pressed);
        }}
      >
        {t('settings.shortcuts.useHere')}
      </Button>
    </>
  );
}

function Warning({ children }: { readonly children: string }) {
  return (
    <span className={css['warning']}>
      <TriangleAlert aria-hidden size={16} strokeWidth={1.75} />
      <span>{children}</span>
    </span>
  );
}
