import { Copy, Pencil } from 'lucide-react';
import { useState } from 'react';
import { useCommands, useKeyFor } from '../../../lib/commands.tsx';
import { useText } from '../../../lib/text.ts';
import { useCopy } from '../../../ui/notices.ts';
import css from './title-field.module.css';
import { useContextMenu } from './use-context-menu.tsx';

const longest = 300;

export interface TitleFieldProps {
  readonly title: string;
  readonly onRename: (title: string) => void;
}

/** The title, edited in place: Enter and leaving the field save, Escape reverts, an empty title is rejected. */
export function TitleField({ title, onRename }: TitleFieldProps) {
  const t = useText();
  const [draft, setDraft] = useState<string | null>(null);
  const keyFor = useKeyFor();
  const copy = useCopy();
  const edit = () => {
    setDraft(title);
  };
  useCommands({ 'transcript.rename': edit });
  const { onContextMenu, menu } = useContextMenu(t('editor.title.label'), () => [
    {
      id: 'rename',
      icon: Pencil,
      text: t('library.rename'),
      shortcut: keyFor('transcript.rename'),
      onAction: edit,
    },
    {
      id: 'copy',
      icon: Copy,
      text: t('editor.title.copy'),
      onAction: () => void copy(title),
    },
  ]);
  const keep = () => {
    const wanted = draft?.trim() ?? '';
    setDraft(null);
    if (wanted !== '' && wanted !== title) onRename(wanted);
  };
  if (draft === null) {
    return (
      <>
        <h1 className={css['heading']}>
          <button
            type="button"
            className={css['title']}
            title={t('editor.title.rename', { title })}
            onClick={edit}
            onContextMenu={onContextMenu}
          >
            {title}
          </button>
        </h1>
        {menu}
      </>
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
          if (event.key !== 'Enter' && event.key !== 'Escape') return;
          event.preventDefault();
          if (event.key === 'Enter') keep();
          else setDraft(null);
        }}
      />
    </h1>
  );
}
