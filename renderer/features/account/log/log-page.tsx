import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { ChevronDown, Ellipsis, RefreshCw, ScrollText, X, ClipboardCopy, Filter } from 'lucide-react';
import { useEffect, useState } from 'react';
import {
  logMethods,
  logPeriods,
  type KeyView,
  type LogEntryView,
  type LogFilterView,
  supportLines,
} from '../../../../shared/domain/account/account-views.ts';
import { useConnection } from '../../../bridge/live-state.tsx';
import { failureOf, valueOrThrow } from '../../../bridge/request-error.ts';
import { useStudio } from '../../../bridge/studio-context.tsx';
import { cx } from '../../../lib/class-names.ts';
import { useText, useFormats } from '../../../lib/text.ts';
import { Button } from '../../../ui/button.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { FactList } from '../../../ui/fact-list.tsx';
import { Menu } from '../../../ui/menu.tsx';
import { useCopy } from '../../../ui/notices.ts';
import { Inspector, InspectorSection } from '../../../ui/panel.tsx';
import { RowGrid } from '../../../ui/row-grid/row-grid.tsx';
import { SearchBox } from '../../../ui/search-box.tsx';
import css from '../account.module.css';
import { AccountFrame, type AccountPageProps } from '../frame.tsx';
import { AccountFailure } from '../token.tsx';
import { useKeyNames } from '../use-account-list.ts';
import { LogRow, StatusChip, useLatency } from './log-row.tsx';
import own from './log.module.css';

type Shown = LogEntryView & { readonly id: string };

const statuses = [400, 401, 402, 403, 404, 409, 413, 415, 422, 429, 500, 503] as const;
const everything: LogFilterView = {
  days: 7,
  status: null,
  method: null,
  route: null,
  keyId: null,
  isFailedOnly: false,
  hidesReads: false,
  text: '',
};

const searchAfterMs = 400;

export function LogPage({ onPage }: AccountPageProps) {
  const t = useText();
  const studio = useStudio();
  const { mode, accountToken, key: chosenKey } = useConnection();
  const [filter, setFilter] = useState(everything);
  const [showsMore, setShowsMore] = useState(false);
  const [activeId, setActiveId] = useState<string | null>(null);
  // Each search asks the service for several pages, so it waits for a pause in typing.
  const [text, setText] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setText(filter.text), searchAfterMs);
    return () => clearTimeout(timer);
  }, [filter.text]);
  const who = [mode, accountToken.maskedSuffix];
  const wanted = { ...filter, text };
  const log = useInfiniteQuery({
    queryKey: ['account', 'log', ...who, wanted],
    initialPageParam: null as string | null,
    queryFn: ({ pageParam }) => valueOrThrow(studio.request('account.log', { filter: wanted, cursor: pageParam })),
    getNextPageParam: ({ nextCursor }) => nextCursor,
    refetchOnMount: 'always',
    retry: false,
    // Not that of another account.
    placeholderData: (shown, query) =>
      JSON.stringify(query?.queryKey.slice(2, -1)) === JSON.stringify(who) ? shown : undefined,
  });
  const keys = useQuery({
    queryKey: ['account', 'keys', ...who, chosenKey.maskedSuffix],
    queryFn: () => valueOrThrow(studio.request('account.keys', {})),
    retry: false,
  });
  const keyList = useKeyNames()(keys.data?.keys ?? []);
  const failure = failureOf(log.error);
  const entries: readonly Shown[] = (log.data?.pages ?? []).flatMap((page, part) =>
    page.entries.map((entry, at) => ({ ...entry, id: entry.requestId ?? `${String(part)}-${String(at)}` })),
  );
  const active = entries.find(({ id }) => id === activeId) ?? entries[0] ?? null;
  const draw = (entry: Shown) => (
    <LogRow entry={entry} isOn={entry === active} keyName={nameIn(keyList, entry.keyId)} />
  );
  const change = (part: Partial<LogFilterView>) => setFilter((before) => ({ ...before, ...part }));
  return (
    <AccountFrame
      page="log"
      onPage={onPage}
      actions={
        <Button icon={RefreshCw} isLoading={log.isFetching} onPress={() => void log.refetch()}>
          {t('account.log.refresh')}
        </Button>
      }
    >
      <search className={own['filters']} aria-label={t('account.log.filters')}>
        <div className={own['search']}>
          <SearchBox
            label={t('account.log.search')}
            placeholder={t('account.log.search')}
            maxLength={300}
            value={filter.text}
            onChange={(text) => change({ text })}
          />
        </div>
        <Button
          size="sm"
          isPressed={filter.isFailedOnly}
          onPress={() => change({ isFailedOnly: !filter.isFailedOnly, status: null })}
        >
          {t('account.log.failedOnly')}
        </Button>
        {showsMore ? (
          <>
            <Button
              size="sm"
              isPressed={filter.hidesReads}
              onPress={() =>
                change({ hidesReads: !filter.hidesReads, method: filter.method === 'GET' ? null : filter.method })
              }
            >
              {t('account.log.hideReads')}
            </Button>
            <Choice
              label={t('account.log.status')}
              chosen={filter.status}
              options={[null, ...statuses]}
              textOf={(status) => String(status ?? t('account.log.anyStatus'))}
              onChoose={(status) => change({ status })}
            />
            <Choice
              label={t('account.log.key')}
              chosen={filter.keyId}
              options={[null, ...keyList.map(({ id }) => id)]}
              textOf={(id) => {
                const key = keyList.find((one) => one.id === id);
                return id === null ? t('account.log.anyKey') : (key?.name ?? key?.maskedKey ?? id);
              }}
              onChoose={(keyId) => change({ keyId })}
            />
            <Choice
              label={t('account.log.method')}
              chosen={filter.method}
              options={[null, ...logMethods]}
              textOf={(method) => method ?? t('account.log.anyMethod')}
              onChoose={(method) => change({ method, hidesReads: filter.hidesReads && method !== 'GET' })}
            />
            <Choice
              label={t('account.period')}
              chosen={filter.days}
              options={logPeriods}
              textOf={(count) => t('account.log.last', { count })}
              onChoose={(days) => change({ days })}
            />
          </>
        ) : (
          <Button size="sm" variant="ghost" icon={Ellipsis} onPress={() => setShowsMore(true)}>
            {t('common.more')}
          </Button>
        )}
        {filter.route !== null && (
          <Button size="sm" iconAfter={X} onPress={() => change({ route: null })}>
            {filter.route}
          </Button>
        )}
        <output className="apart nowrap small subtle">
          {t(log.hasNextPage ? 'account.log.countSoFar' : 'account.log.count', { count: entries.length })}
        </output>
      </search>
      <div className={css['split']}>
        <div className={cx(css['main'], own['list'])}>
          {failure && <AccountFailure failure={failure} onRetry={() => void log.refetch()} />}
          {entries.length > 0 ? (
            <>
              <div className={css['head']} aria-hidden>
                <span className={css['mid']}>{t('account.log.time')}</span>
                <span>{t('account.log.request')}</span>
                <span>{t('account.log.status')}</span>
                <span className={cx(css['end'], css['mid'])}>{t('account.log.took')}</span>
                <span className={cx(css['end'], css['mid'], own['cost'])}>{t('account.log.credits')}</span>
                <span className="wide">{t('account.log.key')}</span>
              </div>
              <RowGrid
                className={css['rows']}
                label={t('account.pages.log')}
                items={entries}
                labelOf={(entry) => `${entry.method ?? ''} ${entry.route ?? ''} ${String(entry.status ?? '')}`}
                estimatedRowHeight={42}
                onActive={(entry) => setActiveId(entry?.id ?? null)}
                onOpen={(entry) => setActiveId(entry.id)}
              >
                {draw}
              </RowGrid>
            </>
          ) : (
            log.data && (
              <EmptyState icon={ScrollText} title={t('account.log.empty')}>
                {log.hasNextPage ? t('account.log.emptySoFar') : t('account.log.emptyText')}
              </EmptyState>
            )
          )}
          {log.hasNextPage && (
            <div className={css['more']}>
              <Button isLoading={log.isFetchingNextPage} onPress={() => void log.fetchNextPage()}>
                {t('account.log.more')}
              </Button>
            </div>
          )}
        </div>
        {active && (
          <LogDetail
            entry={active}
            keyName={nameIn(keyList, active.keyId)}
            isOwnKey={
              (keys.data?.ownSuffix ?? '') !== '' &&
              keyList.find((key) => key.id === active.keyId)?.maskedKey?.endsWith(keys.data?.ownSuffix ?? '') === true
            }
            onRoute={(route) => change({ route })}
          />
        )}
      </div>
    </AccountFrame>
  );
}

const nameIn = (keys: readonly KeyView[], id: string | null): string | null =>
  keys.find((key) => key.id === id)?.name ?? null;

interface ChoiceProps<V extends string | number | null> {
  readonly label: string;
  readonly chosen: V;
  readonly options: readonly V[];
  readonly textOf: (value: V) => string;
  readonly onChoose: (value: V) => void;
}

function Choice<V extends string | number | null>({ label, chosen, options, textOf, onChoose }: ChoiceProps<V>) {
  return (
    <Menu
      label={label}
      chosenId={String(chosen)}
      placement="bottom start"
      trigger={
        <Button size="sm" iconAfter={ChevronDown}>
          {textOf(chosen)}
        </Button>
      }
      entries={options.map((value) => ({
        id: String(value),
        text: textOf(value),
        onAction: () => onChoose(value),
      }))}
    />
  );
}

interface LogDetailProps {
  readonly entry: LogEntryView;
  readonly keyName: string | null;
  readonly isOwnKey: boolean;
  readonly onRoute: (route: string) => void;
}

function LogDetail({ entry, keyName, isOwnKey, onRoute }: LogDetailProps) {
  const t = useText();
  const formats = useFormats();
  const latency = useLatency();
  const copy = useCopy();
  const { at, method, route, status, latencyMs, requestBytes, responseBytes, usage, requestId } = entry;
  const known = statuses.find((one) => one === status);
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
        <span className="row gap-8 wrap">
          <StatusChip status={status} />
          <b>{meaning}</b>
        </span>
        {status !== null && status >= 400 && <p className="fine subtle">{t('account.log.failedText')}</p>}
      </section>
      <InspectorSection title={t('account.log.details')}>
        <FactList
          facts={facts.flatMap(([label, value, code]) =>
            value === null ? [] : [{ label, value, isCode: code !== undefined }],
          )}
        />
        <p className={css['note']}>{t('account.log.neverHold')}</p>
      </InspectorSection>
      <section className={css['actions']}>
        <Button icon={ClipboardCopy} onPress={() => void copy(supportLines(entry))}>
          {t('account.log.copy')}
        </Button>
        {route !== null && (
          <Button variant="ghost" icon={Filter} onPress={() => onRoute(route)}>
            {t('account.log.onlyRoute')}
          </Button>
        )}
      </section>
    </Inspector>
  );
}
