import { KeyRound, RefreshCw, ChevronRight } from 'lucide-react';
import { useLocation } from 'wouter';
import { useQueryClient } from '@tanstack/react-query';
import { makeFailure } from '../../../shared/domain/failures/make-failure.ts';
import { modeOf } from '../../../shared/domain/modes.ts';
import { acceptConnection, useConnection } from '../../bridge/live-state.tsx';
import { useStudio } from '../../bridge/studio-context.tsx';
import type { ConnectionState } from '../../bridge/types.ts';
import { useFailureActionText, useFailureText } from '../../lib/failure-text.ts';
import { useText } from '../../lib/text.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { explainBeforeSending, mapOfList, type Product } from '../../../shared/domain/permissions/permission-map.ts';
import type { Failure } from '../../../shared/result/failure.ts';
import type { ReactNode } from 'react';
import css from './needs-key.module.css';

export function useLacksKey(): boolean {
  const { mode, key } = useConnection();
  return mode === 'service' && !key.present;
}

/** Practice mode has its own keys among those of the account. */
export function KeyHelp() {
  const t = useText();
  const { mode } = useConnection();
  const [, navigate] = useLocation();
  const isPractice = modeOf(mode).isPractice;
  return (
    <Button size="sm" icon={KeyRound} onPress={() => navigate(isPractice ? '/account/keys' : '/settings/connection')}>
      {t(isPractice ? 'ask.openKeys' : 'ask.openConnection')}
    </Button>
  );
}

const rows = {
  'no-service': 'keychain-missing',
  locked: 'keychain-locked',
  slow: 'keychain-slow',
  denied: 'keychain-denied',
  unsaved: 'key-not-stored',
} as const;
export type KeychainRow = (typeof rows)[keyof typeof rows];

export const keychainRow = ({ keychain }: ConnectionState['key']): KeychainRow | null =>
  keychain === 'present' || keychain === 'absent' ? null : rows[keychain];

/** A key from an earlier run may be gone or locked away: then the keychain is the reason. */
export function NoKeyNotice({ text }: { readonly text?: string }) {
  const t = useText();
  const words = useFailureText();
  const actionText = useFailureActionText();
  const studio = useStudio();
  const queries = useQueryClient();
  const row = keychainRow(useConnection().key);
  // A keychain that answers later may have the key; one that does not exist, or lost it, has not.
  const isShut = row === 'keychain-locked' || row === 'keychain-slow' || row === 'keychain-denied';
  const isGone = row !== null && !isShut;
  const said = words(makeFailure(isShut ? row : 'key-missing'));
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
        <>
          {isShut && (
            <Button size="sm" icon={RefreshCw} onPress={() => void recheck()}>
              {actionText('recheck-key')}
            </Button>
          )}
          <Button size="sm" icon={KeyRound} onPress={() => void studio.request('connection.enterKey', {})}>
            {actionText('enter-key')}
          </Button>
        </>
      }
    >
      {isGone ? t('ask.noKey.goneText') : isShut ? said.textAfterTitle : (text ?? said.textAfterTitle)}
    </Banner>
  );
}

export function useSendBlocker(product: Product): Failure | null {
  const { mode, key, access } = useConnection();
  return mode === 'service' && key.present ? explainBeforeSending(mapOfList(access.products), product) : null;
}

const keyPlace = '/account';

export function NeedsKey({ children }: { readonly children: ReactNode }) {
  const t = useText();
  const [, navigate] = useLocation();
  return (
    <div className={css['line']}>
      <p>{children}</p>
      <Button size="sm" variant="ghost" iconAfter={ChevronRight} onPress={() => navigate(keyPlace)}>
        {t('shell.more.title')}
      </Button>
    </div>
  );
}
