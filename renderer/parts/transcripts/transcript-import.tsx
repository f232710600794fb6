import { useQueryClient } from '@tanstack/react-query';
import { Check, CircleAlert } from 'lucide-react';
import { createContext, useContext, useEffect, useState, type ReactNode } from 'react';
import { useLocation } from 'wouter';
import type { ImportReport as Report } from '../../../shared/domain/imports/import-problems.ts';
import { speechLanguages, type SpeechLanguage } from '../../../shared/domain/languages.ts';
import type { TimeSpan } from '../../../shared/domain/transcript/transcript.ts';
import { useStudio } from '../../bridge/studio-context.tsx';
import type { RequestOutput } from '../../bridge/types.ts';
import { useFailureText } from '../../lib/failure-text.ts';
import { leadIntoText } from '../../lib/text-pane.ts';
import { useText, useFormats } from '../../lib/text.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Select } from '../../ui/select.tsx';
import { useToast } from '../../ui/toast.tsx';
import css from './transcript-chooser.module.css';
import { transcriptListKey } from './transcripts-query.ts';

/** `cameAlone`: nothing else was dropped, so opening the result interrupts nothing. */
type Import = (files?: readonly File[], cameAlone?: boolean) => Promise<void>;

type Imported = RequestOutput<'transcripts.import'>['imported'][number];

const ImportContext = createContext<Import>(async () => undefined);

export const useTranscriptImport = (): Import => useContext(ImportContext);

export function TranscriptImport({ children }: { readonly children: ReactNode }) {
  const t = useText();
  const words = useFailureText();
  const studio = useStudio();
  const queries = useQueryClient();
  const showToast = useToast();
  const [, navigate] = useLocation();
  const [{ imported, opensOnly }, setImported] = useState<{
    readonly imported: readonly Imported[];
    readonly opensOnly: boolean;
  }>({ imported: [], opensOnly: true });
  const [reported, setReported] = useState<readonly { readonly name: string; readonly report: Report }[]>([]);
  const open = imported.filter(({ isLanguageOpen }) => isLanguageOpen);
  const [opened, setOpened] = useState<{ readonly transcriptId: string } | null>(null);
  const isAsking = open.length > 0 || reported.length > 0;
  useEffect(() => {
    if (opened === null || isAsking) return;
    leadIntoText();
    // oxlint-disable-next-line react/set-state-in-effect -- done once for each import
    setOpened(null);
  }, [opened, isAsking]);

  const end = (all: readonly Imported[], isOpened: boolean) => {
    setImported({ imported: [], opensOnly: true });
    const [only] = all;
    const recording = all.length === 1 ? only?.recordingName : undefined;
    const text =
      recording === undefined
        ? t('transcripts.imported', { count: all.length })
        : t('transcripts.importedWith', { name: only?.name ?? '', recording });
    showToast({ text, icon: Check });
    void queries.invalidateQueries({ queryKey: transcriptListKey });
    if (!isOpened || all.length !== 1 || only === undefined) return;
    setOpened(only);
    navigate(`/transcripts/${only.transcriptId}`);
  };
  const importFiles: Import = async (files, cameAlone = true) => {
    const tokens = files && (await Promise.all(files.map((file) => studio.fileTokenFor(file))));
    await take({ tokens: tokens?.flatMap((token) => (token.ok ? [token.value] : [])) ?? null }, cameAlone);
  };
  const take = async (
    wanted: { tokens: string[] | null; addsRepeats?: boolean },
    cameAlone: boolean,
  ): Promise<void> => {
    const answer = await studio.request('transcripts.import', wanted);
    if (!answer.ok) {
      showToast({ text: words(answer.error).text, icon: CircleAlert });
      return;
    }
    const { refused, repeated } = answer.value;
    const names = refused.map(({ name }) => name);
    if (names.length > 0)
      showToast({
        text: t('transcripts.notImported', { count: names.length, names: names.slice(0, 3).join(', ') }),
        icon: CircleAlert,
      });
    if (repeated.length > 0) {
      const repeats = repeated.map(({ name }) => name);
      showToast({
        text: t('transcripts.repeated', { count: repeats.length, names: repeats.slice(0, 3).join(', ') }),
        icon: CircleAlert,
        // The question about the language may come first.
        shownForMs: 20_000,
        action: {
          text: t('transcripts.addAgain'),
          onPress: () => void take({ tokens: repeated.map(({ token }) => token), addsRepeats: true }, cameAlone),
        },
      });
    }
    const all = answer.value.imported;
    if (all.length === 0) return;
    const withReport = all.flatMap(({ name, report }) => (report === undefined ? [] : [{ name, report }]));
    setReported((before) => [...before, ...withReport]);
    void queries.invalidateQueries({ queryKey: transcriptListKey });
    if (all.some(({ isLanguageOpen }) => isLanguageOpen)) setImported({ imported: all, opensOnly: cameAlone });
    else end(all, cameAlone);
  };
  const choose = async (languages: readonly { readonly id: string; readonly language: SpeechLanguage }[]) => {
    const set = await studio.request('transcripts.setLanguage', { languages: [...languages] });
    if (!set.ok) showToast({ text: words(set.error).text, icon: CircleAlert });
    end(imported, opensOnly);
  };
  return (
    <ImportContext value={importFiles}>
      {children}
      {open.length === 0 && reported.length > 0 && <ImportReport files={reported} onClose={() => setReported([])} />}
      {open.length > 0 && (
        <LanguageQuestion
          texts={open}
          onChoose={(languages) => void choose(languages)}
          onClose={() => end(imported, opensOnly)}
        />
      )}
    </ImportContext>
  );
}

interface LanguageQuestionProps {
  readonly texts: readonly Imported[];
  readonly onChoose: (languages: readonly { readonly id: string; readonly language: SpeechLanguage }[]) => void;
  readonly onClose: () => void;
}

function LanguageQuestion({ texts, onChoose, onClose }: LanguageQuestionProps) {
  const t = useText();
  const [chosen, setChosen] = useState<Readonly<Record<string, SpeechLanguage>>>({});
  return (
    <Dialog
      isOpen
      width="sm"
      title={t('transcripts.whichLanguage')}
      onClose={onClose}
      footer={
        <Button
          variant="primary"
          isAutoFocused
          onPress={() =>
            onChoose(texts.map(({ transcriptId: id, language }) => ({ id, language: chosen[id] ?? language })))
          }
        >
          {t('common.done')}
        </Button>
      }
    >
      <div className="column gap-14 breaks">
        <p>{t('transcripts.whichLanguageText', { count: texts.length })}</p>
        {texts.map(({ transcriptId, name, language }) => (
          <Select
            key={transcriptId}
            label={name}
            value={chosen[transcriptId] ?? language}
            options={speechLanguages.map((value) => ({ value, text: t(`common.languageNames.${value}`) }))}
            onChange={(value) => setChosen((before) => ({ ...before, [transcriptId]: value }))}
          />
        ))}
      </div>
    </Dialog>
  );
}

interface ImportReportProps {
  readonly files: readonly { readonly name: string; readonly report: Report }[];
  readonly onClose: () => void;
}

function ImportReport({ files, onClose }: ImportReportProps) {
  const t = useText();
  return (
    <Dialog
      isOpen
      width="sm"
      scrollsByKeys
      title={t('transcripts.report.title')}
      onClose={onClose}
      footer={
        <Button variant="primary" isAutoFocused onPress={onClose}>
          {t('common.done')}
        </Button>
      }
    >
      <div className="column gap-14 breaks">
        {files.map(({ name, report: { changedCount, countedIn, kinds } }, at) => (
          <section key={at} className={css['report']}>
            <p>
              {[
                `${name}:`,
                ...countsOf(changedCount, kinds).map(([what, count]) =>
                  t(`transcripts.report.${countedIn}.${what}`, { count }),
                ),
              ].join(' ')}
            </p>
            <ul>
              {kinds.map((kind) => (
                <ReportKind key={kind.kind} countedIn={countedIn} {...kind} />
              ))}
            </ul>
          </section>
        ))}
      </div>
    </Dialog>
  );
}

function countsOf(changedCount: number, kinds: Report['kinds']) {
  const leftOut = kinds
    .filter(({ kind }) => kind === 'unreadable' || kind === 'empty')
    .reduce((sum, { count }) => sum + count, 0);
  return (
    [
      ['changed', changedCount - leftOut],
      ['leftOut', leftOut],
    ] as const
  ).filter(([, count]) => count > 0);
}

function ReportKind({
  countedIn,
  kind,
  count,
  places,
  captions,
  changes,
}: Report['kinds'][number] & Pick<Report, 'countedIn'>) {
  const t = useText();
  const { timeCode } = useFormats();
  const written = ({ startMs, endMs }: TimeSpan) => `${timeCode(startMs)}–${timeCode(endMs)}`;
  const nameOf = (of: readonly number[], among: readonly number[]) =>
    among.length === of.length
      ? t('transcripts.report.captions', { count: of.length, captions: among.join(', '), lines: of.join(', ') })
      : t(`transcripts.report.${countedIn}.places`, { count: of.length, places: of.join(', ') });
  const more = count > places.length && ` ${t('transcripts.report.more', { count: count - places.length })}`;
  if (changes.length === 0)
    return (
      <li>
        <b>
          {nameOf(places, captions)}
          {more}
        </b>{' '}
        {t(`transcripts.report.kinds.${kind}`)}
      </li>
    );
  return (
    <li>
      {t(`transcripts.report.kinds.${kind}`)}
      <ul>
        {changes.map(({ before, after }, at) => (
          <li key={places[at]}>
            <b>{nameOf(places.slice(at, at + 1), captions.slice(at, at + 1))}</b>{' '}
            {t('transcripts.report.change', { before: written(before), after: written(after) })}
          </li>
        ))}
        {more !== false && <li>{more}</li>}
      </ul>
    </li>
  );
}
