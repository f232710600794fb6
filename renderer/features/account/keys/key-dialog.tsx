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
import { AccountFailure } from '../token.tsx';
import own from './keys.module.css';
import { usePermissionWords } from './permission-words.ts';

const lifetimes = ['never', '7', '30', '90', '365', 'date'] as const;
type Lifetime = (typeof lifetimes)[number] | 'keep';
const dayMs = 86_400_000;

/** The form's own version, with mutable lists. */
type FormKeyInput = Omit<KeyInput, 'permissions' | 'allowedIps'> & {
  name: string;
  permissions: Record<string, string>;
  allowedIps?: string[];
};

export interface KeyDialogProps {
  /** Null: a new key is made. */
  readonly edited: KeyView | null;
  readonly onClose: () => void;
  /** `maskedSuffix` has the last characters of a new key; null: a key was changed. */
  readonly onSaved: (key: KeyView, maskedSuffix: string | null) => void;
  /** The answer was lost: the list shows whether there is a key now. */
  readonly onUnsure: (failure: Failure) => void;
}

/** Name, permissions and expiry of a key; the service's rules are checked before anything is sent. */
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
  const expiryOf = (): Pick<KeyInput, 'expiresAt'> => {
    if (lifetime === 'keep') return {};
    if (lifetime === 'never') return { expiresAt: null };
    if (lifetime === 'date')
      return {
        expiresAt: Number.isNaN(Date.parse(`${date}T23:59:59`)) ? '' : new Date(`${date}T23:59:59`).toISOString(),
      };
    return { expiresAt: new Date(Date.now() + Number(lifetime) * dayMs).toISOString() };
  };
  const create = (wanted: FormKeyInput) => studio.request('account.createKey', wanted);
  const change = async (keyId: string, wanted: FormKeyInput) => {
    const updated = await studio.request('account.updateKey', { keyId, wanted: wanted });
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
    const saved = edited === null ? await create(wanted) : await change(edited.id, wanted);
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
      closeLabel={t('common.close')}
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
          onChange={setName}
          hint={t('account.keys.nameHint')}
          error={faultOf('name')}
        />
        <fieldset>
          <legend>{t('account.keys.permissions')}</legend>
          {changesLimits && (
            <Switch
              label={t('account.keys.restrict')}
              hint={t('account.keys.restrictHint')}
              isOn={isRestricted}
              onChange={setIsRestricted}
            />
          )}
          <div className={own['permissions']} data-off={!isRestricted || undefined}>
            {permissions.map(({ id, levels: given }) => (
              <Select
                key={id}
                label={words.name(id)}
                value={levels[id] ?? 'none'}
                options={[...new Set(['none', ...given])].map((value) => ({ value, text: words.level(value) }))}
                onChange={(level) => {
                  setLevels((before) => ({ ...before, [id]: level }));
                }}
              />
            ))}
          </div>
          {isEmpty &&
            (isEmptyAsked ? (
              <p role="alert" className={css['error']}>
                {t('account.keys.nothingAsked')}
              </p>
            ) : (
              <output className={css['hint']}>{t('account.keys.nothingText')}</output>
            ))}
        </fieldset>
        <div className={own['pair']}>
          <Select
            label={t('account.keys.expires')}
            value={lifetime}
            options={lifetimeOptions}
            onChange={(value) => {
              setLifetime(value);
            }}
          />
          {lifetime === 'date' && (
            <label className={own['date']}>
              {t('account.keys.date')}
              <input
                type="date"
                value={date}
                onChange={(event) => {
                  setDate(event.currentTarget.value);
                }}
              />
            </label>
          )}
        </div>
        {faultOf('expiresAt') && (
          <p role="alert" className={css['error']}>
            {faultOf('expiresAt')}
          </p>
        )}
        {!knowsLimits && (
          <Switch
            label={t('account.keys.changeLimits')}
            hint={t('account.keys.changeLimitsHint')}
            isOn={changesLimits}
            onChange={setChangesLimits}
          />
        )}
        {changesLimits && (
          <>
            <Field
              label={t('account.keys.creditLimit')}
              value={credits}
              onChange={setCredits}
              hint={t('account.keys.creditHint')}
              error={faultOf('creditLimit')}
            />
            <label className={css['area']}>
              {t('account.keys.addresses')}
              <textarea
                spellCheck={false}
                value={ips}
                aria-invalid={faultOf('allowedIps') !== null}
                onChange={(event) => {
                  setIps(event.currentTarget.value);
                }}
              />
              <span className={faultOf('allowedIps') === null ? css['hint'] : css['error']}>
                {faultOf('allowedIps') ?? t('account.keys.addressesHint')}
              </span>
            </label>
            <Switch
              label={t('account.keys.leak')}
              hint={t('account.keys.leakHint')}
              isOn={disablesIfLeaked}
              onChange={setDisablesIfLeaked}
            />
          </>
        )}
      </div>
    </Dialog>
  );
}
