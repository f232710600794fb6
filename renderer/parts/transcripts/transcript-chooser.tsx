import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Check, CircleAlert, FileText } from 'lucide-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import { refKey, withFoldersBelow } from '../../../shared/domain/library/library-item.ts';
import { foldText } from '../../../shared/domain/text/fold-text.ts';
import { failureOf, valueOrThrow } from '../../bridge/request-error.ts';
import { useStudio } from '../../bridge/studio-context.tsx';
import { cx } from '../../lib/class-names.ts';
import { useFailureText } from '../../lib/failure-text.ts';
import { useFormats, useText } from '../../lib/text.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import look from '../../ui/option.module.css';
import { SearchBox } from '../../ui/search-box.tsx';
import { Select } from '../../ui/select.tsx';
import { useOptionWalk } from '../../ui/use-option-walk.ts';
import css from './transcript-chooser.module.css';
import { libraryQuery, transcriptListKey, transcriptsQuery } from './transcripts-query.ts';

/** A longer list is narrowed down by typing, not by scrolling. */
const shownAtMost = 200;

export interface ChosenTranscript {
  readonly id: string;
  readonly title: string;
  readonly isAtService?: boolean;
}

export interface TranscriptChooserProps {
  readonly title: string;
  /** Absent: one press chooses the only one. */
  readonly chosenIds?: readonly string[];
  /** Listed among the transcripts. */
  readonly dictations?: readonly { readonly id: string; readonly title: string; readonly createdAtMs: number }[];
  /** `words`: what was searched for. */
  readonly onChooseAll?: (transcripts: readonly ChosenTranscript[], words: string) => void;
  readonly atMost?: number;
  readonly onChoose: (transcript: ChosenTranscript) => void;
  readonly onClose: () => void;
}

export function TranscriptChooser({
  title,
  chosenIds,
  dictations,
  onChooseAll,
  atMost = Infinity,
  onChoose,
  onClose,
}: TranscriptChooserProps) {
  const t = useText();
  const formats = useFormats();
  const failureWords = useFailureText();
  const studio = useStudio();
  const { data, error } = useQuery(transcriptsQuery(studio));
  const library = useQuery({ ...libraryQuery(studio), enabled: chosenIds !== undefined }).data;
  const [folderId, setFolderId] = useState('');
  const [query, setQuery] = useState('');
  const words = query.trim();
  const among = library?.items.filter(({ kind }) => kind === 'transcript' || kind === 'dictation').map(refKey) ?? [];
  // Their words are searched too, where several are chosen.
  const inside = useQuery({
    queryKey: [...transcriptListKey, 'choose', words, among.length],
    queryFn: () => valueOrThrow(studio.request('library.search', { text: words, among, mostItems: 1000 })),
    enabled: chosenIds !== undefined && words.length > 1 && among.length > 0,
    placeholderData: keepPreviousData,
    retry: false,
  }).data;
  const found = useMemo(() => {
    const wanted = foldText(words).text;
    const hits = new Set(words === '' ? [] : inside?.items.map(({ id }) => id));
    const folders = folderId === '' ? null : withFoldersBelow(library?.folders ?? [], folderId);
    const filed = new Set(
      library?.items.flatMap(({ id, folderId: of }) => (folders?.has(of ?? '') === true ? [id] : [])),
    );
    const spoken = (dictations ?? []).map((one) => ({ ...one, sourceName: '', wordCount: null }));
    return [...(data ?? []), ...spoken].filter(
      ({ id, title: name, sourceName }) =>
        (folders === null || filed.has(id)) &&
        (hits.has(id) || foldText(`${name} ${sourceName}`).text.includes(wanted)),
    );
  }, [data, dictations, words, inside, folderId, library]);
  const shown = useMemo(() => found.slice(0, shownAtMost), [found]);
  const walk = useOptionWalk(shown, onChoose);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    field.current?.focus();
  }, []);
  const failure = error === null ? null : failureOf(error);
  return (
    <Dialog
      isOpen
      width="md"
      title={title}
      onClose={onClose}
      {...(chosenIds && {
        footer: (
          <>
            {onChooseAll && (
              <Button isDisabled={shown.length === 0} onPress={() => onChooseAll(shown.slice(0, atMost), words)}>
                {t(shown.length > atMost ? 'transcripts.chooseFirst' : 'transcripts.chooseAll', {
                  number: formats.number(Math.min(shown.length, atMost)),
                })}
              </Button>
            )}
            <Button variant="primary" onPress={onClose}>
              {t('transcripts.done')}
            </Button>
          </>
        ),
      })}
    >
      <div className={css['chooser']}>
        <SearchBox
          {...walk.field}
          type="text"
          field={field}
          className={css['search']}
          label={t('transcripts.find')}
          placeholder={t('transcripts.find')}
          value={query}
          onChange={(text) => {
            setQuery(text);
            walk.restart();
          }}
        />
        {library !== undefined && library.folders.length > 0 && (
          <Select
            label={t('transcripts.folder')}
            options={[
              { value: '', text: t('transcripts.allFolders') },
              ...library.folders
                .toSorted((one, other) => one.name.localeCompare(other.name))
                .map(({ id, name }) => ({ value: id, text: name })),
            ]}
            value={folderId}
            onChange={(id) => {
              setFolderId(id);
              walk.restart();
            }}
          />
        )}
        {failure && (
          <Banner role="alert" tone="bad" icon={CircleAlert} title={failureWords(failure).title}>
            {failureWords(failure).textAfterTitle}
          </Banner>
        )}
        <output className="if-any muted">
          {data?.length === 0
            ? t('transcripts.none')
            : data && found.length === 0
              ? t(words === '' ? 'transcripts.emptyFolder' : 'transcripts.nothingFound')
              : ''}
        </output>
        <div
          id={walk.listId}
          // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- no tag is a list that a field beside it walks
          role="listbox"
          tabIndex={-1}
          aria-label={t('transcripts.list')}
          className={css['list']}
        >
          {shown.map((one) => (
            <div
              key={one.id}
              {...walk.optionProps(one)}
              {...(chosenIds && { 'aria-checked': chosenIds.includes(one.id) })}
              className={cx(look['option'], one === walk.active && look['active'])}
            >
              {chosenIds ? (
                <span aria-hidden className={css['box']}>
                  {chosenIds.includes(one.id) && <Check size={14} strokeWidth={2.25} />}
                </span>
              ) : (
                <FileText aria-hidden size={16} strokeWidth={1.75} />
              )}
              <span className={css['title']}>{one.title}</span>
              <span className="rigid small muted">
                {one.wordCount === null
                  ? t('transcripts.dictation')
                  : t('transcripts.words', { count: one.wordCount, shown: formats.number(one.wordCount) })}
              </span>
              <span className="rigid small muted">{formats.date(one.createdAtMs)}</span>
            </div>
          ))}
        </div>
        {found.length > shown.length && (
          <p className="if-any muted">{t('transcripts.more', { count: found.length - shown.length })}</p>
        )}
      </div>
    </Dialog>
  );
}
