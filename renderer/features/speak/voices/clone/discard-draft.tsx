import { useState } from 'react';
import { useText } from '../../../../lib/text.ts';
import { Button } from '../../../../ui/button.tsx';
import { useToast } from '../../../../ui/toast.tsx';
import css from './clone-wizard.module.css';
import type { Clone } from './use-clone.ts';

/** Deletes the draft after a second click in the same place, because dialogs don't open other dialogs here. */
export function DiscardDraft({ clone, onDiscarded }: { readonly clone: Clone; readonly onDiscarded: () => void }) {
  const t = useText();
  const showToast = useToast();
  const [isAsked, setIsAsked] = useState(false);
  if (clone.draft === null) return null;
  if (!isAsked)
    return (
      <Button variant="ghost" isDisabled={clone.sending !== null} onPress={() => setIsAsked(true)}>
        {t('voices.deleteDraft')}
      </Button>
    );
  const discard = async () => {
    setIsAsked(false);
    if (!(await clone.discard())) return;
    showToast({ text: t('voices.wizard.discarded') });
    onDiscarded();
  };
  return (
    <span role="alert" className={css['question']}>
      {t('voices.wizard.discardText')}
      <Button isAutoFocused onPress={() => setIsAsked(false)}>
        {t('voices.keep')}
      </Button>
      <Button variant="danger" onPress={() => void discard()}>
        {t('voices.wizard.discardConfirm')}
      </Button>
    </span>
  );
}
