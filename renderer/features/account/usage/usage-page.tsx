import { useMutation, useQuery } from '@tanstack/react-query';
import { Download, Gauge, Info, KeyRound } from 'lucide-react';
import { useState } from 'react';
import { usagePeriods, type UsagePeriod } from '../../../../shared/domain/ledger/usage-by-day.ts';
import type { UsageReport } from '../../../../shared/domain/account/usage-report.ts';
import { failureOf, valueOrThrow } from '../../../bridge/request-error.ts';
import { useConnection } from '../../../bridge/live-state.tsx';
import { useStudio } from '../../../bridge/studio-context.tsx';
import { useText } from '../../../lib/text.ts';
import { Banner } from '../../../ui/banner.tsx';
import { Button } from '../../../ui/button.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { Segmented } from '../../../ui/segmented.tsx';
import { useToast } from '../../../ui/toast.tsx';
import frameCss from '../account.module.css';
import { AccountFrame, type AccountPageProps } from '../frame.tsx';
import { AccountFailure, useHasToken } from '../token.tsx';
import { UsageCards } from './usage-cards.tsx';
import { UsageChart } from './usage-chart.tsx';
import { DayTable, ProductTable } from './usage-tables.tsx';
import css from './usage.module.css';

const isPeriod = (value: number): value is UsagePeriod => usagePeriods.some((one) => one === value);

/** Usage: of the whole account where the service can be asked, otherwise of this computer. */
export function UsagePage({ onPage }: AccountPageProps) {
  const t = useText();
  const studio = useStudio();
  const { mode, accountToken } = useConnection();
  const hasToken = useHasToken();
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
            onChange={(value) => {
              if (isPeriod(Number(value))) setDays(Number(value) as UsagePeriod);
            }}
          />
          <Button
            icon={Download}
            isLoading={saving.isPending}
            isDisabled={!data || data.requests === 0}
            onPress={() => {
              saving.mutate();
            }}
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
                <Button
                  size="sm"
                  onPress={() => {
                    setIsHereWanted(false);
                  }}
                >
                  {t('account.showAccount')}
                </Button>
              ) : (
                <Button size="sm" icon={KeyRound} onPress={() => void studio.request('accountToken.enter', {})}>
                  {t('account.token.enter')}
                </Button>
              )
            }
          />
        </div>
      )}
      {isPending && !failure && <output className={css['busy']}>{t('account.reading')}</output>}
      {failure !== null && from === 'service' && (
        <div className={css['instead']}>
          <Button
            onPress={() => {
              setIsHereWanted(true);
            }}
          >
            {t('account.showComputer')}
          </Button>
        </div>
      )}
      {data &&
        (data.requests === 0 ? (
          <EmptyState icon={Gauge} title={t('account.empty.title')}>
            {t('account.empty.text')}
          </EmptyState>
        ) : (
          <Used
            report={data}
            onLog={() => {
              onPage('log');
            }}
            onComputer={
              from === 'service'
                ? () => {
                    setIsHereWanted(true);
                  }
                : null
            }
          />
        ))}
    </AccountFrame>
  );
}

interface UsedProps {
  readonly report: UsageReport;
  readonly onLog: () => void;
  readonly onComputer: (() => void) | null;
}

function Used({ report, onLog, onComputer }: UsedProps) {
  const t = useText();
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls has to be reached by keys
    <section className={css['content']} tabIndex={0} aria-label={t('account.overview')}>
      <UsageCards report={report} onLog={onLog} />
      <UsageChart report={report} />
      <ProductTable report={report} />
      <DayTable report={report} />
      {onComputer !== null && (
        <p className={css['source']}>
          {t('account.countedByService')}{' '}
          <Button variant="ghost" size="sm" onPress={onComputer}>
            {t('account.showComputer')}
          </Button>
        </p>
      )}
    </section>
  );
}
