import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { KeyView } from '../../../../shared/domain/account/account-views.ts';
import {
  judgeKeyInput,
  knownPermissions,
  readIpList,
  type KeyFault,
  type KeyInput,
} from '../../../../shared/domain/account/key-input.ts';
import type { Failure } from '../../../../shared/result/failure.ts';
import { ok } from '../../../../shared/result/result.ts';
import { valueOrThrow } from '../../../bridge/request-error.ts';
import { useStudio } from '../../../bridge/studio-context.tsx';
import { useText } from '../../../lib/text.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Field } from '../../../ui/field.tsx';
import { Select } from '../../../ui/select.tsx';
import { Switch } from '../../../ui/switch.tsx';
import css from '../account.module.css';
import { FormError, TextArea, useHeldForm } from '../form-parts.tsx';
import { AccountFailure } from '../token.tsx';
import own from './keys.module.css';

const lifetimes = ['never', '7', '30', '90', '365', 'date'] as const;
type Lifetime = (typeof lifetimes)[number] | 'keep';
const dayMs = 86_400_000;

type FormKeyInput = Omit<KeyInput, 'permissions' | 'allowedIps'> & {
  name: string;
  permissions: Record<string, string>;
  allowedIps?: string[];
};

interface KeyDialogProps {
  readonly edited: KeyView | null;
  readonly onClose: () => void;
  /** `maskedSuffix` has the last characters of a new key; null: a key was changed. */
  readonly onSaved: (key: KeyView, maskedSuffix: string | null) => void;
  /** The answer was lost: the list shows whether there is a key now. */
  readonly onUnsure: (failure: Failure) => void;
}

export function KeyDialog({ edited, onClose, onSaved, onUnsure }: KeyDialogProps) {
  const t = useText();
  const studio = useStudio();
  const words = usePermissionWords();
  const catalog = useQuery({
    queryKey: ['account', 'permissions'],
    queryFn: () => valueOrThrow(studio.request('account.permissions', {})),
    retry: false,
  });
  const knowsLimits = edited === null || edited.allowedIps !== null;
  const [name, setName] = useState(edited?.name ?? '');
  const [levels, setLevels] = useState<Readonly<Record<string, string>>>(edited?.permissions ?? {});
  const [isRestricted, setIsRestricted] = useState(edited?.isRestricted ?? true);
  const [lifetime, setLifetime] = useState<Lifetime>(edited === null ? 'never' : 'keep');
  const [date, setDate] = useState('');
  const [changesLimits, setChangesLimits] = useState(knowsLimits);
  const [credits, setCredits] = useState(edited?.creditLimit === null ? '' : String(edited?.creditLimit ?? ''));
  const [ips, setIps] = useState((edited?.allowedIps ?? []).join('\n'));
  const [disablesIfLeaked, setDisablesIfLeaked] = useState(edited?.disablesIfLeaked ?? true);
  const [faults, setFaults] = useState<readonly KeyFault[]>([]);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [isSaving, setIsSaving] = useState(false);
  const [isEmptyAsked, setIsEmptyAsked] = useState(false);
  const allowed = Object.entries(levels).flatMap(([id, level]) => (level === 'none' ? [] : `${id} ${level}`));
  const limits = [changesLimits, credits.trim(), readIpList(ips), disablesIfLeaked];
  const entered = JSON.stringify([name.trim(), allowed.toSorted(), isRestricted, lifetime, date, limits]);
  const [asOpened] = useState(entered);
  useHeldForm(entered !== asOpened);

  const offered = catalog.data?.permissions.filter(({ isImplemented }) => isImplemented) ?? knownPermissions;
  const permissions = [
    ...offered,
    ...Object.keys(levels)
      .filter((id) => !offered.some((one) => one.id === id))
      .map((id) => ({ id, levels: ['none', levels[id] ?? 'none'] })),
  ];
  const isEmpty = isRestricted && permissions.every(({ id }) => (levels[id] ?? 'none') === 'none');
  const faultOf = (field: KeyFault['field']): string | null => {
    const fault = faults.find((one) => one.field === field);
    if (fault === undefined) return null;
    const which = 'which' in fault ? fault.which : '';
    return t(`account.keys.faults.${fault.field}.${fault.problem}` as 'account.keys.faults.name.empty', { which });
  };
  /** What was wrong with a field is not said of what is entered next. */
  const entering =
    <T,>(field: KeyFault['field'], set: (value: T) => void) =>
    (value: T) => {
      set(value);
      setFaults((before) => before.filter((one) => one.field !== field));
    };
  const expiryOf = (): Pick<KeyInput, 'expiresAt'> => {
    if (lifetime === 'keep') return {};
    if (lifetime === 'never') return { expiresAt: null };
    const endOfDay = `${date}T23:59:59`;
    if (lifetime === 'date')
      return { expiresAt: Number.isNaN(Date.parse(endOfDay)) ? '' : new Date(endOfDay).toISOString() };
    return { expiresAt: new Date(Date.now() + Number(lifetime) * dayMs).toISOString() };
  };
  const change = async (keyId: string, wanted: FormKeyInput) => {
    const updated = await studio.request('account.updateKey', { keyId, wanted });
    return updated.ok ? ok({ key: updated.value.key, maskedSuffix: null }) : updated;
  };
  const save = async () => {
    const changed = changesLimits
      ? {
          creditLimit: credits.trim() === '' ? null : Number(credits.trim()),
          allowedIps: [...readIpList(ips)],
          disablesIfLeaked,
          isRestricted,
        }
      : {};
    const wanted: FormKeyInput = { name: name.trim(), permissions: { ...levels }, ...expiryOf(), ...changed };
    const found = judgeKeyInput(wanted, Date.now());
    setFaults(found);
    setFailure(null);
    if (found.length > 0) return;
    if (edited === null && isEmpty && !isEmptyAsked) {
      setIsEmptyAsked(true);
      return;
    }
    setIsSaving(true);
    const saved = edited === null ? await studio.request('account.createKey', wanted) : await change(edited.id, wanted);
    setIsSaving(false);
    if (saved.ok) onSaved(saved.value.key, saved.value.maskedSuffix);
    else if (saved.error.outcome === 'unknown') onUnsure(saved.error);
    else setFailure(saved.error);
  };
  const lifetimeOptions = (edited === null ? lifetimes : (['keep', ...lifetimes] as const)).map((value) => ({
    value: value as Lifetime,
    text: t(`account.keys.lifetimes.${value}`),
  }));
  return (
    <Dialog
      isOpen
      holdsWork={entered !== asOpened}
      width="lg"
      title={edited === null ? t('account.keys.newTitle') : t('account.keys.editTitle', { name: edited.name ?? '' })}
      onClose={onClose}
      footer={(leave) => (
        <>
          <Button onPress={leave}>{t('common.cancel')}</Button>
          <Button variant="primary" isLoading={isSaving} onPress={() => void save()}>
            {t(
              edited !== null
                ? 'account.keys.save'
                : isEmpty && isEmptyAsked
                  ? 'account.keys.createEmpty'
                  : 'account.keys.create',
            )}
          </Button>
        </>
      )}
    >
      <div className={css['form']}>
        {failure && <AccountFailure failure={failure} />}
        <Field
          isAutoFocused
          label={t('account.keys.name')}
          value={name}
          onChange={entering('name', setName)}
          hint={t('account.keys.nameHint')}
          error={faultOf('name')}
        />
        <fieldset className="column gap-6">
          <legend>{t('account.keys.permissions')}</legend>
          {changesLimits && (
            <Switch
              label={t('account.keys.restrict')}
              hint={t('account.keys.restrictHint')}
              isOn={isRestricted}
              onChange={setIsRestricted}
            />
          )}
          <div className={own['fields']} data-off={!isRestricted || undefined}>
            {permissions.map(({ id, levels: given }) => (
              <Select
                key={id}
                label={words.name(id)}
                value={levels[id] ?? 'none'}
                options={[...new Set(['none', ...given])].map((value) => ({ value, text: words.level(value) }))}
                onChange={(level) => setLevels((before) => ({ ...before, [id]: level }))}
              />
            ))}
          </div>
          <FormError text={isEmpty && isEmptyAsked ? t('account.keys.nothingAsked') : null} />
          {isEmpty && !isEmptyAsked && <output className="fine subtle">{t('account.keys.nothingText')}</output>}
        </fieldset>
        <div className={own['fields']}>
          <Select
            label={t('account.keys.expires')}
            value={lifetime}
            options={lifetimeOptions}
            onChange={entering('expiresAt', setLifetime)}
          />
          {lifetime === 'date' && (
            <label className={own['date']}>
              {t('account.keys.date')}
              <input
                type="date"
                value={date}
                onChange={(event) => entering('expiresAt', setDate)(event.currentTarget.value)}
              />
            </label>
          )}
        </div>
        <FormError text={faultOf('expiresAt')} />
        {!knowsLimits && (
          <Switch
            label={t('account.keys.changeLimits')}
            hint={t('account.keys.changeLimitsHint')}
            isOn={changesLimits}
            onChange={setChangesLimits}
          />
        )}
        {changesLimits && (
          <details className={own['more']} open={edited !== null || faults.length > 0 || undefined}>
            <summary>{t('common.more')}</summary>
            <div className={css['form']}>
              <Field
                label={t('account.keys.creditLimit')}
                value={credits}
                onChange={entering('creditLimit', setCredits)}
                hint={t('account.keys.creditHint')}
                error={faultOf('creditLimit')}
              />
              <TextArea
                label={t('account.keys.addresses')}
                value={ips}
                onChange={entering('allowedIps', setIps)}
                hint={t('account.keys.addressesHint')}
                error={faultOf('allowedIps')}
              />
              <Switch
                label={t('account.keys.leak')}
                hint={t('account.keys.leakHint')}
                isOn={disablesIfLeaked}
                onChange={setDisablesIfLeaked}
              />
            </div>
          </details>
        )}
      </div>
    </Dialog>
  );
}

const permissionIds = [
  'speech_to_text',
  'stt_realtime',
  'text_to_speech',
  'tts_realtime',
  'audio_isolation',
  'voices',
  'llm',
  'webhooks',
] as const;
const levels = ['none', 'read', 'write', 'access'] as const;

export function usePermissionWords() {
  const t = useText();
  return {
    name: (id: string): string => {
      const known = permissionIds.find((one) => one === id);
      return known === undefined ? id : t(`account.permissions.${known}`);
    },
    level: (level: string): string => {
      const known = levels.find((one) => one === level);
      return known === undefined ? level : t(`account.levels.${known}`);
    },
  };
}
