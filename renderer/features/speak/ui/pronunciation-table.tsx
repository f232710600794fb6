import { Trash2 } from 'lucide-react';
import { useEffect, useRef } from 'react';
import type { SpeechLanguage } from '../../../../shared/domain/languages.ts';
import { countUses, type ListedWord } from '../../../../shared/domain/speech/pronunciation-list.ts';
import { useText } from '../../../lib/text.ts';
import { IconButton } from '../../../ui/icon-button.tsx';
import css from './pronunciation-dialog.module.css';

/** Words with how they are read, each with its place in the list, and how often each is in the text. */
export function PronunciationTable({
  rows,
  language,
  texts,
  addedCount,
  onChange,
  onAdd,
  onRemove,
}: {
  readonly rows: readonly { readonly word: ListedWord; readonly at: number }[];
  readonly language: SpeechLanguage;
  /** The words of the text by the language that they are read in. */
  readonly texts: Parameters<typeof countUses>[0];
  readonly addedCount: number;
  readonly onChange: (at: number, patch: Partial<ListedWord>) => void;
  readonly onAdd: () => void;
  readonly onRemove: (at: number) => void;
}) {
  const t = useText();
  const table = useRef<HTMLTableElement>(null);
  // What is typed next belongs to the new row, also to one that was begun elsewhere.
  useEffect(() => {
    table.current?.querySelector<HTMLInputElement>('tbody input[value=""]')?.focus();
  }, [addedCount]);
  return (
    <table ref={table} className={css['table']}>
      <thead>
        <tr>
          <th scope="col">{t('speak.pronunciation.written')}</th>
          <th scope="col">{t('speak.pronunciation.spoken')}</th>
          <th scope="col">{t('speak.pronunciation.where')}</th>
          <th scope="col">{t('speak.pronunciation.case')}</th>
          <th scope="col" colSpan={2}>
            {t('speak.pronunciation.here')}
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ word, at }) => {
          const { here, elsewhere, readAs } = countUses(texts, word);
          return (
            <tr key={at}>
              <td>
                <input
                  lang={language}
                  aria-label={t('speak.pronunciation.written')}
                  maxLength={200}
                  value={word.written}
                  onChange={({ target }) => onChange(at, { written: target.value })}
                />
              </td>
              <td>
                <input
                  lang={language}
                  aria-label={t('speak.pronunciation.spokenOf', { word: word.written })}
                  maxLength={500}
                  value={word.spoken}
                  onKeyDown={(event) => {
                    if (event.key === 'Enter') onAdd();
                  }}
                  onChange={({ target }) => onChange(at, { spoken: target.value })}
                />
              </td>
              <td>
                <select
                  aria-label={t('speak.pronunciation.whereOf', { word: word.written })}
                  value={word.language === null ? 'text' : 'all'}
                  onChange={({ target }) => onChange(at, { language: target.value === 'text' ? null : language })}
                >
                  <option value="all">{t('speak.pronunciation.all')}</option>
                  <option value="text">{t('speak.pronunciation.text')}</option>
                </select>
              </td>
              <td>
                <input
                  type="checkbox"
                  aria-label={t('speak.pronunciation.caseOf', { word: word.written })}
                  checked={word.matchCase}
                  onChange={({ target }) => onChange(at, { matchCase: target.checked })}
                />
              </td>
              <td className={css['count']}>
                {here > 0 && t('speak.pronunciation.times', { count: here })}
                {here === 0 && elsewhere === 0 && t('speak.pronunciation.notHere')}
                {elsewhere > 0 && readAs !== null && (
                  <small>{t(`speak.pronunciation.elsewhere.${readAs}`, { count: elsewhere })}</small>
                )}
              </td>
              <td>
                <IconButton
                  size="sm"
                  icon={Trash2}
                  label={t('speak.pronunciation.remove', { word: word.written })}
                  onPress={() => onRemove(at)}
                />
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
