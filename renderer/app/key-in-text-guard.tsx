import { KeyRound } from 'lucide-react';
import { useEffect } from 'react';
import { holdsKey } from '../../shared/domain/text/looks-like-key.ts';
import { useText } from '../lib/text.ts';
import { Scope } from '../lib/scope.ts';
import { useToast } from '../ui/toast.tsx';

const isField = (target: EventTarget | null): target is HTMLInputElement | HTMLTextAreaElement =>
  target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement;

/**
 * No field of the studio is for a key (S-68): one that is pasted or dropped into any of them does not arrive, and one
 * that is typed is covered and told of. Main, by the same rule, keeps neither.
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
        if (!isField(target) || !/^(text|search|url|email|tel|textarea)$/.test(target.type)) return;
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
