import { KeyRound, Plus } from 'lucide-react';
import { useState } from 'react';
import type { KeyView } from '../../../../shared/domain/account/account-views.ts';
import { useConnection } from '../../../bridge/live-state.tsx';
import { useStudio } from '../../../bridge/studio-context.tsx';
import { useText } from '../../../lib/text.ts';
import { useNow } from '../../../lib/use-now.ts';
import { Button } from '../../../ui/button.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { RowGrid } from '../../../ui/row-grid/row-grid.tsx';
import css from '../account.module.css';
import { AccountFrame, type AccountPageProps } from '../frame.tsx';
import { ShownOnce, useShownOnce } from '../shown-once.tsx';
import { useAccountList, useKeyNames } from '../use-account-list.ts';
import { AccountFailure, TokenNeeded, useHasToken } from '../token.tsx';
import { KeyDetail } from './key-detail.tsx';
import { KeyDialog } from './key-dialog.tsx';
import { KeyRow } from './key-row.tsx';
import own from './keys.module.css';

/** The keys of the account with their permissions, and new ones. This page never contains a key. */
export function KeysPage({ onPage }: AccountPageProps) {
  const hasToken = useHasToken();
  return hasToken ? (
    <Keys onPage={onPage} />
  ) : (
    <AccountFrame page="keys" onPage={onPage}>
      <TokenNeeded page="keys" />
    </AccountFrame>
  );
}

interface Made {
  readonly id: string;
  readonly key: KeyView;
  readonly maskedSuffix: string;
}

function Keys({ onPage }: AccountPageProps) {
  const t = useText();
  const studio = useStudio();
  const { mode, accountToken, key: chosenKey } = useConnection();
  const nowMs = useNow(false);
  const list = useAccountList(['account', 'keys', mode, accountToken.maskedSuffix, chosenKey.maskedSuffix], () =>
    studio.request('account.keys', {}),
  );
  const { data, failure } = list;
  const [activeId, setActiveId] = useState<string | null>(null);
  const made = useShownOnce<Made>('key', accountToken.maskedSuffix);
  const [editing, setEditing] = useState<KeyView | 'new' | null>(null);
  const named = useKeyNames();
  const keys = named(data?.keys ?? []);
  const active = keys.find(({ id }) => id === activeId) ?? keys[0] ?? null;
  const forget = (id: string) => {
    void studio.request('account.dropKey', { keyId: id });
    made.remove(id);
  };
  const ownSuffix = data?.ownSuffix ?? '';
  const activeKeyId = active?.id ?? null;
  const draw = (key: KeyView) => (
    <KeyRow key_={key} isOn={key.id === activeKeyId} isOwn={endsAs(key, ownSuffix)} nowMs={nowMs} />
  );
  return (
    <AccountFrame
      page="keys"
      onPage={onPage}
      actions={
        <Button
          variant="primary"
          icon={Plus}
          onPress={() => {
            setEditing('new');
          }}
        >
          {t('account.keys.new')}
        </Button>
      }
    >
      <div className={css['split']}>
        <div className={css['main']}>
          {failure && <AccountFailure failure={failure} onRetry={list.retry} />}
          {made.shown.map(({ id, key, maskedSuffix }) => (
            <ShownOnce
              key={id}
              title={t('account.keys.ready', { name: key.name ?? '' })}
              maskedSuffix={maskedSuffix}
              copy={() => studio.request('account.copyKey', { keyId: id })}
              onDone={() => {
                forget(id);
              }}
              actions={
                mode === 'service' && (
                  <Button
                    onPress={() => {
                      void studio.request('account.useKey', { keyId: id }).then((used) => {
                        list.refuse(used.ok ? null : used.error);
                      });
                    }}
                  >
                    {t('account.keys.use')}
                  </Button>
                )
              }
            />
          ))}
          {keys.length === 0
            ? data && (
                <EmptyState icon={KeyRound} title={t('account.keys.empty')}>
                  {t('account.keys.emptyText')}
                </EmptyState>
              )
            : data && (
                <div className={own['list']}>
                  <div className={css['head']} aria-hidden>
                    <span>{t('account.keys.name')}</span>
                    <span>{t('account.keys.canUse')}</span>
                    <span className={css['wide']}>{t('account.keys.created')}</span>
                    <span>{t('account.keys.state')}</span>
                  </div>
                  <RowGrid
                    className={css['rows']}
                    label={t('account.pages.keys')}
                    items={keys}
                    labelOf={(key) => key.name ?? key.id}
                    estimatedRowHeight={59}
                    onActive={(key) => {
                      setActiveId(key?.id ?? null);
                    }}
                    onPress={(key) => {
                      setActiveId(key.id);
                    }}
                    onOpen={(key) => {
                      setActiveId(key.id);
                      setEditing(key);
                    }}
                  >
                    {draw}
                  </RowGrid>
                </div>
              )}
        </div>
        {active && (
          <KeyDetail
            key={active.id}
            key_={active}
            isOwn={endsAs(active, ownSuffix)}
            nowMs={nowMs}
            onEdit={() => {
              setEditing(active);
            }}
            onChanged={list.reread}
            onEnded={() => {
              forget(active.id);
            }}
          />
        )}
      </div>
      {editing !== null && (
        <KeyDialog
          edited={editing === 'new' ? null : editing}
          onClose={() => {
            setEditing(null);
          }}
          onSaved={(key, maskedSuffix) => {
            setEditing(null);
            list.reread(null);
            setActiveId(key.id);
            if (maskedSuffix !== null) made.add({ id: key.id, key, maskedSuffix });
          }}
          onUnsure={(problem) => {
            setEditing(null);
            list.reread(problem);
          }}
        />
      )}
    </AccountFrame>
  );
}

/** Whether this may be the key with these last characters; only main knows the rest of it. */
const endsAs = ({ maskedKey }: KeyView, suffix: string): boolean =>
  suffix !== '' && (maskedKey?.endsWith(suffix) ?? false);
