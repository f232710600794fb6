import { Ban, Ellipsis, KeyRound, Pencil, Plus, Power, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { type KeyView, keyStateOf, type KeyState } from '../../../../shared/domain/account/account-views.ts';
import type { Failure } from '../../../../shared/result/failure.ts';
import { useConnection } from '../../../bridge/live-state.tsx';
import { useStudio } from '../../../bridge/studio-context.tsx';
import { cx } from '../../../lib/class-names.ts';
import { useText, useFormats } from '../../../lib/text.ts';
import { useNow } from '../../../lib/use-now.ts';
import { Button } from '../../../ui/button.tsx';
import { Chip, type ChipProps } from '../../../ui/chip.tsx';
import { Question } from '../../../ui/dialog.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { FactList } from '../../../ui/fact-list.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { command, Menu } from '../../../ui/menu.tsx';
import { Inspector, InspectorSection } from '../../../ui/panel.tsx';
import { RowGrid } from '../../../ui/row-grid/row-grid.tsx';
import css from '../account.module.css';
import { AccountFrame, type AccountPageProps } from '../frame.tsx';
import { ShownOnce, useShownOnce } from '../shown-once.tsx';
import { AccountFailure } from '../token.tsx';
import { useAccountList, useKeyNames } from '../use-account-list.ts';
import { KeyDialog, usePermissionWords } from './key-dialog.tsx';
import own from './keys.module.css';

const tones = {
  active: 'ok',
  disabled: 'neutral',
  expired: 'neutral',
  revoked: 'bad',
  leaked: 'bad',
} as const satisfies Record<KeyState, ChipProps['tone']>;
const shownAtOnce = 2;

export function KeysPage({ onPage }: AccountPageProps) {
  const t = useText();
  const studio = useStudio();
  const { mode, accountToken, key: chosenKey } = useConnection();
  const nowMs = useNow(false);
  const list = useAccountList(['account', 'keys', mode, accountToken.maskedSuffix, chosenKey.maskedSuffix], () =>
    studio.request('account.keys', {}),
  );
  const { data, failure } = list;
  const [activeId, setActiveId] = useState<string | null>(null);
  const made = useShownOnce<{ readonly id: string; readonly key: KeyView; readonly maskedSuffix: string }>(
    'key',
    accountToken.maskedSuffix,
  );
  const [editing, setEditing] = useState<KeyView | 'new' | null>(null);
  const keys = useKeyNames()(data?.keys ?? []);
  const active = keys.find(({ id }) => id === activeId) ?? keys[0] ?? null;
  const forget = (id: string) => {
    void studio.request('account.dropKey', { keyId: id });
    made.remove(id);
  };
  const ownSuffix = data?.ownSuffix ?? '';
  const draw = (key: KeyView) => (
    <KeyRow key_={key} isOn={key === active} isOwn={endsAs(key, ownSuffix)} nowMs={nowMs} />
  );
  return (
    <AccountFrame
      page="keys"
      onPage={onPage}
      actions={
        <Button variant={made.shown.length > 0 ? 'default' : 'primary'} icon={Plus} onPress={() => setEditing('new')}>
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
              onDone={() => forget(id)}
              actions={
                mode === 'service' && (
                  <Button
                    onPress={() =>
                      void studio
                        .request('account.useKey', { keyId: id })
                        .then((used) => list.refuse(used.ok ? null : used.error))
                    }
                  >
                    {t('account.keys.use')}
                  </Button>
                )
              }
            />
          ))}
          {data && keys.length === 0 && (
            <EmptyState icon={KeyRound} title={t('account.keys.empty')}>
              {t('account.keys.emptyText')}
            </EmptyState>
          )}
          {keys.length > 0 && (
            <div className={own['list']}>
              <div className={css['head']} aria-hidden>
                <span>{t('account.keys.name')}</span>
                <span>{t('account.keys.canUse')}</span>
                <span className="wide">{t('account.keys.created')}</span>
                <span>{t('account.keys.state')}</span>
              </div>
              <RowGrid
                className={css['rows']}
                label={t('account.pages.keys')}
                items={keys}
                labelOf={(key) => key.name ?? key.id}
                estimatedRowHeight={59}
                onActive={(key) => setActiveId(key?.id ?? null)}
                onPress={(key) => setActiveId(key.id)}
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
            onEdit={() => setEditing(active)}
            onChanged={list.reread}
            onEnded={() => forget(active.id)}
          />
        )}
      </div>
      {editing !== null && (
        <KeyDialog
          edited={editing === 'new' ? null : editing}
          onClose={() => setEditing(null)}
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

interface KeyDetailProps {
  readonly key_: KeyView;
  readonly isOwn: boolean;
  readonly nowMs: number;
  readonly onEdit: () => void;
  readonly onChanged: (failure: Failure | null) => void;
  readonly onEnded: () => void;
}

function KeyDetail({ key_: key, isOwn, nowMs, onEdit, onChanged, onEnded }: KeyDetailProps) {
  const t = useText();
  const formats = useFormats();
  const studio = useStudio();
  const words = usePermissionWords();
  const [asked, setAsked] = useState<'disable' | 'revoke' | 'remove' | null>(null);
  const state = keyStateOf(key, nowMs);
  const isRevoked = state === 'revoked';
  const dateOf = (at: string | null, otherwise: string): string =>
    at === null ? otherwise : formats.date(Date.parse(at));
  const ips = key.allowedIps;
  const facts = [
    ['created', dateOf(key.createdAt, '–')],
    ['expires', dateOf(key.expiresAt, t('account.keys.never'))],
    ...(key.revokedAt === null ? [] : [['revoked', dateOf(key.revokedAt, '–')] as const]),
    ...(ips === null
      ? []
      : ([
          ['lastUsed', dateOf(key.lastUsedAt, t('account.keys.neverUsed'))],
          ['creditLimit', key.creditLimit === null ? t('account.keys.noLimit') : formats.number(key.creditLimit)],
          ['addresses', ips.length === 0 ? t('account.keys.any') : ips.join(', ')],
          ['leak', t(key.disablesIfLeaked === false ? 'account.keys.no' : 'account.keys.yes')],
        ] as const)),
  ] as const;
  const granted = Object.entries(key.permissions).filter(([, level]) => level !== 'none');
  const isDanger = true;
  const ends = [
    ...(isRevoked ? [] : [command('revoke', Ban, t('account.keys.revoke'), () => setAsked('revoke'), { isDanger })]),
    // The service deletes no key that was used.
    ...(key.lastUsedAt !== null || isOwn
      ? []
      : [command('remove', Trash2, t('account.keys.remove'), () => setAsked('remove'), { isDanger })]),
  ];
  const end = async (method: 'account.revokeKey' | 'account.removeKey') => {
    const ended = await studio.request(method, { keyId: key.id });
    if (ended.ok) onEnded();
    onChanged(ended.ok ? null : ended.error);
  };
  const turn = async () => {
    const updated = await studio.request('account.updateKey', { keyId: key.id, wanted: { enabled: !key.enabled } });
    onChanged(updated.ok ? null : updated.error);
  };
  return (
    <Inspector label={t('account.keys.details')}>
      <section className={own['title']}>
        <h2>{key.name ?? key.id}</h2>
        <KeyStateChip key_={key} nowMs={nowMs} />
      </section>
      <InspectorSection title={t('account.keys.permissions')}>
        {key.isRestricted === false ? (
          <p className="fine subtle">{t('account.keys.allFeaturesText')}</p>
        ) : granted.length === 0 ? (
          <p className="fine subtle">
            {t(key.isRestricted === true ? 'account.keys.nothingText' : 'account.keys.untoldText')}
          </p>
        ) : (
          <FactList facts={granted.map(([id, level]) => ({ label: words.name(id), value: words.level(level) }))} />
        )}
      </InspectorSection>
      <InspectorSection title={t('account.keys.limits')}>
        <FactList
          facts={[
            { label: t('account.keys.key'), value: key.maskedKey ?? key.id, isCode: true },
            ...(key.prefix === null ? [] : [{ label: t('account.keys.prefix'), value: key.prefix, isCode: true }]),
            ...facts.map(([label, value]) => ({ label: t(`account.keys.${label}`), value })),
          ]}
        />
        {key.allowedIps === null && <p className={css['note']}>{t('account.keys.unreported')}</p>}
      </InspectorSection>
      <section className={css['actions']}>
        {!isRevoked && (
          <>
            <Button icon={Pencil} onPress={onEdit}>
              {t('account.keys.edit')}
            </Button>
            <Button
              icon={Power}
              onPress={() => {
                if (isOwn && key.enabled) setAsked('disable');
                else void turn();
              }}
            >
              {t(key.enabled ? 'account.keys.disable' : 'account.keys.enable')}
            </Button>
          </>
        )}
        {ends.length > 0 && (
          <Menu
            label={t('account.keys.end')}
            entries={ends}
            trigger={<IconButton icon={Ellipsis} label={t('account.keys.end')} />}
          />
        )}
      </section>
      <Question
        title={t('account.keys.disableQuestion', { name: key.name ?? key.id })}
        confirm={t('account.keys.disable')}
        isOpen={asked === 'disable'}
        onClose={() => setAsked(null)}
        onConfirm={() => void turn()}
      >
        {t('account.keys.ownWarning')}
      </Question>
      {(['revoke', 'remove'] as const).map((what) => (
        <Question
          key={what}
          isDanger
          title={t(`account.keys.${what}Question`, { name: key.name ?? key.id })}
          confirm={t(`account.keys.${what}Confirm`)}
          isOpen={asked === what}
          onClose={() => setAsked(null)}
          onConfirm={() => void end(what === 'revoke' ? 'account.revokeKey' : 'account.removeKey')}
        >
          {t(`account.keys.${what}Text`)} {isOwn && <b>{t('account.keys.ownWarning')}</b>}
        </Question>
      ))}
    </Inspector>
  );
}

interface KeyRowProps {
  /** `key` itself is React's. */
  readonly key_: KeyView;
  readonly isOn: boolean;
  readonly isOwn: boolean;
  readonly nowMs: number;
}

function KeyRow({ key_: key, isOn, isOwn, nowMs }: KeyRowProps) {
  const t = useText();
  const formats = useFormats();
  const words = usePermissionWords();
  const granted = Object.entries(key.permissions).filter(([, level]) => level !== 'none');
  return (
    <div className={css['cells']} data-on={isOn || undefined}>
      <span className={own['name']}>
        <b>{key.name ?? key.id}</b>
        <span className={css['code']}>{key.maskedKey ?? ''}</span>
      </span>
      <span className={own['chips']}>
        {isOwn && <Chip tone="accent">{t('account.keys.thisApp')}</Chip>}
        {key.isRestricted === false ? (
          <Chip>{t('account.keys.allFeatures')}</Chip>
        ) : granted.length === 0 ? (
          <span className="muted">{t(key.isRestricted === true ? 'account.keys.nothing' : 'account.keys.untold')}</span>
        ) : (
          <>
            {granted.slice(0, shownAtOnce).map(([id]) => (
              <Chip key={id}>{words.name(id)}</Chip>
            ))}
            {granted.length > shownAtOnce && <Chip>{`+${String(granted.length - shownAtOnce)}`}</Chip>}
          </>
        )}
      </span>
      <span className={cx('wide', 'muted')}>
        {key.createdAt === null ? '' : formats.date(Date.parse(key.createdAt))}
      </span>
      <span>
        <KeyStateChip key_={key} nowMs={nowMs} />
      </span>
    </div>
  );
}

function KeyStateChip({ key_: key, nowMs }: Pick<KeyRowProps, 'key_' | 'nowMs'>) {
  const t = useText();
  const state = keyStateOf(key, nowMs);
  return <Chip tone={tones[state]}>{t(`account.keys.states.${state}`)}</Chip>;
}
