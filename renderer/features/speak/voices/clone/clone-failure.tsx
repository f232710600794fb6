import { CircleAlert, RotateCcw, Timer } from 'lucide-react';
import { cloneRules } from '../../../../../shared/domain/voices/clone-rules.ts';
import { useFailureWords } from '../../../../lib/failure-words.ts';
import { useFormats, useText } from '../../../../lib/text.ts';
import { useNow } from '../../../../lib/use-now.ts';
import { NoKeyNotice, useLacksKey } from '../../../../parts/connection/key-help.tsx';
import { Banner } from '../../../../ui/banner.tsx';
import { FailureNotice } from '../../ui/failure-notice.tsx';
import type { Clone } from './use-clone.ts';
import { Button } from '../../../../ui/button.tsx';
import css from './clone-wizard.module.css';

/** How long a step that was refused as too frequent has to wait, milliseconds; 0: it can be sent. */
export function useWait({ draft }: Clone): number {
  const until = draft?.waitsUntilMs ?? null;
  const now = useNow(until !== null);
  return until === null ? 0 : Math.max(0, until - now);
}

/** Why the last step failed, what is kept and what to do. */
export function CloneFailure({ clone }: { readonly clone: Clone }) {
  const t = useText();
  const formats = useFormats();
  const words = useFailureWords();
  const waitMs = useWait(clone);
  const lacksKey = useLacksKey();
  const { draft } = clone;
  const failure = clone.failure ?? draft?.failure ?? null;
  if (draft?.isOver === true)
    return (
      <Banner role="alert" tone="bad" icon={CircleAlert} title={t('voices.wizard.over')}>
        {t('voices.wizard.overText')}
      </Banner>
    );
  if (lacksKey) return <NoKeyNotice />;
  if (failure === null) return null;
  if (failure.row === 'E-096')
    return waitMs === 0 ? null : (
      <Banner tone="warn" icon={Timer} title={words(failure).title}>
        {t('voices.wizard.waitFor', { time: formats.duration(waitMs) })}
      </Banner>
    );
  if (failure.row === 'E-093') {
    const why = failure.code === 'challenge_missing' ? 'noText' : 'expired';
    return (
      <Banner role="alert" tone="warn" icon={Timer} title={t(`voices.wizard.${why}`)}>
        {t(`voices.wizard.${why}Text`)}
      </Banner>
    );
  }
  if (failure.row === 'E-094') {
    const { title } = words(failure);
    const left = t('voices.wizard.triesLeft', { count: Math.max(0, cloneRules.attempts - (draft?.attempts ?? 0)) });
    return (
      <Banner role="alert" tone="warn" icon={RotateCcw} title={`${title}, ${left}`}>
        {t(failure.code === 'challenge_mismatch' ? 'voices.wizard.wrongWords' : 'voices.wizard.mismatch')}
        {draft?.heard != null && (
          <>
            {' '}
            {t('voices.wizard.heard')} <q lang={draft.language}>{draft.heard}</q>
          </>
        )}
      </Banner>
    );
  }
  const fields = Object.entries(failure.fields ?? {}).map(([field, text]) => `${field}: ${text}`);
  return (
    <FailureNotice
      failure={failure}
      tone={failure.row === 'E-085' ? 'warn' : 'bad'}
      {...(fields.length > 0 && { about: fields.join('; ') })}
    />
  );
}

/** The request under way, and a way to stop waiting for it. */
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
