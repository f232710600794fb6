import { useInfiniteQuery } from '@tanstack/react-query';
import { Info, Pencil, RefreshCw, RotateCcwKey, Send, Trash2 } from 'lucide-react';
import { useState } from 'react';
import {
  isOlderEvent,
  hostOf,
  type WebhookView,
  type DeliveryView,
} from '../../../../shared/domain/webhooks/webhook.ts';
import type { Failure } from '../../../../shared/result/failure.ts';
import { failureOf, valueOrThrow } from '../../../bridge/request-error.ts';
import { useStudio } from '../../../bridge/studio-context.tsx';
import { cx } from '../../../lib/class-names.ts';
import { useText, useFormats } from '../../../lib/text.ts';
import { Banner } from '../../../ui/banner.tsx';
import { Button } from '../../../ui/button.tsx';
import { Chip, type ChipProps } from '../../../ui/chip.tsx';
import { Question } from '../../../ui/dialog.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { RowGrid } from '../../../ui/row-grid/row-grid.tsx';
import { Switch } from '../../../ui/switch.tsx';
import { useToast } from '../../../ui/toast.tsx';
import css from '../account.module.css';
import { useMoment } from '../log/log-row.tsx';
import { AccountFailure } from '../token.tsx';
import own from './webhooks.module.css';

const isMoving = ({ state }: DeliveryView): boolean =>
  state === 'pending' || state === 'delivering' || state === 'retrying' || state === null;

const reread = { leastMs: 2500, mostMs: 60_000 } as const;
const tones = {
  pending: 'info',
  delivering: 'info',
  retrying: 'warn',
  succeeded: 'ok',
  failed: 'bad',
  canceled: 'neutral',
} as const satisfies Record<NonNullable<DeliveryView['state']>, ChipProps['tone']>;

const testEvent = 'webhook.test';

const toldErrors = ['connection_failed', 'timeout', 'receiver_refused'] as const;
const isToldError = (code: string): code is (typeof toldErrors)[number] => toldErrors.some((one) => one === code);

interface WebhookDetailProps {
  readonly webhook: WebhookView;
  readonly onEdit: () => void;
  readonly onChanged: (failure: Failure | null) => void;
  readonly onSecret: (webhook: WebhookView, maskedSuffix: string | null) => void;
}

export function WebhookDetail({ webhook, onEdit, onChanged, onSecret }: WebhookDetailProps) {
  const t = useText();
  const studio = useStudio();
  const showToast = useToast();
  const deliveries = useDeliveries(webhook.id);
  const [asked, setAsked] = useState<'rotate' | 'remove' | null>(null);
  const [wasChangedElsewhere, setWasChangedElsewhere] = useState(false);
  const { id, url, revision, enabled, eventTypes, secretSuffix } = webhook;
  const setEnabled = async (isOn: boolean) => {
    setWasChangedElsewhere(false);
    const updated = await studio.request('webhooks.update', { webhookId: id, revision, change: { enabled: isOn } });
    setWasChangedElsewhere(updated.ok && updated.value.tag === 'conflict');
    onChanged(updated.ok ? null : updated.error);
    void deliveries.refetch();
  };
  const test = async () => {
    const queued = await studio.request('webhooks.test', { webhookId: id });
    if (queued.ok) showToast({ text: t('webhooks.testQueued') });
    onChanged(queued.ok ? null : queued.error);
    void deliveries.refetch();
  };
  const rotate = async () => {
    const rotated = await studio.request('webhooks.rotate', { webhookId: id });
    if (rotated.ok) onSecret(rotated.value.webhook, rotated.value.maskedSuffix);
    else onChanged(rotated.error);
  };
  const remove = async () => {
    const removed = await studio.request('webhooks.remove', { webhookId: id, revision });
    onChanged(removed.ok ? null : removed.error);
  };
  return (
    <div className={css['main']}>
      <header className={own['header']}>
        <div className="flow gap-12 top between">
          <div className={own['address']}>
            <h2>{hostOf(webhook)}</h2>
            <span className={css['code']}>{url}</span>
          </div>
          <div className="row gap-8 wrap">
            <Button icon={Send} isDisabled={!enabled} onPress={() => void test()}>
              {t('webhooks.test')}
            </Button>
            <Switch label={t('webhooks.enabled')} isOn={enabled} onChange={(isOn) => void setEnabled(isOn)} />
          </div>
        </div>
        <div className="row gap-8 wrap">
          {eventTypes.map((type) => (
            <Chip key={type} tone={isOlderEvent(type) ? 'neutral' : 'accent'}>
              {type}
            </Chip>
          ))}
          <Button variant="ghost" size="sm" icon={Pencil} onPress={onEdit}>
            {t('webhooks.edit')}
          </Button>
          <Button variant="ghost" size="sm" icon={Trash2} onPress={() => setAsked('remove')}>
            {t('webhooks.remove')}
          </Button>
        </div>
        <div className="row gap-8 wrap small muted">
          <span>{t('webhooks.secret')}</span>
          <span className={css['code']}>{`••••••••${secretSuffix ?? ''}`}</span>
          <Button variant="ghost" size="sm" icon={RotateCcwKey} onPress={() => setAsked('rotate')}>
            {t('webhooks.rotate')}
          </Button>
        </div>
      </header>
      <div className={css['notice']}>
        {wasChangedElsewhere ? (
          <Banner tone="warn" icon={Info} title={t('webhooks.conflict.title')}>
            {t('webhooks.conflict.reread')}
          </Banner>
        ) : (
          <Banner tone="info" icon={Info} title={t('webhooks.polling')} />
        )}
      </div>
      <div className={own['deliveriesHead']}>
        <h3 className="strong">{t('webhooks.deliveries')}</h3>
        <IconButton
          size="sm"
          icon={RefreshCw}
          label={t('webhooks.refresh')}
          onPress={() => void deliveries.refetch()}
        />
      </div>
      <Deliveries webhookId={id} isEnabled={enabled} deliveries={deliveries} onRefused={onChanged} />
      {(['rotate', 'remove'] as const).map((what) => (
        <Question
          key={what}
          isDanger
          title={t(`webhooks.${what}Question`, { host: hostOf(webhook) })}
          confirm={t(`webhooks.${what}Confirm`)}
          isOpen={asked === what}
          onClose={() => setAsked(null)}
          onConfirm={() => void (what === 'rotate' ? rotate() : remove())}
        >
          {t(`webhooks.${what}Text`)}
        </Question>
      ))}
    </div>
  );
}

/** When a list with these deliveries is worth reading again: one that waits for its next attempt changes only then. */
function rereadInMs(deliveries: readonly DeliveryView[], nowMs: number): number | false {
  const moving = deliveries.filter(isMoving);
  if (moving.length === 0) return false;
  const waits = moving.map(({ state, nextAttemptAt }) =>
    state === 'retrying' && nextAttemptAt !== null ? Date.parse(nextAttemptAt) - nowMs + 1000 : 0,
  );
  return Math.min(reread.mostMs, Math.max(reread.leastMs, ...[Math.min(...waits)].filter(Number.isFinite)));
}

function useDeliveries(webhookId: string) {
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

interface DeliveriesProps {
  readonly webhookId: string;
  readonly isEnabled: boolean;
  readonly deliveries: ReturnType<typeof useDeliveries>;
  readonly onRefused: (failure: Failure) => void;
}

function Deliveries({ webhookId, isEnabled, deliveries, onRefused }: DeliveriesProps) {
  const t = useText();
  const studio = useStudio();
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = deliveries;
  const items = (data?.pages ?? []).flatMap((page) => page.deliveries);
  const failure = failureOf(error);
  const retry = async (deliveryId: string) => {
    const queued = await studio.request('webhooks.retry', { webhookId, deliveryId });
    if (!queued.ok) onRefused(queued.error);
    void refetch();
  };
  const draw = (delivery: DeliveryView) => (
    <DeliveryRow delivery={delivery} onRetry={isEnabled && delivery.state === 'failed' ? retry : null} />
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
        <span className="wide">{t('webhooks.attempts')}</span>
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
      <span className={cx('digits', 'muted', css['mid'])}>{moment(delivery.createdAt)}</span>
      <span className={own['eventCell']}>
        {delivery.eventType === testEvent ? (
          <span title={testEvent}>{t('webhooks.testEvent')}</span>
        ) : (
          <span className={css['code']}>{delivery.eventType ?? delivery.id}</span>
        )}
        {errorCode !== null && state !== 'succeeded' && (
          <span className="fine subtle" title={errorCode}>
            {isToldError(errorCode) ? t(`webhooks.errors.${errorCode}`) : errorCode}
          </span>
        )}
        {next !== null && <span className={cx('fine subtle', own['nextInstead'])}>{next}</span>}
      </span>
      <span>
        <Chip tone={state === null ? 'neutral' : tones[state]}>
          {responseStatus === null || state === 'succeeded' ? word : `${word}, ${String(responseStatus)}`}
        </Chip>
      </span>
      <span className={cx('digits', 'muted', 'wide')}>
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
