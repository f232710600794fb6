import { useQueryClient } from '@tanstack/react-query';
import { ChevronDown, CircleAlert, ClipboardPaste, KeyRound, LogOut, ShieldCheck } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { makeFailure } from '../../../shared/domain/failures/make-failure.ts';
import type { Failure } from '../../../shared/result/failure.ts';
import { modeOf } from '../../../shared/domain/modes.ts';
import { acceptConnection, useConnection } from '../../bridge/live-state.tsx';
import { useStudio } from '../../bridge/studio-context.tsx';
import { useFailureText } from '../../lib/failure-text.ts';
import { useText } from '../../lib/text.ts';
import { keychainRow, NoKeyNotice, useLacksKey } from '../../parts/connection/key-help.tsx';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { Question } from '../../ui/dialog.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Menu } from '../../ui/menu.tsx';
import css from './account.module.css';

/** Whether requests to the account's routes are possible; practice mode is signed in automatically. */
export function useHasToken(): boolean {
  const { mode, accountToken } = useConnection();
  return modeOf(mode).isPractice || accountToken.present;
}

function useToken() {
  const studio = useStudio();
  const queries = useQueryClient();
  const [failure, setFailure] = useState<Failure | null>(null);
  const ask = async (method: 'accountToken.paste' | 'accountToken.forget') => {
    setFailure(null);
    const answer = await studio.request(method, {});
    if (!answer.ok) {
      setFailure(answer.error);
      return;
    }
    acceptConnection(queries, studio, answer.value);
    // What was read with the previous token belongs to that user.
    await queries.resetQueries({ queryKey: ['account'] });
  };
  return {
    failure,
    enter: () => void studio.request('accountToken.enter', {}),
    paste: () => void ask('accountToken.paste'),
    forget: () => void ask('accountToken.forget'),
  };
}

export function TokenMenu() {
  const t = useText();
  const { mode, accountToken } = useConnection();
  const words = useFailureText();
  const { failure, enter, paste, forget } = useToken();
  const [isForgetting, setIsForgetting] = useState(false);
  // Practice has none, and what needs a missing one asks for it.
  if (modeOf(mode).isPractice || !accountToken.present) return null;
  return (
    <span className={css['uses']}>
      {failure && (
        <span role="alert" className={css['bad']}>
          {words(failure).title}
        </span>
      )}
      <Menu
        label={t('account.token.label')}
        trigger={
          <Button variant="ghost" size="sm" icon={ShieldCheck} iconAfter={ChevronDown}>
            {t('account.token.uses', { suffix: accountToken.maskedSuffix })}
          </Button>
        }
        entries={[
          { id: 'enter', text: t('account.token.enter'), icon: KeyRound, onAction: enter },
          { id: 'paste', text: t('account.token.paste'), icon: ClipboardPaste, onAction: paste },
          'separator',
          {
            id: 'forget',
            text: t('account.token.signOut'),
            icon: LogOut,
            isDanger: true,
            onAction: () => setIsForgetting(true),
          },
        ]}
      />
      <Question
        isDanger
        title={t('account.token.signOutQuestion')}
        confirm={t('account.token.signOut')}
        isOpen={isForgetting}
        onClose={() => setIsForgetting(false)}
        onConfirm={forget}
      >
        {t('account.token.signOutText')}
      </Question>
    </span>
  );
}

export function TokenNeeded({ page }: { readonly page: 'keys' | 'log' }) {
  const t = useText();
  const words = useFailureText();
  const { failure, enter, paste } = useToken();
  const { key, accountToken } = useConnection();
  // The keychain is asked for a token only where one was stored; whether there is one at all, the key tells.
  const row = keychainRow(accountToken) ?? (keychainRow(key) === 'keychain-missing' ? 'keychain-missing' : null);
  const kept =
    row === null
      ? t('account.token.kept')
      : row === 'keychain-missing' || row === 'key-not-stored'
        ? t('account.token.notKept')
        : words(makeFailure(row)).text;
  return (
    <EmptyState
      icon={ShieldCheck}
      title={t(`account.token.needed.${page}`)}
      action={
        <span className="row gap-8 wrap">
          <Button variant="primary" icon={KeyRound} onPress={enter}>
            {t('account.token.enter')}
          </Button>
          <Button icon={ClipboardPaste} onPress={paste}>
            {t('account.token.paste')}
          </Button>
        </span>
      }
    >
      {failure === null ? `${t('account.token.neededText')} ${kept}` : <span role="alert">{words(failure).text}</span>}
    </EmptyState>
  );
}

export function AccountFailure({ failure, onRetry }: { readonly failure: Failure; readonly onRetry?: () => void }) {
  const t = useText();
  const words = useFailureText();
  const { enter } = useToken();
  const lacksKey = useLacksKey();
  const { title, textAfterTitle } = words(failure);
  if (failure.kind === 'key-missing' && lacksKey)
    return (
      <div className={css['notice']}>
        <NoKeyNotice />
      </div>
    );
  const action: ReactNode =
    failure.kind === 'token-refused' ? (
      <Button size="sm" icon={KeyRound} onPress={enter}>
        {t('account.token.enterNew')}
      </Button>
    ) : onRetry ? (
      <Button size="sm" onPress={onRetry}>
        {t('common.tryAgain')}
      </Button>
    ) : null;
  return (
    <div className={css['notice']}>
      <Banner role="alert" tone="bad" icon={CircleAlert} title={title} actions={action}>
        {textAfterTitle}
      </Banner>
    </div>
  );
}
