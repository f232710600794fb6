import { GitMerge } from 'lucide-react';
import { useState } from 'react';
import type { WebhookView } from '../../../../shared/domain/webhooks/webhook-views.ts';
import {
  isOlderEvent,
  judgeWebhookInput,
  webhookEventTypes,
  type WebhookFault,
} from '../../../../shared/domain/webhooks/webhook-input.ts';
import type { Failure } from '../../../../shared/result/failure.ts';
import { useStudio } from '../../../bridge/studio-context.tsx';
import { useText } from '../../../lib/text.ts';
import { Banner } from '../../../ui/banner.tsx';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { FactList } from '../../../ui/fact-list.tsx';
import { Field } from '../../../ui/field.tsx';
import { Switch } from '../../../ui/switch.tsx';
import css from '../account.module.css';
import { AccountFailure } from '../token.tsx';

export interface WebhookDialogProps {
  /** Null: a new one is made. */
  readonly edited: WebhookView | null;
  readonly onClose: () => void;
  readonly onCreated: (webhook: WebhookView, maskedSuffix: string | null) => void;
  readonly onSaved: () => void;
  /** The answer was lost: the list shows whether there is one now. */
  readonly onUnsure: (failure: Failure) => void;
}

/** Address and events of a webhook; a change made elsewhere meanwhile is shown and never overwritten unseen. */
export function WebhookDialog({ edited, onClose, onCreated, onSaved, onUnsure }: WebhookDialogProps) {
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
      else if (made.error.outcome === 'unknown') onUnsure(made.error);
      else setFailure(made.error);
      return;
    }
    const { revision } = current ?? edited;
    const saved = await studio.request('webhooks.update', { webhookId: edited.id, revision, change: wanted });
    setIsSaving(false);
    if (!saved.ok) setFailure(saved.error);
    else if (saved.value.tag === 'conflict') setCurrent(saved.value.current);
    else onSaved();
  };
  return (
    <Dialog
      isOpen
      holdsWork={entered !== asOpened}
      title={edited === null ? t('webhooks.newTitle') : t('webhooks.editTitle')}
      closeLabel={t('common.close')}
      onClose={onClose}
      footer={(leave) => (
        <>
          {current === null ? (
            <Button onPress={leave}>{t('common.cancel')}</Button>
          ) : (
            <Button onPress={onClose}>{t('webhooks.conflict.keepTheirs')}</Button>
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
        <fieldset>
          <legend>{t('webhooks.events')}</legend>
          {offered.map((type) => (
            <Switch
              key={type}
              label={type}
              hint={
                isOlderEvent(type) ? t('webhooks.olderEvent') : type.startsWith('tts.') ? t('webhooks.speechEvent') : ''
              }
              isOn={types.has(type)}
              onChange={(isOn) => {
                setTypes((before) => new Set(isOn ? [...before, type] : [...before].filter((one) => one !== type)));
              }}
            />
          ))}
          {faultOf('eventTypes') && (
            <p role="alert" className={css['error']}>
              {faultOf('eventTypes')}
            </p>
          )}
        </fieldset>
      </div>
    </Dialog>
  );
}
