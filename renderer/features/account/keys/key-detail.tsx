import { Ban, Pencil, Power, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { keyStateOf } from '../../../../shared/domain/account/account-views.ts';
import type { KeyView } from '../../../../shared/domain/account/account-views.ts';
import type { Failure } from '../../../../shared/result/failure.ts';
import { useStudio } from '../../../bridge/studio-context.tsx';
import { useFormats, useText } from '../../../lib/text.ts';
import { Button } from '../../../ui/button.tsx';
import { Question } from '../../../ui/dialog.tsx';
import { FactList } from '../../../ui/fact-list.tsx';
import { Inspector, InspectorSection } from '../../../ui/panel.tsx';
import css from '../account.module.css';
import { KeyStateChip } from './key-row.tsx';
import own from './keys.module.css';
import { usePermissionWords } from './permission-words.ts';

export interface KeyDetailProps {
  readonly key_: KeyView;
  readonly isOwn: boolean;
  readonly nowMs: number;
  readonly onEdit: () => void;
  /** It was changed, or that failed; the list is read again. */
  readonly onChanged: (failure: Failure | null) => void;
  /** It was revoked or deleted. */
  readonly onEnded: () => void;
}

/** One key: its permissions and its actions. */
export function KeyDetail({ key_: key, isOwn, nowMs, onEdit, onChanged, onEnded }: KeyDetailProps) {
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
      : [
          ['lastUsed', dateOf(key.lastUsedAt, t('account.keys.neverUsed'))] as const,
          [
            'creditLimit',
            key.creditLimit === null ? t('account.keys.noLimit') : formats.number(key.creditLimit),
          ] as const,
          ['addresses', ips.length === 0 ? t('account.keys.any') : ips.join(', ')] as const,
          ['leak', t(key.disablesIfLeaked === false ? 'account.keys.no' : 'account.keys.yes')] as const,
        ]),
  ] as const;
  const granted = Object.entries(key.permissions).filter(([, level]) => level !== 'none');
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
          <p className={css['hint']}>{t('account.keys.allFeaturesText')}</p>
        ) : granted.length === 0 ? (
          <p className={css['hint']}>
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
        {key.allowedIps === null && <p className={own['note']}>{t('account.keys.unreported')}</p>}
      </InspectorSection>
      <section className={own['actions']}>
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
            <Button
              className={own['danger']}
              icon={Ban}
              onPress={() => {
                setAsked('revoke');
              }}
            >
              {t('account.keys.revoke')}
            </Button>
          </>
        )}
        <Button
          variant="ghost"
          icon={Trash2}
          onPress={() => {
            setAsked('remove');
          }}
        >
          {t('account.keys.remove')}
        </Button>
      </section>
      <Question
        title={t('account.keys.disableQuestion', { name: key.name ?? key.id })}
        confirm={t('account.keys.disable')}
        isOpen={asked === 'disable'}
        onClose={() => {
          setAsked(null);
        }}
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
          onClose={() => {
            setAsked(null);
          }}
          onConfirm={() => void end(what === 'revoke' ? 'account.revokeKey' : 'account.removeKey')}
        >
          {t(`account.keys.${what}Text`)} {isOwn && <b>{t('account.keys.ownWarning')}</b>}
        </Question>
      ))}
    </Inspector>
  );
}
