import { FlaskConical, LoaderCircle } from 'lucide-react';
import { makeFailure } from '../../../shared/domain/failures/make-failure.ts';
import type { Failure } from '../../../shared/result/failure.ts';
import { useConnection } from '../../bridge/live-state.tsx';
import { useFailureWords } from '../../lib/failure-words.ts';
import { useText } from '../../lib/text.ts';
import { Banner } from '../../ui/banner.tsx';

/** How the start of practice mode goes, or why a way to work could not be chosen; quiet otherwise. */
export function PracticeState({ failure }: { readonly failure: Failure | null }) {
  const t = useText();
  const words = useFailureWords();
  const { practice } = useConnection();
  if (practice === 'starting' && failure === null) {
    return <Banner tone="accent" icon={LoaderCircle} title={t('welcome.practice.starting')} />;
  }
  const shown = failure ?? (practice === 'failed' ? makeFailure('E-232') : null);
  if (shown === null) return null;
  return (
    <Banner role="alert" tone="bad" icon={FlaskConical} title={words(shown).title}>
      {words(shown).textAfterTitle}
    </Banner>
  );
}
