import { ClipboardCopy, Filter } from 'lucide-react';
import { supportLines, type LogEntryView } from '../../../../shared/domain/account/account-views.ts';
import { useFormats, useText } from '../../../lib/text.ts';
import { Button } from '../../../ui/button.tsx';
import { FactList } from '../../../ui/fact-list.tsx';
import { useCopy } from '../../../ui/notices.ts';
import { Inspector, InspectorSection } from '../../../ui/panel.tsx';
import css from '../account.module.css';
import { StatusChip, useLatency } from './log-row.tsx';
import own from './log.module.css';

const explained = [400, 401, 402, 403, 404, 409, 413, 415, 422, 429, 500, 503] as const;

export interface LogDetailProps {
  readonly entry: LogEntryView;
  readonly keyName: string | null;
  readonly isOwnKey: boolean;
  readonly onRoute: (route: string) => void;
}

/** One request with the facts that support needs; a status is explained in words. */
export function LogDetail({ entry, keyName, isOwnKey, onRoute }: LogDetailProps) {
  const t = useText();
  const formats = useFormats();
  const latency = useLatency();
  const copy = useCopy();
  const { at, method, route, status, latencyMs, requestBytes, responseBytes, usage, requestId } = entry;
  const known = explained.find((one) => one === status);
  const meaning =
    status === null
      ? null
      : known !== undefined
        ? t(`account.log.meaning.${known}`)
        : t(status < 400 ? 'account.log.meaning.ok' : 'account.log.meaning.other');
  const facts: readonly (readonly [string, string | null, 'code'?])[] = [
    [
      t('account.log.time'),
      at === null ? null : `${formats.date(Date.parse(at))}, ${formats.timeWithSeconds(Date.parse(at))}`,
    ],
    [t('account.log.request'), `${method ?? ''} ${route ?? ''}`, 'code'],
    [t('account.log.took'), latencyMs === null ? null : latency(latencyMs)],
    [t('account.log.firstByte'), usage === null || usage.firstByteMs === null ? null : latency(usage.firstByteMs)],
    [t('account.log.sent'), requestBytes === null ? null : formats.bytes(requestBytes)],
    [t('account.log.received'), responseBytes === null ? null : formats.bytes(responseBytes)],
    [t('account.log.key'), isOwnKey && keyName !== null ? `${keyName} (${t('account.keys.thisApp')})` : keyName],
    [t('account.log.credits'), usage === null || usage.credits === null ? null : formats.credits(usage.credits)],
    [
      t('account.log.cost'),
      usage === null || usage.costMicros === null || usage.currency === null
        ? null
        : `${formats.number(usage.costMicros / 1_000_000)} ${usage.currency}`,
    ],
    [t('account.log.requestId'), requestId, 'code'],
  ];
  return (
    <Inspector label={t('account.log.details')}>
      <section className={own['title']}>
        <span className={css['buttons']}>
          <StatusChip status={status} />
          <b>{meaning}</b>
        </span>
        {status !== null && status >= 400 && <p className={css['hint']}>{t('account.log.failedText')}</p>}
      </section>
      <InspectorSection title={t('account.log.details')}>
        <FactList
          facts={facts.flatMap(([label, value, code]) =>
            value === null ? [] : [{ label, value, isCode: code !== undefined }],
          )}
        />
        <p className={own['note']}>{t('account.log.neverHold')}</p>
      </InspectorSection>
      <section className={own['actions']}>
        <Button icon={ClipboardCopy} onPress={() => void copy(supportLines(entry))}>
          {t('account.log.copy')}
        </Button>
        {route !== null && (
          <Button
            variant="ghost"
            icon={Filter}
            onPress={() => {
              onRoute(route);
            }}
          >
            {t('account.log.onlyRoute')}
          </Button>
        )}
      </section>
    </Inspector>
  );
}
