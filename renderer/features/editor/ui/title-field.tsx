import { useState } from 'react';
import { useCommands } from '../../../lib/commands.tsx';
import { useText } from '../../../lib/text.ts';
import css from './title-field.module.css';

const longest = 300;

export interface TitleFieldProps {
  readonly title: string;
  readonly onRename: (title: string) => void;
}

/** The title, edited in place: Enter and leaving the field save, Escape reverts, an empty title is rejected. */
export function TitleField({ title, onRename }: TitleFieldProps) {
  const t = useText();
  const [draft, setDraft] = useState<string | null>(null);
  useCommands({
    'transcript.rename': () => {
      setDraft(title);
    },
  });
  const keep = () => {
    const wanted = draft?.trim() ?? '';
    setDraft(null);
    if (wanted !== '' && wanted !== title) onRename(wanted);
  };
  if (draft === null) {
    return (
      <h1 className={css['heading']}>
        <button
          type="button"
          className={css['title']}
          title={t('editor.title.rename', { title })}
          onClick={() => {
            setDraft(title);
          }}
        >
          {title}
        </button>
      </h1>
    );
  }
  return (
    <h1 className={css['heading']}>
      <input
        className={css['input']}
        aria-label={t('editor.title.label')}
        maxLength={longest}
        value={draft}
        autoComplete="off"
        ref={(input) => {
          if (input !== null && document.activeElement !== input) input.select();
        }}
        onChange={(event) => {
          setDraft(event.target.value);
        }}
        onBlur={keep}
        onKeyDown={(event) => {
          if (event.key === 'Enter') keep();
          if (event.key === 'Escape') {
            event.preventDefault();
            setDraft(null);
          }
        }}
      />
    </h1>
  );
}
