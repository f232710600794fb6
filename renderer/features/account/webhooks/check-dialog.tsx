import { useQuery } from '@tanstack/react-query';
import { CircleAlert, CircleCheck, KeyRound, TriangleAlert } from 'lucide-react';
import { useCallback, useEffect, useRef, useState } from 'react';
import type { DeliveryCheck } from '../../../../shared/domain/webhooks/check-delivery.ts';
import type { WebhookView } from '../../../../shared/domain/webhooks/webhook-views.ts';
import type { Failure } from '../../../../shared/result/failure.ts';
import { valueOrThrow } from '../../../bridge/request-error.ts';
import { useStudio } from '../../../bridge/studio-context.tsx';
import { useFormats, useText } from '../../../lib/text.ts';
import { Banner } from '../../../ui/banner.tsx';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import css from '../account.module.css';
import { AccountFailure } from '../token.tsx';
import own from './webhooks.module.css';

const exampleHeaders = 'X-Service-Timestamp: 1764000000\nX-Service-Signature: v1=0123…';

/** Checks whether a pasted delivery is from the service; the secret stays in main, and nothing pasted is stored. */
export function CheckDialog({
  webhook,
  onClose,
}: {
  readonly webhook: WebhookView | null;
  readonly onClose: () => void;
}) {
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
  const forget = useCallback(() => {
    asked.current += 1;
    setCheck(null);
    setFailure(null);
  }, []);
  useEffect(
    () =>
      studio.subscribe('webhooks.secretTyped', () => {
        forget();
        void refetch();
      }),
    [studio, refetch, forget],
  );
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
      closeLabel={t('common.close')}
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
        <p className={css['hint']}>{t('webhooks.check.text')}</p>
        <div className={own['secret']}>
          <span>{t('webhooks.secret')}</span>
          <span className={css['code']}>{suffix === null ? t('webhooks.check.noSecret') : `••••••••${suffix}`}</span>
          <Button size="sm" icon={KeyRound} onPress={() => void studio.request('webhooks.enterSecret', {})}>
            {t('webhooks.check.enter')}
          </Button>
        </div>
        <label className={css['area']}>
          {t('webhooks.check.headers')}
          <textarea
            spellCheck={false}
            rows={4}
            placeholder={exampleHeaders}
            value={headers}
            onChange={(event) => {
              setHeaders(event.currentTarget.value);
              setCheck(null);
            }}
          />
        </label>
        <label className={css['area']}>
          {t('webhooks.check.body')}
          <textarea
            spellCheck={false}
            rows={6}
            value={body}
            onChange={(event) => {
              setBody(event.currentTarget.value);
              setCheck(null);
            }}
          />
        </label>
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
