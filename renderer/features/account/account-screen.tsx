import { useMutation, useQuery } from '@tanstack/react-query';
import { CircleAlert, Download, Gauge } from 'lucide-react';
import { useState } from 'react';
import { usagePeriods, type Usage, type UsagePeriod } from '../../../shared/domain/ledger/usage-by-day.ts';
import { failureOf, valueOrThrow } from '../../bridge/request-error.ts';
import { useConnection } from '../../bridge/live-state.tsx';
import { useStudio } from '../../bridge/studio-context.tsx';
import { useFailureWords } from '../../lib/failure-words.ts';
import { useFormats, useText } from '../../lib/text.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Panel, PanelActions, PanelContent, PanelTitle } from '../../ui/panel.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import css from './account-screen.module.css';
import { UsageChart } from './usage-chart.tsx';

const isPeriod = (value: number): value is UsagePeriod => usagePeriods.some((one) => one === value);

/** What was used, counted on this computer from what the service told with each answer. */
export function AccountScreen() {
  const t = useText();
  const words = useFailureWords();
  const studio = useStudio();
  const { mode } = useConnection();
  const [days, setDays] = useState<UsagePeriod>(30);
  const { data, error } = useQuery({
    queryKey: ['usage', 'days', mode, days],
    queryFn: () => valueOrThrow(studio.request('usage.days', { days })),
    refetchOnMount: 'always',
    retry: false,
  });
  const saving = useMutation({ mutationFn: () => valueOrThrow(studio.request('usage.saveCsv', { days })) });
  const failure = failureOf(error) ?? failureOf(saving.error);
  return (
    <Panel
      header={
        <>
          <PanelTitle>{t('account.title')}</PanelTitle>
          <PanelActions>
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
              isDisabled={!data || data.actionCount === 0}
              onPress={() => {
                saving.mutate();
              }}
            >
              {t('account.exportCsv')}
            </Button>
          </PanelActions>
        </>
      }
    >
      <PanelContent label={t('account.title')}>
        {failure && (
          <div className={css['notice']}>
            <Banner role="alert" tone="bad" icon={CircleAlert} title={words(failure).title}>
              {words(failure).textAfterTitle}
            </Banner>
          </div>
        )}
        {data && (data.actionCount === 0 ? <Nothing /> : <Used usage={data} />)}
      </PanelContent>
    </Panel>
  );
}

function Nothing() {
  const t = useText();
  return (
    <EmptyState icon={Gauge} title={t('account.empty.title')}>
      {t('account.empty.text')}
    </EmptyState>
  );
}

function Used({ usage }: { readonly usage: Usage }) {
  const t = useText();
  const formats = useFormats();
  const { credits, actionCount, untoldCount, days, products } = usage;
  const cards = [
    { label: t('account.credits'), value: formats.number(Number(credits)) },
    { label: t('account.requests'), value: formats.number(actionCount) },
    { label: t('account.untold'), value: formats.number(untoldCount) },
  ];
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls has to be reached by keys
    <section className={css['content']} tabIndex={0} aria-label={t('account.usage')}>
      <dl className={css['cards']}>
        {cards.map(({ label, value }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <UsageChart days={days} products={products} />
      <table className={css['table']}>
        <caption>{t('account.byProduct')}</caption>
        <thead>
          <tr>
            <th scope="col">{t('account.product')}</th>
            <th scope="col">{t('account.requests')}</th>
            <th scope="col">{t('account.credits')}</th>
          </tr>
        </thead>
        <tbody>
          {products.map((one) => (
            <tr key={one.product}>
              <th scope="row">{t(`account.products.${one.product}` as 'account.products.ask')}</th>
              <td>{formats.number(one.actionCount)}</td>
              <td>{formats.number(Number(one.credits))}</td>
            </tr>
          ))}
        </tbody>
      </table>
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
          {days
            .filter((day) => day.actionCount > 0)
            .toReversed()
            .map((day) => (
              <tr key={day.fromMs}>
                <th scope="row">{formats.date(day.fromMs)}</th>
                <td>{formats.number(day.actionCount)}</td>
                <td>{formats.number(Number(day.credits))}</td>
              </tr>
            ))}
        </tbody>
      </table>
      <p className={css['source']}>{t('account.countedHere')}</p>
    </section>
  );
}
