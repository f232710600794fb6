import { X } from 'lucide-react';
import type { RefObject } from 'react';
import { useKeyFor } from '../../../lib/commands.tsx';
import { useText } from '../../../lib/text.ts';
import { IconButton } from '../../../ui/icon-button.tsx';
import { Keys } from '../../../ui/keys.tsx';
import { SearchBox } from '../../../ui/search-box.tsx';
import css from '../library-screen.module.css';

/** The search field. Arrow Down moves to the results, Escape clears the field. */
export function SearchField({
  field,
  text,
  onText,
}: {
  readonly field: RefObject<HTMLInputElement | null>;
  readonly text: string;
  readonly onText: (text: string) => void;
}) {
  const t = useText();
  const shortcut = useKeyFor()('transcripts.find');
  return (
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- <search> is not known to older screen readers
    <div className={css['search']} role="search">
      <SearchBox
        size="md"
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
      >
        {text === '' ? (
          shortcut && <Keys shortcut={shortcut} />
        ) : (
          <IconButton
            size="sm"
            icon={X}
            label={t('library.clearSearch')}
            onPress={() => {
              onText('');
              field.current?.focus();
            }}
          />
        )}
      </SearchBox>
    </div>
  );
}
