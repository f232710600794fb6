import { Replace } from 'lucide-react';
import { useState } from 'react';
import { useText } from '../../../lib/text.ts';
import { Button } from '../../../ui/button.tsx';
import { Question } from '../../../ui/dialog.tsx';
import { Field } from '../../../ui/field.tsx';
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
  const { matches, isDeleting, elsewhere, query } = find;
  const chosen = matches[find.current];
  const [isAsking, setIsAsking] = useState(false);
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
          onChange={find.setReplacement}
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
      {elsewhere.count > 0 && (
        <Button
          size="sm"
          variant="ghost"
          onPress={() => {
            if (isDeleting) setIsAsking(true);
            else void find.replaceElsewhere();
          }}
        >
          {t(isDeleting ? 'editor.find.deleteOpen' : 'editor.find.replaceOpen', {
            count: elsewhere.texts.length,
            matches: String(elsewhere.count),
          })}
        </Button>
      )}
      {/* Asked because the other transcripts are not in sight. */}
      <Question
        isDanger
        isOpen={isAsking}
        title={t('editor.find.deleteTitle', { count: elsewhere.texts.length + Math.min(1, matches.length) })}
        confirm={t('editor.find.deleteAll', { count: String(elsewhere.count + matches.length) })}
        onClose={() => {
          setIsAsking(false);
        }}
        onConfirm={() => void find.replaceElsewhere()}
      >
        {t('editor.find.deleteText', { words: query.text })}
      </Question>
    </>
  );
}
