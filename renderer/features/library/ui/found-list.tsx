import { Ellipsis } from 'lucide-react';
import { createContext, useContext, useMemo, useState } from 'react';
import { refKey } from '../../../../shared/domain/library/library-item.ts';
import { clock } from '../../../../shared/domain/time/time-code.ts';
import { useFormats, useText } from '../../../lib/text.ts';
import { LanguageTag } from '../../../ui/chip.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { Menu } from '../../../ui/menu.tsx';
import { RowGrid } from '../../../ui/row-grid/row-grid.tsx';
import { useLibraryContext } from '../library-context.ts';
import { type ListedItem, selectedItems } from '../model/library-view.ts';
import type { LibrarySearchAnswer } from '../../../bridge/types.ts';
import css from './found-list.module.css';
import { kindIcons } from './kind-icon.ts';
import { useItemKeys, useItemMenu } from './item-menu.ts';
import type { Ranges } from '../../../../shared/domain/search/search-query.ts';

type Found = LibrarySearchAnswer['items'][number];
type FoundRow =
  | { readonly type: 'item'; readonly id: string; readonly item: ListedItem; readonly found: Found }
  | {
      readonly type: 'moment';
      readonly id: string;
      readonly item: ListedItem;
      readonly moment: Found['moments'][number];
      readonly isLast: boolean;
    };

export interface FoundListProps {
  readonly answer: LibrarySearchAnswer;
  readonly items: readonly ListedItem[];
  readonly selectedIds: ReadonlySet<string>;
  readonly onSelect: (ids: ReadonlySet<string>) => void;
  readonly onActive: (item: ListedItem | null, atMs: number) => void;
}

const MenuContext = createContext<{
  readonly menuId: string | null;
  readonly showMenu: (id: string | null) => void;
  /** An action on a selected item affects the whole selection. */
  readonly meant: (item: ListedItem) => readonly ListedItem[];
}>({ menuId: null, showMenu: () => undefined, meant: (item) => [item] });

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

/** Recordings with the moments found in each. Arrow keys move between rows, Enter opens the editor at the moment. */
export function FoundList({ answer, items, selectedIds, onSelect, onActive }: FoundListProps) {
  const t = useText();
  const { open } = useLibraryContext();
  const onItemKey = useItemKeys();
  const [menuId, showMenu] = useState<string | null>(null);
  const menu = useMemo(() => {
    const meant = (item: ListedItem) => (selectedIds.has(refKey(item)) ? selectedItems(items, selectedIds) : [item]);
    return { menuId, showMenu, meant };
  }, [menuId, items, selectedIds]);
  const rows = useMemo(() => {
    const byKey = new Map(items.map((item) => [refKey(item), item]));
    return answer.items.flatMap((found): FoundRow[] => {
      const item = byKey.get(refKey(found));
      if (item === undefined) return [];
      return [
        { type: 'item', id: refKey(item), item, found },
        ...found.moments.map((moment, at) => ({
          type: 'moment' as const,
          id: `${refKey(item)}@${String(at)}`,
          item,
          moment,
          isLast: at === found.moments.length - 1,
        })),
      ];
    });
  }, [answer, items]);
  return (
    <MenuContext value={menu}>
      <RowGrid
        label={t('library.results')}
        className={css['list']}
        items={rows}
        labelOf={(row) => (row.type === 'item' ? row.item.title : `${timeOf(row)} ${row.moment.text}`.trim())}
        estimatedRowHeight={28}
        selection={{
          ids: selectedIds,
          onChange: (ids) => {
            onSelect(itemSelection(selectedIds, ids));
          },
        }}
        onActive={(row) => {
          onActive(row?.item ?? null, row === null ? 0 : momentOf(row));
        }}
        onOpen={(row) => {
          if (row.item.trashedAtMs === null) open(row.item, momentOf(row));
        }}
        onMenu={(row) => {
          showMenu(refKey(row.item));
        }}
        onKey={(event, { item }) => onItemKey(event, item, selectedItems(items, selectedIds))}
      >
        {drawRow}
      </RowGrid>
    </MenuContext>
  );
}

/** Where playback starts and the editor opens; an item uses its first moment. */
const momentOf = (row: FoundRow): number =>
  row.type === 'moment' ? row.moment.startMs : (row.found.moments[0]?.startMs ?? 0);

/** Questions have a position in their conversation but no time. */
const timeOf = ({ item, moment }: Extract<FoundRow, { type: 'moment' }>): string =>
  item.kind === 'conversation' ? '' : clock(moment.startMs);

const drawRow = (row: FoundRow) =>
  row.type === 'item' ? (
    <FoundItem item={row.item} found={row.found} />
  ) : (
    <div className={css['moment']} data-last={row.isLast ? '' : undefined}>
      <span className={css['at']}>{timeOf(row)}</span>
      <span className={css['words']} lang={row.item.language ?? undefined}>
        <Marked text={row.moment.text} ranges={row.moment.ranges} />
      </span>
    </div>
  );

function FoundItem({ item, found }: { readonly item: ListedItem; readonly found: Found }) {
  const t = useText();
  const formats = useFormats();
  const { menuId, showMenu, meant } = useContext(MenuContext);
  const entries = useItemMenu();
  const key = refKey(item);
  const Icon = kindIcons[item.kind];
  const more = found.momentCount - found.moments.length;
  const facts = [
    ...(item.states.includes('excerpt') ? [t('library.state.excerpt')] : []),
    formats.date(item.createdAtMs),
    ...(item.durationMs === null ? [] : [formats.clock(item.durationMs)]),
    ...(more > 0 ? [t('library.moreMoments', { count: more })] : []),
  ];
  return (
    <div className={css['item']}>
      <Icon aria-hidden size={16} strokeWidth={1.75} />
      <b className={css['name']}>
        <Marked text={item.title} ranges={found.titleRanges} />
      </b>
      {item.language && <LanguageTag code={item.language} name={t(`common.languageNames.${item.language}`)} />}
      <span className={css['facts']}>{facts.join(', ')}</span>
      <Menu
        label={t('library.moreFor', { title: item.title })}
        entries={() => entries(meant(item))}
        isOpen={menuId === key}
        onOpenChange={(isOpen) => {
          showMenu(isOpen ? key : null);
        }}
        trigger={<IconButton size="sm" icon={Ellipsis} label={t('library.moreFor', { title: item.title })} />}
      />
    </div>
  );
}

/** A text with the search words highlighted. */
export function Marked({ text, ranges }: { readonly text: string; readonly ranges: Ranges }) {
  return ranges.reduceRight<readonly React.ReactNode[]>(
    (rest, [start, end], at) => {
      const before = text.slice(ranges[at - 1]?.[1] ?? 0, start);
      return [
        before,
        <mark key={start} className={css['hit']}>
          {text.slice(start, end)}
        </mark>,
        ...rest,
      ];
    },
    [text.slice(ranges.at(-1)?.[1] ?? 0)],
  );
}
