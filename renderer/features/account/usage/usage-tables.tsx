import {
  dayToShow,
  wholePercents,
  type ProductSpend,
  type UsageReport,
} from '../../../../shared/domain/account/usage-report.ts';
import { useFormats, useText } from '../../../lib/text.ts';
import css from './usage.module.css';

/** The usage of each feature, and its share of all credits. */
export function ProductTable({ report }: { readonly report: UsageReport }) {
  const t = useText();
  const formats = useFormats();
  const nameOf = useProductName();
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
  const costOf = ({ credits, requests, unreported, expected = 0 }: UsageReport['products'][number]): string => {
    if (expected > 0) return t('account.costAbout', { amount: formats.credits(credits + expected) });
    return unreported === requests ? t('account.costUnknown') : formats.credits(credits);
  };
  return (
    <table className={css['table']}>
      <caption>{t('account.byProduct')}</caption>
      <thead>
        <tr>
          <th scope="col">{t('account.product')}</th>
          <th scope="col" className={css['share']}>
            {t('account.share')}
          </th>
          <th scope="col">{t('account.amount')}</th>
          <th scope="col">{t('account.credits')}</th>
        </tr>
      </thead>
      <tbody>
        {report.products.map((one, at) => (
          <tr key={one.product}>
            <th scope="row">
              <i aria-hidden className={css[`c${String(at % 6)}`]} />
              {nameOf(one.product)}
            </th>
            <td className={css['share']}>
              <span className={css['percent']}>{shareOf(percents[at] ?? 0, one.credits)}</span>
              <span aria-hidden className={css['track']}>
                <i className={css[`c${String(at % 6)}`]} style={{ inlineSize: `${String(percents[at] ?? 0)}%` }} />
              </span>
            </td>
            <td className={css['amount']}>{amountOf(one)}</td>
            <td>{costOf(one)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The chart as text, most recent day first; days without usage are left out. */
export function DayTable({ report }: { readonly report: UsageReport }) {
  const t = useText();
  const formats = useFormats();
  return (
    <table className={css['table']}>
      <caption>{t('account.byDay')}</caption>
      <thead>
        <tr>
          <th scope="col">{t('account.day')}</th>
          <th scope="col">{t('account.requests')}</th>
          <th scope="col">{t('account.credits')}</th>
        </tr>
      </thead>
      <tbody>
        {report.days
          .filter(({ requests }) => requests > 0)
          .toReversed()
          .map(({ fromMs, requests, credits }) => (
            <tr key={fromMs}>
              <th scope="row">{formats.date(dayToShow(report, fromMs))}</th>
              <td>{formats.number(requests)}</td>
              <td>
                {report.unreported > 0
                  ? t('account.atLeast', { amount: formats.credits(credits) })
                  : formats.credits(credits)}
              </td>
            </tr>
          ))}
      </tbody>
    </table>
  );
}

const named = [
  'transcribe',
  'dictate',
  'speak',
  'isolate',
  'voices',
  'clone',
  'ask',
  'webhooks',
  'account',
  'usage',
] as const;

/** The name of a feature in the language of the interface; an unknown one keeps the service's name. */
export function useProductName(): (product: string) => string {
  const t = useText();
  return (product) => {
    const known = named.find((name) => name === product);
    return known === undefined ? product : t(`account.products.${known}`);
  };
}
