import { CircleAlert, Plus, Trash2 } from 'lucide-react';
import { useCallback, useEffect, useMemo, useRef, useState, type RefObject } from 'react';
import { useLocation } from 'wouter';
import type { LibraryFolder } from '../../../shared/domain/library/library-item.ts';
import { failureOf } from '../../bridge/request-error.ts';
import { useKeyFor, useRunCommand } from '../../lib/commands.tsx';
import { useFailureWords } from '../../lib/failure-words.ts';
import type { SectionScreenProps } from '../../lib/section.ts';
import { useFormats, useText } from '../../lib/text.ts';
import { useNow } from '../../lib/use-now.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { Panel, PanelActions, PanelContent, PanelTitle } from '../../ui/panel.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { LibraryContext, type LibraryQuestion } from './library-context.ts';
import css from './library-screen.module.css';
import {
  everything,
  filterItems,
  selectedItems,
  toRows,
  withMissing,
  type LibraryFilter,
  type ListedItem,
} from './model/library-view.ts';
import { useLibrary, useLibraryActions, useMissing, useSearch } from './queries.ts';
import { FilterChips } from './ui/filter-chips.tsx';
import { LibraryList } from './ui/library-list.tsx';
import { LibrarySide } from './ui/library-side.tsx';
import { Empty, Found, Unread } from './ui/library-states.tsx';
import { Preview } from './ui/preview.tsx';
import { Questions } from './ui/questions.tsx';
import { SearchField } from './ui/search-field.tsx';
import { SelectionBar } from './ui/selection-bar.tsx';
import { useContextValue } from './use-context-value.ts';

/** Recordings with what was found in them; more on demand. */
const foundAtOnce = 25;
const noItems: readonly ListedItem[] = [];
const noFolders: readonly LibraryFolder[] = [];

/** Everything that was ever made, by day or by the words that were said. */
export function LibraryScreen({ subpath, onSubpath }: SectionScreenProps) {
  const t = useText();
  const formats = useFormats();
  const keyFor = useKeyFor();
  const run = useRunCommand();
  const nowMs = useNow(false);
  const [, navigate] = useLocation();
  const { data, error, isPending, refetch } = useLibrary();
  const actions = useLibraryActions();
  const [filter, setFilter] = useState<LibraryFilter>(everything);
  const [text, setText] = useState('');
  const [selectedIds, select] = useState<ReadonlySet<string>>(new Set());
  const [question, ask] = useState<LibraryQuestion | null>(null);
  const [active, setActive] = useState<{ readonly item: ListedItem; readonly atMs: number } | null>(null);
  const field = useRef<HTMLInputElement>(null);
  useAskedSearch(subpath, onSubpath, field, setText);

  const { data: missing } = useMissing();
  const items = useMemo(() => withMissing(data?.items ?? noItems, missing ?? []), [data?.items, missing]);
  const folders = data?.folders ?? noFolders;
  const shown = useMemo(() => filterItems(items, filter, folders, nowMs), [items, filter, folders, nowMs]);
  const rows = useMemo(() => toRows(shown), [shown]);
  const asked = text.trim();
  const [wanted, setWanted] = useState({ asked, mostItems: foundAtOnce });
  const mostItems = wanted.asked === asked ? wanted.mostItems : foundAtOnce;
  const search = useSearch(asked, shown, mostItems);
  const selected = selectedItems(rows, selectedIds);
  const clearSelection = () => {
    select(new Set());
  };
  const filterBy = (next: LibraryFilter) => {
    setFilter(next);
    clearSelection();
  };
  const context = useContextValue(folders, actions, navigate, ask, clearSelection);
  const showItem = useCallback((item: ListedItem | null, atMs = 0) => {
    setActive((now) => (item === null ? null : now?.item === item && now.atMs === atMs ? now : { item, atMs }));
  }, []);

  const kept = items.filter(({ trashedAtMs }) => trashedAtMs === null);
  const lengthMs = kept.reduce((sum, { durationMs }) => sum + (durationMs ?? 0), 0);
  const isTrash = filter.place === 'trash';
  const previewed = active !== null && shown.includes(active.item) ? active : null;
  return (
    <LibraryContext value={context}>
      <Panel
        header={
          <>
            <PanelTitle>{t('library.title')}</PanelTitle>
            {kept.length > 0 && (
              <span className={css['summary']}>
                {t('library.items', { count: kept.length })}, {formats.duration(lengthMs)}
              </span>
            )}
            <PanelActions>
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
              <Button variant="primary" icon={Plus} shortcut={keyFor('files.add')} onPress={() => run('files.add')}>
                {t('library.transcribe')}
              </Button>
            </PanelActions>
          </>
        }
      >
        <LibrarySide
          items={items}
          filter={filter}
          onFilter={filterBy}
          onRemoveFolder={(id) => {
            void actions.removeFolder(id);
            if (filter.place === id) filterBy(everything);
          }}
        />
        <PanelContent label={t('library.list')}>
          <div className={css['content']}>
            <Failed error={actions.error} />
            <SearchField field={field} text={text} onText={setText} />
            <FilterChips filter={filter} onFilter={filterBy} />
            {asked !== '' && !isTrash ? (
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
                hasItems={kept.length > 0}
                onEverything={() => {
                  filterBy(everything);
                }}
              />
            ) : (
              <LibraryList rows={rows} selectedIds={selectedIds} onSelect={select} onActive={showItem} />
            )}
            {asked === '' && <SelectionBar selected={selected} isTrash={isTrash} onClear={clearSelection} />}
          </div>
        </PanelContent>
        {previewed && (
          <div className={css['preview']}>
            <Preview item={previewed.item} atMs={previewed.atMs} />
          </div>
        )}
      </Panel>
      {question && (
        <Questions
          question={question}
          items={kept}
          onClose={() => {
            ask(null);
          }}
          onName={(name) => {
            ask(null);
            if (question.tag === 'rename') void actions.rename(question.item, name);
            else if (question.tag === 'rename-folder') void actions.saveFolder(question.folder.id, name);
            else if (question.tag === 'new-folder') void actions.fileInNew(name, question.parentId, question.items);
          }}
          onErase={(atService) => {
            ask(null);
            clearSelection();
            if (question.tag === 'erase') void actions.erase(question.items, atService);
          }}
        />
      )}
    </LibraryContext>
  );
}

/** `search` in the path leads to the field; `search/<words>` brings words along. */
function useAskedSearch(
  subpath: string,
  onSubpath: (subpath: string) => void,
  field: RefObject<HTMLInputElement | null>,
  setText: (text: string) => void,
) {
  useEffect(() => {
    const [place, words] = subpath.split('/');
    if (place !== 'search') return;
    if (words !== undefined && words !== '') setText(decodeURIComponent(words));
    field.current?.focus();
    field.current?.select();
    onSubpath('');
  }, [subpath, onSubpath, field, setText]);
}

/** What could not be done is told where the list is; nothing of it has changed. */
function Failed({ error }: { readonly error: Error | null }) {
  const words = useFailureWords();
  const failure = failureOf(error);
  if (failure === null) return null;
  return (
    <Banner role="alert" tone="bad" icon={CircleAlert} title={words(failure).title}>
      {words(failure).textAfterTitle}
    </Banner>
  );
}
