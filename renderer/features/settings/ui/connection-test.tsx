import { Check, CircleAlert, CircleMinus, Copy, RefreshCw, type LucideIcon } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { makeFailure } from '../../../../shared/domain/failures/make-failure.ts';
import type { ConnectionFormState } from '../../../parts/connection/use-connection-form.ts';
import { useApp } from '../../../bridge/live-state.tsx';
import { useFailureFacts, useFailureWords } from '../../../lib/failure-words.ts';
import { useFormats, useText } from '../../../lib/text.ts';
import { Button } from '../../../ui/button.tsx';
import { useToast } from '../../../ui/toast.tsx';
import { findingsOf, type ConnectionFindings } from '../model/connection-findings.ts';
import { useConnectionTest, type TestedConnection } from '../model/use-connection-test.ts';
import css from './connection-test.module.css';
import { Hint } from './settings-group.tsx';

type Tone = 'good' | 'bad' | 'plain';
interface Line {
  readonly label: string;
  readonly text: string;
  readonly tone: Tone;
}

/** A plain report on the connection to the service and what to do, to read or to send to support. */
export function ConnectionTest({ form }: { readonly form: ConnectionFormState }) {
  const t = useText();
  const { test, isTesting, tested } = useConnectionTest();
  const testNow = async () => test((await form.saveAddress()) ?? form.connection);
  return (
    <div className={css['test']}>
      <Hint>{t('settings.connection.testHint')}</Hint>
      <div>
        <Button icon={RefreshCw} isLoading={isTesting} onPress={() => void testNow()}>
          {t(tested === null ? 'settings.connection.test' : 'settings.connection.testAgain')}
        </Button>
      </div>
      <div aria-live="polite" className={css['status']}>
        {tested !== null && <Report tested={tested} />}
      </div>
    </div>
  );
}

const icons: Readonly<Record<Tone, LucideIcon>> = { good: Check, bad: CircleAlert, plain: CircleMinus };

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
    <section ref={report} className={css['report']} aria-label={t('settings.connection.report')}>
      <dl className={css['lines']}>
        {lines.map(({ label, text: said, tone }) => {
          const Icon = icons[tone];
          return (
            <div key={label} className={css['line']} data-tone={tone}>
              <dt>
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

const tones: Readonly<Record<ConnectionFindings['service'] | ConnectionFindings['key'], Tone>> = {
  reached: 'good',
  notReached: 'bad',
  notThisService: 'bad',
  noAddress: 'bad',
  accepted: 'good',
  refused: 'bad',
  missing: 'bad',
  notChecked: 'plain',
  legacyGeneration: 'bad',
};

/** The lines of a report, and all of it as text. It contains nothing of the key, not even its last characters. */
function useReport(tested: TestedConnection) {
  const t = useText();
  const formats = useFormats();
  const words = useFailureWords();
  const factsOf = useFailureFacts();
  const { version } = useApp();
  const { serviceAddress: address } = tested;
  const found = findingsOf(tested.isOnline, tested.report);
  // Without a fault and without a key there was nothing to check.
  const failure = tested.failure ?? (found.isWell ? null : makeFailure('E-235'));
  const names = (products: ConnectionFindings['allowed']) =>
    products.length === 0
      ? t('settings.connection.none')
      : formats.list(products.map((product) => t(`welcome.products.${product}`)));
  const isAsked = found.key === 'accepted';
  const legacyKey = tested.report?.legacyKey;
  const lines: readonly Line[] = [
    {
      label: t('settings.connection.internet'),
      text: t(`settings.connection.${found.internet}`),
      tone: found.internet === 'online' ? 'good' : 'bad',
    },
    {
      label: t('settings.connection.service'),
      text: t(`settings.connection.${found.service}`, { address }),
      tone: tones[found.service],
    },
    { label: t('settings.connection.key'), text: t(`settings.connection.${found.key}`), tone: tones[found.key] },
    ...(legacyKey === undefined
      ? []
      : [
          {
            label: t('network.legacy.tested'),
            text: t(`network.legacy.states.${legacyKey === 'not-checked' ? 'notChecked' : legacyKey}`),
            tone:
              legacyKey === 'accepted'
                ? ('good' as const)
                : legacyKey === 'refused'
                  ? ('bad' as const)
                  : ('plain' as const),
          },
        ]),
    ...(isAsked
      ? (['allowed', 'denied', 'unknown'] as const)
          .filter((access) => access === 'allowed' || found[access].length > 0)
          .map((access) => ({
            label: t(`settings.connection.${access}`),
            text: names(found[access]),
            tone: access === 'allowed' && found.allowed.length > 0 ? ('good' as const) : ('plain' as const),
          }))
      : []),
    {
      label: t('settings.connection.next'),
      text: failure === null ? t('settings.connection.allWell') : words(failure).text,
      tone: found.isWell ? 'good' : 'bad',
    },
  ];
  const title = t('settings.connection.reportTitle', {
    version,
    date: formats.date(tested.atMs),
    time: formats.time(tested.atMs),
  });
  const facts = failure === null ? [] : factsOf(failure);
  const text = [
    title,
    ...lines.map(({ label, text: said }) => `${label}: ${said}`),
    ...facts.map(({ label, value }) => `${label}: ${value}`),
  ].join('\n');
  return { lines, text };
}
