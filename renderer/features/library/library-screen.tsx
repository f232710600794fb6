import { CircleAlert, PanelRight, Plus, Trash2 } from 'lucide-react';
import { useCallback, useEffect, useMemo, useRef, useState, type RefObject } from 'react';
import { useLocation } from 'wouter';
import { refKey, type LibraryFolder, type LibraryTag } from '../../../shared/domain/library/library-item.ts';
import { failureOf } from '../../bridge/request-error.ts';
import { useCommands, useKeyFor, useRunCommand } from '../../lib/commands.tsx';
import { useFailureWords } from '../../lib/failure-words.ts';
import { readPathWords } from '../../lib/path-words.ts';
import type { SectionScreenProps } from '../../lib/section.ts';
import { useFormats, useText } from '../../lib/text.ts';
import { useNow } from '../../lib/use-now.ts';
import { DropOverlay } from '../../parts/files/drop-zone.tsx';
import { useTextsAndRecordingsDrop } from '../../parts/files/use-file-drop.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Panel, PanelActions, PanelContent, PanelTitle } from '../../ui/panel.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { LibraryContext, type LibraryQuestion } from './library-context.ts';
import css from './library-screen.module.css';
import {
  activeParts,
  everything,
  filterItems,
  selectedItems,
  sortItems,
  toRows,
  withoutGone,
  withMissing,
  type LibraryFilter,
  type ListedItem,
} from './model/library-view.ts';
import { useLibrary, useLibraryActions, useMissing, useSearch } from './queries.ts';
import { LibraryMenu, SortMenu, type ShownSort } from './ui/header-actions.tsx';
import { FilterChips } from './ui/filter-chips.tsx';
import { LibraryList } from './ui/library-list.tsx';
import { LibrarySide } from './ui/library-side.tsx';
import { Empty, Found, Unread } from './ui/library-states.tsx';
import { Preview } from './ui/preview.tsx';
import { Questions } from './ui/questions.tsx';
import { SearchField } from './ui/search-field.tsx';
import { SelectionBar } from './ui/selection-bar.tsx';
import { useContextValue } from './use-context-value.ts';

/** Recordings with their search results; more are loaded on demand. */
const foundAtOnce = 25;
const noItems: readonly ListedItem[] = [];
const noFolders: readonly LibraryFolder[] = [];
const noTags: readonly LibraryTag[] = [];

/** The Library section: everything the user made, by day, or what a search found. */
export function LibraryScreen({ subpath, onSubpath }: SectionScreenProps) {
  const t = useText();
  const formats = useFormats();
  const keyFor = useKeyFor();
  const run = useRunCommand();
  const nowMs = useNow(false);
  const [, navigate] = useLocation();
  const { data, error, isPending, refetch } = useLibrary();
  const actions = useLibraryActions();
  const [chosenFilter, setFilter] = useState<LibraryFilter>(everything);
  const [sort, setSort] = useState<ShownSort>('newest');
  const [text, setText] = useState('');
  const [showsPreview, showPreview] = useState(false);
  const [selectedIds, select] = useState<ReadonlySet<string>>(new Set());
  const [question, ask] = useState<LibraryQuestion | null>(null);
  const [active, setActive] = useState<{ readonly item: ListedItem; readonly atMs: number } | null>(null);
  const field = useRef<HTMLInputElement>(null);
  const over = useTextsAndRecordingsDrop();
  useAskedSearch(subpath, onSubpath, field, setText);

  const { data: missing } = useMissing();
  const items = useMemo(() => withMissing(data?.items ?? noItems, missing ?? []), [data?.items, missing]);
  const folders = data?.folders ?? noFolders;
  const tags = data?.tags ?? noTags;
  const filter = useMemo(() => withoutGone(chosenFilter, folders, tags), [chosenFilter, folders, tags]);
  const listSort = sort === 'moments' ? 'newest' : sort;
  const shown = useMemo(
    () => sortItems(filterItems(items, filter, folders, nowMs), listSort),
    [items, filter, folders, nowMs, listSort],
  );
  const rows = useMemo(() => toRows(shown, listSort), [shown, listSort]);
  const asked = text.trim();
  const [wanted, setWanted] = useState({ asked, mostItems: foundAtOnce });
  const mostItems = wanted.asked === asked ? wanted.mostItems : foundAtOnce;
  const search = useSearch(asked, shown, mostItems, sort === 'moments');
  const foundKeys = useMemo(() => new Set(search.data?.items.map(refKey)), [search.data]);
  const isThere = (item: ListedItem) => asked === '' || foundKeys.has(refKey(item));
  // Actions leave out selected items that the search does not show.
  const selected = selectedItems(shown, selectedIds).filter(isThere);
  const foundIds = useMemo(() => new Set([...selectedIds].filter((id) => foundKeys.has(id))), [selectedIds, foundKeys]);
  const clearSelection = () => {
    select(new Set());
  };
  const filterBy = (next: LibraryFilter) => {
    setFilter(next);
    clearSelection();
  };
  const context = useContextValue({ items, folders, tags, actions, navigate, asked, ask, clearSelection });
  const showItem = useCallback((item: ListedItem | null, atMs = 0) => {
    setActive((now) => (item === null ? null : now?.item === item && now.atMs === atMs ? now : { item, atMs }));
  }, []);

  const kept = items.filter(({ trashedAtMs }) => trashedAtMs === null);
  const isTrash = filter.place === 'trash';
  const summed = filter.place === 'all' ? kept : shown;
  const lengthMs = summed.reduce((sum, { durationMs }) => sum + (durationMs ?? 0), 0);
  const bytes = summed.reduce((sum, { sizeBytes }) => sum + (sizeBytes ?? 0), 0);
  const previewed = shown.find((item) => active !== null && refKey(item) === refKey(active.item));
  const isPreviewed = previewed !== undefined && isThere(previewed);
  const shownSort = asked === '' ? listSort : sort;
  useCommands({
    'transcript.export':
      selected.some(({ kind }) => kind === 'transcript') &&
      (() => {
        ask({ tag: 'export', items: selected });
      }),
  });
  return (
    <LibraryContext value={context}>
      <Panel
        header={
          <>
            <PanelTitle>{t('library.title')}</PanelTitle>
            {summed.length > 0 && (
              <span className={css['summary']}>
                {t('library.items', { count: summed.length })}, {formats.duration(lengthMs)}
                {bytes > 0 && `, ${t('library.here', { size: formats.bytes(bytes) })}`}
              </span>
            )}
            <PanelActions>
              {shown.length > 1 && <SortMenu sort={shownSort} isSearch={asked !== ''} onSort={setSort} />}
              <IconButton
                icon={PanelRight}
                className={css['previewToggle']}
                label={t('library.preview')}
                isPressed={showsPreview}
                isDisabled={!isPreviewed}
                onPress={() => {
                  showPreview(!showsPreview);
                }}
              />
              {isTrash && shown.length > 0 && (
                <Button
                  icon={Trash2}
                  onPress={() => {
                    ask({ tag: 'erase', items: shown });
                  }}
                >
                  {t('library.emptyTrash')}
                </Button>
              )}
              <LibraryMenu />
              <Button variant="primary" icon={Plus} shortcut={keyFor('files.add')} onPress={() => run('files.add')}>
                {t('library.transcribe')}
              </Button>
            </PanelActions>
          </>
        }
      >
        <LibrarySide items={items} filter={filter} nowMs={nowMs} onFilter={filterBy} />
        <PanelContent label={t('library.list')}>
          <div className={css['content']}>
            <Failed error={actions.error} onDismiss={actions.forgetError} />
            <SearchField field={field} text={text} onText={setText} />
            <FilterChips filter={filter} onFilter={filterBy} />
            {asked !== '' ? (
              <Found
                asked={asked}
                items={items}
                shown={shown}
                filter={filter}
                nowMs={nowMs}
                search={search}
                onFilter={filterBy}
                onText={setText}
                onMore={() => {
                  setWanted({ asked, mostItems: Math.min(1000, mostItems * 4) });
                }}
                selectedIds={foundIds}
                onSelect={select}
                onActive={showItem}
              />
            ) : isPending ? (
              <output className={css['waiting']}>
                <Spinner />
                {t('library.loading')}
              </output>
            ) : error !== null ? (
              <Unread error={error} onRetry={() => void refetch()} />
            ) : shown.length === 0 ? (
              <Empty
                isTrash={isTrash}
                isFolder={activeParts(filter).join() === 'place' && filter.place !== 'none'}
                hasItems={kept.length > 0}
                trashCount={items.length - kept.length}
                onEverything={() => {
                  filterBy(everything);
                }}
                onTrash={() => {
                  filterBy({ ...everything, place: 'trash' });
                }}
              />
            ) : (
              <LibraryList rows={rows} selectedIds={selectedIds} onSelect={select} onActive={showItem} />
            )}
            <SelectionBar selected={selected} isTrash={isTrash} onClear={clearSelection} />
          </div>
        </PanelContent>
        {isPreviewed && (
          <div className={css['preview']} data-shown={showsPreview ? '' : undefined}>
            <Preview item={previewed} atMs={active?.atMs ?? 0} />
          </div>
        )}
        <DropOverlay over={over} />
      </Panel>
      {question && (
        <Questions
          question={question}
          items={items}
          onClose={() => {
            ask(null);
          }}
          onName={(named, name) => {
            ask(null);
            context.giveName(named, name, (id) => {
              filterBy({ ...everything, place: id });
            });
          }}
          onLargest={() => {
            ask(null);
            filterBy(everything);
            setText('');
            setSort('largest');
          }}
          onErase={(atService) => {
            ask(null);
            clearSelection();
            if (question.tag === 'erase') context.erase(question.items, atService);
          }}
        />
      )}
    </LibraryContext>
  );
}

/** `search` in the path focuses the field; `search/<words>` also fills it. */
function useAskedSearch(
  subpath: string,
  onSubpath: (subpath: string) => void,
  field: RefObject<HTMLInputElement | null>,
  setText: (text: string) => void,
) {
  useEffect(() => {
    const [place, words] = subpath.split('/');
    if (place !== 'search') return;
    if (words !== undefined && words !== '') setText(readPathWords(words));
    field.current?.focus();
    field.current?.select();
    onSubpath('');
  }, [subpath, onSubpath, field, setText]);
}

/** Failed actions are reported in the list; they changed nothing. */
function Failed({ error, onDismiss }: { readonly error: Error | null; readonly onDismiss: () => void }) {
  const t = useText();
  const words = useFailureWords();
  const failure = failureOf(error);
  if (failure === null) return null;
  return (
    <Banner
      role="alert"
      tone="bad"
      icon={CircleAlert}
      title={words(failure).title}
      dismissLabel={t('common.close')}
      onDismiss={onDismiss}
    >
      {words(failure).textAfterTitle}
    </Banner>
  );
}
