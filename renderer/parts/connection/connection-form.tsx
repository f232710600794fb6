import {
  Check,
  CircleAlert,
  CircleCheck,
  CircleHelp,
  CircleMinus,
  FlaskConical,
  KeyRound,
  LoaderCircle,
  RefreshCw,
} from 'lucide-react';
import { useState, type ReactNode } from 'react';
import type { ConnectionReport, ConnectionState } from '../../bridge/types.ts';
import { useFailureActionText, useFailureWords } from '../../lib/failure-words.ts';
import { useText } from '../../lib/text.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import type { CheckState, ConnectionFormState } from './use-connection-form.ts';
import css from './connection-form.module.css';
import { KeyField } from './key-field.tsx';
import { UseService } from './use-service.tsx';
import { keychainRow, type KeychainRow } from './key-help.tsx';
import { makeFailure } from '../../../shared/domain/failures/make-failure.ts';
import type { Failure } from '../../../shared/result/failure.ts';
import { useConnection } from '../../bridge/live-state.tsx';

/** Their texts mention waiting files and the settings; here the user is just entering the address. */
const unreached: ReadonlySet<string> = new Set(['E-002', 'E-003', 'E-004', 'E-007', 'E-009']);

export interface ConnectionFormProps {
  readonly form: ConnectionFormState;
  /** Offered where there is a place for a key of the legacy API. */
  readonly onAdoptLegacy?: () => void;
  /** The screen around it has a button that tries again. */
  readonly isRetriedBelow?: boolean;
}

/** Address and key, checked by free reads as they change. */
export function ConnectionForm({ form, onAdoptLegacy, isRetriedBelow = false }: ConnectionFormProps) {
  const t = useText();
  const words = useFailureWords();
  const { check, connection } = form;
  const { mode } = connection;
  const isMissing = form.isAskedFor && form.address.trim() === '';
  const error = form.addressFailure ? words(form.addressFailure).text : isMissing ? t('welcome.address.missing') : null;
  const report = check.tag === 'checked' ? check.report : null;
  // A missing key needs no report, but an address that leads nowhere must be explained.
  const reportFailure =
    report !== null && (report.key !== 'missing' || report.service !== 'reached') ? report.failure : null;
  const isChecked = form.address.trim() === connection.serviceAddress;
  // Decided once: a line that went when an address is stored would move the button that is being pressed.
  const [isNew] = useState(connection.serviceAddress === '' || !connection.key.present);
  const notice = keychainNotice(connection.key);
  return (
    <div className={css['form']}>
      {isNew && <p className={css['hint']}>{t('welcome.service.whence')}</p>}
      <Field
        label={t('welcome.address.label')}
        {...(isNew && { hint: t('welcome.address.hint') })}
        placeholder="https://"
        type="url"
        value={form.address}
        onChange={form.setAddress}
        onBlur={() => void form.saveAddress()}
        onEnter={() => void form.saveAddress()}
        error={error}
        suffix={isChecked && <AddressState check={check} />}
      />
      <KeyField form={form} isNew={isNew} />
      {isChecked && reportFailure && (
        <Banner
          tone={report?.key === 'refused' || report?.service === 'not-this-service' ? 'bad' : 'warn'}
          icon={CircleAlert}
          title={words(reportFailure).title}
          actions={
            // A refused key is replaced above; asking once more brings the same answer.
            !isRetriedBelow &&
            report?.key !== 'refused' && (
              <Button size="sm" icon={RefreshCw} onPress={form.checkAgain}>
                {t('common.tryAgain')}
              </Button>
            )
          }
        >
          {unreached.has(reportFailure.row) ? t('welcome.address.unreached') : words(reportFailure).textAfterTitle}
        </Banner>
      )}
      {isChecked && report?.key === 'legacy-generation' && (
        <Banner
          tone="warn"
          icon={KeyRound}
          title={t('welcome.key.legacyTitle')}
          actions={
            onAdoptLegacy && (
              <Button size="sm" onPress={onAdoptLegacy}>
                {t('network.legacy.adopt')}
              </Button>
            )
          }
        >
          {t(onAdoptLegacy ? 'settings.connection.legacyGeneration' : 'welcome.key.legacyText')}
        </Banner>
      )}
      {report && report.key === 'accepted' && <ProductGrid products={report.products} />}
      {report?.key === 'accepted' && mode !== 'unset' && mode !== 'service' && <UseService />}
      {notice && <KeychainNotice row={notice} form={form} />}
      <p className={css['hint']}>
        {t('welcome.checkedBy')}{' '}
        {t(
          `welcome.key.kept.${notice !== null && connection.key.store === 'session' ? 'sessionSaid' : placeOfKey(connection.key)}`,
        )}
      </p>
    </div>
  );
}

/** Where the key is stored, or where a new one would be. */
const placeOfKey = ({ store, keychain }: ConnectionState['key']) =>
  store === 'none' && keychain !== 'present' && keychain !== 'absent' ? 'noneButSession' : store;

function AddressState({ check }: { readonly check: CheckState }): ReactNode {
  const t = useText();
  if (check.tag === 'idle') return null;
  if (check.tag === 'checking') {
    return (
      <>
        <Spinner /> {t('welcome.address.checking')}
      </>
    );
  }
  switch (check.report.service) {
    case 'reached':
      return (
        <span className={css['good']}>
          <Check aria-hidden size={14} /> {t('welcome.address.reached')}
        </span>
      );
    case 'not-reached':
      return <span className={css['waiting']}>{t('welcome.address.notReached')}</span>;
    case 'not-this-service':
      return <span className={css['bad']}>{t('welcome.address.notThisService')}</span>;
  }
}

/** The start of practice mode, or why a mode could not be chosen; hidden otherwise. */
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

const icons = { allowed: CircleCheck, denied: CircleMinus, unknown: CircleHelp };

/** What the key may do, as far as free reads show. */
function ProductGrid({ products }: Pick<ConnectionReport, 'products'>) {
  const t = useText();
  return (
    <ul className={css['products']} aria-label={t('welcome.products.title')}>
      {products.map(({ product, access }) => {
        const Icon = icons[access];
        const name = t(`welcome.products.${product}`);
        return (
          <li key={product} className={css['product']} data-access={access}>
            <Icon aria-hidden size={16} strokeWidth={1.75} />
            <span>{access === 'allowed' ? name : t(`welcome.products.${access}`, { product: name })}</span>
          </li>
        );
      })}
    </ul>
  );
}

/** Why the keychain can't be used, where that matters. */
function keychainNotice(key: ConnectionState['key']): KeychainRow | null {
  if (key.store === 'environment') return null;
  // There is nothing to store yet: a warning before the first key only puts people off.
  return key.keychain === 'no-service' && key.store === 'none' ? null : keychainRow(key);
}

function KeychainNotice({ row, form }: { readonly row: KeychainRow; readonly form: ConnectionFormState }) {
  const words = useFailureWords();
  const actionText = useFailureActionText();
  const { title, textAfterTitle } = words(makeFailure(row));
  return (
    <Banner
      tone="warn"
      icon={KeyRound}
      title={title}
      actions={
        // A keychain that this computer has not got does not appear by asking again.
        row !== 'E-190' && (
          <Button size="sm" icon={RefreshCw} onPress={() => void form.askKey('connection.recheckKey')}>
            {actionText('recheck-key')}
          </Button>
        )
      }
    >
      {textAfterTitle}
    </Banner>
  );
}
