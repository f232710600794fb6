import { BookA, FileDown, FileUp, Plus, Search, Undo2, Trash2 } from 'lucide-react';
import { useMemo, useState, useEffect, useRef } from 'react';
import { speechLanguages, type SpeechLanguage } from '../../../../shared/domain/languages.ts';
import { applyReadings, countWritten, findReadings } from '../../../../shared/domain/speech/find-readings.ts';
import {
  mergePronunciations,
  pronunciationsToCsv,
  type ListedWord,
  type ListReport,
  countUses,
} from '../../../../shared/domain/speech/pronunciation-list.ts';
import { countCharacters, withoutMarks } from '../../../../shared/domain/speech/split-text.ts';
import { foldText } from '../../../../shared/domain/text/fold-text.ts';
import { useStudio } from '../../../bridge/studio-context.tsx';
import { useFailureText } from '../../../lib/failure-text.ts';
import { useText } from '../../../lib/text.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { SearchBox } from '../../../ui/search-box.tsx';
import { Segmented } from '../../../ui/segmented.tsx';
import { useToast } from '../../../ui/toast.tsx';
import { useSpeaking, useSpeakState } from '../speak-context.tsx';
import { previewId, usePreview } from '../use-preview.ts';
import { ownNames } from '../voices/voice-filters.tsx';
import { PlayButton } from './play-button.tsx';
import css from './pronunciation-dialog.module.css';

/** Changes apply while they are typed; an `offered` row is saved only when the user changes it. */
export function PronunciationDialog(props: {
  readonly isOpen: boolean;
  readonly offered: ListedWord | null;
  readonly onClose: () => void;
}) {
  const { isOpen, offered, onClose } = props;
  const t = useText();
  const words = useFailureText();
  const studio = useStudio();
  const showToast = useToast();
  const { store } = useSpeaking();
  const everywhere = useSpeakState((state) => state.pronunciations);
  const document = useSpeakState((state) => state.document);
  const [chosen, setLanguage] = useState<SpeechLanguage | null>(null);
  const [search, setSearch] = useState('');
  const [report, setReport] = useState<(ListReport & { readonly name: string; readonly before: Lists }) | null>(null);
  const [filled, setFilled] = useState<ListedWord | null>(null);
  const draft = offered === filled ? null : offered;
  const [tested, setTested] = useState<string | null>(null);
  const language = chosen ?? draft?.language ?? document?.defaults.language ?? 'uz';
  const own = document?.pronunciations;
  const lists = useMemo((): Lists => listsOf(everywhere, own ?? [], draft), [everywhere, own, draft]);
  const requests = useSpeakState((state) => state.requests);
  const blocks = document?.blocks;
  const texts = useMemo(() => {
    // What the user changed in one sentence is read as it was typed there.
    const wordsIn = (wanted: SpeechLanguage) =>
      (blocks ?? []).filter(({ readAs }, at) => readAs === null && requests[at]?.language === wanted);
    const of = (wanted: SpeechLanguage) => wordsIn(wanted).map((block) => withoutMarks(block.text));
    return { uz: of('uz').join('\n'), ru: of('ru').join('\n'), en: of('en').join('\n') };
  }, [blocks, requests]);
  const [addedCount, setAddedCount] = useState(0);
  if (document === null) return null;
  const save = (all: Lists) => {
    const next = all.filter((one) => one !== draft);
    if (next.length === all.length) setFilled(offered);
    const ownWords = next.filter((one) => one.language === null);
    if (JSON.stringify(ownWords) !== JSON.stringify(lists.filter((one) => one.language === null)))
      store.patchDocument({ pronunciations: ownWords.map(plain) }, 'pronunciations');
    const of = (wanted: SpeechLanguage) => next.filter((one) => one.language === wanted).map(plain);
    void store.setPronunciations({ uz: of('uz'), ru: of('ru'), en: of('en') }).then((saved) => {
      if (!saved.ok) showToast({ text: `${t('speak.notSaved')}. ${words(saved.error).text}` });
    });
  };
  /** Undo of an import would take back this change too. */
  const edit = (next: Lists) => {
    setReport(null);
    save(next);
  };
  const close = () => {
    setReport(null);
    onClose();
  };
  const change = (at: number, patch: Partial<ListedWord>) => {
    edit(lists.map((one, index) => (index === at ? { ...one, ...patch } : one)));
    setTested(patch.written ?? lists[at]?.written ?? null);
  };
  const wanted = foldText(search.trim()).text;
  const shown = lists
    .map((word, at) => ({ word, at }))
    .filter(({ word }) => word.language === language || word.language === null)
    .filter(({ word }) => wanted === '' || foldText(`${word.written} ${word.spoken}`).text.includes(wanted));
  const add = () => {
    setSearch('');
    setAddedCount(addedCount + 1);
    if (draft === null && (lists[0]?.written !== '' || lists[0].language !== language))
      edit([{ language, written: '', spoken: '', matchCase: false }, ...lists]);
  };
  const kept = lists.filter((one) => one !== draft);
  const importList = async () => {
    const answer = await studio.request('speak.readList', {});
    if (!answer.ok) showToast({ text: `${t('speak.importFailed')}. ${words(answer.error).text}` });
    else if (answer.value.file !== null) {
      const { name, csv } = answer.value.file;
      const { pronunciations, document: shownNow } = store.getState();
      const before = listsOf(pronunciations, shownNow?.pronunciations ?? [], null);
      const merged = mergePronunciations(before, csv, language);
      save(merged.words);
      setReport({ ...merged, name, before });
    }
  };
  const exportList = async () => {
    const answer = await studio.request('speak.writeList', { csv: pronunciationsToCsv(kept) });
    if (!answer.ok) {
      showToast({ text: `${t('speak.export.failed')}. ${words(answer.error).text}` });
      return;
    }
    const { savedAs, revealToken } = answer.value;
    if (savedAs !== null)
      showToast({
        text: t('speak.export.saved', { name: savedAs }),
        ...(revealToken !== null && {
          action: {
            text: t('speak.export.show'),
            onPress: () => void studio.request('exports.reveal', { revealToken }),
          },
        }),
      });
  };
  return (
    <Dialog
      title={t('speak.pronunciation.title')}
      width="lg"
      isOpen={isOpen}
      onClose={close}
      footer={
        <>
          <Button icon={FileUp} onPress={() => void importList()}>
            {t('speak.pronunciation.import')}
          </Button>
          <Button icon={FileDown} isDisabled={lists.length === 0} onPress={() => void exportList()}>
            {t('speak.pronunciation.export')}
          </Button>
          <span className={css['note']}>{t('speak.pronunciation.saved')}</span>
          <Button variant="primary" onPress={close}>
            {t('speak.pronunciation.done')}
          </Button>
        </>
      }
    >
      <div className="column gap-14">
        <div className={css['top']}>
          <Segmented
            size="sm"
            label={t('speak.voices.language')}
            value={language}
            options={speechLanguages.map((one) => ({
              value: one,
              text: `${ownNames[one]} ${String(lists.filter((word) => word.language === one).length)}`,
              lang: one,
            }))}
            onChange={setLanguage}
          />
          <SearchBox
            label={t('speak.pronunciation.find')}
            placeholder={t('speak.pronunciation.find')}
            value={search}
            onChange={setSearch}
          />
          <Button icon={Plus} onPress={add}>
            {t('speak.pronunciation.add')}
          </Button>
        </div>
        <small className="small muted">{t('speak.pronunciation.format')}</small>
        {report !== null && (
          <output className={css['report']}>
            {t('speak.pronunciation.report', {
              name: report.name,
              added: report.added,
              changed: report.changed,
              same: report.same,
              left: report.skipped.length,
            })}
            {(['reading', 'columns', 'long'] as const).map((reason) => {
              const lines = report.skipped.filter(({ because }) => because === reason).map(({ line }) => line);
              return lines.length === 0
                ? null
                : ` ${t(`speak.pronunciation.skipped.${reason}`, { lines: firstOf(lines) })}`;
            })}
            {report.repeated.length > 0 &&
              ` ${t('speak.pronunciation.repeated', {
                words: firstOf(report.repeated.map(({ written, lines }) => `${written} (${lines.join(', ')})`)),
              })}`}
            <Button
              size="sm"
              variant="ghost"
              icon={Undo2}
              onPress={() => {
                save(report.before);
                setReport(null);
              }}
            >
              {t('speak.undo')}
            </Button>
          </output>
        )}
        {shown.length === 0 ? (
          <EmptyState icon={wanted === '' ? BookA : Search} title={t('speak.pronunciation.empty')}>
            {t('speak.pronunciation.emptyText')}
          </EmptyState>
        ) : (
          <PronunciationTable
            rows={shown}
            language={language}
            texts={texts}
            addedCount={addedCount}
            onChange={change}
            onAdd={add}
            onRemove={(at) => edit(lists.filter((_, index) => index !== at))}
          />
        )}
        <Test written={tested} lists={lists} />
      </div>
    </Dialog>
  );
}

type Lists = readonly ListedWord[];
const firstOf = (all: readonly (string | number)[]) =>
  all.length > 10 ? `${all.slice(0, 10).join(', ')}, …` : all.join(', ');
const plain = ({ written, spoken, matchCase }: ListedWord) => ({ written, spoken, matchCase });
const listsOf = (
  everywhere: Readonly<Partial<Record<SpeechLanguage, readonly Omit<ListedWord, 'language'>[]>>>,
  own: readonly Omit<ListedWord, 'language'>[],
  draft: ListedWord | null,
): Lists => [
  ...own.map((word) => ({ ...word, language: null })),
  ...speechLanguages.flatMap((language) => [
    ...(draft?.language === language ? [draft] : []),
    ...(everywhere[language] ?? []).map((word) => ({ ...word, language })),
  ]),
];

function Test({ written, lists }: { readonly written: string | null; readonly lists: Lists }) {
  const t = useText();
  const preview = usePreview();
  const blocks = useSpeakState((state) => state.document?.blocks);
  const requests = useSpeakState((state) => state.requests);
  const words = lists.filter((one) => one.written.trim() !== '' && (written === null || one.written === written));
  const index = (blocks ?? []).findIndex((block, at) =>
    words.some(
      (word) =>
        (word.language === null || word.language === requests[at]?.language) && countWritten(block.text, word) > 0,
    ),
  );
  const block = blocks?.[index];
  const request = requests[index];
  if (block === undefined || request === undefined) return null;
  const list = lists.filter((one) => one.language === null || one.language === request.language);
  const read = applyReadings(block.text, findReadings(block.text, request.language, list));
  return (
    <div className={css['test']}>
      <PlayButton
        variant="default"
        partId={previewId(request.voiceId)}
        name={read}
        label={t('speak.pronunciation.hear')}
        stopLabel={t('speak.stop')}
        isDisabled={request.voiceId === ''}
        onPlay={() => preview([{ voiceId: request.voiceId, language: request.language, text: read }])}
      />
      <p lang={request.language}>{read}</p>
      <small>{t('speak.pronunciation.cost', { count: countCharacters(read) })}</small>
    </div>
  );
}

function PronunciationTable(props: {
  readonly rows: readonly { readonly word: ListedWord; readonly at: number }[];
  readonly language: SpeechLanguage;
  readonly texts: Parameters<typeof countUses>[0];
  readonly addedCount: number;
  readonly onChange: (at: number, patch: Partial<ListedWord>) => void;
  readonly onAdd: () => void;
  readonly onRemove: (at: number) => void;
}) {
  const { rows, language, texts, addedCount, onChange, onAdd, onRemove } = props;
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
              <td className="nowrap small muted">
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
