import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { VisuallyHidden } from 'react-aria-components';
import { itemStates, libraryKinds, trashDays } from '../../../../shared/domain/library/library-item.ts';
import { speechLanguages } from '../../../../shared/domain/languages.ts';
import { useText } from '../../../lib/text.ts';
import { Button } from '../../../ui/button.tsx';
import { useLibraryContext } from '../library-context.ts';
import {
  countBy,
  dayChoices,
  everything,
  filterItems,
  without,
  type FilterPart,
  type LibraryFilter,
  type ListedItem,
} from '../model/library-view.ts';
import { FolderList } from './folder-list.tsx';
import css from './library-side.module.css';
import { Facet, Group, Place, toggled } from './side-parts.tsx';
import { TagList } from './tag-list.tsx';

const speakersShown = 6;

export interface LibrarySideProps {
  readonly items: readonly ListedItem[];
  readonly filter: LibraryFilter;
  readonly nowMs: number;
  readonly onFilter: (filter: LibraryFilter) => void;
}

/** Folders, tags and filters. The trash stands apart, and its filters count only what is in it. */
export function LibrarySide({ items, filter, nowMs, onFilter }: LibrarySideProps) {
  const t = useText();
  const kept = items.filter(({ trashedAtMs }) => trashedAtMs === null);
  const isTrash = filter.place === 'trash';
  const counted = isTrash ? items.filter(({ trashedAtMs }) => trashedAtMs !== null) : kept;
  const { folders } = useLibraryContext();
  /** The number of items that would remain, given the other filters. */
  const left = (part: FilterPart) => filterItems(items, without(filter, part), folders, nowMs);
  const countsOf = <T,>(part: FilterPart, valuesOf: (item: ListedItem) => Iterable<T>) =>
    new Map(countBy(left(part), valuesOf));
  const kindCounts = countsOf('kinds', ({ kind }) => [kind]);
  const languageCounts = countsOf('languages', ({ language }) => (language === null ? [] : [language]));
  const stateCounts = countsOf('states', (item) => item.states);
  const speakerCounts = countsOf('speakers', (item) => item.speakers.flatMap((name) => name ?? []));
  // Every value stays listed whatever is selected.
  const kinds = new Map(countBy(counted, ({ kind }) => [kind]));
  const languages = new Map(countBy(counted, ({ language }) => (language === null ? [] : [language])));
  const states = new Map(countBy(counted, (item) => item.states));
  const [allSpeakers, showAllSpeakers] = useState(false);
  const speakers = countBy(counted, (item) => item.speakers.flatMap((name) => name ?? []));
  const go = (place: LibraryFilter['place']) => () => {
    onFilter(place === 'trash' ? { ...everything, place } : { ...filter, place });
  };
  return (
    <aside className={css['side']} aria-label={t('library.side')} data-pane="filters">
      <div className={css['scrolled']}>
        <FolderList kept={kept} filter={filter} onPlace={go} />
        <TagList counted={left('tags')} filter={filter} onFilter={onFilter} />
        {kinds.size > 1 && (
          <Group title={t('library.kinds')}>
            {libraryKinds.map((kind) => (
              <Facet
                key={kind}
                text={t(`library.kind.${kind}`)}
                count={kindCounts.get(kind) ?? 0}
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
                  count={languageCounts.get(language) ?? 0}
                  isOn={filter.languages.has(language)}
                  onChange={(isOn) => {
                    onFilter({ ...filter, languages: toggled(filter.languages, language, isOn) });
                  }}
                />
              ))}
          </Group>
        )}
        {states.size > 1 && (
          <Group title={t('library.states')}>
            {itemStates
              .filter((state) => states.has(state))
              .map((state) => (
                <Facet
                  key={state}
                  text={t(`library.state.${state}`)}
                  count={stateCounts.get(state) ?? 0}
                  isOn={filter.states.has(state)}
                  onChange={(isOn) => {
                    onFilter({ ...filter, states: toggled(filter.states, state, isOn) });
                  }}
                />
              ))}
          </Group>
        )}
        {speakers.length > 0 && (
          <Group title={t('library.speakers')}>
            {(allSpeakers ? speakers : speakers.slice(0, speakersShown)).map(([name]) => (
              <Facet
                key={name}
                text={name}
                isOwn
                count={speakerCounts.get(name) ?? 0}
                isOn={filter.speakers.has(name)}
                onChange={(isOn) => {
                  onFilter({ ...filter, speakers: toggled(filter.speakers, name, isOn) });
                }}
              />
            ))}
            {speakers.length > speakersShown && (
              <Button
                size="sm"
                variant="ghost"
                onPress={() => {
                  showAllSpeakers(!allSpeakers);
                }}
              >
                {t(allSpeakers ? 'library.fewerSpeakers' : 'library.allSpeakers', { count: speakers.length })}
              </Button>
            )}
          </Group>
        )}
        <Group title={t('library.date')}>
          <label className={css['date']}>
            <VisuallyHidden elementType="span">{t('library.date')}</VisuallyHidden>
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
