import { CircleAlert, FolderOpen, Library as LibraryIcon, Plus, Search, Trash2 } from 'lucide-react';
import { failureOf } from '../../../bridge/request-error.ts';
import { useRunCommand } from '../../../lib/commands.tsx';
import { useFailureWords } from '../../../lib/failure-words.ts';
import { useFormats, useText } from '../../../lib/text.ts';
import { Button } from '../../../ui/button.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { Spinner } from '../../../ui/spinner.tsx';
import css from '../library-screen.module.css';
import type { LibraryFilter, ListedItem } from '../model/library-view.ts';
import type { useSearch } from '../queries.ts';
import { FoundList } from './found-list.tsx';
import { NothingFound } from './nothing-found.tsx';
import type { LibrarySearchAnswer } from '../../../bridge/types.ts';

interface FoundProps {
  readonly asked: string;
  readonly items: readonly ListedItem[];
  readonly shown: readonly ListedItem[];
  readonly filter: LibraryFilter;
  readonly nowMs: number;
  readonly search: ReturnType<typeof useSearch>;
  readonly onFilter: (filter: LibraryFilter) => void;
  readonly onText: (text: string) => void;
  readonly onMore: () => void;
  readonly selectedIds: ReadonlySet<string>;
  readonly onSelect: (ids: ReadonlySet<string>) => void;
  readonly onActive: (item: ListedItem | null, atMs: number) => void;
}

/** The search results, or why there are none. */
export function Found({ asked, items, shown, filter, nowMs, search, onFilter, onText, onMore, ...list }: FoundProps) {
  const t = useText();
  const formats = useFormats();
  const { data: answer, error, refetch } = search;
  if (error !== null) return <Unread error={error} onRetry={() => void refetch()} />;
  if (answer === undefined) {
    return (
      <output className={css['waiting']}>
        <Spinner />
        {t('library.searching')}
      </output>
    );
  }
  if (answer.itemCount === 0) {
    return (
      <NothingFound
        text={asked}
        answer={answer}
        items={items}
        filter={filter}
        nowMs={nowMs}
        onFilter={onFilter}
        onText={onText}
      />
    );
  }
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

/** An empty list explains why and offers what to do. */
export function Empty({
  isTrash,
  isFolder,
  hasItems,
  trashCount,
  onEverything,
  onTrash,
}: {
  readonly isTrash: boolean;
  /** A folder is the only active filter. */
  readonly isFolder: boolean;
  readonly hasItems: boolean;
  readonly trashCount: number;
  readonly onEverything: () => void;
  readonly onTrash: () => void;
}) {
  const t = useText();
  const run = useRunCommand();
  if (isTrash) {
    return (
      <EmptyState icon={Trash2} title={t('library.empty.trash')}>
        {t('library.empty.trashText')}
      </EmptyState>
    );
  }
  if (!hasItems && trashCount > 0) {
    return (
      <EmptyState
        icon={Trash2}
        title={t('library.empty.allInTrash', { count: trashCount })}
        action={<Button onPress={onTrash}>{t('library.empty.openTrash')}</Button>}
      >
        {t('library.empty.allInTrashText')}
      </EmptyState>
    );
  }
  if (hasItems && isFolder) {
    return (
      <EmptyState
        icon={FolderOpen}
        title={t('library.empty.folder')}
        action={<Button onPress={onEverything}>{t('library.everything')}</Button>}
      >
        {t('library.empty.folderText')}
      </EmptyState>
    );
  }
  return hasItems ? (
    <EmptyState
      icon={Search}
      title={t('library.empty.filtered')}
      action={<Button onPress={onEverything}>{t('library.clearFilters')}</Button>}
    >
      {t('library.empty.filteredText')}
    </EmptyState>
  ) : (
    <EmptyState
      icon={LibraryIcon}
      title={t('library.empty.title')}
      action={
        <Button icon={Plus} onPress={() => run('files.add')}>
          {t('library.transcribe')}
        </Button>
      }
    >
      {t('library.empty.text')}
    </EmptyState>
  );
}

/** If the list can't be read, an empty one would be misleading. */
export function Unread({ error, onRetry }: { readonly error: Error; readonly onRetry: () => void }) {
  const t = useText();
  const words = useFailureWords();
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

/** Other spellings of the search words in the results, the most frequent first. */
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
