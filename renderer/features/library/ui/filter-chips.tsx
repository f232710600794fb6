import { X } from 'lucide-react';
import { useFormats, useText } from '../../../lib/text.ts';
import { Button } from '../../../ui/button.tsx';
import { useLibraryContext } from '../library-context.ts';
import { activeParts, everything, without, type FilterPart, type LibraryFilter } from '../model/library-view.ts';
import css from './filter-chips.module.css';

/** Describes one part of the filter. */
export function useFilterText(): (filter: LibraryFilter, part: FilterPart) => string {
  const t = useText();
  const formats = useFormats();
  const { folders, tags } = useLibraryContext();
  return (filter, part) => {
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

/** The active filters, each with a button to remove it. */
export function FilterChips({
  filter,
  onFilter,
}: {
  readonly filter: LibraryFilter;
  readonly onFilter: (filter: LibraryFilter) => void;
}) {
  const t = useText();
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
          aria-label={t('library.turnOffFilter', { filter: textOf(filter, part) })}
          onClick={() => {
            onFilter(without(filter, part));
          }}
        >
          {textOf(filter, part)}
          <X aria-hidden size={12} strokeWidth={2} />
        </button>
      ))}
      <Button
        size="sm"
        variant="ghost"
        onPress={() => {
          onFilter(everything);
        }}
      >
        {t('library.clearFilters')}
      </Button>
    </section>
  );
}
