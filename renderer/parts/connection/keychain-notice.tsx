import { KeyRound, RefreshCw } from 'lucide-react';
import { makeFailure } from '../../../shared/domain/failures/make-failure.ts';
import { useFailureActionText, useFailureWords } from '../../lib/failure-words.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import type { ConnectionFormState } from './use-connection-form.ts';

const rows = { 'no-service': 'E-190', locked: 'E-191', slow: 'E-192', denied: 'E-193', unsaved: 'E-194' } as const;

/** Why the keychain can't serve, in the words of its row; says nothing while all is well. */
export function KeychainNotice({ form }: { readonly form: ConnectionFormState }) {
  const words = useFailureWords();
  const actionText = useFailureActionText();
  const { keychain, store } = form.connection.key;
  if (keychain === 'present' || keychain === 'absent' || store === 'environment') return null;
  // Nothing is to be kept yet: a warning before the first key only puts people off.
  if (keychain === 'no-service' && store === 'none') return null;
  const { title, textAfterTitle } = words(makeFailure(rows[keychain]));
  return (
    <Banner
      tone="warn"
      icon={KeyRound}
      title={title}
      actions={
        <Button size="sm" icon={RefreshCw} onPress={() => void form.askKey('connection.recheckKey')}>
          {actionText('recheck-key')}
        </Button>
      }
    >
      {textAfterTitle}
    </Banner>
  );
}
