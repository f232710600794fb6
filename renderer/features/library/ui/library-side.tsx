import { Ellipsis, Folder, FolderOpen, Inbox, Library, Pencil, Plus, Trash2, type LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { libraryKinds, trashDays } from '../../../../shared/domain/library/library-item.ts';
import { speechLanguages } from '../../../../shared/domain/languages.ts';
import { cx } from '../../../lib/class-names.ts';
import { useText } from '../../../lib/text.ts';
import { IconButton } from '../../../ui/icon-button.tsx';
import { Menu } from '../../../ui/menu.tsx';
import { useLibraryContext } from '../library-context.ts';
import { countBy, dayChoices, everything, type LibraryFilter, type ListedItem } from '../model/library-view.ts';
import css from './library-side.module.css';

const speakersShown = 6;

export interface LibrarySideProps {
  readonly items: readonly ListedItem[];
  readonly filter: LibraryFilter;
  readonly onFilter: (filter: LibraryFilter) => void;
  readonly onRemoveFolder: (id: string) => void;
}

/** Folders, and what the list is narrowed to; the trash stands apart. */
export function LibrarySide({ items, filter, onFilter, onRemoveFolder }: LibrarySideProps) {
  const t = useText();
  const { folders, ask } = useLibraryContext();
  const kept = items.filter(({ trashedAtMs }) => trashedAtMs === null);
  const inFolder = new Map(countBy(kept, ({ folderId }) => [folderId]));
  const kinds = new Map(countBy(kept, ({ kind }) => [kind]));
  const languages = new Map(countBy(kept, ({ language }) => (language === null ? [] : [language])));
  const speakers = countBy(kept, (item) => item.speakers.flatMap((name) => name ?? []));
  const go = (place: LibraryFilter['place']) => () => {
    onFilter(place === 'trash' ? { ...everything, place } : { ...filter, place });
  };
  return (
    <aside className={css['side']} aria-label={t('library.side')} data-pane="filters">
      <div className={css['scrolled']}>
        <Group
          title={t('library.folders')}
          action={
            <IconButton
              size="sm"
              icon={Plus}
              label={t('library.newFolder')}
              onPress={() => {
                ask({ tag: 'new-folder', items: [] });
              }}
            />
          }
        >
          <Place
            icon={Library}
            text={t('library.everything')}
            count={kept.length}
            isOn={filter.place === 'all'}
            onPress={go('all')}
          />
          {folders.map((folder) => (
            <div key={folder.id} className={css['folder']}>
              <Place
                icon={filter.place === folder.id ? FolderOpen : Folder}
                text={folder.name}
                count={inFolder.get(folder.id) ?? 0}
                isOn={filter.place === folder.id}
                onPress={go(folder.id)}
              />
              <span className={css['more']}>
                <Menu
                  label={t('library.moreFor', { title: folder.name })}
                  entries={[
                    {
                      id: 'rename',
                      text: t('library.rename'),
                      icon: Pencil,
                      onAction: () => {
                        ask({ tag: 'rename-folder', folder });
                      },
                    },
                    {
                      id: 'remove',
                      text: t('library.removeFolder'),
                      icon: Trash2,
                      onAction: () => {
                        onRemoveFolder(folder.id);
                      },
                    },
                  ]}
                  trigger={
                    <IconButton size="sm" icon={Ellipsis} label={t('library.moreFor', { title: folder.name })} />
                  }
                />
              </span>
            </div>
          ))}
          {folders.length > 0 && (
            <Place
              icon={Inbox}
              text={t('library.noFolder')}
              count={inFolder.get(null) ?? 0}
              isOn={filter.place === 'none'}
              onPress={go('none')}
            />
          )}
        </Group>
        {kinds.size > 1 && (
          <Group title={t('library.kinds')}>
            {libraryKinds.map((kind) => (
              <Facet
                key={kind}
                text={t(`library.kind.${kind}`)}
                count={kinds.get(kind) ?? 0}
                isOn={filter.kinds.has(kind)}
                onChange={(isOn) => {
                  onFilter({ ...filter, kinds: toggled(filter.kinds, kind, isOn) });
                }}
              />
            ))}
          </Group>
        )}
        {languages.size > 0 && (
          <Group title={t('library.languages')}>
            {speechLanguages
              .filter((language) => languages.has(language))
              .map((language) => (
                <Facet
                  key={language}
                  text={t(`common.languageNames.${language}`)}
                  count={languages.get(language) ?? 0}
                  isOn={filter.languages.has(language)}
                  onChange={(isOn) => {
                    onFilter({ ...filter, languages: toggled(filter.languages, language, isOn) });
                  }}
                />
              ))}
          </Group>
        )}
        {speakers.length > 0 && (
          <Group title={t('library.speakers')}>
            {speakers.slice(0, speakersShown).map(([name, count]) => (
              <Facet
                key={name}
                text={name}
                count={count}
                isOn={filter.speaker === name}
                onChange={(isOn) => {
                  onFilter({ ...filter, speaker: isOn ? name : null });
                }}
              />
            ))}
          </Group>
        )}
        <Group title={t('library.date')}>
          <label className={css['date']}>
            <span className={css['hidden']}>{t('library.date')}</span>
            <select
              value={filter.days ?? 0}
              onChange={({ target }) => {
                onFilter({ ...filter, days: Number(target.value) || null });
              }}
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
      </div>
      <div className={css['trash']}>
        <Place
          icon={Trash2}
          text={t('library.trash')}
          count={items.length - kept.length}
          isOn={filter.place === 'trash'}
          onPress={go('trash')}
        />
        <p>{t('library.trashTerm', { count: trashDays })}</p>
      </div>
    </aside>
  );
}

const toggled = <T,>(set: ReadonlySet<T>, value: T, isOn: boolean): ReadonlySet<T> =>
  new Set(isOn ? [...set, value] : [...set].filter((one) => one !== value));

function Group({
  title,
  action,
  children,
}: {
  readonly title: string;
  readonly action?: ReactNode;
  readonly children: ReactNode;
}) {
  return (
    <section className={css['group']} aria-label={title}>
      <div className={css['heading']}>
        <h2>{title}</h2>
        {action}
      </div>
      {children}
    </section>
  );
}

function Place({
  icon: Icon,
  text,
  count,
  isOn,
  onPress,
}: {
  readonly icon: LucideIcon;
  readonly text: string;
  readonly count: number;
  readonly isOn: boolean;
  readonly onPress: () => void;
}) {
  return (
    <button
      type="button"
      className={cx(css['place'], isOn && css['on'])}
      aria-current={isOn ? 'true' : undefined}
      onClick={onPress}
    >
      <Icon aria-hidden size={16} strokeWidth={1.75} />
      <span className={css['name']}>{text}</span>
      <span className={css['count']}>{count}</span>
    </button>
  );
}

function Facet({
  text,
  count,
  isOn,
  onChange,
}: {
  readonly text: string;
  readonly count: number;
  readonly isOn: boolean;
  readonly onChange: (isOn: boolean) => void;
}) {
  return (
    <label className={css['facet']}>
      <input
        type="checkbox"
        checked={isOn}
        onChange={({ target }) => {
          onChange(target.checked);
        }}
      />
      <span className={css['name']}>{text}</span>
      <span className={css['count']}>{count}</span>
    </label>
  );
}
