import { KeyRound, RefreshCw } from 'lucide-react';
import { useLocation } from 'wouter';
import { useQueryClient } from '@tanstack/react-query';
import { makeFailure } from '../../../shared/domain/failures/make-failure.ts';
import { modeOf } from '../../../shared/domain/modes.ts';
import { acceptConnection, useConnection } from '../../bridge/live-state.tsx';
import { useStudio } from '../../bridge/studio-context.tsx';
import type { ConnectionState } from '../../bridge/types.ts';
import { useFailureActionText, useFailureWords } from '../../lib/failure-words.ts';
import { useText } from '../../lib/text.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';

/** Whether the service is used and has no key yet. */
export function useLacksKey(): boolean {
  const { mode, key } = useConnection();
  return mode === 'service' && !key.present;
}

/** Where a key is entered or put right: practice mode has its own among the keys of the account. */
export function KeyHelp() {
  const t = useText();
  const { mode } = useConnection();
  const [, navigate] = useLocation();
  const isPractice = modeOf(mode).isPractice;
  return (
    <Button
      size="sm"
      icon={KeyRound}
      onPress={() => {
        navigate(isPractice ? '/account/keys' : '/settings/connection');
      }}
    >
      {t(isPractice ? 'ask.openKeys' : 'ask.openConnection')}
    </Button>
  );
}

const rows = { 'no-service': 'E-190', locked: 'E-191', slow: 'E-192', denied: 'E-193', unsaved: 'E-194' } as const;
export type KeychainRow = (typeof rows)[keyof typeof rows];

/** The row that says why the keychain can't be used; null when it can. */
export const keychainRow = ({ keychain }: ConnectionState['key']): KeychainRow | null =>
  keychain === 'present' || keychain === 'absent' ? null : rows[keychain];

/**
 * There is no key; `text`: what it is needed for here. Where the keychain is the reason, that is said instead: the key
 * was entered in an earlier run, and is gone or locked away.
 */
export function NoKeyNotice({ text }: { readonly text?: string }) {
  const t = useText();
  const words = useFailureWords();
  const actionText = useFailureActionText();
  const studio = useStudio();
  const queries = useQueryClient();
  const row = keychainRow(useConnection().key);
  // A keychain that answers later may have the key; one that does not exist, or lost it, has not.
  const isShut = row === 'E-191' || row === 'E-192' || row === 'E-193';
  const isGone = row !== null && !isShut;
  const said = words(makeFailure(isShut ? row : 'E-235'));
  const recheck = async () => {
    const answer = await studio.request('connection.recheckKey', {});
    if (answer.ok) acceptConnection(queries, studio, answer.value);
  };
  return (
    <Banner
      tone="warn"
      icon={KeyRound}
      title={isGone ? t('ask.noKey.goneTitle') : isShut ? said.title : t('ask.noKey.title')}
      actions={
        <Button
          size="sm"
          icon={isShut ? RefreshCw : KeyRound}
          onPress={() => void (isShut ? recheck() : studio.request('connection.enterKey', {}))}
        >
          {actionText(isShut ? 'recheck-key' : 'enter-key')}
        </Button>
      }
    >
      {isGone ? t('ask.noKey.goneText') : isShut ? said.textAfterTitle : (text ?? said.textAfterTitle)}
    </Banner>
  );
}
