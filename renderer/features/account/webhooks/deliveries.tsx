import { useInfiniteQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import type { DeliveryView } from '../../../../shared/domain/webhooks/webhook-views.ts';
import type { Failure } from '../../../../shared/result/failure.ts';
import { failureOf, valueOrThrow } from '../../../bridge/request-error.ts';
import { useStudio } from '../../../bridge/studio-context.tsx';
import { cx } from '../../../lib/class-names.ts';
import { useFormats, useText } from '../../../lib/text.ts';
import { Button } from '../../../ui/button.tsx';
import { Chip, type ChipProps } from '../../../ui/chip.tsx';
import { RowGrid } from '../../../ui/row-grid/row-grid.tsx';
import css from '../account.module.css';
import { useMoment } from '../log/log-row.tsx';
import { AccountFailure } from '../token.tsx';
import own from './webhooks.module.css';

const isMoving = ({ state }: DeliveryView): boolean =>
  state === 'pending' || state === 'delivering' || state === 'retrying' || state === null;
/** Intervals for reading the list again while a delivery is under way, milliseconds. */
const reread = { leastMs: 2500, mostMs: 60_000 } as const;

/** When a list with these deliveries is worth reading again: one that waits for its next attempt changes only then. */
function rereadInMs(deliveries: readonly DeliveryView[], nowMs: number): number | false {
  const moving = deliveries.filter(isMoving);
  if (moving.length === 0) return false;
  const waits = moving.map(({ state, nextAttemptAt }) =>
    state === 'retrying' && nextAttemptAt !== null ? Date.parse(nextAttemptAt) - nowMs + 1000 : 0,
  );
  return Math.min(reread.mostMs, Math.max(reread.leastMs, ...[Math.min(...waits)].filter(Number.isFinite)));
}

/** The deliveries of one webhook, newest first. */
export function useDeliveries(webhookId: string) {
  const studio = useStudio();
  return useInfiniteQuery({
    queryKey: ['deliveries', webhookId],
    initialPageParam: 1,
    queryFn: ({ pageParam }) => valueOrThrow(studio.request('webhooks.deliveries', { webhookId, page: pageParam })),
    getNextPageParam: ({ nextPage }) => nextPage,
    refetchOnMount: 'always',
    refetchInterval: ({ state }) => rereadInMs(state.data?.pages.flatMap((page) => page.deliveries) ?? [], Date.now()),
    retry: false,
  });
}

export interface DeliveriesProps {
  readonly webhookId: string;
  readonly isEnabled: boolean;
  readonly deliveries: ReturnType<typeof useDeliveries>;
  readonly onRefused: (failure: Failure) => void;
}

export function Deliveries({ webhookId, isEnabled, deliveries, onRefused }: DeliveriesProps) {
  const t = useText();
  const studio = useStudio();
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = deliveries;
  const items = (data?.pages ?? []).flatMap((page) => page.deliveries);
  const failure = failureOf(error);
  const retry = useCallback(
    async (deliveryId: string) => {
      const queued = await studio.request('webhooks.retry', { webhookId, deliveryId });
      if (!queued.ok) onRefused(queued.error);
      void refetch();
    },
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- `onRefused` is new with each draw and does the same
    [studio, webhookId, refetch],
  );
  const draw = useCallback(
    (delivery: DeliveryView) => (
      <DeliveryRow delivery={delivery} onRetry={isEnabled && delivery.state === 'failed' ? retry : null} />
    ),
    [isEnabled, retry],
  );
  if (failure) return <AccountFailure failure={failure} onRetry={() => void refetch()} />;
  if (data === undefined) return null;
  if (items.length === 0) return <p className={own['none']}>{t('webhooks.noDeliveries')}</p>;
  return (
    <div className={own['deliveries']}>
      <div className={css['head']} aria-hidden>
        <span className={css['mid']}>{t('account.log.time')}</span>
        <span>{t('webhooks.event')}</span>
        <span>{t('account.keys.state')}</span>
        <span className={css['wide']}>{t('webhooks.attempts')}</span>
        <span />
      </div>
      <RowGrid
        className={css['rows']}
        label={t('webhooks.deliveries')}
        items={items}
        labelOf={({ eventType, id }) => eventType ?? id}
        estimatedRowHeight={43}
        onOpen={() => undefined}
      >
        {draw}
      </RowGrid>
      {hasNextPage && (
        <div className={css['more']}>
          <Button isLoading={isFetchingNextPage} onPress={() => void fetchNextPage()}>
            {t('account.log.more')}
          </Button>
        </div>
      )}
    </div>
  );
}

const tones = {
  pending: 'info',
  delivering: 'info',
  retrying: 'warn',
  succeeded: 'ok',
  failed: 'bad',
  canceled: 'neutral',
} as const satisfies Record<NonNullable<DeliveryView['state']>, ChipProps['tone']>;

/** Sent only on request, to see whether the server answers. */
const testEvent = 'webhook.test';

/** The delivery errors with a text of their own; the service may have further codes. */
const toldErrors = ['connection_failed', 'timeout', 'receiver_refused'] as const;
const isToldError = (code: string): code is (typeof toldErrors)[number] => toldErrors.some((one) => one === code);

interface DeliveryRowProps {
  readonly delivery: DeliveryView;
  readonly onRetry: ((deliveryId: string) => Promise<void>) | null;
}

function DeliveryRow({ delivery, onRetry }: DeliveryRowProps) {
  const t = useText();
  const formats = useFormats();
  const moment = useMoment();
  const { state, responseStatus, errorCode, attempts, nextAttemptAt } = delivery;
  const word = state === null ? t('webhooks.states.unknown') : t(`webhooks.states.${state}`);
  const next =
    state === 'retrying' && nextAttemptAt !== null
      ? t('webhooks.next', { time: formats.timeWithSeconds(Date.parse(nextAttemptAt)) })
      : null;
  return (
    <div className={css['cells']}>
      <span className={cx(css['num'], css['muted'], css['mid'])}>{moment(delivery.createdAt)}</span>
      <span className={own['eventCell']}>
        {delivery.eventType === testEvent ? (
          <span title={testEvent}>{t('webhooks.testEvent')}</span>
        ) : (
          <span className={css['code']}>{delivery.eventType ?? delivery.id}</span>
        )}
        {errorCode !== null && state !== 'succeeded' && (
          <span className={css['hint']} title={errorCode}>
            {isToldError(errorCode) ? t(`webhooks.errors.${errorCode}`) : errorCode}
          </span>
        )}
        {next !== null && <span className={cx(css['hint'], own['nextInstead'])}>{next}</span>}
      </span>
      <span>
        <Chip tone={state === null ? 'neutral' : tones[state]}>
          {responseStatus === null || state === 'succeeded' ? word : `${word}, ${String(responseStatus)}`}
        </Chip>
      </span>
      <span className={cx(css['num'], css['muted'], css['wide'])}>
        {[attempts === null ? '' : formats.number(attempts), next].filter(Boolean).join(', ')}
      </span>
      <span className={css['end']}>
        {onRetry && (
          <Button size="sm" onPress={() => void onRetry(delivery.id)}>
            {t('webhooks.retry')}
          </Button>
        )}
      </span>
    </div>
  );
}
