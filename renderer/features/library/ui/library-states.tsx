import { CircleAlert, FlaskConical, FolderOpen, Library as LibraryIcon, Search, Trash2, X } from 'lucide-react';
import { useMemo } from 'react';
import type { JobView } from '../../../../shared/domain/jobs/job-view.ts';
import { refKey } from '../../../../shared/domain/library/library-item.ts';
import { modeOf } from '../../../../shared/domain/modes.ts';
import type { Ranges } from '../../../../shared/domain/search/search-query.ts';
import { clock } from '../../../../shared/domain/time/time-code.ts';
import { useJobs, useSettings } from '../../../bridge/live-state.tsx';
import { failureOf } from '../../../bridge/request-error.ts';
import type { LibrarySearchAnswer } from '../../../bridge/types.ts';
import { useRunCommand } from '../../../lib/commands.tsx';
import { useFailureText } from '../../../lib/failure-text.ts';
import { useFormats, useText } from '../../../lib/text.ts';
import { Button } from '../../../ui/button.tsx';
import { LanguageTag } from '../../../ui/chip.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { RowGrid } from '../../../ui/row-grid/row-grid.tsx';
import { Spinner } from '../../../ui/spinner.tsx';
import { useLibraryContext } from '../library-context.ts';
import css from '../library-screen.module.css';
import {
  activeParts,
  everything,
  filterItems,
  type FilterPart,
  type ListedItem,
  selectedItems,
  without,
} from '../model/library-view.ts';
import { useMomentCounts, type useSearch } from '../queries.ts';
import foundCss from './found-list.module.css';
import { kindIcons, useItemKeys } from './item-menu.ts';
import { RowMenu, RowMenus, useRowMenus } from './more-menu.tsx';
import nothingFoundCss from './nothing-found.module.css';

/** Recordings that have no text yet are never found. */
const isToCome = ({ kind, state }: JobView): boolean =>
  // The transcript of a duplicate exists already; its row only waits for a decision.
  kind === 'transcribe' &&
  !isOver.has(state.tag) &&
  !(state.tag === 'needs-user' && state.failure.kind === 'already-in-queue');
const isOver: ReadonlySet<JobView['state']['tag']> = new Set(['done', 'failed', 'cancelled']);

interface FoundProps {
  readonly asked: string;
  readonly shown: readonly ListedItem[];
  readonly search: ReturnType<typeof useSearch>;
  readonly onText: (text: string) => void;
  readonly onMore: () => void;
  readonly selectedIds: ReadonlySet<string>;
  readonly onSelect: (ids: ReadonlySet<string>) => void;
  readonly onActive: (item: ListedItem | null, atMs: number) => void;
}

export function Found({ asked, shown, search, onText, onMore, ...list }: FoundProps) {
  const t = useText();
  const formats = useFormats();
  const { data: answer, error, refetch } = search;
  if (error !== null) return <Unread error={error} onRetry={() => void refetch()} />;
  if (answer === undefined)
    return (
      <output className={css['waiting']}>
        <Spinner />
        {t('library.searching')}
      </output>
    );
  if (answer.itemCount === 0) return <NothingFound text={asked} answer={answer} onText={onText} />;
  const others = otherSpellings(answer, asked);
  return (
    <>
      <output className={css['counted']}>
        {answer.momentCount === 0 ? (
          <b>{t('library.byName', { count: answer.itemCount })}</b>
        ) : (
          <>
            <b>
              {answer.isPartial
                ? t('library.manyMoments', { count: answer.momentCount })
                : t('library.moments', { count: answer.momentCount })}
            </b>{' '}
            {t('library.inRecordings', { count: answer.itemCount })}
          </>
        )}
        {answer.items.length < answer.itemCount && `, ${t('library.newestShown', { count: answer.items.length })}`}
        {others.length > 0 && `, ${t('library.alsoMatching', { words: formats.list(others) })}`}
      </output>
      {answer.items.length < answer.itemCount && (
        <Button size="sm" variant="ghost" className={css['moreFound']} isLoading={search.isFetching} onPress={onMore}>
          {t('library.showMore')}
        </Button>
      )}
      <FoundList answer={answer} items={shown} {...list} />
    </>
  );
}

export function Empty() {
  const t = useText();
  const { mode } = useSettings();
  const run = useRunCommand();
  const { items, filter, filterBy } = useLibraryContext();
  const trashCount = items.filter(({ trashedAtMs }) => trashedAtMs !== null).length;
  const hasItems = trashCount < items.length;
  const isFolder = activeParts(filter).join() === 'place' && filter.place !== 'none';
  if (filter.place === 'trash')
    return (
      <EmptyState icon={Trash2} title={t('library.empty.trash')}>
        {t('library.empty.trashText')}
      </EmptyState>
    );
  if (hasItems)
    return (
      <EmptyState
        icon={isFolder ? FolderOpen : Search}
        title={t(isFolder ? 'library.empty.folder' : 'library.empty.filtered')}
        action={
          <Button onPress={() => filterBy(everything)}>
            {t(isFolder ? 'library.everything' : 'library.clearFilters')}
          </Button>
        }
      >
        {t(isFolder ? 'library.empty.folderText' : 'library.empty.filteredText')}
      </EmptyState>
    );
  return trashCount > 0 ? (
    <EmptyState
      icon={Trash2}
      title={t('library.empty.allInTrash', { count: trashCount })}
      action={
        <Button onPress={() => filterBy({ ...everything, place: 'trash' })}>{t('library.empty.openTrash')}</Button>
      }
    >
      {t('library.empty.allInTrashText')}
    </EmptyState>
  ) : (
    <EmptyState
      icon={LibraryIcon}
      title={t('library.empty.title')}
      action={
        modeOf(mode).isPractice && (
          <Button icon={FlaskConical} onPress={() => run('samples.add')}>
            {t('transcribe.trySamples')}
          </Button>
        )
      }
    >
      {t('library.empty.text')}
    </EmptyState>
  );
}

/** If the list can't be read, an empty one would be misleading. */
export function Unread({ error, onRetry }: { readonly error: Error; readonly onRetry: () => void }) {
  const t = useText();
  const words = useFailureText();
  const failure = failureOf(error);
  return (
    <EmptyState
      icon={CircleAlert}
      title={failure === null ? t('library.notRead') : words(failure).title}
      action={<Button onPress={onRetry}>{t('common.tryAgain')}</Button>}
    >
      {failure === null ? t('library.notReadText') : words(failure).textAfterTitle}
    </EmptyState>
  );
}

const most = 3;
const plain = (text: string): string => text.normalize('NFC').toLocaleLowerCase();

function otherSpellings({ items }: Pick<LibrarySearchAnswer, 'items'>, asked: string): readonly string[] {
  const typed = new Set(plain(asked).match(/[^\s"“”«»„]+/gu));
  const counts = new Map<string, number>();
  for (const { moments } of items) {
    for (const { text, ranges } of moments) {
      for (const [start, end] of ranges) {
        const found = plain(text.slice(start, end));
        if (!typed.has(found) && !found.includes(' ')) counts.set(found, (counts.get(found) ?? 0) + 1);
      }
    }
  }
  return [...counts]
    .toSorted((one, other) => other[1] - one[1])
    .slice(0, most)
    .map(([word]) => word);
}

interface NothingFoundProps {
  readonly text: string;
  readonly answer: LibrarySearchAnswer;
  readonly onText: (text: string) => void;
}

function NothingFound({ text, answer, onText }: NothingFoundProps) {
  const t = useText();
  const textOf = useFilterText();
  const { items, folders, filter, filterBy, nowMs } = useLibraryContext();
  const parts = activeParts(filter);
  const { data: hidden } = useMomentCounts(
    text,
    parts.map((part) => filterItems(items, without(filter, part), folders, nowMs)),
  );
  const kept = items.filter(({ trashedAtMs }) => trashedAtMs === null);
  const { nearest } = answer;
  const { jobs } = useJobs();
  const toComeCount = jobs.filter(isToCome).length;
  return (
    <section className={nothingFoundCss['nothing']} aria-label={t('library.nothing.title', { text })}>
      <span aria-hidden className={nothingFoundCss['glyph']}>
        <Search size={24} strokeWidth={1.75} />
      </span>
      <h2>{t('library.nothing.title', { text })}</h2>
      <p>
        {t('library.nothing.lookedIn', {
          some: filterItems(items, filter, folders, nowMs).length,
          count: kept.length + toComeCount,
        })}
      </p>
      {nearest && (
        <div className={nothingFoundCss['card']}>
          <div>
            <span className={nothingFoundCss['hint']}>{t('library.nothing.nearest')}</span>
            <span className={nothingFoundCss['word']}>{nearest.text}</span>
          </div>
          <Button onPress={() => onText(nearest.text)}>
            {t('library.nothing.show', { count: nearest.momentCount })}
          </Button>
        </div>
      )}
      {parts.length > 0 && (
        <>
          <h3>{t('library.nothing.filters')}</h3>
          <ul className={nothingFoundCss['filters']}>
            {parts.map((part, at) => (
              <li key={part}>
                <span>{textOf(part)}</span>
                <span className={nothingFoundCss['hint']}>
                  {t('library.nothing.hides', { count: hidden?.[at] ?? 0 })}
                </span>
                <Button size="sm" variant="ghost" onPress={() => filterBy(without(filter, part))}>
                  {t('library.nothing.turnOff')}
                </Button>
              </li>
            ))}
          </ul>
        </>
      )}
      {toComeCount > 0 && (
        <p className={nothingFoundCss['hint']}>{t('library.nothing.notSearched', { count: toComeCount })}</p>
      )}
    </section>
  );
}

type FoundItemView = LibrarySearchAnswer['items'][number];
type FoundRow =
  | { readonly type: 'item'; readonly id: string; readonly item: ListedItem; readonly found: FoundItemView }
  | {
      readonly type: 'moment';
      readonly id: string;
      readonly item: ListedItem;
      readonly moment: FoundItemView['moments'][number];
      readonly isLast: boolean;
    }
  | { readonly type: 'more'; readonly id: string; readonly item: ListedItem; readonly count: number };

interface FoundListProps {
  readonly answer: LibrarySearchAnswer;
  readonly items: readonly ListedItem[];
  readonly selectedIds: ReadonlySet<string>;
  readonly onSelect: (ids: ReadonlySet<string>) => void;
  readonly onActive: (item: ListedItem | null, atMs: number) => void;
}

/** Moments belong to their item, so clicking any of its rows selects the item. */
function itemSelection(before: ReadonlySet<string>, after: ReadonlySet<string>): ReadonlySet<string> {
  const keyOf = (id: string) => id.split('@')[0] ?? id;
  const added = [...after].filter((id) => !before.has(id));
  const [only] = added;
  // Clicking a moment of a selected item deselects it.
  if (added.length === 1 && only !== undefined && only !== keyOf(only) && before.has(keyOf(only)))
    return new Set([...before].filter((id) => id !== keyOf(only)));
  return new Set([...after].map(keyOf));
}

function FoundList({ answer, items, selectedIds, onSelect, onActive }: FoundListProps) {
  const t = useText();
  const { open, findIn } = useLibraryContext();
  const onItemKey = useItemKeys();
  const menus = useRowMenus(items, selectedIds);
  const rows = useMemo(() => {
    const byKey = new Map(items.map((item) => [refKey(item), item]));
    return answer.items.flatMap((found): FoundRow[] => {
      const item = byKey.get(refKey(found));
      if (item === undefined) return [];
      const count = found.momentCount - found.moments.length;
      return [
        { type: 'item', id: refKey(item), item, found },
        ...found.moments.map((moment, at) => ({
          type: 'moment' as const,
          id: `${refKey(item)}@${String(at)}`,
          item,
          moment,
          isLast: count === 0 && at === found.moments.length - 1,
        })),
        ...(count > 0 ? [{ type: 'more' as const, id: `${refKey(item)}@more`, item, count }] : []),
      ];
    });
  }, [answer, items]);
  return (
    <RowMenus value={menus}>
      <RowGrid
        label={t('library.results')}
        className={foundCss['list']}
        items={rows}
        labelOf={(row) =>
          row.type === 'item'
            ? row.item.title
            : row.type === 'more'
              ? t('library.moreMoments', { count: row.count })
              : `${timeOf(row)} ${row.moment.text}`.trim()
        }
        estimatedRowHeight={28}
        selection={{ ids: selectedIds, onChange: (ids) => onSelect(itemSelection(selectedIds, ids)) }}
        onActive={(row) => onActive(row?.item ?? null, row === null ? 0 : momentOf(row))}
        onOpen={(row) => {
          if (row.item.trashedAtMs !== null) return;
          if (row.type === 'more') findIn(row.item);
          else open(row.item, momentOf(row));
        }}
        onMenu={(row) => menus.showMenu(refKey(row.item))}
        onKey={(event, { item }) => onItemKey(event, item, selectedItems(items, selectedIds))}
      >
        {drawRow}
      </RowGrid>
    </RowMenus>
  );
}

const momentOf = (row: FoundRow): number =>
  row.type === 'moment' ? row.moment.startMs : row.type === 'item' ? (row.found.moments[0]?.startMs ?? 0) : 0;

/** Questions have a position in their conversation but no time. */
const timeOf = ({ item, moment }: Extract<FoundRow, { type: 'moment' }>): string =>
  item.kind === 'conversation' ? '' : clock(moment.startMs);

const drawRow = (row: FoundRow) =>
  row.type === 'item' ? (
    <FoundItem item={row.item} found={row.found} />
  ) : row.type === 'more' ? (
    <MoreMoments count={row.count} />
  ) : (
    <div className={foundCss['moment']} data-last={row.isLast ? '' : undefined}>
      <span className={foundCss['at']}>{timeOf(row)}</span>
      <span className={foundCss['words']} lang={row.item.language ?? undefined}>
        <Marked text={row.moment.text} ranges={row.moment.ranges} />
      </span>
    </div>
  );

function MoreMoments({ count }: { readonly count: number }) {
  const t = useText();
  return (
    <div className={foundCss['moment']} data-last="">
      <span className={foundCss['more']}>{t('library.moreMoments', { count })}</span>
    </div>
  );
}

function FoundItem({ item, found }: { readonly item: ListedItem; readonly found: FoundItemView }) {
  const t = useText();
  const formats = useFormats();
  const Icon = kindIcons[item.kind];
  const facts = [
    ...(item.states.includes('excerpt') ? [t('library.state.excerpt')] : []),
    formats.date(item.createdAtMs),
    ...(item.durationMs === null ? [] : [formats.clock(item.durationMs)]),
    ...(found.isApart === true && found.moments.length > 1 ? [t('library.apart')] : []),
  ];
  return (
    <div className={foundCss['item']}>
      <Icon aria-hidden size={16} strokeWidth={1.75} />
      <b className="cut medium">
        <Marked text={item.title} ranges={found.titleRanges} />
      </b>
      {item.language && <LanguageTag code={item.language} name={t(`common.languageNames.${item.language}`)} />}
      <span className={foundCss['facts']}>{facts.join(', ')}</span>
      <RowMenu item={item} />
    </div>
  );
}

function Marked({ text, ranges }: { readonly text: string; readonly ranges: Ranges }) {
  return ranges.reduceRight<readonly React.ReactNode[]>(
    (rest, [start, end], at) => {
      const before = text.slice(ranges[at - 1]?.[1] ?? 0, start);
      return [
        before,
        <mark key={start} className={foundCss['hit']}>
          {text.slice(start, end)}
        </mark>,
        ...rest,
      ];
    },
    [text.slice(ranges.at(-1)?.[1] ?? 0)],
  );
}

function useFilterText(): (part: FilterPart) => string {
  const t = useText();
  const formats = useFormats();
  const { folders, tags, filter } = useLibraryContext();
  return (part) => {
    switch (part) {
      case 'place':
        return filter.place === 'none'
          ? t('library.noFolder')
          : t('library.inFolder', { name: folders.find(({ id }) => id === filter.place)?.name ?? '' });
      case 'tags':
        return formats.list(tags.filter(({ id }) => filter.tags.has(id)).map(({ name }) => name));
      case 'kinds':
        return formats.list([...filter.kinds].map((kind) => t(`library.kind.${kind}`)));
      case 'languages':
        return formats.list([...filter.languages].map((language) => t(`common.languageNames.${language}`)));
      case 'states':
        return formats.list([...filter.states].map((state) => t(`library.state.${state}`)));
      case 'speakers':
        return formats.list([...filter.speakers]);
      case 'days':
        return t('library.lastDays', { count: filter.days ?? 0 });
    }
  };
}

export function FilterChips() {
  const t = useText();
  const { filter, filterBy } = useLibraryContext();
  const textOf = useFilterText();
  const parts = activeParts(filter);
  if (parts.length === 0) return null;
  return (
    <section className={css['chips']} aria-label={t('library.filters')}>
      {parts.map((part) => (
        <button
          key={part}
          type="button"
          className={css['chip']}
          aria-label={t('library.turnOffFilter', { filter: textOf(part) })}
          onClick={() => filterBy(without(filter, part))}
        >
          {textOf(part)}
          <X aria-hidden size={12} strokeWidth={2} />
        </button>
      ))}
      <Button size="sm" variant="ghost" onPress={() => filterBy(everything)}>
        {t('library.clearFilters')}
      </Button>
    </section>
  );
}
