import { CircleAlert } from 'lucide-react';
import { useMemo, useRef, useState } from 'react';
import {
  gapBetween,
  mergeSegments,
  shortestSegmentMs,
  splitOffsetAt,
  splitSegment,
  splitSegmentAt,
  gapAt,
  insertSegment,
  nextRoom,
  roomForSegment,
} from '../../../shared/domain/transcript/edit-segments.ts';
import {
  addSpeaker,
  assignSpeaker,
  colourSpeaker,
  mergeSpeakers,
  renameSpeaker,
} from '../../../shared/domain/transcript/edit-speakers.ts';
import type { Change, EditRefusal } from '../../../shared/domain/transcript/change.ts';
import type { Segment, TimeSpan, Transcript } from '../../../shared/domain/transcript/transcript.ts';
import { err, ok, type Result } from '../../../shared/result/result.ts';
import { useFormats, useText } from '../../lib/text.ts';
import { useToast } from '../../ui/toast.tsx';
import type { Caret, TextDocument } from './model/text-document.ts';
import { caretNow } from './ui/caret.ts';

interface MergeQuestion {
  readonly firstId: string;
  readonly secondId: string;
  /** Where the caret was: it is put there again if they are not merged, and if that is undone. */
  readonly caretBefore: Caret;
}

export type EditCommands = ReturnType<typeof useEditCommands>['commands'];

interface LastSplit {
  readonly whole: Segment;
  readonly offset: number;
  readonly secondId: string;
  readonly result: Transcript;
}

const lengthOf = ({ startMs, endMs }: TimeSpan): number => endMs - startMs;

const newId = (kind: 's' | 'p'): string => `${kind}-${crypto.randomUUID().slice(0, 13)}`;

/**
 * Edits of the text besides typing; each is one undo step. `gapMs`: what is left between the parts of a split segment
 * whose times are estimated, and after a new one.
 */
export function useEditCommands(text: TextDocument, gapMs: number) {
  const t = useText();
  const formats = useFormats();
  const { timeCode } = formats;
  const showToast = useToast();
  const [question, setQuestion] = useState<MergeQuestion | null>(null);
  const lastSplit = useRef<LastSplit | null>(null);
  const commands = useMemo(() => {
    const now = () => text.getState().transcript.segments;
    const noRoomWords = (transcript: Transcript, timeMs: number): string => {
      const gap = gapAt(transcript, timeMs);
      const seconds = (ms: number) => t('editor.waveform.seconds', { seconds: formats.number(ms / 1000) });
      const missing =
        timeMs >= transcript.durationMs
          ? t('editor.text.beyondEnd', { end: timeCode(transcript.durationMs) })
          : gap === null
            ? t('editor.text.noRoom')
            : t('editor.text.gapTooShort', { is: seconds(gap.endMs - gap.startMs), least: seconds(shortestSegmentMs) });
      const roomMs = nextRoom(transcript, timeMs);
      return roomMs === null ? missing : `${missing} ${t('editor.text.nextRoom', { time: timeCode(roomMs) })}`;
    };
    const goTo = (segmentId: string, offset: number) => text.setState({ caret: { segmentId, offset } });
    const merge = ({ firstId, secondId, caretBefore }: MergeQuestion) => {
      const [first, second] = [now().find(({ id }) => id === firstId), now().find(({ id }) => id === secondId)];
      if (first === undefined || second === undefined) return;
      const caretAfter = { segmentId: firstId, offset: first.text.length + gapBetween(first, second).length };
      const refused = text.edit('merge', (t) => mergeSegments(t, firstId, secondId), { caretBefore, caretAfter });
      if (refused === null) goTo(firstId, caretAfter.offset);
    };
    const split = (caretBefore: Caret, secondId: string, operation: (t: Transcript) => Result<Change, EditRefusal>) => {
      const { segmentId, offset } = caretBefore;
      const whole = now().find(({ id }) => id === segmentId);
      const refused = text.edit('split', operation, { caretBefore, caretAfter: { segmentId: secondId, offset: 0 } });
      if (refused === null && whole !== undefined) {
        lastSplit.current = { whole, offset, secondId, result: text.getState().transcript };
        goTo(secondId, 0);
      }
      return refused;
    };
    const mergeAsBefore = ({ whole, offset, secondId }: LastSplit) => {
      const at = now().findIndex(({ id }) => id === secondId);
      const caretAfter = { segmentId: whole.id, offset };
      text.edit(
        'merge',
        () =>
          ok([
            { type: 'splice', at, removed: [secondId], inserted: [] },
            { type: 'set', segments: [whole] },
          ]),
        { caretBefore: { segmentId: secondId, offset: 0 }, caretAfter },
      );
      goTo(whole.id, offset);
    };
    return {
      splitAt(segmentId: string, offset: number) {
        const id = newId('s');
        const caretBefore = { segmentId, offset };
        const refused = split(caretBefore, id, (t) => splitSegment(t, segmentId, offset, id, gapMs));
        const next = now()[now().findIndex((segment) => segment.id === segmentId) + 1];
        if (refused === 'nothing-to-split' && offset > 0 && next !== undefined) goTo(next.id, 0);
      },
      splitAtTime(segmentId: string, timeMs: number) {
        const segment = now().find(({ id }) => id === segmentId);
        const offset = segment === undefined ? null : splitOffsetAt(segment, timeMs);
        const id = newId('s');
        return (
          offset !== null &&
          split({ segmentId, offset }, id, (t) => splitSegmentAt(t, segmentId, timeMs, id, gapMs)) === null
        );
      },
      /** Adds an empty segment to be typed into; false, with a notice, where there is no room. */
      insertAt(place: number | TimeSpan) {
        const id = newId('s');
        const fromMs = typeof place === 'number' ? place : place.startMs;
        const before = now().findLast(({ startMs }) => startMs <= fromMs) ?? now()[0];
        const room = roomForSegment(text.getState().transcript, place);
        const refused = text.edit('insert', (transcript) => insertSegment(transcript, id, place, gapMs), {
          // Undone, it leaves the caret beside where it was.
          caretBefore: before === undefined ? null : { segmentId: before.id, offset: before.text.length },
          caretAfter: { segmentId: id, offset: 0 },
        });
        if (refused !== null) {
          showToast({ icon: CircleAlert, text: noRoomWords(text.getState().transcript, fromMs) });
          return false;
        }
        goTo(id, 0);
        const isShortened = typeof place !== 'number' && room !== null && lengthOf(room) < lengthOf(place);
        if (isShortened) showToast({ icon: CircleAlert, text: t('editor.text.shortened') });
        return true;
      },
      mergeWithPrevious(segmentId: string) {
        const last = lastSplit.current;
        // Directly after a split it is as before the split, so that a word is whole again.
        if (last !== null && last.secondId === segmentId && last.result === text.getState().transcript) {
          mergeAsBefore(last);
          return;
        }
        const at = now().findIndex(({ id }) => id === segmentId);
        const [first, second] = [now()[at - 1], now()[at]];
        if (first === undefined || second === undefined) return;
        const caretBefore = caretNow() ?? { segmentId: second.id, offset: 0 };
        const asked = { firstId: first.id, secondId: second.id, caretBefore };
        if (first.speakerId === second.speakerId || second.text === '' || first.text === '') merge(asked);
        else setQuestion(asked);
      },
      merge,
      assign(segmentIds: readonly string[], speakerId: string | null) {
        text.edit('assign', (t) => assignSpeaker(t, new Set(segmentIds), speakerId));
      },
      assignNew(segmentIds: readonly string[], name: string, colour: number | null) {
        const id = newId('p');
        text.edit('assign', (t) => {
          const added = addSpeaker(t, id, name);
          if (!added.ok) return added;
          const [speakers] = added.value;
          if (speakers?.type !== 'speakers') return err('does-not-fit');
          const all = speakers.speakers.map((one) => (one.id === id && colour !== null ? { ...one, colour } : one));
          const assigned = assignSpeaker({ ...t, speakers: all }, new Set(segmentIds), id);
          return assigned.ok ? ok([{ ...speakers, speakers: all }, ...assigned.value]) : assigned;
        });
      },
      colour(speakerId: string, colour: number) {
        text.edit('colour', (t) => colourSpeaker(t, speakerId, colour));
      },
      rename(speakerId: string, name: string, colour: number | null) {
        text.edit('rename', (t) => renameSpeaker(t, speakerId, name, colour));
      },
      mergeSpeakers(fromId: string, intoId: string) {
        text.edit('merge-speakers', (t) => mergeSpeakers(t, fromId, intoId));
      },
    };
  }, [text, gapMs, t, formats, timeCode, showToast]);
  return {
    commands,
    question,
    closeQuestion: () => {
      if (question !== null) text.setState({ caret: { ...question.caretBefore } });
      setQuestion(null);
    },
  };
}
