import { createContext, useContext, useMemo, type DragEvent } from 'react';
import { refKey, trashDays } from '../../../../shared/domain/library/library-item.ts';
import { useCreditsWords, useFormats, useText } from '../../../lib/text.ts';
import { useNow } from '../../../lib/use-now.ts';
import { LanguageTag } from '../../../ui/chip.tsx';
import { RowGrid } from '../../../ui/row-grid/row-grid.tsx';
import { SpeakerMark } from '../../../ui/speaker-mark.tsx';
import { useLibraryContext } from '../library-context.ts';
import { startItemDrag } from '../model/item-drag.ts';
import {
  daysAgo,
  nextSelection,
  selectedItems,
  withDays,
  type LibraryRow,
  type ListedItem,
} from '../model/library-view.ts';
import { kindIcons, useItemKeys } from './item-menu.ts';
import { RowMenu, RowMenus, useRowMenus } from './more-menu.tsx';
import css from './library-list.module.css';

const rowHeight = 40;
const marksShown = 4;

interface ListState {
  /** The list has no group semantics, so each row includes its day in its label. */
  readonly isDated: boolean;
  readonly selectedIds: ReadonlySet<string>;
  readonly toggle: (id: string) => void;
  readonly drag: (event: DragEvent, item: ListedItem) => void;
}
const ListContext = createContext<ListState | null>(null);

interface LibraryListProps {
  readonly rows: readonly LibraryRow[];
  readonly selectedIds: ReadonlySet<string>;
  readonly onSelect: (ids: ReadonlySet<string>) => void;
  readonly onActive: (item: ListedItem | null) => void;
}

const drawRow = (row: LibraryRow) => (row.type === 'day' ? <DayRow row={row} /> : <ItemRow item={row.item} />);

export function LibraryList({ rows, selectedIds: chosenIds, onSelect, onActive }: LibraryListProps) {
  const t = useText();
  const { open } = useLibraryContext();
  const dayText = useDayText();
  const onItemKey = useItemKeys();
  const items = useMemo(() => rows.flatMap((row) => (row.type === 'item' ? [row.item] : [])), [rows]);
  const selectedIds = useMemo(() => withDays(rows, chosenIds), [rows, chosenIds]);
  const isTrash = items[0]?.trashedAtMs != null;
  const isDated = rows[0]?.type === 'item';
  const menus = useRowMenus(items, selectedIds);
  const state = useMemo(() => {
    const change = (ids: ReadonlySet<string>) => onSelect(nextSelection(rows, selectedIds, ids));
    return {
      isDated,
      selectedIds,
      change,
      toggle: (id: string) =>
        change(
          selectedIds.has(id) ? new Set([...selectedIds].filter((one) => one !== id)) : new Set([...selectedIds, id]),
        ),
      // Dragging one selected item drags the whole selection.
      drag: (event: DragEvent, item: ListedItem) => startItemDrag(event, menus.meant(item)),
    };
  }, [rows, menus, isDated, selectedIds, onSelect]);
  return (
    <ListContext value={state}>
      <RowMenus value={menus}>
        <div className={css['head']} data-dated={isDated || undefined} data-trash={isTrash || undefined} aria-hidden>
          <span />
          <span>{t('library.columns.title')}</span>
          <span className={css['speakersHead']}>{t('library.columns.speakers')}</span>
          <span />
          <span className={css['end']}>{t('library.columns.length')}</span>
          {isTrash && <span className={css['end']}>{t('library.columns.term')}</span>}
          <span className={css['end']}>{t(isTrash ? 'library.columns.trashed' : 'library.columns.time')}</span>
        </div>
        <RowGrid
          label={t('library.list')}
          className={css['list']}
          items={rows}
          labelOf={(row) =>
            row.type === 'day'
              ? `${dayText(row.atMs)}, ${t('library.items', { count: row.items.length })}`
              : row.item.title
          }
          estimatedRowHeight={rowHeight}
          selection={{ ids: selectedIds, onChange: state.change }}
          onActive={(row) => onActive(row?.type === 'item' ? row.item : null)}
          onPress={() => undefined}
          onOpen={(row) => {
            if (row.type === 'item' && row.item.trashedAtMs === null) open(row.item);
          }}
          onMenu={(row) => {
            if (row.type === 'item') menus.showMenu(row.id);
          }}
          onKey={(event, row) => row.type === 'item' && onItemKey(event, row.item, selectedItems(items, selectedIds))}
        >
          {drawRow}
        </RowGrid>
      </RowMenus>
    </ListContext>
  );
}

function useDayText(): (atMs: number) => string {
  const t = useText();
  const formats = useFormats();
  const nowMs = useNow(false);
  return (atMs) => {
    const ago = daysAgo(atMs, nowMs);
    return ago === 0 ? t('library.today') : ago === 1 ? t('library.yesterday') : formats.date(atMs);
  };
}

export function useItemCost(): (item: Pick<ListedItem, 'credits' | 'chargedCharacters'>) => string {
  const t = useText();
  const creditsWords = useCreditsWords();
  return ({ credits, chargedCharacters }) =>
    credits !== null
      ? creditsWords(credits)
      : chargedCharacters == null
        ? ''
        : t('library.characters', { count: chargedCharacters });
}

function DayRow({ row }: { readonly row: Extract<LibraryRow, { type: 'day' }> }) {
  const t = useText();
  const formats = useFormats();
  const dayText = useDayText();
  const text = dayText(row.atMs);
  const date = formats.date(row.atMs);
  return (
    <div className={css['day']}>
      <b className="strong muted">{text}</b>
      <span>
        {text === date ? '' : `${date}, `}
        {t('library.items', { count: row.items.length })}
      </span>
    </div>
  );
}

function ItemRow({ item }: { readonly item: ListedItem }) {
  const t = useText();
  const formats = useFormats();
  const { folders, tags } = useLibraryContext();
  const list = useContext(ListContext);
  const nowMs = useNow(false);
  const id = refKey(item);
  const Icon = kindIcons[item.kind];
  const folder = folders.find((one) => one.id === item.folderId);
  const whenMs = item.trashedAtMs ?? item.createdAtMs;
  const isSelected = list?.selectedIds.has(id) ?? false;
  const { language, durationMs } = item;
  return (
    <div
      className={css['cells']}
      data-selected={isSelected || undefined}
      data-dated={list?.isDated || undefined}
      data-trash={item.trashedAtMs !== null || undefined}
      draggable={item.trashedAtMs === null}
      onDragStart={(event) => list?.drag(event, item)}
    >
      <span className={css['kind']}>
        <Icon aria-hidden size={16} strokeWidth={1.75} />
        <input
          type="checkbox"
          tabIndex={-1}
          aria-label={t('library.select', { title: item.title })}
          checked={isSelected}
          onChange={() => list?.toggle(id)}
        />
      </span>
      <span className={css['title']}>
        <b title={item.title}>{item.title}</b>
        {item.states.includes('excerpt') && <span className={css['tag']}>{t('library.state.excerpt')}</span>}
        {folder && <span className={css['folder']}>{folder.name}</span>}
        {tags
          .filter((tag) => item.tagIds.includes(tag.id))
          .map((tag) => (
            <span key={tag.id} className={css['tag']}>
              {tag.name}
            </span>
          ))}
      </span>
      <Speakers speakers={item.speakers} />
      <span>{language && <LanguageTag code={language} name={t(`common.languageNames.${language}`)} />}</span>
      <span className={css['end']}>{durationMs === null ? '' : formats.clock(durationMs)}</span>
      {item.trashedAtMs !== null && (
        <span className={css['end']}>
          {t('library.daysLeft', { count: Math.max(0, trashDays - daysAgo(item.trashedAtMs, nowMs)) })}
        </span>
      )}
      <span className={css['time']}>{list?.isDated ? formats.date(whenMs) : formats.time(whenMs)}</span>
      <span className={css['more']}>
        <RowMenu item={item} />
      </span>
    </div>
  );
}

function Speakers({ speakers }: { readonly speakers: readonly (string | null)[] }) {
  const t = useText();
  if (speakers.length < 2) return <span className={css['speakers']} />;
  const names = speakers.map((name, at) => name ?? t('common.speaker', { number: at + 1 }));
  return (
    <span className={css['speakers']} title={names.join(', ')}>
      {names.slice(0, marksShown).map((name, at) => (
        <SpeakerMark key={name + String(at)} number={at + 1} name={name} />
      ))}
    </span>
  );
}
