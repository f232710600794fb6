import { EyeOff, Replace } from 'lucide-react';
import { useQuery } from '@tanstack/react-query';
import { useDeferredValue, useEffect, useMemo, useRef, useState } from 'react';
import { markWords } from '../../../../shared/domain/transcript/edit-marks.ts';
import { replaceTexts } from '../../../../shared/domain/transcript/edit-segments.ts';
import {
  findMatches,
  replaceMatches,
  type TextMatch,
  type TextQuery,
} from '../../../../shared/domain/transcript/find-text.ts';
import type { Transcript } from '../../../../shared/domain/transcript/transcript.ts';
import { err } from '../../../../shared/result/result.ts';
import { useStudio } from '../../../bridge/studio-context.tsx';
import { onceChanged } from '../../../lib/once-changed.ts';
import { useText } from '../../../lib/text.ts';
import { transcriptsQuery } from '../../../parts/transcripts/transcripts-query.ts';
import { useUndoNotice } from '../../../ui/notices.ts';
import { useToast } from '../../../ui/toast.tsx';
import { useDocument, useEditor, useEditorState } from '../editor-context.ts';
import type { TextDocument } from '../model/text-document.ts';
import { wordsOfMatches } from '../model/word-layout.ts';
import { useStepNotice } from '../use-editor-notice.ts';
import { findElsewhere } from '../use-text-document.ts';
import { textPane } from '../../../lib/text-pane.ts';

interface Finished {
  readonly transcript: Transcript;
  readonly query: TextQuery;
  readonly isDeleted: boolean;
  readonly count: number;
}

const none: readonly TextMatch[] = [];
const clock = () => performance.now();

export function useFind() {
  const t = useText();
  const { detail, document: text, store, timeline, player } = useEditor();
  const showToast = useToast();
  const showUndo = useUndoNotice();
  const showStep = useStepNotice();
  const transcript = useDeferredValue(useDocument((state) => state.transcript));
  const query = useEditorState((state) => state.query);
  const at = useEditorState((state) => state.found.current);
  const replacement = useEditorState((state) => state.replacement);
  const asked = useDeferredValue(query);
  const result = useMemo(() => findMatches(transcript, asked, clock), [transcript, asked]);
  const matches = result.ok ? result.value : none;
  const insideWordsCount = useMemo(() => {
    const whole = findMatches(transcript, { ...asked, isWholeWord: true }, clock);
    return whole.ok ? matches.length - whole.value.length : 0;
  }, [transcript, asked, matches]);
  const [start, setStart] = useState(() => whereReadersAre(store.getState().caretSegment));
  const first = useMemo(() => {
    const order = new Map(transcript.segments.map(({ id }, index) => [id, index]));
    const here = order.get(start ?? '') ?? timeline.segmentNear(player.timeMs());
    return Math.max(
      0,
      matches.findIndex(({ segmentId }) => (order.get(segmentId) ?? 0) >= here),
    );
  }, [matches, transcript, start, timeline, player]);
  const current = matches.length === 0 ? -1 : Math.min(at < 0 ? first : at, matches.length - 1);
  /** The query whose first match was shown. Showing the panel again with the one of last time moves nothing. */
  const shownFor = useRef<TextQuery>(asked);
  const isCurrentShown = useRef(at >= 0);
  useEffect(() => {
    // After a replacement the next match is shown already, and these are of the text or the search before it.
    if (asked !== query || transcript !== text.getState().transcript) return;
    const isNew = shownFor.current !== asked;
    shownFor.current = asked;
    const isShown = isNew && matches.length > 0;
    if (isShown) {
      isCurrentShown.current = true;
      store.follow(false);
    }
    store.showFound(matches, current, isShown);
  }, [store, asked, query, matches, current, transcript, text]);
  useEffect(() => () => store.showFound(none, -1), [store]);

  const [round, setRound] = useState(0);
  const foundElsewhere = useMemo(() => findElsewhere(detail.id, asked, round, clock), [detail.id, asked, round]);
  const lookElsewhere = () => setRound((before) => before + 1);
  const { data: listed } = useQuery(transcriptsQuery(useStudio()));
  const elsewhere = foundElsewhere.flatMap((found) => {
    const title = listed?.find(({ id }) => id === found.id)?.title;
    return title === undefined ? [] : [{ ...found, title }];
  });

  const goTo = (index: number, found = matches) => {
    if (found.length === 0) return;
    const next = (index + found.length) % found.length;
    setStart(found[next]?.segmentId ?? null);
    isCurrentShown.current = true;
    store.follow(false);
    store.showFound(found, next, true);
  };
  // An empty replacement removes what was found, and the buttons say so.
  const isDeleting = replacement === '' && (matches.length > 0 || elsewhere.length > 0);
  /** The text as the last replacing left it; null when something was typed in the panel since. */
  const lastReplaced = useRef<Transcript | null>(null);
  const [finished, setFinished] = useState<Finished | null>(null);
  const replaceNext = (match: TextMatch) => {
    // A press may come before the text it left, or what was typed last, is searched.
    if (asked !== query || transcript !== text.getState().transcript) return;
    const lengthOf = ({ segments }: Transcript) => segments.find(({ id }) => id === match.segmentId)?.text.length ?? 0;
    const before = lengthOf(transcript);
    const refused = text.edit('replace', (now) => replaceTexts(now, replaceMatches(now, [match], query, replacement)));
    const now = text.getState().transcript;
    if (refused === null) lastReplaced.current = now;
    const found = findMatches(now, query, clock);
    const left = found.ok ? found.value : none;
    if (refused === null && left.length === 0)
      setFinished({ transcript: now, query, isDeleted: replacement === '', count: 1 });
    const order = new Map(now.segments.map(({ id }, index) => [id, index]));
    const here = order.get(match.segmentId) ?? 0;
    const writtenTo = match.to + lengthOf(now) - before;
    const next = left.findIndex(({ segmentId, from }) => {
      const at = order.get(segmentId) ?? 0;
      return at > here || (at === here && from >= writtenTo);
    });
    goTo(Math.max(0, next), left);
  };
  const replaceIn = (one: TextDocument): number => {
    let count = 0;
    const refused = one.edit('replace-all', (now) => {
      const found = findMatches(now, query, clock);
      if (!found.ok) return err('does-not-fit');
      count = found.value.length;
      return replaceTexts(now, replaceMatches(now, found.value, query, replacement));
    });
    if (refused !== null) return 0;
    if (one === text) {
      const now = text.getState().transcript;
      lastReplaced.current = now;
      if (count > 0) setFinished({ transcript: now, query, isDeleted: replacement === '', count });
    }
    return count;
  };
  const replaceAll = () => {
    const count = replaceIn(text);
    if (count < 2) return;
    showStep({
      icon: Replace,
      text: t(replacement === '' ? 'editor.find.deleted' : 'editor.find.replaced', { count }),
    });
  };
  const redactAll = () => {
    let count = 0;
    const refused = text.edit('redacted', (now) => {
      const found = findMatches(now, query, clock);
      if (!found.ok) return err('does-not-fit');
      count = found.value.length;
      return markWords(now, wordsOfMatches(now, found.value), 'redacted');
    });
    if (refused === null) showStep({ icon: EyeOff, text: t('editor.find.redacted', { count }) });
  };
  const replaceElsewhere = async () => {
    const counts = new Map([...elsewhere.map((other) => other.text), text].map((one) => [one, replaceIn(one)]));
    lookElsewhere();
    const replaced = [...counts.keys()].filter((one) => counts.get(one) !== 0);
    const after = new Map(replaced.map((one) => [one, one.getState().transcript]));
    await Promise.all(elsewhere.map((other) => other.text.flush()));
    lookElsewhere();
    // A text that somebody else changed meanwhile is left alone.
    const undone = replaced.filter((one) => one === text || one.getState().saving === 'saved');
    if (undone.length === 0) return;
    const matchCount = undone.reduce((sum, one) => sum + (counts.get(one) ?? 0), 0);
    const notice = {
      icon: Replace,
      text: t(replacement === '' ? 'editor.find.deletedIn' : 'editor.find.replacedIn', {
        count: undone.length,
        matches: String(matchCount),
      }),
    };
    // Undo would take back what was typed while it was saved.
    if (undone.some((one) => one.getState().transcript !== after.get(one))) showToast(notice);
    else
      showUndo({
        ...notice,
        undo: () => {
          for (const one of undone) one.undo();
          // What is not saved is not looked through.
          void Promise.all(elsewhere.map((other) => other.text.flush())).then(lookElsewhere);
        },
        until: (hide) => {
          for (const one of undone) onceChanged(one, ({ transcript: now }) => now)(hide);
        },
      });
  };
  return {
    query,
    result,
    matches,
    current,
    startHere: () => setStart(whereReadersAre(store.getState().caretSegment)),
    goTo: (index: number) => goTo(index),
    goToNext: () => {
      // What was typed last is still searched for, and its first match is shown then.
      if (asked === query) goTo(isCurrentShown.current ? current + 1 : current);
    },
    replacement,
    isDeleting,
    /** Matches that are a part of a longer word. */
    insideWordsCount,
    /** Set when nothing is found because the last match, or all, were just replaced or deleted. */
    finished: finished?.transcript === transcript && finished.query === asked ? finished : null,
    undoReplacing: (): boolean => {
      if (text.getState().transcript !== lastReplaced.current) return false;
      text.undo();
      return true;
    },
    noteTyping: () => {
      lastReplaced.current = null;
    },
    replaceNext,
    replaceAll,
    redactAll,
    elsewhere,
    replaceElsewhere,
  };
}

function whereReadersAre(caretSegment: string | null): string | null {
  const pane = textPane()?.getBoundingClientRect();
  if (pane === undefined) return null;
  const shown = [...document.querySelectorAll<HTMLElement>('[data-text]')].filter((host) => {
    const { top, bottom } = host.getBoundingClientRect();
    return bottom > pane.top && top < pane.bottom;
  });
  const ids = shown.toSorted(byPlace).map(({ dataset }) => dataset['text'] ?? '');
  return caretSegment !== null && ids.includes(caretSegment) ? caretSegment : (ids[0] ?? null);
}

const byPlace = (one: HTMLElement, other: HTMLElement): number =>
  one.getBoundingClientRect().top - other.getBoundingClientRect().top;
