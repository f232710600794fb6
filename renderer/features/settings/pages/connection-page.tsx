import {
  type ConnectionFormState,
  connectionReportQuery,
  useChooseMode,
  useConnectionForm,
  ConnectionForm,
  PracticeState,
  accessShown,
} from '../../../parts/connection/connection-form.tsx';
import { useQueryClient } from '@tanstack/react-query';
import { Check, CircleAlert, CircleMinus, ClipboardPaste, Copy, KeyRound, RefreshCw, Trash2 } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { makeFailure } from '../../../../shared/domain/failures/make-failure.ts';
import { modeIds } from '../../../../shared/domain/modes.ts';
import { spendLimits } from '../../../../shared/domain/spend/spend-limit.ts';
import type { Failure } from '../../../../shared/result/failure.ts';
import { acceptConnection, acceptSettings, useApp, useConnection, useSettings } from '../../../bridge/live-state.tsx';
import { useStudio } from '../../../bridge/studio-context.tsx';
import type { ConnectionReport, ConnectionState } from '../../../bridge/types.ts';
import { useFailureFacts, useFailureText } from '../../../lib/failure-text.ts';
import { useFormats, useText } from '../../../lib/text.ts';
import { ProxyFields, ProxyModes, useProxyForm } from '../../../parts/connection/proxy-form.tsx';
import { Button } from '../../../ui/button.tsx';
import { Question } from '../../../ui/dialog.tsx';
import { Field } from '../../../ui/field.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { Segmented } from '../../../ui/segmented.tsx';
import { useToast } from '../../../ui/toast.tsx';
import testCss from '../ui/connection-test.module.css';
import {
  ChoiceSetting,
  Setting,
  SettingFailure,
  SettingRow,
  SettingsFold,
  SettingsGroup,
} from '../ui/settings-group.tsx';
import css from '../ui/settings-pages.module.css';

const hourMs = 3_600_000;
const uploadCounts = [1, 2, 4, 8];

export function ConnectionPage() {
  const t = useText();
  const { mode } = useConnection();
  const { uploadsAtOnce } = useSettings();
  const chooseMode = useChooseMode();
  const form = useConnectionForm();
  const proxy = useProxyForm();
  return (
    <>
      <SettingsGroup title={t('settings.connection.modeGroup')}>
        {mode !== 'unset' && (
          <Setting name="mode">
            <SettingRow label={t('settings.connection.mode')} hint={t('settings.connection.modeHint')}>
              <Segmented
                label={t('settings.connection.mode')}
                options={modeIds.map((value) => ({ value, text: t(`settings.connection.modes.${value}`) }))}
                value={mode}
                onChange={(next) => void chooseMode.choose(next)}
              />
            </SettingRow>
          </Setting>
        )}
        <PracticeState failure={chooseMode.failure} />
      </SettingsGroup>
      <SettingsGroup title={t('settings.connection.serviceGroup')} name="service">
        <div className={css['connectionForm']}>
          <ConnectionForm form={form} onAdoptLegacy={form.adoptLegacy} />
        </div>
      </SettingsGroup>
      <SettingsGroup title={t('network.spend.group')}>
        <SpendLimit />
      </SettingsGroup>
      <SettingsGroup title={t('network.proxy.group')}>
        <Setting name="proxy">
          <SettingRow label={t('network.proxy.title')} hint={t('network.proxy.hint')}>
            <ProxyModes form={proxy} />
          </SettingRow>
          <ProxyFields form={proxy} />
        </Setting>
      </SettingsGroup>
      <SettingsGroup title={t('settings.connection.testGroup')} name="test">
        <ConnectionTest form={form} />
      </SettingsGroup>
      <SettingsFold title={t('account.developers')}>
        <SettingsGroup title={t('network.places.group')} name="places">
          <StreamPlaces />
        </SettingsGroup>
        <SettingsGroup title={t('network.legacy.group')} name="legacyKey">
          <LegacyKey />
        </SettingsGroup>
        <SettingsGroup title={t('network.tools.group')}>
          <ChoiceSetting
            name="tools"
            of="toolRights"
            choices={['ask', 'act']}
            textOf={(rights) => t(`network.tools.${rights}`)}
            reportsRefusal
          />
          <ChoiceSetting
            name="uploads"
            of="uploadsAtOnce"
            choices={[...new Set([...uploadCounts, uploadsAtOnce])].toSorted((one, other) => one - other)}
            textOf={String}
          />
        </SettingsGroup>
      </SettingsFold>
    </>
  );
}

type Place = 'streamAddress' | 'callHost';

function StreamPlaces() {
  const t = useText();
  const studio = useStudio();
  const queries = useQueryClient();
  const settings = useSettings();
  const { legacyKey } = useConnection();
  const [typed, setTyped] = useState({ streamAddress: settings.streamAddress, callHost: settings.callHost });
  const words = useFailureText();
  const [refused, setRefused] = useState<{ readonly place: Place; readonly failure: Failure } | null>(null);
  const save = async (place: Place) => {
    if (typed[place].trim() === settings[place]) {
      setRefused(null);
      return;
    }
    // The other one may be half written.
    const isStream = place === 'streamAddress';
    const streamAddress = (isStream ? typed : settings).streamAddress;
    const callHost = (isStream ? settings : typed).callHost;
    const answer = await studio.request('connection.setPlaces', { streamAddress, callHost });
    if (!answer.ok) {
      setRefused({ place, failure: answer.error });
      return;
    }
    acceptSettings(queries, studio, answer.value);
    setTyped((before) => ({ ...before, [place]: answer.value[place] }));
    setRefused(null);
  };
  const errorOf = (place: Place, bad: string): string | null => {
    if (refused?.place !== place) return null;
    return refused.failure.kind === 'address-invalid'
      ? `${bad} ${t('network.places.oldKept')}`
      : words(refused.failure).text;
  };
  const field = (place: Place, label: string, placeholder: string, bad: string) => (
    <Field
      label={label}
      placeholder={placeholder}
      value={typed[place]}
      onChange={(text) => setTyped((before) => ({ ...before, [place]: text }))}
      onBlur={() => void save(place)}
      onEnter={() => void save(place)}
      error={errorOf(place, bad)}
    />
  );
  return (
    <div className={css['placeFields']}>
      {field('streamAddress', t('network.places.stream'), 'wss://live.example.com', t('network.places.streamBad'))}
      {legacyKey.present &&
        field('callHost', t('network.places.host'), 'grpc.example.com:443', t('network.places.hostBad'))}
      <p className="fine muted">{t('network.places.hint')}</p>
    </div>
  );
}

function LegacyKey() {
  const t = useText();
  const studio = useStudio();
  const queries = useQueryClient();
  const { legacyKey } = useConnection();
  const [failure, setFailure] = useState<Failure | null>(null);
  const [isForgetting, setIsForgetting] = useState(false);
  const ask = async (method: 'legacyKey.paste' | 'legacyKey.forget') => {
    setFailure(null);
    const answer = await studio.request(method, {});
    if (answer.ok) {
      acceptConnection(queries, studio, answer.value);
      await queries.invalidateQueries({ queryKey: ['connection-report'] });
    } else setFailure(answer.error);
  };
  return (
    <>
      <SettingRow label={t('network.legacy.title')} hint={t('network.legacy.hint')}>
        <span className={css['keyState']}>
          {legacyKey.present
            ? t('network.legacy.masked', { suffix: legacyKey.maskedSuffix })
            : t('network.legacy.none')}
        </span>
        <Button icon={KeyRound} onPress={() => void studio.request('legacyKey.enter', {})}>
          {t('network.legacy.enter')}
        </Button>
        <IconButton
          variant="default"
          icon={ClipboardPaste}
          label={t('network.legacy.paste')}
          onPress={() => void ask('legacyKey.paste')}
        />
        {legacyKey.present && (
          <IconButton
            variant="default"
            icon={Trash2}
            label={t('network.legacy.forget')}
            onPress={() => setIsForgetting(true)}
          />
        )}
      </SettingRow>
      <SettingFailure failure={failure} />
      <Question
        isDanger
        title={t('network.legacy.forgetQuestion')}
        confirm={t('network.legacy.forget')}
        isOpen={isForgetting}
        onClose={() => setIsForgetting(false)}
        onConfirm={() => void ask('legacyKey.forget')}
      >
        {t('network.legacy.forgetText')}
      </Question>
    </>
  );
}

function SpendLimit() {
  const t = useText();
  const formats = useFormats();
  const { spendLimitMinutes } = useSettings();
  return (
    <ChoiceSetting
      name="spend"
      of="spendLimitMinutes"
      // A value from an older version or a manual edit is shown too.
      choices={spendLimits.includes(spendLimitMinutes) ? spendLimits : [spendLimitMinutes, ...spendLimits]}
      textOf={(limit) =>
        limit === null
          ? t('network.spend.never')
          : limit === 0
            ? t('network.spend.each')
            : formats.duration((limit * hourMs) / 60)
      }
      reportsRefusal
    />
  );
}

const services = { reached: 'reached', 'not-reached': 'notReached', 'not-this-service': 'notThisService' } as const;
const keys = {
  accepted: 'accepted',
  refused: 'refused',
  missing: 'missing',
  'not-checked': 'notChecked',
  'legacy-generation': 'legacyGeneration',
} as const;

const icons = { good: Check, bad: CircleAlert, plain: CircleMinus } as const;
type Line = readonly [label: string, text: string, tone: keyof typeof icons];
const toneOf = (state: string) =>
  state === 'reached' || state === 'accepted' ? 'good' : state === 'notChecked' ? 'plain' : 'bad';

/** A test with its input: the report stays valid while address and key change below it. */
interface TestedConnection {
  readonly atMs: number;
  readonly connection: ConnectionState;
  /** Null: there was no usable address. */
  readonly report: ConnectionReport | null;
  readonly failure: Failure | null;
}

function ConnectionTest({ form }: { readonly form: ConnectionFormState }) {
  const t = useText();
  const studio = useStudio();
  const queries = useQueryClient();
  const [isTesting, setIsTesting] = useState(false);
  const [tested, setTested] = useState<TestedConnection | null>(null);
  const test = async () => {
    const connection = (await form.saveAddress()) ?? form.connection;
    setIsTesting(true);
    const answer = await studio.request('connection.check', { serviceAddress: '' });
    if (answer.ok) queries.setQueryData(connectionReportQuery(studio, connection).queryKey, answer.value);
    const report = answer.ok ? answer.value : null;
    setTested({ atMs: Date.now(), connection, report, failure: answer.ok ? answer.value.failure : answer.error });
    setIsTesting(false);
  };
  return (
    <div className={testCss['test']}>
      <div>
        <Button icon={RefreshCw} isLoading={isTesting} onPress={() => void test()}>
          {t(tested === null ? 'settings.connection.test' : 'settings.connection.testAgain')}
        </Button>
      </div>
      <div aria-live="polite" className={testCss['status']}>
        {tested !== null && <Report tested={tested} />}
      </div>
    </div>
  );
}

function Report({ tested }: { readonly tested: TestedConnection }) {
  const t = useText();
  const showToast = useToast();
  const { lines, text } = useReport(tested);
  // It appears below the button, at the end of a page that may end there.
  const report = useRef<HTMLElement>(null);
  useEffect(() => report.current?.scrollIntoView({ block: 'nearest' }), [tested]);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    showToast({ text: t('settings.connection.copied') });
  };
  return (
    <section ref={report} className={testCss['report']} aria-label={t('settings.connection.report')}>
      <dl className="full">
        {lines.map(([label, said, tone]) => {
          const Icon = icons[tone];
          return (
            <div key={label} className={testCss['line']} data-tone={tone}>
              <dt className="flex gap-8 top medium">
                <Icon aria-hidden size={16} strokeWidth={1.75} />
                <span>{label}</span>
              </dt>
              <dd>{said}</dd>
            </div>
          );
        })}
      </dl>
      <Button size="sm" icon={Copy} onPress={() => void copy()}>
        {t('settings.connection.copyReport')}
      </Button>
    </section>
  );
}

/** The lines of a report, and all of it as text. It contains nothing of the key, not even its last characters. */
function useReport({ atMs, connection, report, failure: refused }: TestedConnection) {
  const t = useText();
  const formats = useFormats();
  const words = useFailureText();
  const factsOf = useFailureFacts();
  const { version } = useApp();
  const { isOnline, serviceAddress: address } = connection;
  const service = report === null ? 'noAddress' : services[report.service];
  const key = report === null ? 'notChecked' : keys[report.key];
  const isWell = service === 'reached' && key === 'accepted' && report?.failure === null;
  // Without a fault and without a key there was nothing to check.
  const failure = refused ?? (isWell ? null : makeFailure('key-missing'));
  const legacyKey = report?.legacyKey;
  const legacy = legacyKey === 'not-checked' ? 'notChecked' : legacyKey;
  const lines: readonly Line[] = [
    [
      t('settings.connection.internet'),
      t(isOnline ? 'settings.connection.online' : 'settings.connection.offline'),
      isOnline ? 'good' : 'bad',
    ],
    [t('settings.connection.service'), t(`settings.connection.${service}`, { address }), toneOf(service)],
    [t('settings.connection.key'), t(`settings.connection.${key}`), toneOf(key)],
    ...(legacy === undefined
      ? []
      : [[t('network.legacy.tested'), t(`network.legacy.states.${legacy}`), toneOf(legacy)] as const]),
    ...(['allowed', 'denied', 'unknown', 'later'] as const).flatMap((access): Line[] => {
      const products = report?.products.filter((one) => accessShown(one) === access) ?? [];
      if (key !== 'accepted' || (products.length === 0 && access !== 'allowed')) return [];
      const names = formats.list(products.map(({ product }) => t(`welcome.products.${product}`)));
      const tone = access === 'allowed' && products.length > 0 ? 'good' : 'plain';
      return [[t(`settings.connection.${access}`), names || t('settings.connection.none'), tone]];
    }),
    [
      t('settings.connection.next'),
      failure === null ? t('settings.connection.allWell') : words(failure).text,
      isWell ? 'good' : 'bad',
    ],
  ];
  const [date, time] = [formats.date(atMs), formats.time(atMs)];
  const text = [
    t('settings.connection.reportTitle', { version, date, time }),
    ...lines.map(([label, said]) => `${label}: ${said}`),
    ...(failure === null ? [] : factsOf(failure)).map(({ label, value }) => `${label}: ${value}`),
  ].join('\n');
  return { lines, text };
}
