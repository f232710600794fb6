import { Replace } from 'lucide-react';
import { useState } from 'react';
import { useText } from '../../../lib/text.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
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
      {isAsking && (
        <DeleteMatchesQuestion
          words={query.text}
          transcripts={elsewhere.texts.length + Math.min(1, matches.length)}
          matches={elsewhere.count + matches.length}
          onAnswer={(isYes) => {
            setIsAsking(false);
            if (isYes) void find.replaceElsewhere();
          }}
        />
      )}
    </>
  );
}

/** Asked because the other transcripts are not in sight. */
function DeleteMatchesQuestion({
  words,
  transcripts,
  matches,
  onAnswer,
}: {
  readonly words: string;
  readonly transcripts: number;
  readonly matches: number;
  readonly onAnswer: (isYes: boolean) => void;
}) {
  const t = useText();
  const keep = () => {
    onAnswer(false);
  };
  return (
    <Dialog
      title={t('editor.find.deleteTitle', { count: transcripts })}
      closeLabel={t('common.close')}
      isOpen
      onClose={keep}
      width="sm"
      isAlert
      footer={
        <>
          <Button onPress={keep} isAutoFocused>
            {t('common.cancel')}
          </Button>
          <Button
            variant="danger"
            onPress={() => {
              onAnswer(true);
            }}
          >
            {t('editor.find.deleteAll', { count: String(matches) })}
          </Button>
        </>
      }
    >
      <p>{t('editor.find.deleteText', { words })}</p>
    </Dialog>
  );
}
