import { Scope } from '../../../lib/scope.ts';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { ChevronDown, RefreshCw, ScrollText, Search, X } from 'lucide-react';
import { useEffect, useState } from 'react';
import {
  logMethods,
  logPeriods,
  type KeyView,
  type LogEntryView,
  type LogFilterView,
} from '../../../../shared/domain/account/account-views.ts';
import { failureOf, valueOrThrow } from '../../../bridge/request-error.ts';
import { useConnection } from '../../../bridge/live-state.tsx';
import { useStudio } from '../../../bridge/studio-context.tsx';
import { cx } from '../../../lib/class-names.ts';
import { useText } from '../../../lib/text.ts';
import { Button } from '../../../ui/button.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { Field } from '../../../ui/field.tsx';
import { Menu } from '../../../ui/menu.tsx';
import { RowGrid } from '../../../ui/row-grid/row-grid.tsx';
import css from '../account.module.css';
import { AccountFrame, type AccountPageProps } from '../frame.tsx';
import { useKeyNames } from '../use-account-list.ts';
import { AccountFailure, TokenNeeded, useHasToken } from '../token.tsx';
import { LogDetail } from './log-detail.tsx';
import { LogRow } from './log-row.tsx';
import own from './log.module.css';

/** Every request made with a key of the account; never its content. */
export function LogPage({ onPage }: AccountPageProps) {
  return useHasToken() ? (
    <Log onPage={onPage} />
  ) : (
    <AccountFrame page="log" onPage={onPage}>
      <TokenNeeded page="log" />
    </AccountFrame>
  );
}

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

function Log({ onPage }: AccountPageProps) {
  const t = useText();
  const studio = useStudio();
  const { mode, accountToken, key: chosenKey } = useConnection();
  const [filter, setFilter] = useState(everything);
  const [activeId, setActiveId] = useState<string | null>(null);
  // Each search asks the service for several pages, so it waits for a pause in typing.
  const [text, setText] = useState('');
  useEffect(() => {
    const scope = new Scope();
    scope.after(searchAfterMs, () => {
      setText(filter.text);
    });
    return () => {
      scope.dispose();
    };
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
  const shownId = active?.id ?? null;
  const draw = (entry: Shown) => (
    <LogRow entry={entry} isOn={entry.id === shownId} keyName={nameIn(keyList, entry.keyId)} />
  );
  const change = (part: Partial<LogFilterView>) => {
    setFilter((before) => ({ ...before, ...part }));
  };
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
          <Field
            type="search"
            label={t('account.log.search')}
            placeholder={t('account.log.search')}
            icon={Search}
            value={filter.text}
            onChange={(value) => {
              change({ text: value.slice(0, 300) });
            }}
          />
        </div>
        <Button
          size="sm"
          variant={filter.isFailedOnly ? 'primary' : 'default'}
          {...(filter.isFailedOnly ? { iconAfter: X } : {})}
          onPress={() => {
            change({ isFailedOnly: !filter.isFailedOnly, status: null });
          }}
        >
          {t('account.log.failedOnly')}
        </Button>
        <Button
          size="sm"
          variant={filter.hidesReads ? 'primary' : 'default'}
          {...(filter.hidesReads ? { iconAfter: X } : {})}
          onPress={() => {
            change({ hidesReads: !filter.hidesReads, method: filter.method === 'GET' ? null : filter.method });
          }}
        >
          {t('account.log.hideReads')}
        </Button>
        <Choice
          label={t('account.log.status')}
          chosen={filter.status === null ? 'any' : String(filter.status)}
          options={[
            { id: 'any', text: t('account.log.anyStatus') },
            ...statuses.map((status) => ({ id: String(status), text: String(status) })),
          ]}
          onChoose={(id) => {
            change({ status: id === 'any' ? null : Number(id) });
          }}
        />
        <Choice
          label={t('account.log.key')}
          chosen={filter.keyId ?? 'any'}
          options={[
            { id: 'any', text: t('account.log.anyKey') },
            ...keyList.map((key) => ({ id: key.id, text: key.name ?? key.maskedKey ?? key.id })),
          ]}
          onChoose={(id) => {
            change({ keyId: id === 'any' ? null : id });
          }}
        />
        <Choice
          label={t('account.log.method')}
          chosen={filter.method ?? 'any'}
          options={[
            { id: 'any', text: t('account.log.anyMethod') },
            ...logMethods.map((method) => ({ id: method, text: method })),
          ]}
          onChoose={(id) => {
            const chosen = logMethods.find((method) => method === id) ?? null;
            change({ method: chosen, hidesReads: filter.hidesReads && chosen !== 'GET' });
          }}
        />
        <Choice
          label={t('account.period')}
          chosen={String(filter.days)}
          options={logPeriods.map((count) => ({ id: String(count), text: t('account.log.last', { count }) }))}
          onChoose={(id) => {
            change({ days: logPeriods.find((days) => String(days) === id) ?? 7 });
          }}
        />
        {filter.route !== null && (
          <Button
            size="sm"
            iconAfter={X}
            onPress={() => {
              change({ route: null });
            }}
          >
            {filter.route}
          </Button>
        )}
        <output className={own['count']}>
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
                <span className={css['wide']}>{t('account.log.key')}</span>
              </div>
              <RowGrid
                className={css['rows']}
                label={t('account.pages.log')}
                items={entries}
                labelOf={(entry) => `${entry.method ?? ''} ${entry.route ?? ''} ${String(entry.status ?? '')}`}
                estimatedRowHeight={42}
                onActive={(entry) => {
                  setActiveId(entry?.id ?? null);
                }}
                onOpen={(entry) => {
                  setActiveId(entry.id);
                }}
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
            onRoute={(route) => {
              change({ route });
            }}
          />
        )}
      </div>
    </AccountFrame>
  );
}

const nameIn = (keys: readonly KeyView[], id: string | null): string | null =>
  keys.find((key) => key.id === id)?.name ?? null;

interface ChoiceProps {
  readonly label: string;
  readonly chosen: string;
  readonly options: readonly { readonly id: string; readonly text: string }[];
  readonly onChoose: (id: string) => void;
}

function Choice({ label, chosen, options, onChoose }: ChoiceProps) {
  return (
    <Menu
      label={label}
      chosenId={chosen}
      placement="bottom start"
      trigger={
        <Button size="sm" iconAfter={ChevronDown}>
          {options.find(({ id }) => id === chosen)?.text ?? chosen}
        </Button>
      }
      entries={options.map(({ id, text }) => ({
        id,
        text,
        onAction: () => {
          onChoose(id);
        },
      }))}
    />
  );
}
