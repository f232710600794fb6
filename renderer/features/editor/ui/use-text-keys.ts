import { useEffect, useState, type RefObject } from 'react';
import { Scope } from '../../../lib/scope.ts';
import { useText } from '../../../lib/text.ts';
import { speakerOf, useEditor, useTimeWords } from '../editor-context.ts';
import type { Timeline, WordPlace } from '../model/timeline.ts';
import { offsetOfWord } from '../../../../shared/domain/transcript/spoken-text.ts';
import type { WordMarks } from './word-marks.ts';

export function useTextKeys(
  scroller: RefObject<HTMLElement | null>,
  marks: WordMarks,
  reveal: (place: WordPlace) => void,
): string {
  const t = useText();
  const timeWords = useTimeWords();
  const editor = useEditor();
  const [announcement, setAnnouncement] = useState('');

  useEffect(() => {
    if (scroller.current === null) return undefined;
    const { player, store, timeline, document: text } = editor;
    const scope = new Scope();
    const start = (): WordPlace =>
      store.getState().cursor ??
      timeline.wordAt(player.timeMs()) ?? { segment: timeline.segmentNear(player.timeMs()), word: 0 };
    const say = (place: WordPlace, from: WordPlace) => {
      const segment = timeline.segments[place.segment];
      if (segment === undefined) return;
      const word = segment.words[place.word]?.text ?? segment.text;
      if (place.segment === from.segment) {
        setAnnouncement(word);
        return;
      }
      const speaker = speakerOf(editor, place.segment);
      const time = timeWords(segment.startMs);
      setAnnouncement(
        `${speaker === undefined ? time : t('editor.text.turn', { speaker: speaker.name, time })}: ${segment.text}`,
      );
    };
    scope.listen<KeyboardEvent>(scroller.current, 'keydown', (event) => {
      if (event.target instanceof HTMLElement && event.target.closest('[data-text], button') !== null) return;
      if (event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
      const from = start();
      const to = moved(event.key, from, timeline);
      if (to !== null) {
        event.preventDefault();
        if (player.getState().isPlaying) store.follow(false);
        store.moveCursor(to);
        marks.showCursor(to);
        reveal(to);
        say(to, from);
      } else if (event.key === 'Enter') {
        event.preventDefault();
        const segment = timeline.segments[from.segment];
        player.seek(segment?.words[from.word]?.startMs ?? segment?.startMs ?? 0);
      } else if (event.key === ' ') {
        event.preventDefault();
        if (!event.repeat) player.toggle();
      } else if (event.key === 'Tab' && event.target === scroller.current) {
        const segment = timeline.segments[from.segment];
        if (segment === undefined) return;
        event.preventDefault();
        text.setState({ caret: { segmentId: segment.id, offset: offsetOfWord(segment, from.word) } });
      }
    });
    // The keyboard cursor is shown on a word instead of a frame around the whole text.
    const element = scroller.current;
    const showStart = () => {
      if (element.matches(':focus-visible')) marks.showCursor(start());
    };
    scope.listen(element, 'focus', showStart);
    // A text gets the focus before the playhead is where it was left.
    scope.add(
      player.onSeek(() => {
        if (store.getState().cursor === null) showStart();
      }),
    );
    scope.listen(element, 'focusout', () => marks.showCursor(null));
    return () => scope.dispose();
  }, [scroller, marks, reveal, editor, t, timeWords]);

  return announcement;
}

function moved(key: string, { segment, word }: WordPlace, timeline: Timeline): WordPlace | null {
  const last = timeline.segments.length - 1;
  const lastWord = (index: number) => Math.max(0, (timeline.segments[index]?.words.length ?? 0) - 1);
  switch (key) {
    case 'ArrowDown':
      return { segment: Math.min(last, segment + 1), word: 0 };
    case 'ArrowUp':
      return { segment: Math.max(0, segment - 1), word: 0 };
    case 'ArrowRight':
      if (word < lastWord(segment)) return { segment, word: word + 1 };
      return segment < last ? { segment: segment + 1, word: 0 } : { segment, word };
    case 'ArrowLeft':
      if (word > 0) return { segment, word: word - 1 };
      return segment > 0 ? { segment: segment - 1, word: lastWord(segment - 1) } : { segment, word };
    case 'Home':
      return { segment: 0, word: 0 };
    case 'End':
      return { segment: last, word: lastWord(last) };
    default:
      return null;
  }
}
