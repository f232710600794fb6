import { useText } from '../../../../lib/text.ts';
import { Button } from '../../../../ui/button.tsx';
import css from './clone-wizard.module.css';
import type { Clone } from './use-clone.ts';

/** What is on its way, and how to stop waiting for it. */
export function Sending({ clone }: { readonly clone: Clone }) {
  const t = useText();
  if (clone.sending === null) return null;
  return (
    <output className={css['sending']}>
      {t(`voices.wizard.sending.${clone.sending}`)}
      <Button size="sm" variant="ghost" onPress={clone.cancel}>
        {t('voices.wizard.stopSending')}
      </Button>
    </output>
  );
}
