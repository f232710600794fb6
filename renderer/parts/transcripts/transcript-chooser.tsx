import { useQuery } from '@tanstack/react-query';
import { CircleAlert, type LucideIcon } from 'lucide-react';
import { useState } from 'react';
import { foldText } from '../../../shared/domain/text/fold-text.ts';
import { failureOf } from '../../bridge/request-error.ts';
import { useStudio } from '../../bridge/studio-context.tsx';
import { useFailureWords } from '../../lib/failure-words.ts';
import { useFormats, useText } from '../../lib/text.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import css from './transcript-chooser.module.css';
import { transcriptsQuery } from './transcripts-query.ts';

/** A list that is longer is narrowed down by words, not by scrolling. */
const shownAtMost = 200;

export interface ChosenTranscript {
  readonly id: string;
  readonly title: string;
}

export interface TranscriptChooserProps {
  readonly title: string;
  /** What is done with the one that is chosen. */
  readonly action: {
    readonly text: string;
    readonly icon: LucideIcon;
    readonly labelFor: (title: string) => string;
    /** Whether Enter in the field does it with the first one. */
    readonly isForEnter: boolean;
  };
  readonly onChoose: (transcript: ChosenTranscript) => void;
  readonly onClose: () => void;
}

/** All transcripts, found by words of their titles and files in any letters. */
export function TranscriptChooser({ title, action, onChoose, onClose }: TranscriptChooserProps) {
  const t = useText();
  const formats = useFormats();
  const words = useFailureWords();
  const { data, error } = useQuery(transcriptsQuery(useStudio()));
  const [query, setQuery] = useState('');
  const wanted = foldText(query.trim()).text;
  const found = data?.filter((one) => foldText(`${one.title} ${one.sourceName}`).text.includes(wanted)) ?? [];
  const shown = found.slice(0, shownAtMost);
  const failure = error === null ? null : failureOf(error);
  return (
    <Dialog isOpen width="md" title={title} closeLabel={t('common.close')} onClose={onClose}>
      <div className={css['chooser']}>
        <Field
          isAutoFocused
          label={t('transcripts.find')}
          type="search"
          value={query}
          onChange={setQuery}
          onEnter={() => {
            const [first] = shown;
            if (action.isForEnter && first) onChoose({ id: first.id, title: first.title });
          }}
        />
        {failure && (
          <Banner role="alert" tone="bad" icon={CircleAlert} title={words(failure).title}>
            {words(failure).textAfterTitle}
          </Banner>
        )}
        <output className={css['said']}>
          {data?.length === 0 ? t('transcripts.none') : data && found.length === 0 ? t('transcripts.nothingFound') : ''}
        </output>
        <ul aria-label={t('transcripts.list')} className={css['list']}>
          {shown.map(({ id, title: name, createdAtMs }) => (
            <li key={id} className={css['line']}>
              <span className={css['title']}>{name}</span>
              <span className={css['date']}>{formats.date(createdAtMs)}</span>
              <Button
                size="sm"
                icon={action.icon}
                label={action.labelFor(name)}
                onPress={() => {
                  onChoose({ id, title: name });
                }}
              >
                {action.text}
              </Button>
            </li>
          ))}
        </ul>
        {found.length > shown.length && (
          <p className={css['said']}>{t('transcripts.more', { count: found.length - shown.length })}</p>
        )}
      </div>
    </Dialog>
  );
}
