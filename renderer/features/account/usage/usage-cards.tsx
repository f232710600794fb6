import type { ReactNode } from 'react';
import type { UsageReport } from '../../../../shared/domain/account/usage-report.ts';
import { useFormats, useText } from '../../../lib/text.ts';
import { TextLink } from '../../../ui/text-link.tsx';
import { useLatency } from '../log/log-row.tsx';
import css from './usage.module.css';

interface Card {
  readonly label: string;
  readonly value: string;
  readonly note: ReactNode;
}

/** The totals of a period; figures that only the service has are left out when this computer counted. */
export function UsageCards({ report, onLog }: { readonly report: UsageReport; readonly onLog: () => void }) {
  const t = useText();
  const formats = useFormats();
  const latency = useLatency();
  const { credits, creditsBefore, requests, unreported, service } = report;
  const cards: readonly (Card | null)[] = [
    {
      label: t('account.credits'),
      // What has no known cost is not nothing.
      value: unreported > 0 ? t('account.atLeast', { amount: formats.credits(credits) }) : formats.credits(credits),
      note: <Change now={credits} before={creditsBefore} />,
    },
    service === null || service.audioMs === null
      ? null
      : { label: t('account.audio'), value: formats.duration(service.audioMs), note: t('account.audioNote') },
    {
      label: t('account.requests'),
      value: formats.number(requests),
      note:
        service === null
          ? null
          : [
              ...(service.successRate === null
                ? []
                : [t('account.succeeded', { share: formats.percent(service.successRate) })]),
              t('account.readsIncluded'),
            ].join(', '),
    },
    service === null
      ? { label: t('account.unreported'), value: formats.number(unreported), note: null }
      : service.averageLatencyMs === null
        ? null
        : {
            label: t('account.average'),
            value: latency(Math.round(service.averageLatencyMs)),
            note:
              (service.failedRequests ?? 0) === 0 ? null : (
                <TextLink onPress={onLog}>{t('account.failedCount', { count: service.failedRequests ?? 0 })}</TextLink>
              ),
          },
  ];
  return (
    <dl className={css['cards']}>
      {cards
        .filter((card) => card !== null)
        .map(({ label, value, note }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd className={css['value']}>{value}</dd>
            {note !== null && <dd className={css['note']}>{note}</dd>}
          </div>
        ))}
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
