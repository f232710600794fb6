import { useMutation, useQuery } from '@tanstack/react-query';
import { BarController, BarElement, CategoryScale, Chart, LinearScale, Tooltip } from 'chart.js';
import { Download, Gauge, Info, KeyRound } from 'lucide-react';
import { type ReactNode, use, useEffect, useReducer, useRef, useState } from 'react';
import {
  dayToShow,
  type ProductSpend,
  type Spent,
  spentInAll,
  spentOf,
  type UsageReport,
  wholePercents,
} from '../../../../shared/domain/account/usage-report.ts';
import { type UsagePeriod, usagePeriods } from '../../../../shared/domain/ledger/usage-by-day.ts';
import { useConnection } from '../../../bridge/live-state.tsx';
import { failureOf, valueOrThrow } from '../../../bridge/request-error.ts';
import { useStudio } from '../../../bridge/studio-context.tsx';
import { Scope } from '../../../lib/scope.ts';
import { useFormats, useText } from '../../../lib/text.ts';
import { Banner } from '../../../ui/banner.tsx';
import { Button } from '../../../ui/button.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { Segmented } from '../../../ui/segmented.tsx';
import { useToast } from '../../../ui/toast.tsx';
import frameCss from '../account.module.css';
import { AccountFrame, ForDevelopers, type AccountPageProps } from '../frame.tsx';
import { useLatency } from '../log/log-row.tsx';
import { AccountFailure, useHasToken } from '../token.tsx';
import css from './usage.module.css';

export function UsagePage({ onPage }: AccountPageProps) {
  const t = useText();
  const studio = useStudio();
  const { mode, accountToken } = useConnection();
  const hasToken = useHasToken();
  const { isOpen } = use(ForDevelopers);
  const [days, setDays] = useState<UsagePeriod>(30);
  const [isHereWanted, setIsHereWanted] = useState(false);
  const from = hasToken && !isHereWanted ? 'service' : 'computer';
  const { data, error, refetch, isPending } = useQuery({
    queryKey: ['account', 'usage', mode, accountToken.maskedSuffix, from, days],
    queryFn: () => valueOrThrow(studio.request('usage.days', { days, from })),
    refetchOnMount: 'always',
    retry: false,
  });
  const showToast = useToast();
  const saving = useMutation({
    mutationFn: () => valueOrThrow(studio.request('usage.saveCsv', { days, from })),
    onSuccess: ({ savedAs }) => {
      if (savedAs !== null) showToast({ text: t('exports.saved', { name: savedAs }) });
    },
  });
  const failure = failureOf(error) ?? failureOf(saving.error);
  return (
    <AccountFrame
      page="usage"
      onPage={onPage}
      actions={
        <>
          <Segmented
            label={t('account.period')}
            options={usagePeriods.map((count) => ({ value: String(count), text: t('account.days', { count }) }))}
            value={String(days)}
            onChange={(value) => setDays(usagePeriods.find((one) => String(one) === value) ?? days)}
          />
          <Button
            icon={Download}
            isLoading={saving.isPending}
            isDisabled={!data || data.requests === 0}
            onPress={() => saving.mutate()}
          >
            {t('account.exportCsv')}
          </Button>
        </>
      }
    >
      {failure && (
        <AccountFailure
          failure={failure}
          onRetry={() => {
            if (error === null) saving.mutate();
            else void refetch();
          }}
        />
      )}
      {from === 'computer' && (
        <div className={frameCss['notice']}>
          <Banner
            tone="info"
            icon={Info}
            title={t('account.countedHere')}
            actions={
              hasToken ? (
                <Button size="sm" onPress={() => setIsHereWanted(false)}>
                  {t('account.showAccount')}
                </Button>
              ) : (
                <Button size="sm" icon={KeyRound} onPress={() => void studio.request('accountToken.enter', {})}>
                  {t('account.token.enter')}
                </Button>
              )
            }
          >
            {!hasToken && (data?.unreported ?? 0) > 0 && t('account.token.reveals')}
          </Banner>
        </div>
      )}
      {isPending && !failure && <output className={css['busy']}>{t('account.reading')}</output>}
      {failure !== null && from === 'service' && (
        <div className={css['instead']}>
          <Button onPress={() => setIsHereWanted(true)}>{t('account.showComputer')}</Button>
        </div>
      )}
      {data &&
        (data.requests === 0 ? (
          <EmptyState icon={Gauge} title={t('account.empty.title')}>
            {t('account.empty.text')}
          </EmptyState>
        ) : (
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls has to be reached by keys
          <section className={css['content']} tabIndex={0} aria-label={t('account.overview')}>
            <UsageCards report={data} />
            {data.credits > 0 && <UsageChart report={data} />}
            <ProductTable report={data} />
            <DayTable report={data} />
            {isOpen && <DeveloperCards report={data} />}
            {from === 'service' && (
              <p className="rigid small muted">
                {t('account.countedByService')}{' '}
                <Button variant="ghost" size="sm" onPress={() => setIsHereWanted(true)}>
                  {t('account.showComputer')}
                </Button>
              </p>
            )}
          </section>
        ))}
    </AccountFrame>
  );
}

/** What has no known cost is not nothing. */
function useSpent(): (spent: Spent) => string {
  const t = useText();
  const formats = useFormats();
  return ({ credits, is }) => {
    const amount = formats.credits(credits);
    if (is === 'unknown') return t('account.costUnknown');
    if (is === 'exact') return amount;
    return t(is === 'about' ? 'account.costAbout' : 'account.atLeast', { amount });
  };
}

function Card({
  label,
  value,
  children,
}: {
  readonly label: string;
  readonly value: string;
  readonly children?: ReactNode;
}) {
  return (
    <div className="card">
      <dt className="small muted">{label}</dt>
      <dd className={css['value']}>{value}</dd>
      {children && <dd className="small muted">{children}</dd>}
    </div>
  );
}

function UsageCards({ report }: { readonly report: UsageReport }) {
  const { credits, creditsBefore, service } = report;
  const t = useText();
  const formats = useFormats();
  const spent = useSpent();
  return (
    <dl className={css['cards']}>
      <Card label={t('account.credits')} value={spent(spentInAll(report))}>
        <Change now={credits} before={creditsBefore} />
      </Card>
      {service !== null && service.audioMs !== null && (
        <Card label={t('account.audio')} value={formats.duration(service.audioMs)}>
          {t('account.audioNote')}
        </Card>
      )}
    </dl>
  );
}

function DeveloperCards({ report }: { readonly report: UsageReport }) {
  const t = useText();
  const formats = useFormats();
  const latency = useLatency();
  const { requests, unreported, service } = report;
  const failedCount = service?.failedRequests ?? 0;
  const said = [
    ...(service?.successRate == null ? [] : [t('account.succeeded', { share: formats.percent(service.successRate) })]),
    t('account.readsIncluded'),
  ];
  return (
    <dl className={css['cards']}>
      <Card label={t('account.requests')} value={formats.number(requests)}>
        {service !== null && said.join(', ')}
      </Card>
      {service === null && <Card label={t('account.unreported')} value={formats.number(unreported)} />}
      {service !== null && service.averageLatencyMs !== null && (
        <Card label={t('account.average')} value={latency(Math.round(service.averageLatencyMs))}>
          {failedCount > 0 && <a href="#/account/log">{t('account.failedCount', { count: failedCount })}</a>}
        </Card>
      )}
    </dl>
  );
}

function Change({ now, before }: { readonly now: number; readonly before: number | null }) {
  const t = useText();
  const formats = useFormats();
  if (before === null || before === 0) return null;
  const share = formats.percent(Math.min(1, Math.abs(now - before) / before));
  if (now === before) return t('account.change.same');
  const times = Math.round((now / before) * 10) / 10;
  if (times > 2) return t('account.change.times', { count: times, times: formats.number(times) });
  return t(now < before ? 'account.change.less' : 'account.change.more', { share });
}

Chart.register(BarController, BarElement, CategoryScale, LinearScale, Tooltip);

/** Resolved by the browser, because a canvas does not support `light-dark()`. */
const colourOf = (element: Element | null | undefined): string =>
  element ? getComputedStyle(element).backgroundColor : '#00716e';

function useThemeCount(): number {
  const [count, changed] = useReducer((before: number) => before + 1, 0);
  useEffect(() => {
    const scope = new Scope();
    scope.listen(matchMedia('(prefers-color-scheme: dark)'), 'change', changed);
    const watch = new MutationObserver(changed);
    watch.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme', 'data-contrast'] });
    return () => {
      watch.disconnect();
      scope.dispose();
    };
  }, []);
  return count;
}

function UsageChart({ report }: { readonly report: UsageReport }) {
  const t = useText();
  const formats = useFormats();
  const nameOf = useProductName();
  const canvas = useRef<HTMLCanvasElement>(null);
  const figure = useRef<HTMLElement>(null);
  const themeCount = useThemeCount();
  const { days, products } = report;
  const isByProduct = days.some((day) => day.products.length > 0);
  const shown = isByProduct ? products.map(({ product }) => product) : [];
  const highest = days.reduce((most, day) => (day.credits > most.credits ? day : most), days[0] ?? emptyDay);

  useEffect(() => {
    if (canvas.current === null || figure.current === null) return undefined;
    const swatches = [...figure.current.querySelectorAll('[data-swatch]')];
    const style = getComputedStyle(figure.current);
    const tipStyle = getComputedStyle(figure.current.querySelector('[data-tip]') ?? figure.current);
    const line = style.borderTopColor;
    const common = { borderRadius: 2, borderSkipped: false as const, maxBarThickness: 28, categoryPercentage: 0.78 };
    const bars = isByProduct
      ? shown.map((product) => ({
          label: nameOf(product),
          data: days.map((day) => day.products.find((one) => one.product === product)?.credits ?? 0),
        }))
      : [{ label: t('account.credits'), data: days.map(({ credits }) => credits) }];
    const datasets = bars.map((bar, at) => ({ ...common, ...bar, backgroundColor: colourOf(swatches[at]) }));
    const font = { family: style.fontFamily, size: 11 };
    const chart = new Chart(canvas.current, {
      type: 'bar',
      data: { labels: days.map(({ fromMs }) => formats.day(dayToShow(report, fromMs))), datasets },
      options: {
        animation: false,
        maintainAspectRatio: false,
        interaction: { mode: 'index', intersect: false },
        plugins: {
          tooltip: {
            backgroundColor: tipStyle.backgroundColor,
            titleColor: tipStyle.color,
            bodyColor: tipStyle.color,
            titleFont: { ...font, weight: 'bold' },
            bodyFont: font,
            padding: 8,
            cornerRadius: 6,
            boxPadding: 4,
            filter: ({ parsed }) => parsed.y !== 0,
            callbacks: { label: ({ dataset, parsed }) => `${dataset.label ?? ''}: ${formats.number(parsed.y ?? 0)}` },
          },
        },
        scales: {
          x: {
            stacked: true,
            grid: { display: false },
            border: { display: false },
            ticks: { color: style.color, font, maxRotation: 0, autoSkip: true, autoSkipPadding: 48 },
          },
          y: {
            stacked: true,
            beginAtZero: true,
            border: { display: false, dash: [3, 3] },
            grid: { color: line, drawTicks: false },
            ticks: {
              color: style.color,
              font,
              maxTicksLimit: 5,
              padding: 8,
              callback: (value) => formats.number(Number(value)),
            },
          },
        },
      },
    });
    return () => chart.destroy();
    // The words and formats change with the language, and the component is drawn again then.
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- functions of the language are new with each draw
  }, [report, isByProduct, themeCount, t]);

  return (
    <figure ref={figure} className={css['chart']}>
      <figcaption>
        <b>{t('account.creditsPerDay')}</b>
        <ul className={css['legend']}>
          {(isByProduct ? shown.map((product) => nameOf(product)) : [t('account.credits')]).map((name, at) => (
            <li key={name} className="row gap-6">
              <i aria-hidden data-swatch className={css[`c${String(at % 6)}`]} />
              {name}
            </li>
          ))}
        </ul>
      </figcaption>
      <span aria-hidden hidden data-tip className={css['tip']} />
      <div className={css['canvas']}>
        <canvas
          ref={canvas}
          // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- what is drawn here is no file
          role="img"
          aria-label={t('account.chartLabel', {
            from: formats.date(dayToShow(report, days[0]?.fromMs ?? 0)),
            to: formats.date(dayToShow(report, days.at(-1)?.fromMs ?? 0)),
            most: formats.number(highest.credits),
            day: formats.date(dayToShow(report, highest.fromMs)),
          })}
        />
      </div>
    </figure>
  );
}

const emptyDay = { fromMs: 0, credits: 0, requests: 0, products: [] };

function ProductTable({ report }: { readonly report: UsageReport }) {
  const t = useText();
  const formats = useFormats();
  const nameOf = useProductName();
  const spent = useSpent();
  // The cost of the only feature is the sum above.
  const hasMany = report.products.length > 1;
  const percents = wholePercents(report.products.map(({ credits }) => credits));
  // What was spent is not called nothing.
  const shareOf = (percent: number, credits: number) =>
    report.unreported > 0
      ? ''
      : percent === 0 && credits > 0
        ? `<${formats.percent(0.01)}`
        : formats.percent(percent / 100);
  const amountOf = ({ audioMs, characters, requests }: ProductSpend): string => {
    if (audioMs !== null && audioMs > 0) return formats.duration(audioMs);
    if (characters !== null && characters > 0) return t('account.characters', { count: characters });
    return t('account.requestCount', { count: requests });
  };
  return (
    <table className={css['table']}>
      <caption>{t('account.byProduct')}</caption>
      <thead>
        <tr>
          <th scope="col">{t('account.product')}</th>
          {hasMany && (
            <th scope="col" className={css['share']}>
              {t('account.share')}
            </th>
          )}
          <th scope="col">{t('account.amount')}</th>
          {hasMany && <th scope="col">{t('account.credits')}</th>}
        </tr>
      </thead>
      <tbody>
        {report.products.map((one, at) => (
          <tr key={one.product}>
            <th scope="row">
              <i aria-hidden className={css[`c${String(at % 6)}`]} />
              {nameOf(one.product)}
            </th>
            {hasMany && (
              <td className={css['share']}>
                <span className={css['percent']}>{shareOf(percents[at] ?? 0, one.credits)}</span>
                <span aria-hidden className={css['track']}>
                  <i className={css[`c${String(at % 6)}`]} style={{ inlineSize: `${String(percents[at] ?? 0)}%` }} />
                </span>
              </td>
            )}
            <td className="small muted">{amountOf(one)}</td>
            {hasMany && <td>{spent(spentOf(one))}</td>}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function DayTable({ report }: { readonly report: UsageReport }) {
  const t = useText();
  const formats = useFormats();
  const spent = useSpent();
  const busy = report.days.filter(({ requests }) => requests > 0);
  // The cost of the only day is the sum above.
  if (busy.length < 2) return null;
  return (
    <table className={css['table']}>
      <caption>{t('account.byDay')}</caption>
      <thead>
        <tr>
          <th scope="col">{t('account.day')}</th>
          <th scope="col">{t('account.credits')}</th>
        </tr>
      </thead>
      <tbody>
        {busy.toReversed().map((day) => (
          <tr key={day.fromMs}>
            <th scope="row">{formats.date(dayToShow(report, day.fromMs))}</th>
            <td>{spent(spentInAll(day))}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const named = [
  'transcribe',
  'dictate',
  'live',
  'speak',
  'isolate',
  'voices',
  'clone',
  'ask',
  'webhooks',
  'account',
  'usage',
] as const;

function useProductName(): (product: string) => string {
  const t = useText();
  return (product) => {
    const known = named.find((name) => name === product);
    return known === undefined ? product : t(`account.products.${known}`);
  };
}
