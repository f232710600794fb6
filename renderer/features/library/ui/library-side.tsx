import {
  Trash2,
  Pencil,
  Plus,
  Folder,
  FolderInput,
  FolderOpen,
  FolderPlus,
  Inbox,
  Library,
  type LucideIcon,
} from 'lucide-react';
import { useState, type DragEvent, type HTMLAttributes, type ReactNode } from 'react';
import { VisuallyHidden } from 'react-aria-components';
import { speechLanguages } from '../../../../shared/domain/languages.ts';
import {
  itemStates,
  libraryKinds,
  refKey,
  trashDays,
  withFoldersBelow,
  type LibraryFolder,
} from '../../../../shared/domain/library/library-item.ts';
import { cx } from '../../../lib/class-names.ts';
import { useText } from '../../../lib/text.ts';
import { Button } from '../../../ui/button.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import type { MenuEntry } from '../../../ui/menu.tsx';
import { useLibraryContext } from '../library-context.ts';
import { draggedItems, isItemDrag } from '../model/item-drag.ts';
import {
  countBy,
  dayChoices,
  everything,
  filterItems,
  without,
  type FilterPart,
  type LibraryFilter,
  type ListedItem,
  folderTree,
} from '../model/library-view.ts';
import { menuEntry } from './item-menu.ts';
import css from './library-side.module.css';
import { MoreMenu } from './more-menu.tsx';

const toggled = <T,>(set: ReadonlySet<T>, value: T, isOn: boolean): ReadonlySet<T> =>
  new Set(isOn ? [...set, value] : [...set].filter((one) => one !== value));

const speakersShown = 6;
/** Fewer items are seen at a glance. */
const leastFiltered = 10;
const kindOf = ({ kind }: ListedItem) => [kind];
const languageOf = ({ language }: ListedItem) => (language === null ? [] : [language]);
const statesOf = ({ states }: ListedItem) => states;
const speakersOf = ({ speakers }: ListedItem) => speakers.flatMap((name) => name ?? []);

export function LibrarySide() {
  const t = useText();
  const { items, filter, filterBy } = useLibraryContext();
  const kept = items.filter(({ trashedAtMs }) => trashedAtMs === null);
  const isTrash = filter.place === 'trash';
  const counted = isTrash ? items.filter(({ trashedAtMs }) => trashedAtMs !== null) : kept;
  // Every value stays listed whatever is selected.
  const kinds = countBy(counted, kindOf);
  const languages = new Map(countBy(counted, languageOf));
  const states = new Map(countBy(counted, statesOf));
  const speakers = countBy(counted, speakersOf).map(([name]) => name);
  const [allSpeakers, showAllSpeakers] = useState(false);
  const go = (place: LibraryFilter['place']) => () =>
    filterBy(place === 'trash' ? { ...everything, place } : { ...filter, place });
  const [startsOpen] = useState(
    filter.languages.size + filter.states.size + filter.speakers.size > 0 || filter.days !== null,
  );
  const more = (
    <>
      <Facets
        part="languages"
        title={t('library.languages')}
        values={speechLanguages.filter((language) => languages.has(language))}
        valuesOf={languageOf}
        textOf={(language) => t(`common.languageNames.${language}`)}
      />
      <Facets
        part="states"
        title={t('library.states')}
        values={states.size > 1 ? itemStates.filter((state) => states.has(state)) : []}
        valuesOf={statesOf}
        textOf={(state) => t(`library.state.${state}`)}
      />
      <Facets
        part="speakers"
        title={t('library.speakers')}
        values={allSpeakers ? speakers : speakers.slice(0, speakersShown)}
        valuesOf={speakersOf}
        textOf={null}
      >
        {speakers.length > speakersShown && (
          <Button size="sm" variant="ghost" onPress={() => showAllSpeakers(!allSpeakers)}>
            {t(allSpeakers ? 'library.fewerSpeakers' : 'library.allSpeakers', { count: speakers.length })}
          </Button>
        )}
      </Facets>
      <Group title={t('library.date')}>
        <label className={css['date']}>
          <VisuallyHidden elementType="span">{t('library.date')}</VisuallyHidden>
          <select
            value={filter.days ?? 0}
            onChange={({ target }) => filterBy({ ...filter, days: Number(target.value) || null })}
          >
            <option value={0}>{t('library.anyDate')}</option>
            {dayChoices.map((days) => (
              <option key={days} value={days}>
                {t('library.lastDays', { count: days })}
              </option>
            ))}
          </select>
        </label>
      </Group>
    </>
  );
  return (
    <aside className={css['side']} aria-label={t('library.side')} data-pane="filters">
      <div className="pane scrolls">
        <FolderList kept={kept} onPlace={go} />
        <TagList />
        <Facets
          part="kinds"
          title={t('library.kinds')}
          values={kinds.length > 1 ? libraryKinds : []}
          valuesOf={kindOf}
          textOf={(kind) => t(`library.kind.${kind}`)}
        />
        {counted.length < leastFiltered ? (
          <details open={startsOpen}>
            <summary className={css['more']}>{t('library.filters')}</summary>
            {more}
          </details>
        ) : (
          more
        )}
      </div>
      <div className={css['trash']}>
        <Place
          icon={Trash2}
          text={t('library.trash')}
          count={items.length - kept.length}
          isOn={isTrash}
          onPress={go('trash')}
        />
        <p>{t('library.trashTerm', { count: trashDays })}</p>
      </div>
    </aside>
  );
}

/** What the search and the other filters leave. */
function useLeft(part: FilterPart): readonly ListedItem[] {
  const { items, foundKeys, folders, filter, nowMs } = useLibraryContext();
  const left = filterItems(items, without(filter, part), folders, nowMs);
  return foundKeys === null ? left : left.filter((item) => foundKeys.has(refKey(item)));
}

interface FacetsProps<T extends string> {
  readonly part: 'kinds' | 'languages' | 'states' | 'speakers';
  readonly title: string;
  readonly values: readonly T[];
  readonly valuesOf: (item: ListedItem) => Iterable<T>;
  /** Null: the values are names that the user gave. */
  readonly textOf: ((value: T) => string) | null;
  readonly children?: ReactNode;
}

function Facets<T extends string>({ part, title, values, valuesOf, textOf, children }: FacetsProps<T>) {
  const { filter, filterBy } = useLibraryContext();
  const left = new Map(countBy(useLeft(part), valuesOf));
  const chosen: ReadonlySet<string> = filter[part];
  const shown = values.filter((value) => left.has(value) || chosen.has(value));
  if (shown.length === 0) return null;
  return (
    <Group title={title}>
      {shown.map((value) => (
        <Facet
          key={value}
          text={textOf?.(value) ?? value}
          isOwn={textOf === null}
          count={left.get(value) ?? 0}
          isOn={chosen.has(value)}
          onChange={(isOn) => filterBy({ ...filter, [part]: toggled(chosen, value, isOn) })}
        />
      ))}
      {children}
    </Group>
  );
}

function TagList() {
  const t = useText();
  const { tags, filter, filterBy, ask, removeTag } = useLibraryContext();
  const counts = new Map(countBy(useLeft('tags'), ({ tagIds }) => tagIds));
  const choose = (id: string, isOn: boolean) => filterBy({ ...filter, tags: toggled(filter.tags, id, isOn) });
  return (
    <Group title={t('library.tags')} addLabel={t('library.newTag')} onAdd={() => ask({ tag: 'new-tag', items: [] })}>
      {tags
        .toSorted((one, other) => one.name.localeCompare(other.name))
        .map((tag) => (
          <SideRow
            key={tag.id}
            title={tag.name}
            entries={() => [
              menuEntry('rename', t('library.rename'), Pencil, () => ask({ tag: 'rename-tag', named: tag })),
              menuEntry('remove', t('library.removeTag'), Trash2, () => {
                choose(tag.id, false);
                removeTag(tag);
              }),
            ]}
          >
            <Facet
              text={tag.name}
              isOwn
              count={counts.get(tag.id) ?? 0}
              isOn={filter.tags.has(tag.id)}
              onChange={(isOn) => choose(tag.id, isOn)}
            />
          </SideRow>
        ))}
    </Group>
  );
}

interface FolderListProps {
  readonly kept: readonly ListedItem[];
  readonly onPlace: (place: LibraryFilter['place']) => () => void;
}

function FolderList({ kept, onPlace }: FolderListProps) {
  const t = useText();
  const { folders, filter, ask, move } = useLibraryContext();
  const [overId, setOver] = useState<string | null>(null);
  const entries = useFolderMenu();
  const inFolder = new Map(countBy(kept, ({ folderId }) => [folderId]));
  const countIn = (id: string) =>
    [...withFoldersBelow(folders, id)].reduce((sum, one) => sum + (inFolder.get(one) ?? 0), 0);
  const dropOn = (folderId: string | null, key: string) => ({
    onDragOver: (event: DragEvent) => {
      if (!isItemDrag(event)) return;
      event.preventDefault();
      setOver(key);
    },
    onDragLeave: () => setOver(null),
    onDrop: (event: DragEvent) => {
      setOver(null);
      const items = draggedItems(event);
      if (items.length === 0) return;
      event.preventDefault();
      move(items, folderId);
    },
  });
  return (
    <Group
      title={t('library.folders')}
      addLabel={t('library.newFolder')}
      onAdd={() => ask({ tag: 'new-folder', items: [], parentId: null })}
    >
      <Place
        icon={Library}
        text={t('library.everything')}
        count={kept.length}
        isOn={filter.place === 'all'}
        onPress={onPlace('all')}
      />
      {folderTree(folders).map(({ folder, depth }) => (
        <SideRow
          key={folder.id}
          title={folder.name}
          isOver={overId === folder.id}
          entries={() => entries(folder)}
          {...dropOn(folder.id, folder.id)}
        >
          <Place
            icon={filter.place === folder.id ? FolderOpen : Folder}
            text={folder.name}
            isOwn
            count={countIn(folder.id)}
            isOn={filter.place === folder.id}
            depth={depth}
            onPress={onPlace(folder.id)}
          />
        </SideRow>
      ))}
      {folders.length > 0 && (
        <div className={cx(css['folder'], overId === 'none' && css['over'])} {...dropOn(null, 'none')}>
          <Place
            icon={Inbox}
            text={t('library.noFolder')}
            count={inFolder.get(null) ?? 0}
            isOn={filter.place === 'none'}
            onPress={onPlace('none')}
          />
        </div>
      )}
    </Group>
  );
}

function useFolderMenu(): (folder: LibraryFolder) => readonly MenuEntry[] {
  const t = useText();
  const { folders, ask, moveFolder, removeFolder } = useLibraryContext();
  return (folder) => {
    const own = withFoldersBelow(folders, folder.id);
    const targets = folderTree(folders).filter(({ folder: { id } }) => !own.has(id) && id !== folder.parentId);
    const top = { id: 'top', text: t('library.noFolder'), onAction: () => moveFolder(folder.id, null) };
    const entries = [
      ...(folder.parentId === null ? [] : [top]),
      ...targets.map(({ folder: { id, name } }) => ({ id, text: name, onAction: () => moveFolder(folder.id, id) })),
    ];
    return [
      menuEntry('rename', t('library.rename'), Pencil, () => ask({ tag: 'rename-folder', folder })),
      menuEntry('inside', t('library.newFolderInside'), FolderPlus, () =>
        ask({ tag: 'new-folder', items: [], parentId: folder.id }),
      ),
      ...(entries.length === 0 ? [] : [{ id: 'move', text: t('library.move'), icon: FolderInput, entries }]),
      'separator',
      menuEntry('remove', t('library.removeFolder'), Trash2, () => removeFolder(folder)),
    ];
  };
}

interface GroupProps {
  readonly title: string;
  readonly addLabel?: string;
  readonly onAdd?: () => void;
  readonly children: ReactNode;
}

function Group({ title, addLabel, onAdd, children }: GroupProps) {
  return (
    <section className={css['group']} aria-label={title}>
      <div className={css['heading']}>
        <h2 className="caption strong muted">{title}</h2>
        {addLabel !== undefined && onAdd && <IconButton size="sm" icon={Plus} label={addLabel} onPress={onAdd} />}
      </div>
      {children}
    </section>
  );
}

interface SideRowProps extends Pick<HTMLAttributes<HTMLDivElement>, 'onDragOver' | 'onDragLeave' | 'onDrop'> {
  readonly title: string;
  readonly entries: () => readonly MenuEntry[];
  readonly isOver?: boolean;
  readonly children: ReactNode;
}

function SideRow({ title, entries, isOver = false, children, ...drop }: SideRowProps) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <div
      className={cx(css['folder'], isOver && css['over'])}
      onContextMenu={(event) => {
        event.preventDefault();
        setIsOpen(true);
      }}
      {...drop}
    >
      {children}
      <span className={css['more']}>
        <MoreMenu title={title} entries={entries} isOpen={isOpen} onOpenChange={setIsOpen} />
      </span>
    </div>
  );
}

interface PlaceProps {
  readonly icon: LucideIcon;
  readonly text: string;
  readonly count: number;
  readonly isOn: boolean;
  /** A name given by the user, which is cut if it is long. */
  readonly isOwn?: boolean;
  readonly depth?: number;
  readonly onPress: () => void;
}

function Place({ icon: Icon, text, count, isOn, isOwn = false, depth = 0, onPress }: PlaceProps) {
  return (
    <button
      type="button"
      style={{ paddingInlineStart: 8 + depth * 16 }}
      className={cx(css['place'], isOn && css['on'])}
      aria-current={isOn ? 'true' : undefined}
      onClick={onPress}
    >
      <Icon aria-hidden size={16} strokeWidth={1.75} />
      <span className={cx(css['name'], isOwn && 'cut')} title={isOwn ? text : undefined}>
        {text}
      </span>
      <span className={css['count']}>{count}</span>
    </button>
  );
}

interface FacetProps {
  readonly text: string;
  readonly count: number;
  readonly isOn: boolean;
  readonly isOwn?: boolean;
  readonly onChange: (isOn: boolean) => void;
}

function Facet({ text, count, isOn, isOwn = false, onChange }: FacetProps) {
  return (
    <label className={css['facet']}>
      <input type="checkbox" checked={isOn} onChange={({ target }) => onChange(target.checked)} />
      <span className={cx(css['name'], isOwn && 'cut')} title={isOwn ? text : undefined}>
        {text}
      </span>
      <span className={css['count']}>{count}</span>
    </label>
  );
}
