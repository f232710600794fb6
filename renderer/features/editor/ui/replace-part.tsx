import { Replace } from 'lucide-react';
import { useState } from 'react';
import { useFormats, useText } from '../../../lib/text.ts';
import { Button } from '../../../ui/button.tsx';
import { Question } from '../../../ui/dialog.tsx';
import { Field } from '../../../ui/field.tsx';
import { useEditor } from '../editor-context.ts';
import css from './inspector.module.css';
import type { useFind } from './use-find.ts';

/** The part of Find that replaces; an empty replacement deletes, and then the buttons say so. */
export function ReplacePart({
  find,
  onAllReplaced,
}: {
  readonly find: ReturnType<typeof useFind>;
  readonly onAllReplaced: () => void;
}) {
  const t = useText();
  const { detail, store } = useEditor();
  const { matches, isDeleting, elsewhere, query } = find;
  const chosen = matches[find.current];
  const [isAsking, setIsAsking] = useState(false);
  const countElsewhere = elsewhere.reduce((sum, { count }) => sum + count, 0);
  const replaceOne = () => {
    if (chosen !== undefined) find.replaceNext(chosen);
  };
  return (
    <>
      <div data-replace>
        <Field
          label={t('editor.find.replaceWith')}
          placeholder={t('editor.find.replaceWith')}
          value={find.replacement}
          icon={Replace}
          onChange={store.replaceWith}
          onEnter={replaceOne}
        />
      </div>
      <div className={css['findActions']}>
        <Button size="sm" isDisabled={chosen === undefined} onPress={replaceOne}>
          {t(isDeleting ? 'editor.find.delete' : 'editor.find.replace')}
        </Button>
        <Button
          size="sm"
          isDisabled={matches.length === 0}
          onPress={() => {
            find.replaceAll();
            onAllReplaced();
          }}
        >
          {matches.length === 0
            ? t('editor.find.replaceEvery')
            : t(isDeleting ? 'editor.find.deleteAll' : 'editor.find.replaceAll', { count: String(matches.length) })}
        </Button>
      </div>
      {elsewhere.length > 0 && (
        <Button
          size="sm"
          variant="ghost"
          className={css['longButton']}
          onPress={() => {
            setIsAsking(true);
          }}
        >
          {t(isDeleting ? 'editor.find.deleteOpen' : 'editor.find.replaceOpen', {
            count: elsewhere.length,
            matches: String(countElsewhere),
          })}
        </Button>
      )}
      {/* Asked because the other transcripts are not in sight. */}
      <Question
        isDanger={isDeleting}
        isOpen={isAsking}
        title={t(isDeleting ? 'editor.find.deleteTitle' : 'editor.find.replaceTitle', {
          count: elsewhere.length + Math.min(1, matches.length),
        })}
        confirm={t(isDeleting ? 'editor.find.deleteAll' : 'editor.find.replaceAll', {
          count: String(countElsewhere + matches.length),
        })}
        onClose={() => {
          setIsAsking(false);
        }}
        onConfirm={() => {
          void find.replaceElsewhere();
          onAllReplaced();
        }}
        controls={
          <ul className={css['elsewhere']}>
            {matches.length > 0 && <Row title={detail.title} count={matches.length} />}
            {elsewhere.map(({ id, title, count }) => (
              <Row key={id} title={title} count={count} />
            ))}
          </ul>
        }
      >
        {t(isDeleting ? 'editor.find.deleteText' : 'editor.find.replaceText', {
          words: query.text,
          others: find.replacement,
        })}
      </Question>
    </>
  );
}

function Row({ title, count }: { readonly title: string; readonly count: number }) {
  const formats = useFormats();
  return (
    <li>
      <span>{title}</span>
      <span>{formats.number(count)}</span>
    </li>
  );
}
