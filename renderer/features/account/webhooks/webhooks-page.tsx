import { FileCheck, Plus, Webhook } from 'lucide-react';
import { useCallback, useState } from 'react';
import { hostOf, type WebhookView } from '../../../../shared/domain/webhooks/webhook-views.ts';
import { webhookLimits } from '../../../../shared/domain/webhooks/webhook-input.ts';
import { useConnection } from '../../../bridge/live-state.tsx';
import { useStudio } from '../../../bridge/studio-context.tsx';
import { useFormats, useText } from '../../../lib/text.ts';
import { Button } from '../../../ui/button.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { RowGrid } from '../../../ui/row-grid/row-grid.tsx';
import css from '../account.module.css';
import { AccountFrame, type AccountPageProps } from '../frame.tsx';
import { ShownOnce, useShownOnce } from '../shown-once.tsx';
import { useAccountList } from '../use-account-list.ts';
import { AccountFailure } from '../token.tsx';
import { CheckDialog } from './check-dialog.tsx';
import { WebhookDetail } from './webhook-detail.tsx';
import { WebhookDialog } from './webhook-dialog.tsx';
import own from './webhooks.module.css';

interface Secret {
  readonly id: string;
  readonly webhook: WebhookView;
  readonly maskedSuffix: string | null;
}

/** Where the service sends events, and whether they arrived. */
export function WebhooksPage({ onPage }: AccountPageProps) {
  const t = useText();
  const studio = useStudio();
  const { mode, key } = useConnection();
  const { data, failure, reread, retry } = useAccountList(['webhooks', mode, key.maskedSuffix], () =>
    studio.request('webhooks.list', {}),
  );
  const [activeId, setActiveId] = useState<string | null>(null);
  const [editing, setEditing] = useState<WebhookView | 'new' | null>(null);
  const [isChecking, setIsChecking] = useState(false);
  const secrets = useShownOnce<Secret>('webhook', key.maskedSuffix);
  const webhooks = data?.webhooks ?? [];
  const active = webhooks.find(({ id }) => id === activeId) ?? webhooks[0] ?? null;
  const usedCount = webhooks.filter(({ enabled }) => enabled).length;
  const shownId = active?.id ?? null;
  const draw = useCallback(
    (webhook: WebhookView) => <WebhookRow webhook={webhook} isOn={webhook.id === shownId} />,
    [shownId],
  );
  return (
    <AccountFrame
      page="webhooks"
      onPage={onPage}
      actions={
        <>
          <Button
            icon={FileCheck}
            onPress={() => {
              setIsChecking(true);
            }}
          >
            {t('webhooks.check.open')}
          </Button>
          <Button
            variant="primary"
            icon={Plus}
            onPress={() => {
              setEditing('new');
            }}
          >
            {t('webhooks.add')}
          </Button>
        </>
      }
    >
      {failure && <AccountFailure failure={failure} onRetry={retry} />}
      {secrets.shown.map(({ id, webhook, maskedSuffix }) => (
        <ShownOnce
          key={`${id} ${maskedSuffix ?? ''}`}
          title={t(maskedSuffix === null ? 'webhooks.noSecret' : 'webhooks.ready', { host: hostOf(webhook) })}
          maskedSuffix={maskedSuffix ?? ''}
          copy={() => studio.request('webhooks.copySecret', { webhookId: id })}
          onDone={() => {
            void studio.request('webhooks.dropSecret', { webhookId: id });
            secrets.remove(id);
          }}
        />
      ))}
      {active === null ? (
        data && (
          <EmptyState
            icon={Webhook}
            title={t('webhooks.empty')}
            action={
              <Button
                icon={Plus}
                onPress={() => {
                  setEditing('new');
                }}
              >
                {t('webhooks.add')}
              </Button>
            }
          >
            {t('webhooks.emptyText')}
          </EmptyState>
        )
      ) : (
        <div className={css['split']}>
          <div className={own['side']}>
            <RowGrid
              className={css['rows']}
              label={t('account.pages.webhooks')}
              items={webhooks}
              labelOf={hostOf}
              estimatedRowHeight={63}
              onActive={(webhook) => {
                setActiveId(webhook?.id ?? null);
              }}
              onOpen={(webhook) => {
                setActiveId(webhook.id);
              }}
            >
              {draw}
            </RowGrid>
            <p className={own['used']}>
              {t('webhooks.used', { count: usedCount, most: webhookLimits.activePerAccount })}
            </p>
          </div>
          <WebhookDetail
            key={active.id}
            webhook={active}
            onEdit={() => {
              setEditing(active);
            }}
            onChanged={reread}
            onSecret={(webhook, maskedSuffix) => {
              secrets.add({ id: webhook.id, webhook, maskedSuffix });
              reread(null);
            }}
          />
        </div>
      )}
      {editing !== null && (
        <WebhookDialog
          edited={editing === 'new' ? null : editing}
          onClose={() => {
            setEditing(null);
            reread(null);
          }}
          onCreated={(webhook, maskedSuffix) => {
            setEditing(null);
            setActiveId(webhook.id);
            secrets.add({ id: webhook.id, webhook, maskedSuffix });
            reread(null);
          }}
          onSaved={() => {
            setEditing(null);
            reread(null);
          }}
          onUnsure={(problem) => {
            setEditing(null);
            reread(problem);
          }}
        />
      )}
      {isChecking && (
        <CheckDialog
          webhook={active}
          onClose={() => {
            setIsChecking(false);
          }}
        />
      )}
    </AccountFrame>
  );
}

function WebhookRow({ webhook, isOn }: { readonly webhook: WebhookView; readonly isOn: boolean }) {
  const t = useText();
  const formats = useFormats();
  const { enabled, eventTypes, disabledAt } = webhook;
  const note = enabled
    ? t('webhooks.eventCount', { count: eventTypes.length })
    : disabledAt === null
      ? t('webhooks.off')
      : t('webhooks.offSince', { date: formats.date(Date.parse(disabledAt)) });
  return (
    <div className={own['row']} data-on={isOn || undefined}>
      <b>
        <i aria-hidden data-enabled={enabled || undefined} />
        {hostOf(webhook)}
      </b>
      <span>{note}</span>
    </div>
  );
}
