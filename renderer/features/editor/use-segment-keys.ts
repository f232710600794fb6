import { CircleAlert } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { isBesideOtherEdge, moveSharedEdge } from '../../../shared/domain/transcript/edit-segments.ts';
import type { Caret } from '../../../shared/domain/transcript/history.ts';
import { longestListenMs } from '../../../shared/domain/transcript/heard-again.ts';
import { roomForSegment } from '../../../shared/domain/transcript/insert-segment.ts';
import { moveEdgeOf } from '../../../shared/domain/transcript/open-end.ts';
import type { TimeSpan } from '../../../shared/domain/transcript/transcript.ts';
import { useCommands, useKeyFor, useRunCommand } from '../../lib/commands.tsx';
import { isShortcut, openLayers } from '../../lib/hotkeys.ts';
import { Scope } from '../../lib/scope.ts';
import { textPane } from '../../lib/text-pane.ts';
import { useText } from '../../lib/text.ts';
import type { Editor } from './editor-context.ts';
import { useEditorNotice } from './use-editor-notice.ts';
import type { Edge } from './model/edge-at.ts';
import { caretNow, hostOfCaret, placeCaret } from './ui/caret.ts';
import { selectedSpan } from './ui/selected-words.ts';
import { selectedNow } from './ui/use-block-selection.ts';
import { caretInView } from './ui/use-back-to-text.ts';
import { useDeleteSegments } from './use-delete-segments.ts';
import { useStopNotice } from './ui/use-stop-notice.ts';
import { targetPlace } from './use-target-place.ts';

const nudgeMs = 10;
const nudgeMoreMs = 100;
/** A gap away from the playhead is meant only if it holds a word or two. */
const leastElsewhereMs = 500;

/** The keys that change the times, borders and speaker of a segment. */
export function useSegmentKeys(editor: Editor, focusTimes: (edge: Edge) => void): void {
  const { player, timeline, store, document: text, speakers, commands, isOpenEnded } = editor;
  const t = useText();
  const showNotice = useEditorNotice();
  const deleteSegments = useDeleteSegments();
  const tellStop = useStopNotice();
  /** Applies to the segment with the caret, or the current one. Consecutive presses are one step. */
  const nudge = (edge: 'start' | 'end', byMs: number) => {
    const segment = timeline.segments[targetPlace(editor)];
    if (segment === undefined) return;
    const toMs = (edge === 'start' ? segment.startMs : segment.endMs) + byMs;
    const { isRippling } = store.getState();
    const move = { segmentId: segment.id, edge, toMs, isRippling };
    text.edit(
      'edge',
      (transcript) => moveEdgeOf(transcript, move, isOpenEnded),
      isRippling ? {} : { mergeKey: `edge:${edge}:${segment.id}` },
    );
  };
  /** Moves the edges on both sides of a border together. */
  const nudgeBorder = (byMs: number) => {
    const place = targetPlace(editor);
    const segment = timeline.segments[place];
    if (segment === undefined) return;
    if (timeline.segments[place + 1] === undefined) {
      showNotice({ icon: CircleAlert, text: t('editor.text.noBorder') });
      return;
    }
    const toMs = segment.endMs + byMs;
    text.edit('edge', (transcript) => moveSharedEdge(transcript, segment.id, toMs), {
      mergeKey: `edge:border:${segment.id}`,
    });
  };
  /** To where the playhead is. */
  const setEdge = (edge: 'start' | 'end') => {
    const segment = timeline.segments[targetPlace(editor)];
    if (segment === undefined) return;
    const toMs = Math.round(player.timeMs());
    const move = { segmentId: segment.id, edge, toMs, isRippling: false };
    if (isBesideOtherEdge(segment, edge, toMs))
      text.edit('edge', (transcript) => moveEdgeOf(transcript, move, isOpenEnded));
    tellStop(move);
  };
  const names = Object.fromEntries(
    speakers.map(({ number, name }) => [`speaker.assign${String(number)}`, t('editor.speaker.says', { name })]),
  );
  useCommands(
    {
      'segment.nudgeEndEarlier': () => {
        nudge('end', -nudgeMs);
      },
      'segment.nudgeEndLater': () => {
        nudge('end', nudgeMs);
      },
      'segment.nudgeStartEarlier': () => {
        nudge('start', -nudgeMs);
      },
      'segment.nudgeStartLater': () => {
        nudge('start', nudgeMs);
      },
      'segment.nudgeEndEarlierMore': () => {
        nudge('end', -nudgeMoreMs);
      },
      'segment.nudgeEndLaterMore': () => {
        nudge('end', nudgeMoreMs);
      },
      'segment.nudgeStartEarlierMore': () => {
        nudge('start', -nudgeMoreMs);
      },
      'segment.nudgeStartLaterMore': () => {
        nudge('start', nudgeMoreMs);
      },
      'segment.nudgeBorderEarlier': () => {
        nudgeBorder(-nudgeMs);
      },
      'segment.nudgeBorderLater': () => {
        nudgeBorder(nudgeMs);
      },
      'segment.setStart': () => {
        setEdge('start');
      },
      'segment.setEnd': () => {
        setEdge('end');
      },
      'segment.ripple': () => {
        store.ripple(!store.getState().isRippling);
      },
      'segment.editTimes': () => {
        focusTimes('start');
      },
      'segment.split': () => {
        const caret = caretNow();
        const heard = timeline.segments[timeline.segmentAt(player.timeMs())];
        if (caret !== null) commands.splitAt(caret.segmentId, caret.offset);
        else if (heard === undefined || !commands.splitAtTime(heard.id, player.timeMs()))
          showNotice({ icon: CircleAlert, text: t('editor.text.noSplit') });
      },
      'segment.insert': () => {
        const { range } = store.getState();
        const { transcript } = text.getState();
        const written = transcript.segments.find(({ id }) => id === hostOfCaret()?.dataset['text']);
        // An old selection or playhead may be where somebody speaks; who writes means the gap after what is written.
        const nowMs = player.timeMs();
        const hasRoom = (one: number | TimeSpan, leastMs = 0) => {
          const room = roomForSegment(transcript, one);
          return room !== null && room.endMs - room.startMs >= leastMs;
        };
        const place =
          range !== null && hasRoom(range)
            ? range
            : written !== undefined && !hasRoom(nowMs) && hasRoom(written.endMs, leastElsewhereMs)
              ? written.endMs
              : nowMs;
        if (commands.insertAt(place) && place === range) store.chooseRange(null);
      },
      'segment.merge': () => {
        const place = targetPlace(editor);
        const segmentId = timeline.segments[place]?.id;
        if (place === 0) showNotice({ icon: CircleAlert, text: t('editor.text.noPrevious') });
        else if (segmentId !== undefined) commands.mergeWithPrevious(segmentId);
      },
      'segment.mergeNext': () => {
        const next = timeline.segments[targetPlace(editor) + 1];
        if (next === undefined) showNotice({ icon: CircleAlert, text: t('editor.text.noNext') });
        else commands.mergeWithPrevious(next.id);
      },
      'segment.delete': () => {
        const selected = selectedNow(editor).map(({ id }) => id);
        const id = timeline.segments[targetPlace(editor)]?.id;
        if (selected.length > 0) deleteSegments(selected);
        else if (id !== undefined) deleteSegments([id]);
      },
      'segment.listenAgain':
        editor.detail.mediaUrl !== null &&
        (() => {
          const span = store.getState().range ?? selectedSpan(editor, targetPlace(editor));
          if (span !== null) store.listenTo(shortened(span));
          store.select(null);
        }),
      ...assigning((place) => {
        const selected = selectedNow(editor).map(({ id }) => id);
        const segmentId = timeline.segments[targetPlace(editor)]?.id;
        const speaker = speakers[place];
        if (segmentId !== undefined && speaker !== undefined)
          commands.assign(selected.length > 0 ? selected : [segmentId], speaker.id);
      }, speakers.length),
    },
    names,
  );
  useMissingSpeaker(editor);
}

const places = [1, 2, 3, 4, 5, 6, 7, 8] as const;

/** Says why the key of a speaker that is not there does nothing; the command itself is offered nowhere. */
function useMissingSpeaker({ speakers, store }: Editor): void {
  const count = speakers.length;
  const t = useText();
  const keyFor = useKeyFor();
  const run = useRunCommand();
  const showNotice = useEditorNotice();
  const hide = useRef(() => {});
  useEffect(() => {
    const scope = new Scope();
    scope.listen<KeyboardEvent>(window, 'keydown', (event) => {
      if (event.defaultPrevented || event.repeat || openLayers().length > 0) return;
      const number = places.find((place) => {
        const key = place > count ? keyFor(`speaker.assign${place}`) : null;
        return key !== null && isShortcut(event, key);
      });
      if (number === undefined) return;
      event.preventDefault();
      hide.current();
      hide.current = showNotice({
        icon: CircleAlert,
        text: count === 0 ? t('editor.speaker.none') : t('editor.speaker.missing', { number, count }),
        action: {
          text: t('editor.speaker.add'),
          onPress: () => {
            // The segment with the caret is meant, and the caret comes back there.
            returnCaret(store.getState().leftCaret);
            run('speaker.add');
          },
        },
      });
    });
    return () => {
      scope.dispose();
    };
  }, [t, keyFor, run, showNotice, count, store]);
}

/** To where the text lost it, if that is in view. */
function returnCaret(left: Caret | null): void {
  const caret = caretInView(left);
  const host = textPane()?.querySelector<HTMLElement>(`[data-text="${CSS.escape(caret?.segmentId ?? '')}"]`);
  if (caret !== null && host != null) placeCaret(host, caret.offset);
}

/** As much of a span as the service recognises at once. */
const shortened = ({ startMs, endMs }: TimeSpan): TimeSpan => ({
  startMs,
  endMs: Math.min(endMs, startMs + longestListenMs),
});

const assigning = (assign: (place: number) => void, count: number) =>
  Object.fromEntries(
    places.map((number) => [
      `speaker.assign${number}` as const,
      number <= count &&
        (() => {
          assign(number - 1);
        }),
    ]),
  );
