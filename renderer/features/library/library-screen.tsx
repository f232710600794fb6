import {
  CircleAlert,
  PanelRight,
  Plus,
  Trash2,
  X,
  CloudDownload,
  ContactRound,
  Ellipsis,
  FileInput,
  HardDrive,
  ListFilter,
  FolderInput,
  MessageSquareQuote,
  RotateCcw,
  Share,
  Tag,
} from 'lucide-react';
import { useEffect, useMemo, useRef, useState, type RefObject } from 'react';
import { Toolbar } from 'react-aria-components';
import { mostAskedAbout } from '../../../shared/domain/assistant/ask-tasks.ts';
import { refKey, type LibraryFolder, type LibraryTag } from '../../../shared/domain/library/library-item.ts';
import { failureOf } from '../../bridge/request-error.ts';
import { useCommands, useRunCommand } from '../../lib/commands.tsx';
import { useFailureText } from '../../lib/failure-text.ts';
import { readPathWords } from '../../lib/path-words.ts';
import type { SectionScreenProps } from '../../lib/section.ts';
import { useFormats, useText } from '../../lib/text.ts';
import { useNow } from '../../lib/use-now.ts';
import { DropOverlay } from '../../parts/files/drop-zone.tsx';
import { useTextsAndRecordingsDrop } from '../../parts/files/use-file-drop.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Menu } from '../../ui/menu.tsx';
import { Panel, PanelActions, PanelContent, PanelTitle } from '../../ui/panel.tsx';
import { SearchBox } from '../../ui/search-box.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { LibraryContext, type LibraryQuestion, useContextValue, useLibraryContext } from './library-context.ts';
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
  librarySorts,
  type LibrarySort,
} from './model/library-view.ts';
import { useLibrary, useLibraryActions, useMissing, useSearch } from './queries.ts';
import { menuEntry, useFolderEntries, useLanguageBranch, useTagEntries } from './ui/item-menu.ts';
import { LibraryList } from './ui/library-list.tsx';
import { LibrarySide } from './ui/library-side.tsx';
import { Empty, FilterChips, Found, Unread } from './ui/library-states.tsx';
import { Preview } from './ui/preview.tsx';
import { Questions } from './ui/questions.tsx';
import selectionBarCss from './ui/selection-bar.module.css';

const foundAtOnce = 25;
const noItems: readonly ListedItem[] = [];
const noFolders: readonly LibraryFolder[] = [];
const noTags: readonly LibraryTag[] = [];

export function LibraryScreen({ subpath, onSubpath }: SectionScreenProps) {
  const t = useText();
  const formats = useFormats();
  const run = useRunCommand();
  const nowMs = useNow(false);
  const { data, error, isPending, refetch } = useLibrary();
  const actions = useLibraryActions();
  const failure = failureOf(actions.error);
  const words = useFailureText();
  const [chosenFilter, setFilter] = useState<LibraryFilter>(everything);
  const [sort, setSort] = useState<ShownSort>('newest');
  const [text, setText] = useState('');
  const [showsPreview, showPreview] = useState(false);
  const [selectedIds, select] = useState<ReadonlySet<string>>(new Set());
  const [question, ask] = useState<LibraryQuestion | null>(null);
  const [active, setActive] = useState<{ readonly item: ListedItem; readonly atMs: number } | null>(null);
  const field = useRef<HTMLInputElement>(null);
  const over = useTextsAndRecordingsDrop();
  useAskedSearch({ subpath, onSubpath }, field, setText);

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
  const clearSelection = () => select(new Set());
  const filterBy = (next: LibraryFilter) => {
    setFilter(next);
    clearSelection();
  };
  const isTrash = filter.place === 'trash';
  const place = useMemo(() => items.filter(({ trashedAtMs }) => (trashedAtMs !== null) === isTrash), [items, isTrash]);
  // The counts beside the filters are those of the search without them.
  const ofAll = useSearch(activeParts(filter).length === 0 ? '' : asked, place, 1, false).data ?? search.data;
  const counted = asked === '' || ofAll === undefined ? null : new Set(ofAll.keys);
  const state = { items, foundKeys: counted, folders, tags, filter, nowMs, filterBy, ask };
  const context = useContextValue(state, actions, asked, clearSelection);
  const showItem = (item: ListedItem | null, atMs = 0) =>
    setActive((now) => (item === null ? null : now?.item === item && now.atMs === atMs ? now : { item, atMs }));

  const kept = items.filter(({ trashedAtMs }) => trashedAtMs === null);
  const summed = filter.place === 'all' ? kept : shown;
  const lengthMs = summed.reduce((sum, { durationMs }) => sum + (durationMs ?? 0), 0);
  const bytes = summed.reduce((sum, { sizeBytes }) => sum + (sizeBytes ?? 0), 0);
  const previewed = shown.find((item) => active !== null && refKey(item) === refKey(active.item));
  const isPreviewed = previewed !== undefined && isThere(previewed);
  const shownSort = asked === '' ? listSort : sort;
  useCommands({
    'transcript.export':
      selected.some(({ kind }) => kind === 'transcript') && (() => ask({ tag: 'export', items: selected })),
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
              {shown.length > 0 && (
                <IconButton
                  icon={PanelRight}
                  className={css['previewToggle']}
                  label={t('library.preview')}
                  isPressed={showsPreview}
                  isDisabled={!isPreviewed}
                  onPress={() => showPreview(!showsPreview)}
                />
              )}
              {isTrash && shown.length > 0 && (
                <Button icon={Trash2} onPress={() => ask({ tag: 'erase', items: shown })}>
                  {t('library.emptyTrash')}
                </Button>
              )}
              <LibraryMenu />
              <Button variant="primary" icon={Plus} onPress={() => run('files.add')}>
                {t('library.transcribe')}
              </Button>
            </PanelActions>
          </>
        }
      >
        <LibrarySide />
        <PanelContent label={t('library.list')}>
          <div className={css['content']}>
            {failure && (
              <Banner
                role="alert"
                tone="bad"
                icon={CircleAlert}
                title={words(failure).title}
                onDismiss={actions.forgetError}
              >
                {words(failure).textAfterTitle}
              </Banner>
            )}
            <SearchField field={field} text={text} onText={setText} />
            <FilterChips />
            {asked !== '' ? (
              <Found
                asked={asked}
                shown={shown}
                search={search}
                onText={setText}
                onMore={() => setWanted({ asked, mostItems: Math.min(1000, mostItems * 4) })}
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
              <Empty />
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
          onClose={() => ask(null)}
          onName={(named, name) => {
            ask(null);
            context.giveName(named, name, (id) => filterBy({ ...everything, place: id }));
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
  { subpath, onSubpath }: SectionScreenProps,
  field: RefObject<HTMLInputElement | null>,
  setText: (text: string) => void,
) {
  useEffect(() => {
    const [place, words = ''] = subpath.split('/');
    if (place !== 'search') return;
    if (words !== '') setText(readPathWords(words));
    field.current?.focus();
    field.current?.select();
    onSubpath('');
  }, [subpath, onSubpath, field, setText]);
}

interface SearchFieldProps {
  readonly field: RefObject<HTMLInputElement | null>;
  readonly text: string;
  readonly onText: (text: string) => void;
}

function SearchField({ field, text, onText }: SearchFieldProps) {
  const t = useText();
  return (
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- <search> is not known to older screen readers
    <div className={css['search']} role="search">
      <SearchBox
        field={field}
        className={css['field']}
        label={t('library.search')}
        placeholder={t('library.shortSearch')}
        value={text}
        maxLength={500}
        onChange={onText}
        onKeyDown={(event) => {
          if (event.key === 'Escape' && text !== '') {
            onText('');
            event.stopPropagation();
          } else if (event.key === 'ArrowDown') {
            const results = event.currentTarget.closest('[data-pane]');
            results?.querySelector<HTMLElement>('[role="row"][tabindex="0"]')?.focus();
            event.preventDefault();
          }
        }}
      />
    </div>
  );
}

type ShownSort = LibrarySort | 'moments';

interface SortMenuProps {
  readonly sort: ShownSort;
  readonly isSearch: boolean;
  readonly onSort: (sort: ShownSort) => void;
}

function SortMenu({ sort, isSearch, onSort }: SortMenuProps) {
  const t = useText();
  const sorts: readonly ShownSort[] = isSearch ? [...librarySorts, 'moments'] : librarySorts;
  return (
    <Menu
      label={t('library.sort')}
      chosenId={sort}
      entries={sorts.map((id) => ({ id, text: t(`library.sorts.${id}`), onAction: () => onSort(id) }))}
      trigger={
        <Button variant="ghost" icon={ListFilter} label={`${t('library.sort')}: ${t(`library.sorts.${sort}`)}`}>
          {t(`library.sorts.${sort}`)}
        </Button>
      }
    />
  );
}

function LibraryMenu() {
  const t = useText();
  const run = useRunCommand();
  const { ask } = useLibraryContext();
  return (
    <Menu
      label={t('library.more')}
      entries={[
        menuEntry('import', t('palette.commands.importTranscripts'), FileInput, () => run('transcripts.import')),
        menuEntry('remote', t('library.remote.menu'), CloudDownload, () => ask({ tag: 'remote' })),
        menuEntry('speakers', t('library.book.menu'), ContactRound, () => ask({ tag: 'speakers' })),
        menuEntry('media', t('library.media.menu'), HardDrive, () => ask({ tag: 'media' })),
      ]}
      trigger={<IconButton icon={Ellipsis} label={t('library.more')} />}
    />
  );
}

interface SelectionBarProps {
  readonly selected: readonly ListedItem[];
  readonly isTrash: boolean;
  readonly onClear: () => void;
}

function SelectionBar({ selected, isTrash, onClear }: SelectionBarProps) {
  const t = useText();
  const formats = useFormats();
  const { trash, restore, ask, askAbout } = useLibraryContext();
  const folderEntries = useFolderEntries();
  const tagEntries = useTagEntries();
  const languageBranch = useLanguageBranch();
  if (selected.length === 0) return null;
  const transcripts = selected.filter(({ kind }) => kind === 'transcript');
  const lengthMs = selected.reduce((sum, { durationMs }) => sum + (durationMs ?? 0), 0);
  return (
    <Toolbar className={selectionBarCss['bar'] ?? ''} aria-label={t('library.selection')}>
      <output className={selectionBarCss['count']}>
        <b>{t('library.selected', { count: selected.length })}</b>{' '}
        <span className={selectionBarCss['length']}>{formats.clock(lengthMs)}</span>
      </output>
      {isTrash ? (
        <>
          <Button size="sm" variant="ghost" icon={RotateCcw} onPress={() => restore(selected)}>
            {t('library.restore')}
          </Button>
          <Button size="sm" variant="ghost" icon={Trash2} onPress={() => ask({ tag: 'erase', items: selected })}>
            {t('library.eraseMenu')}
          </Button>
        </>
      ) : (
        <>
          {transcripts.length > 0 && (
            <Button size="sm" variant="ghost" icon={Share} onPress={() => ask({ tag: 'export', items: selected })}>
              {t('library.exportMany')}
            </Button>
          )}
          <Menu
            label={t('library.move')}
            entries={() => folderEntries(selected)}
            placement="top start"
            trigger={
              <Button size="sm" variant="ghost" icon={FolderInput}>
                {t('library.moveShort')}
              </Button>
            }
          />
          {transcripts.length > 0 && transcripts.length <= mostAskedAbout && (
            <Button
              size="sm"
              variant="ghost"
              icon={MessageSquareQuote}
              label={t('library.askAbout')}
              onPress={() => askAbout(transcripts)}
            >
              {t('library.askShort')}
            </Button>
          )}
          <Button size="sm" variant="ghost" icon={Trash2} label={t('library.toTrash')} onPress={() => trash(selected)}>
            {t('library.trashShort')}
          </Button>
          <Menu
            label={t('library.moreSelected')}
            entries={() => [
              { id: 'tags', text: t('library.tags'), icon: Tag, entries: tagEntries(selected) },
              ...languageBranch(selected),
            ]}
            placement="top end"
            trigger={<IconButton size="sm" icon={Ellipsis} label={t('library.moreSelected')} />}
          />
        </>
      )}
      <IconButton size="sm" icon={X} label={t('library.clearSelection')} onPress={onClear} />
    </Toolbar>
  );
}
