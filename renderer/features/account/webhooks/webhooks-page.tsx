import { useQuery } from '@tanstack/react-query';
import { FileCheck, Plus, Webhook, CircleAlert, CircleCheck, KeyRound, TriangleAlert, GitMerge } from 'lucide-react';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { DeliveryCheck } from '../../../../shared/domain/webhooks/check-delivery.ts';
import {
  webhookLimits,
  isOlderEvent,
  judgeWebhookInput,
  webhookEventTypes,
  hostOf,
  type WebhookFault,
  type WebhookView,
} from '../../../../shared/domain/webhooks/webhook.ts';
import type { Failure } from '../../../../shared/result/failure.ts';
import { useConnection } from '../../../bridge/live-state.tsx';
import { valueOrThrow } from '../../../bridge/request-error.ts';
import { useStudio } from '../../../bridge/studio-context.tsx';
import { useFormats, useText } from '../../../lib/text.ts';
import { Banner } from '../../../ui/banner.tsx';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { FactList } from '../../../ui/fact-list.tsx';
import { Field } from '../../../ui/field.tsx';
import { RowGrid } from '../../../ui/row-grid/row-grid.tsx';
import { Switch } from '../../../ui/switch.tsx';
import css from '../account.module.css';
import { AccountFrame, type AccountPageProps } from '../frame.tsx';
import { ShownOnce, useShownOnce } from '../shown-once.tsx';
import { FormError, TextArea, useHeldForm } from '../form-parts.tsx';
import { AccountFailure } from '../token.tsx';
import { useAccountList } from '../use-account-list.ts';
import { WebhookDetail } from './webhook-detail.tsx';
import own from './webhooks.module.css';

const exampleHeaders = 'X-Service-Timestamp: 1764000000\nX-Service-Signature: v1=0123…';

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
  const secrets = useShownOnce<{
    readonly id: string;
    readonly webhook: WebhookView;
    readonly maskedSuffix: string | null;
  }>('webhook', key.maskedSuffix);
  const webhooks = data?.webhooks ?? [];
  const active = webhooks.find(({ id }) => id === activeId) ?? webhooks[0] ?? null;
  const usedCount = webhooks.filter(({ enabled }) => enabled).length;
  const draw = (webhook: WebhookView) => <WebhookRow webhook={webhook} isOn={webhook === active} />;
  return (
    <AccountFrame
      page="webhooks"
      onPage={onPage}
      actions={
        <>
          <Button icon={FileCheck} onPress={() => setIsChecking(true)}>
            {t('webhooks.check.open')}
          </Button>
          <Button variant="primary" icon={Plus} onPress={() => setEditing('new')}>
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
              <Button icon={Plus} onPress={() => setEditing('new')}>
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
              onActive={(webhook) => setActiveId(webhook?.id ?? null)}
              onOpen={(webhook) => setActiveId(webhook.id)}
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
            onEdit={() => setEditing(active)}
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
          onCreated={(webhook, maskedSuffix) => {
            setActiveId(webhook.id);
            secrets.add({ id: webhook.id, webhook, maskedSuffix });
          }}
          onClose={(problem) => {
            setEditing(null);
            reread(problem);
          }}
        />
      )}
      {isChecking && <CheckDialog webhook={active} onClose={() => setIsChecking(false)} />}
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
      <b className="row gap-8 cut medium">
        <i aria-hidden data-enabled={enabled || undefined} />
        {hostOf(webhook)}
      </b>
      <span>{note}</span>
    </div>
  );
}

/** Checks whether a pasted delivery is from the service; the secret stays in main, and nothing pasted is stored. */
function CheckDialog({ webhook, onClose }: { readonly webhook: WebhookView | null; readonly onClose: () => void }) {
  const t = useText();
  const studio = useStudio();
  const webhookId = webhook?.id ?? null;
  const { data: held, refetch } = useQuery({
    queryKey: ['signing-secret', webhookId],
    queryFn: () => valueOrThrow(studio.request('webhooks.secretHeld', { webhookId })),
    refetchOnMount: 'always',
    retry: false,
  });
  const [headers, setHeaders] = useState('');
  const [body, setBody] = useState('');
  const [check, setCheck] = useState<DeliveryCheck | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  const suffix = held?.maskedSuffix ?? null;
  /** A verdict is about the secret and the texts that it was made for. */
  const asked = useRef(0);
  const forget = () => {
    asked.current += 1;
    setCheck(null);
    setFailure(null);
  };
  const onTyped = useEffectEvent(() => {
    forget();
    void refetch();
  });
  useEffect(() => studio.subscribe('webhooks.secretTyped', () => onTyped()), [studio]);
  const run = async () => {
    forget();
    const current = asked.current;
    const checked = await studio.request('webhooks.check', { webhookId, headers, body });
    if (asked.current !== current) return;
    setFailure(checked.ok ? null : checked.error);
    setCheck(checked.ok ? checked.value.check : null);
  };
  return (
    <Dialog
      isOpen
      width="lg"
      title={t('webhooks.check.title')}
      onClose={onClose}
      footer={
        <>
          <Button onPress={onClose}>{t('common.close')}</Button>
          <Button variant="primary" isDisabled={suffix === null || headers.trim() === ''} onPress={() => void run()}>
            {t('webhooks.check.run')}
          </Button>
        </>
      }
    >
      <div className={css['form']}>
        <p className="fine subtle">{t('webhooks.check.text')}</p>
        <div className="row gap-8 wrap small muted">
          <span>{t('webhooks.secret')}</span>
          <span className={css['code']}>{suffix === null ? t('webhooks.check.noSecret') : `••••••••${suffix}`}</span>
          <Button size="sm" icon={KeyRound} onPress={() => void studio.request('webhooks.enterSecret', {})}>
            {t('webhooks.check.enter')}
          </Button>
        </div>
        <TextArea
          label={t('webhooks.check.headers')}
          rows={4}
          placeholder={exampleHeaders}
          value={headers}
          onChange={(value) => {
            setHeaders(value);
            setCheck(null);
          }}
        />
        <TextArea
          label={t('webhooks.check.body')}
          rows={6}
          value={body}
          onChange={(value) => {
            setBody(value);
            setCheck(null);
          }}
        />
        {failure && <AccountFailure failure={failure} />}
        {check && <Verdict check={check} />}
      </div>
    </Dialog>
  );
}

function Verdict({ check }: { readonly check: DeliveryCheck }) {
  const t = useText();
  const formats = useFormats();
  const { verdict, ageMs, hint } = check;
  const tone = verdict === 'valid' ? 'ok' : verdict === 'old' ? 'warn' : 'bad';
  const icon = verdict === 'valid' ? CircleCheck : verdict === 'old' ? TriangleAlert : CircleAlert;
  const age = formats.duration(Math.abs(ageMs ?? 0));
  const text = hint === null ? t(`webhooks.check.texts.${verdict}`, { age }) : t(`webhooks.check.hints.${hint}`);
  return (
    <Banner role="alert" tone={tone} icon={icon} title={t(`webhooks.check.verdicts.${verdict}`)}>
      {text}
    </Banner>
  );
}

interface WebhookDialogProps {
  readonly edited: WebhookView | null;
  readonly onCreated: (webhook: WebhookView, maskedSuffix: string | null) => void;
  /** With a failure when the answer was lost: the list shows whether there is one now. */
  readonly onClose: (lost: Failure | null) => void;
}

/** Address and events of a webhook; a change made elsewhere meanwhile is shown and never overwritten unseen. */
function WebhookDialog({ edited, onCreated, onClose }: WebhookDialogProps) {
  const t = useText();
  const studio = useStudio();
  const [url, setUrl] = useState(edited?.url ?? '');
  const [types, setTypes] = useState<ReadonlySet<string>>(new Set(edited?.eventTypes ?? ['tts.generation.completed']));
  const [current, setCurrent] = useState<WebhookView | null>(null);
  const [faults, setFaults] = useState<readonly WebhookFault[]>([]);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [isSaving, setIsSaving] = useState(false);
  const entered = JSON.stringify([url.trim(), [...types].toSorted()]);
  const [asOpened] = useState(entered);
  useHeldForm(entered !== asOpened);
  const offered = [...new Set([...webhookEventTypes, ...(edited?.eventTypes ?? [])])];
  const faultOf = (field: WebhookFault['field']): string | null => {
    const fault = faults.find((one) => one.field === field);
    return fault === undefined
      ? null
      : t(`webhooks.faults.${fault.field}.${fault.problem}` as 'webhooks.faults.url.empty');
  };
  const save = async () => {
    const wanted = { url: url.trim(), eventTypes: [...types] };
    const found = judgeWebhookInput(wanted);
    setFaults(found);
    setFailure(null);
    if (found.length > 0) return;
    setIsSaving(true);
    if (edited === null) {
      const made = await studio.request('webhooks.create', wanted);
      setIsSaving(false);
      if (made.ok) onCreated(made.value.webhook, made.value.maskedSuffix);
      if (made.ok || made.error.outcome === 'unknown') onClose(made.ok ? null : made.error);
      else setFailure(made.error);
      return;
    }
    const { revision } = current ?? edited;
    const saved = await studio.request('webhooks.update', { webhookId: edited.id, revision, change: wanted });
    setIsSaving(false);
    if (!saved.ok) setFailure(saved.error);
    else if (saved.value.tag === 'conflict') setCurrent(saved.value.current);
    else onClose(null);
  };
  return (
    <Dialog
      isOpen
      holdsWork={entered !== asOpened}
      title={t(edited === null ? 'webhooks.newTitle' : 'webhooks.editTitle')}
      onClose={() => onClose(null)}
      footer={(leave) => (
        <>
          {current === null ? (
            <Button onPress={leave}>{t('common.cancel')}</Button>
          ) : (
            <Button onPress={() => onClose(null)}>{t('webhooks.conflict.keepTheirs')}</Button>
          )}
          <Button variant="primary" isLoading={isSaving} onPress={() => void save()}>
            {current !== null
              ? t('webhooks.conflict.saveMine')
              : t(edited === null ? 'webhooks.create' : 'webhooks.save')}
          </Button>
        </>
      )}
    >
      <div className={css['form']}>
        {failure && <AccountFailure failure={failure} />}
        {current && (
          <>
            <Banner role="alert" tone="warn" icon={GitMerge} title={t('webhooks.conflict.title')}>
              {t('webhooks.conflict.text')}
            </Banner>
            <FactList
              facts={[
                { label: t('webhooks.conflict.theirs'), value: current.url ?? '', isCode: true },
                { label: t('webhooks.events'), value: current.eventTypes.join(', '), isCode: true },
                { label: t('webhooks.enabled'), value: t(current.enabled ? 'account.keys.yes' : 'account.keys.no') },
              ]}
            />
          </>
        )}
        <Field
          isAutoFocused
          type="url"
          label={t('webhooks.url')}
          placeholder="https://hooks.example.uz/ovoz"
          value={url}
          onChange={setUrl}
          hint={t('webhooks.urlHint')}
          error={faultOf('url')}
        />
        <fieldset className="column gap-6">
          <legend>{t('webhooks.events')}</legend>
          {offered.map((type) => (
            <Switch
              key={type}
              label={type}
              hint={
                isOlderEvent(type) ? t('webhooks.olderEvent') : type.startsWith('tts.') ? t('webhooks.speechEvent') : ''
              }
              isOn={types.has(type)}
              onChange={(isOn) =>
                setTypes((before) => new Set(isOn ? [...before, type] : [...before].filter((one) => one !== type)))
              }
            />
          ))}
          <FormError text={faultOf('eventTypes')} />
        </fieldset>
      </div>
    </Dialog>
  );
}
