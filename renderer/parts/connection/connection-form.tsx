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
  ClipboardPaste,
  LockKeyhole,
  Pencil,
  Trash2,
  CloudUpload,
} from 'lucide-react';
import type { ParseKeys } from 'i18next';
import { useEffect, useId, useRef, useState, type ReactNode } from 'react';
import { VisuallyHidden } from 'react-aria-components';
import { makeFailure } from '../../../shared/domain/failures/make-failure.ts';
import type { Failure } from '../../../shared/result/failure.ts';
import { useConnection, acceptConnection } from '../../bridge/live-state.tsx';
import type { ConnectionReport, ConnectionState } from '../../bridge/types.ts';
import { cx } from '../../lib/class-names.ts';
import { useFailureActionText, useFailureText } from '../../lib/failure-text.ts';
import { useText } from '../../lib/text.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { Question } from '../../ui/dialog.tsx';
import field from '../../ui/field.module.css';
import { Field } from '../../ui/field.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import css from './connection-form.module.css';
import { keychainRow, type KeychainRow } from './key-help.tsx';
import type { ModeId } from '../../../shared/domain/modes.ts';
import { useQuery, useQueryClient, queryOptions } from '@tanstack/react-query';
import { useStudio } from '../../bridge/studio-context.tsx';
import { valueOrThrow } from '../../bridge/request-error.ts';
import type { StudioClient } from '../../bridge/client.ts';

/** Their texts mention waiting files and the settings; here the user is just entering the address. */
const unreached: ReadonlySet<string> = new Set([
  'address-not-found',
  'service-unreachable',
  'service-timeout',
  'tls-failed',
  'web-page-answered',
]);

export interface ConnectionFormProps {
  readonly form: ConnectionFormState;
  readonly onAdoptLegacy?: () => void;
  readonly isRetriedBelow?: boolean;
}

export function ConnectionForm({ form, onAdoptLegacy, isRetriedBelow = false }: ConnectionFormProps) {
  const t = useText();
  const words = useFailureText();
  const { check, connection } = form;
  const { mode } = connection;
  const isMissing = form.askedCount > 0 && form.address.trim() === '';
  const error = form.addressFailure ? words(form.addressFailure).text : isMissing ? t('welcome.address.missing') : null;
  const report = check.tag === 'checked' ? check.report : null;
  // A missing key needs no report, but an address that leads nowhere must be explained.
  const reportFailure =
    report !== null && (report.key !== 'missing' || report.service !== 'reached') ? report.failure : null;
  const isChecked = form.address.trim() === connection.serviceAddress;
  // Decided once: a line that went would move the button that is being pressed.
  const [isNew] = useState(connection.serviceAddress === '' || !connection.key.present);
  const notice = keychainNotice(connection.key);
  const fields = useRef<HTMLDivElement>(null);
  const { askedCount } = form;
  useEffect(() => {
    const missing = fields.current?.querySelector<HTMLElement>('[aria-invalid="true"], [data-invalid] ~ button');
    if (askedCount === 0 || missing == null) return;
    missing.focus();
    // Its message stands below it.
    missing.scrollIntoView({ block: 'center' });
  }, [askedCount]);
  return (
    <div ref={fields} className="column gap-12 thin">
      <Field
        label={t('welcome.address.label')}
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
          {unreached.has(reportFailure.kind) ? t('welcome.address.unreached') : words(reportFailure).textAfterTitle}
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
      <p className="fine subtle">
        {t('welcome.checkedBy')}{' '}
        {t(
          `welcome.key.kept.${notice !== null && connection.key.store === 'session' ? 'sessionSaid' : placeOfKey(connection.key)}`,
        )}
      </p>
    </div>
  );
}

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
  return <CheckResult {...addressStates[check.report.service]} />;
}

export function PracticeState({ failure }: { readonly failure: Failure | null }) {
  const t = useText();
  const words = useFailureText();
  const { practice } = useConnection();
  if (practice === 'starting' && failure === null)
    return <Banner tone="accent" icon={LoaderCircle} title={t('welcome.practice.starting')} />;
  const shown = failure ?? (practice === 'failed' ? makeFailure('practice-not-started') : null);
  if (shown === null) return null;
  return (
    <Banner role="alert" tone="bad" icon={FlaskConical} title={words(shown).title}>
      {words(shown).textAfterTitle}
    </Banner>
  );
}

const icons = { allowed: CircleCheck, denied: CircleMinus, unknown: CircleHelp, later: CircleHelp };

/** Dictation has no free read: only its first use tells. */
export const accessShown = ({ product, access }: ConnectionReport['products'][number]) =>
  product === 'dictate' && access === 'unknown' ? 'later' : access;

function ProductGrid({ products }: Pick<ConnectionReport, 'products'>) {
  const t = useText();
  return (
    <ul className={css['products']} aria-label={t('welcome.products.title')}>
      {products.map((one) => {
        const shown = accessShown(one);
        const Icon = icons[shown];
        const name = t(`welcome.products.${one.product}`);
        return (
          <li key={one.product} className={css['product']} data-access={shown}>
            <Icon aria-hidden size={16} strokeWidth={1.75} />
            <span>{shown === 'allowed' ? name : t(`welcome.products.${shown}`, { product: name })}</span>
          </li>
        );
      })}
    </ul>
  );
}

function keychainNotice(key: ConnectionState['key']): KeychainRow | null {
  if (key.store === 'environment') return null;
  // There is nothing to store yet: a warning before the first key only puts people off.
  if (key.keychain === 'no-service') return key.store === 'none' ? null : keychainRow(key);
  // What counts beside an entered key is that it is forgotten, whatever kept the keychain from taking it.
  return key.store === 'session' && keychainRow(key) !== null ? 'key-not-stored' : keychainRow(key);
}

function KeychainNotice({ row, form }: { readonly row: KeychainRow; readonly form: ConnectionFormState }) {
  const words = useFailureText();
  const actionText = useFailureActionText();
  const { title, textAfterTitle } = words(makeFailure(row));
  return (
    <Banner
      tone="warn"
      icon={KeyRound}
      title={title}
      actions={
        // Asking again makes no keychain appear, and puts no entered key into one.
        form.connection.key.store !== 'session' &&
        row !== 'keychain-missing' && (
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

/** The key itself stays in main and its own small window. */
function KeyField({ form, isNew }: { readonly form: ConnectionFormState; readonly isNew: boolean }) {
  const t = useText();
  const words = useFailureText();
  const labelId = useId();
  const hintId = useId();
  const [isForgetting, setIsForgetting] = useState(false);
  const { key } = form.connection;
  const isMissing = form.askedCount > 0 && !key.present;
  const error = form.keyFailure ? words(form.keyFailure).text : isMissing ? t('welcome.key.missing') : null;
  return (
    <fieldset aria-labelledby={labelId} aria-describedby={hintId}>
      <span id={labelId} className={field['label']}>
        {t('welcome.key.label')}
      </span>
      <div className="row gap-8 wrap">
        {key.present ? (
          <div className={cx(field['box'], css['key'])} data-invalid={error === null ? undefined : true}>
            <LockKeyhole aria-hidden size={16} strokeWidth={1.75} />
            <span className={css['masked']}>
              <VisuallyHidden>{t('welcome.key.masked', { suffix: key.maskedSuffix })}</VisuallyHidden>
              <span aria-hidden>
                <span className="subtle">••••••••••••</span>
                {key.maskedSuffix}
              </span>
            </span>
            <KeyState check={form.check} />
          </div>
        ) : (
          <span className={css['none']} data-invalid={error === null ? undefined : true}>
            {t('welcome.key.none')}
          </span>
        )}
        {key.present ? (
          <>
            <IconButton
              variant="default"
              icon={Pencil}
              label={t('welcome.key.replace')}
              onPress={() => void form.enterKey()}
            />
            <IconButton
              variant="default"
              icon={ClipboardPaste}
              label={t('welcome.key.paste')}
              onPress={() => void form.askKey('connection.pasteKey')}
            />
            {key.store !== 'environment' && (
              <IconButton
                variant="default"
                icon={Trash2}
                label={t('welcome.key.forget')}
                onPress={() => setIsForgetting(true)}
              />
            )}
          </>
        ) : (
          <>
            <Button icon={KeyRound} onPress={() => void form.enterKey()}>
              {t('welcome.key.enter')}
            </Button>
            <Button icon={ClipboardPaste} onPress={() => void form.askKey('connection.pasteKey')}>
              {t('welcome.key.paste')}
            </Button>
          </>
        )}
      </div>
      {error === null && isNew && (
        <p id={hintId} className={field['hint']}>
          {t('welcome.key.hint')}
        </p>
      )}
      {error && (
        <p role="alert" className={field['error']}>
          <CircleAlert aria-hidden size={14} strokeWidth={1.75} />
          <span>{error}</span>
        </p>
      )}
      <Question
        isDanger
        title={t('welcome.key.forgetQuestion')}
        confirm={t('welcome.key.forget')}
        isOpen={isForgetting}
        onClose={() => setIsForgetting(false)}
        onConfirm={() => void form.askKey('connection.forgetKey')}
      >
        {t('welcome.key.forgetText')}
      </Question>
    </fieldset>
  );
}

function KeyState({ check }: { readonly check: CheckState }) {
  if (check.tag === 'checking') return <CheckResult look="checking" text="welcome.key.checking" />;
  return <CheckResult {...keyStates[check.tag === 'checked' ? check.report.key : 'not-checked']} />;
}

interface CheckResultProps {
  readonly look: 'good' | 'waiting' | 'bad' | 'checking' | null;
  readonly text: ParseKeys;
}

function CheckResult({ look, text }: CheckResultProps) {
  const t = useText();
  return (
    <span className={cx('inline gap-4 rigid caption medium', look && css[look])}>
      {look === 'good' && <Check aria-hidden size={14} />}
      {look === 'checking' && <Spinner />}
      {t(text)}
    </span>
  );
}

const addressStates = {
  reached: { look: 'good', text: 'welcome.address.reached' },
  'not-reached': { look: 'waiting', text: 'welcome.address.notReached' },
  'not-this-service': { look: 'bad', text: 'welcome.address.notThisService' },
} as const satisfies Record<ConnectionReport['service'], CheckResultProps>;

const unchecked = { look: null, text: 'welcome.key.unchecked' } as const;
const keyStates = {
  accepted: { look: 'good', text: 'welcome.key.works' },
  refused: { look: 'bad', text: 'welcome.key.refused' },
  'legacy-generation': { look: 'bad', text: 'welcome.key.legacyTitle' },
  missing: unchecked,
  'not-checked': unchecked,
} as const satisfies Record<ConnectionReport['key'], CheckResultProps>;

export function UseService() {
  const t = useText();
  const words = useFailureText();
  const { choose, isChoosing, failure } = useChooseMode();
  return (
    <>
      <div>
        <Button variant="primary" icon={CloudUpload} isLoading={isChoosing} onPress={() => void choose('service')}>
          {t('shell.more.use')}
        </Button>
      </div>
      {failure !== null && (
        <Banner role="alert" tone="bad" icon={CircleAlert} title={words(failure).title}>
          {words(failure).textAfterTitle}
        </Banner>
      )}
    </>
  );
}

export type CheckState =
  | { readonly tag: 'idle' }
  | { readonly tag: 'checking' }
  | { readonly tag: 'checked'; readonly report: ConnectionReport };

type KeyRequest = 'connection.pasteKey' | 'connection.forgetKey' | 'connection.recheckKey' | 'legacyKey.adopt';

export function useConnectionForm() {
  const studio = useStudio();
  const queries = useQueryClient();
  const connection = useConnection();
  const [draft, setDraft] = useState<string | null>(null);
  const [addressFailure, setAddressFailure] = useState<Failure | null>(null);
  const [keyFailure, setKeyFailure] = useState<Failure | null>(null);
  const [askedCount, setAskedCount] = useState(0);
  const { data, isFetching, refetch } = useQuery(connectionReportQuery(studio, connection));

  const saveAddress = async (): Promise<ConnectionState | null> => {
    const typed = (draft ?? connection.serviceAddress).trim();
    if (typed === '') return null;
    if (typed === connection.serviceAddress) {
      setAddressFailure(null);
      return connection;
    }
    const answer = await studio.request('connection.setAddress', { serviceAddress: typed });
    if (!answer.ok) {
      setAddressFailure(answer.error);
      return null;
    }
    setAddressFailure(null);
    setDraft(null);
    acceptConnection(queries, studio, answer.value);
    return answer.value;
  };
  const askKey = async (method: KeyRequest) => {
    setKeyFailure(null);
    const answer = await studio.request(method, {});
    if (answer.ok) {
      acceptConnection(queries, studio, answer.value);
      await queries.invalidateQueries({ queryKey: ['connection-report'] });
    } else setKeyFailure(answer.error);
  };
  const enterKey = async () => {
    setKeyFailure(null);
    const answer = await studio.request('connection.enterKey', {});
    if (!answer.ok) setKeyFailure(answer.error);
  };
  const check: CheckState = isFetching
    ? { tag: 'checking' }
    : data
      ? { tag: 'checked', report: data }
      : { tag: 'idle' };

  return {
    connection,
    address: draft ?? connection.serviceAddress,
    setAddress: (text: string) => {
      setDraft(text);
      setAddressFailure(null);
    },
    addressFailure,
    keyFailure,
    /** How often the user tried to continue with something missing. */
    askedCount,
    askFor: () => setAskedCount((count) => count + 1),
    check,
    checkAgain: () => void refetch(),
    saveAddress,
    enterKey,
    askKey,
    adoptLegacy: () => void askKey('legacyKey.adopt'),
  };
}

export type ConnectionFormState = ReturnType<typeof useConnectionForm>;

export const connectionReportQuery = (studio: StudioClient, { serviceAddress, key }: ConnectionState) =>
  queryOptions({
    queryKey: ['connection-report', serviceAddress, key.present, key.maskedSuffix, key.store],
    queryFn: () => valueOrThrow(studio.request('connection.check', { serviceAddress: '' })),
    enabled: serviceAddress !== '',
    staleTime: 60_000,
    retry: false,
  });

export function useChooseMode() {
  const studio = useStudio();
  const queries = useQueryClient();
  const [isChoosing, setIsChoosing] = useState(false);
  const { serviceAddress, key } = useConnection();
  const now = JSON.stringify([serviceAddress, key.present, key.maskedSuffix]);
  const [failedWith, setFailedWith] = useState(now);
  const [failure, setFailure] = useState<Failure | null>(null);
  // A failure is about the address and key of its time.
  if (failedWith !== now) {
    setFailedWith(now);
    setFailure(null);
  }
  const choose = async (mode: ModeId) => {
    setIsChoosing(true);
    setFailure(null);
    const answer = await studio.request('connection.choose', { mode });
    if (answer.ok) {
      acceptConnection(queries, studio, answer.value);
      await queries.invalidateQueries({ queryKey: ['jobs'] });
    } else setFailure(answer.error);
    setIsChoosing(false);
  };
  return { choose, isChoosing, failure };
}
