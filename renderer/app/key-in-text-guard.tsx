import { Copy, KeyRound, LifeBuoy, RotateCw } from 'lucide-react';
import { useEffect, useState } from 'react';
import { holdsKey } from '../../shared/domain/text/looks-like-key.ts';
import { isTextField } from '../lib/hotkeys.ts';
import { useText } from '../lib/text.ts';
import { Scope } from '../lib/scope.ts';
import { useToast } from '../ui/toast.tsx';
import { Button } from '../ui/button.tsx';
import css from './pane-crash.module.css';
import { useDiagnostics } from './use-diagnostics.ts';

/**
 * No field of the main window is meant for a key (S-68): a pasted or dropped one is blocked, and a typed one is masked
 * and reported. Main applies the same rule and stores neither.
 */
export function KeyInTextGuard() {
  const t = useText();
  const showToast = useToast();
  const stopped = t('shell.keyInText.stopped');
  const covered = t('shell.keyInText.covered');
  useEffect(() => {
    const scope = new Scope();
    const early = { capture: true };
    scope.listen<InputEvent>(
      window,
      'beforeinput',
      (event) => {
        if (!['insertFromPaste', 'insertFromDrop', 'insertReplacementText'].includes(event.inputType)) return;
        const text = event.data ?? event.dataTransfer?.getData('text/plain') ?? '';
        if (!holdsKey(text)) return;
        event.preventDefault();
        event.stopImmediatePropagation();
        showToast({ text: stopped, icon: KeyRound });
      },
      early,
    );
    scope.listen<InputEvent>(
      window,
      'input',
      ({ target }) => {
        if (!isTextField(target) || !/^(text|search|url|email|tel|textarea)$/.test(target.type)) return;
        const isHeld = holdsKey(target.value);
        if (isHeld && !target.hasAttribute('data-holds-key')) showToast({ text: covered, icon: KeyRound });
        target.toggleAttribute('data-holds-key', isHeld);
      },
      early,
    );
    return () => {
      scope.dispose();
    };
  }, [showToast, stopped, covered]);
  return null;
}

export interface PaneCrashProps {
  readonly name: string;
  readonly again: () => void;
  readonly error: unknown;
}

/** The message for a crashed pane: its name, what is kept, a retry, and everything that a report would contain. */
export function PaneCrash({ name, again, error }: PaneCrashProps) {
  const t = useText();
  const { text, isCopied, copy } = useDiagnostics(error);
  const [isShown, setIsShown] = useState(false);
  return (
    <section role="alert" aria-label={name} className={css['pane']}>
      <LifeBuoy aria-hidden size={18} strokeWidth={1.75} />
      <div className={css['words']}>
        <b>{t('shell.crashed.pane', { name })}</b> {t('shell.crashed.text')}
        {isShown && (
          <>
            <p className={css['hint']}>{t('shell.crashed.diagnosticsText')}</p>
            {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls has to be reachable by the keyboard */}
            <pre className={css['text']} tabIndex={0}>
              {text}
            </pre>
            <div className={css['actions']}>
              <Button size="sm" icon={Copy} onPress={() => void copy()}>
                {t('shell.crashed.copy')}
              </Button>
              <output>{isCopied && t('shell.crashed.copied')}</output>
            </div>
          </>
        )}
      </div>
      <div className={css['actions']}>
        {!isShown && (
          <Button
            size="sm"
            variant="ghost"
            onPress={() => {
              setIsShown(true);
            }}
          >
            {t('shell.crashed.diagnostics')}
          </Button>
        )}
        <Button size="sm" icon={RotateCw} onPress={again}>
          {t('shell.crashed.again')}
        </Button>
      </div>
    </section>
  );
}
