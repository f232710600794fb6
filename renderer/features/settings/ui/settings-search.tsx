import { useRef, useState } from 'react';
import { Link } from 'react-aria-components';
import { useOtherWords, useText } from '../../../lib/text.ts';
import { SearchBox } from '../../../ui/search-box.tsx';
import { findSettings, type FoundSetting } from '../model/settings-index.ts';
import css from './settings-search.module.css';

export interface SettingsSearchProps {
  readonly onFound: (setting: FoundSetting) => void;
}

/** Finds a setting by its words, on any page. Enter opens the first; Esc clears the field. */
export function SettingsSearch({ onFound }: SettingsSearchProps) {
  const t = useText();
  const others = useOtherWords();
  const [query, setQuery] = useState('');
  const list = useRef<HTMLUListElement>(null);
  const isAsked = query.trim() !== '';
  const found = isAsked ? findSettings(query, t, others()) : [];
  const choose = (setting: FoundSetting) => {
    setQuery('');
    onFound(setting);
  };
  return (
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- <search> is not known to older screen readers
    <div role="search" className={css['all']}>
      <SearchBox
        label={t('settings.search.label')}
        placeholder={t('settings.search.short')}
        value={query}
        onChange={setQuery}
        onKeyDown={(event) => {
          const [first] = found;
          if (event.key === 'Enter' && first !== undefined && !event.nativeEvent.isComposing) {
            // The focus moves to the found control, which this key press must not trigger.
            event.preventDefault();
            choose(first);
          }
          if (event.key === 'Escape' && query !== '') {
            event.stopPropagation();
            setQuery('');
          }
          if (event.key === 'ArrowDown') {
            event.preventDefault();
            list.current?.querySelector<HTMLElement>('[data-result]')?.focus();
          }
        }}
      />
      <output className={css['said']}>
        {isAsked &&
          (found.length === 0 ? t('settings.search.none') : t('settings.search.found', { count: found.length }))}
      </output>
      {found.length > 0 && (
        <ul ref={list} className={css['results']} aria-label={t('settings.search.results')}>
          {found.map((setting) => (
            <li key={setting.name}>
              <Link
                data-result
                className={css['result'] ?? ''}
                onPress={() => {
                  choose(setting);
                }}
              >
                <span className={css['title']}>{setting.title}</span>
                <span className={css['page']}>{t(`settings.pages.${setting.page}`)}</span>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
