import { Info, Pencil, RefreshCw, RotateCcwKey, Send, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { hostOf, type WebhookView } from '../../../../shared/domain/webhooks/webhook-views.ts';
import { isOlderEvent } from '../../../../shared/domain/webhooks/webhook-input.ts';
import type { Failure } from '../../../../shared/result/failure.ts';
import { useStudio } from '../../../bridge/studio-context.tsx';
import { useText } from '../../../lib/text.ts';
import { Banner } from '../../../ui/banner.tsx';
import { Button } from '../../../ui/button.tsx';
import { Chip } from '../../../ui/chip.tsx';
import { Question } from '../../../ui/dialog.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { Switch } from '../../../ui/switch.tsx';
import { useToast } from '../../../ui/toast.tsx';
import css from '../account.module.css';
import { Deliveries, useDeliveries } from './deliveries.tsx';
import own from './webhooks.module.css';

export interface WebhookDetailProps {
  readonly webhook: WebhookView;
  readonly onEdit: () => void;
  /** Something changed, or was refused; the list is read again. */
  readonly onChanged: (failure: Failure | null) => void;
  readonly onSecret: (webhook: WebhookView, maskedSuffix: string | null) => void;
}

/** One webhook with what was sent to it. */
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
        <div className={own['top']}>
          <div className={own['address']}>
            <h2>{hostOf(webhook)}</h2>
            <span className={css['code']}>{url}</span>
          </div>
          <div className={css['buttons']}>
            <Button icon={Send} isDisabled={!enabled} onPress={() => void test()}>
              {t('webhooks.test')}
            </Button>
            <Switch label={t('webhooks.enabled')} isOn={enabled} onChange={(isOn) => void setEnabled(isOn)} />
          </div>
        </div>
        <div className={css['buttons']}>
          {eventTypes.map((type) => (
            <Chip key={type} tone={isOlderEvent(type) ? 'neutral' : 'accent'}>
              {type}
            </Chip>
          ))}
          <Button variant="ghost" size="sm" icon={Pencil} onPress={onEdit}>
            {t('webhooks.edit')}
          </Button>
          <Button
            variant="ghost"
            size="sm"
            icon={Trash2}
            onPress={() => {
              setAsked('remove');
            }}
          >
            {t('webhooks.remove')}
          </Button>
        </div>
        <div className={own['secret']}>
          <span>{t('webhooks.secret')}</span>
          <span className={css['code']}>{`••••••••${secretSuffix ?? ''}`}</span>
          <Button
            variant="ghost"
            size="sm"
            icon={RotateCcwKey}
            onPress={() => {
              setAsked('rotate');
            }}
          >
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
        <h3>{t('webhooks.deliveries')}</h3>
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
          onClose={() => {
            setAsked(null);
          }}
          onConfirm={() => void (what === 'rotate' ? rotate() : remove())}
        >
          {t(`webhooks.${what}Text`)}
        </Question>
      ))}
    </div>
  );
}
