import { BookPlus, BookX, SpellCheck } from 'lucide-react';
import { useEffect, useMemo, useState } from 'react';
import { replaceWritten } from '../../../../shared/domain/transcript/replace-stretch.ts';
import { spelledLanguages } from '../../../../shared/domain/text/spelling.ts';
import { isRedacted, type Segment } from '../../../../shared/domain/transcript/transcript.ts';
import { useSettings, useSettingsNow } from '../../../bridge/live-state.tsx';
import { useSettingsChange } from '../../../bridge/use-settings-change.ts';
import { useText } from '../../../lib/text.ts';
import type { MenuEntry } from '../../../ui/menu.tsx';
import { useUndoNotice } from '../../../ui/notices.ts';
import { useEditor } from '../editor-context.ts';
import { createSpellChecker, type MisspeltWord, type SpellChecker } from '../model/spell-checker.ts';
import { wordLayout } from '../model/word-layout.ts';
import type { WordMarks } from './word-marks.ts';

export interface Respelling extends MisspeltWord {
  readonly segment: Segment;
  readonly suggestions: readonly string[];
}

export function useSpelling(marks: WordMarks): SpellChecker | null {
  const { detail, speakers, store } = useEditor();
  const { checksSpelling, knownWords, replacements } = useSettings();
  const [checker, setChecker] = useState<SpellChecker | null>(null);
  const language = spelledLanguages.find((one) => one === detail.transcript.language);
  useEffect(() => {
    if (!checksSpelling || language === undefined) return undefined;
    let made: SpellChecker | null = null;
    // Showing the text has priority.
    const asked = requestIdleCallback(() => {
      const look = () => {
        if (made !== null) marks.showMisspelt(made.misspelt);
      };
      made = createSpellChecker(language, look, (isSpellingFailed) => store.setState({ isSpellingFailed }));
      setChecker(made);
    });
    return () => {
      cancelIdleCallback(asked);
      made?.close();
      store.setState({ isSpellingFailed: false });
      setChecker(null);
      marks.showMisspelt(null);
    };
  }, [marks, checksSpelling, language, store]);
  const accepted = useMemo(
    () => [...knownWords, ...speakers.map(({ name }) => name), ...replacements.map(({ write }) => write)],
    [knownWords, speakers, replacements],
  );
  useEffect(() => checker?.accept(accepted), [checker, accepted]);
  return checker;
}

export async function respellingAt(
  checker: SpellChecker | null,
  segment: Segment,
  word: number,
): Promise<Respelling | null> {
  if (isRedacted(segment.words[word])) return null;
  const { text, ranges } = wordLayout(segment);
  const [from, to] = ranges[word] ?? [0, 0];
  const found = checker?.misspelt(text).find((one) => one.from >= from && one.to <= to);
  if (checker === null || found === undefined) return null;
  return { ...found, segment, suggestions: await checker.suggest(text.slice(found.from, found.to)) };
}

export function useRespellings(asked: Respelling | null): readonly MenuEntry[] {
  const t = useText();
  const { document: text } = useEditor();
  const settingsNow = useSettingsNow();
  const change = useSettingsChange();
  const showUndo = useUndoNotice();
  if (asked === null) return [];
  const { segment, from, to, suggestions } = asked;
  const written = segment.text.slice(from, to);
  const forgetWord = () => change({ knownWords: settingsNow().knownWords.filter((one) => one !== written) });
  const addWord = async () => {
    if ((await change({ knownWords: [...settingsNow().knownWords, written] })) !== null) return;
    showUndo({ icon: BookPlus, text: t('editor.spelling.added', { word: written }), undo: () => void forgetWord() });
  };
  return [
    ...suggestions.map((suggestion): MenuEntry => ({
      id: `respell-${suggestion}`,
      icon: SpellCheck,
      text: suggestion,
      onAction: () => {
        // Letters may have been typed since the menu was asked for.
        const place = { segmentId: segment.id, offset: from };
        text.edit('type', (now) => replaceWritten(now, place, written, suggestion), {
          caretBefore: place,
          caretAfter: { segmentId: segment.id, offset: from + suggestion.length },
        });
      },
    })),
    ...(suggestions.length > 0
      ? []
      : [{ id: 'respell', icon: BookX, text: t('editor.spelling.none'), isDisabled: true, onAction: () => undefined }]),
    { id: 'learn', icon: BookPlus, text: t('editor.spelling.learn'), onAction: () => void addWord() },
    'separator',
  ];
}
