import {
  roomForSegment,
  isBesideOtherEdge,
  moveSharedEdge,
  deleteSegments,
} from '../../../shared/domain/transcript/edit-segments.ts';
import { TextCursor, CircleAlert, Trash2 } from 'lucide-react';
import { useEffect, useRef, useCallback } from 'react';
import { useSettings } from '../../bridge/live-state.tsx';
import { useSettingsChange } from '../../bridge/use-settings-change.ts';
import { useCommands, useKeyFor, useRunCommand } from '../../lib/commands.tsx';
import { isShortcut, isTextField, isTypingTarget, keyCaps, layers, openLayers } from '../../lib/hotkeys.ts';
import { Scope } from '../../lib/scope.ts';
import { useText } from '../../lib/text.ts';
import { useExportAgain } from './ui/export/use-export-again.ts';
import { type Editor, useEditor, targetPlace, caretInView } from './editor-context.ts';
import { useEditorNotice, useStopNotice, useStepNotice } from './use-editor-notice.ts';
import { fasterThan, slowerThan } from './model/rates.ts';
import { findSelected, selectedSpan } from './ui/word-target.ts';
import type { Edge } from './model/edge-at.ts';
import { speakerNumbers } from './model/speaker-list.ts';
import type { Caret } from './model/text-document.ts';
import { longestListenMs } from '../../../shared/domain/transcript/heard-again.ts';
import { moveEdgeOf } from '../../../shared/domain/transcript/open-end.ts';
import type { TimeSpan } from '../../../shared/domain/transcript/transcript.ts';
import { textPane } from '../../lib/text-pane.ts';
import { caretNow, hostOfCaret, placeCaret } from './ui/caret.ts';
import { chosenIds } from './ui/use-block-selection.ts';

/** Esc closes these and leaves a text field; another Esc right after that is meant for a second one, not for playback. */
const whatEscCloses = `${layers}, [role="tooltip"]`;
const closedJustNowMs = 500;

/** Sets B. Playback beyond it would go on to the end of the recording, so it returns to A. */
export function repeatUpTo({ store, player }: Pick<Editor, 'store' | 'player'>, timeMs: number): void {
  store.endRange(timeMs);
  const { range } = store.getState();
  const nowMs = player.timeMs();
  const isBeside = range !== null && (nowMs < range.startMs || nowMs >= range.endMs);
  if (isBeside && player.getState().isPlaying) player.seek(range.startMs);
}

export function useEditorKeys(
  editor: Editor,
  root: HTMLElement | null,
  { openInspector, focusTimes }: InspectorFocus,
): void {
  const { player, timeline, store, document: text } = editor;
  const { jumpMs, replacesInFind } = useSettings();
  const change = useSettingsChange();
  useSegmentKeys(editor, focusTimes);
  useKeyHints(editor);
  const exportAgain = useExportAgain(editor);
  const lastClosed = useRef(-Infinity);
  const isPausedByEsc = useRef(false);
  const seekTo = (timeMs: number | null) => {
    if (timeMs !== null) player.seek(timeMs);
  };
  const replay = () => {
    seekTo(store.getState().range?.startMs ?? timeline.segments[targetPlace(editor)]?.startMs ?? null);
    player.play();
  };
  const isCaretInText = () =>
    store.getState().selection === null &&
    document.getSelection()?.isCollapsed === true &&
    document.activeElement?.closest('[data-text]') != null;
  /** Takes the caret along: what is typed next belongs where the playhead is. A selection stays as it is. */
  const goToSegment = (startMs: number | null) => {
    const takesCaret = isCaretInText();
    seekTo(startMs);
    const segment = startMs === null ? undefined : timeline.segments[timeline.segmentNear(startMs)];
    if (segment !== undefined && takesCaret) text.setState({ caret: { segmentId: segment.id, offset: 0 } });
  };
  const isPlayheadLater = useRef(false);
  useEffect(() => {
    const scope = new Scope();
    const moved = () => {
      isPlayheadLater.current = true;
    };
    scope.add(player.onSeek(moved));
    scope.add(player.onPlay(moved));
    scope.listen(document, 'selectionchange', () => {
      isPlayheadLater.current = !player.element.paused;
    });
    return () => scope.dispose();
  }, [player]);
  /** The segment with the caret, if the playhead is in another one. What was moved last counts. */
  const caretElsewhere = () => {
    if (isPlayheadLater.current || player.getState().isPlaying || !isCaretInText()) return null;
    const place = targetPlace(editor);
    return place === timeline.segmentNear(player.timeMs()) ? null : place;
  };
  const startOf = (place: number) => timeline.segments[place]?.startMs ?? null;
  const openFind = () => {
    findSelected(editor);
    store.showPanel('find');
    openInspector('input[type="search"]');
  };
  const startsInFind = useRef(store.getState().query.text !== '');
  useEffect(() => {
    if (root === null || !startsInFind.current) return;
    startsInFind.current = false;
    openInspector('input[type="search"]');
  }, [root, openInspector]);
  useCommands({
    'playback.toggle': player.toggle,
    // Always pauses, but starts only if nothing was closed just now: people press Esc once too often after a menu.
    'playback.pause': () => {
      // Reads the element itself, because the player's state follows a moment later.
      if (!player.element.paused) {
        player.pause();
        isPausedByEsc.current = true;
        return;
      }
      // Esc closes things in every program: it continues what it paused, and starts nothing by surprise.
      if (isPausedByEsc.current && performance.now() - lastClosed.current > closedJustNowMs) player.play();
    },
    'playback.back': () => player.skip(-jumpMs),
    'playback.forward': () => player.skip(jumpMs),
    'playback.slower': () => player.setRate(slowerThan(player.getState().rate)),
    'playback.faster': () => player.setRate(fasterThan(player.getState().rate)),
    'playback.replay': replay,
    'playback.loop': () => {
      const { isLooping, range } = store.getState();
      const place = targetPlace(editor);
      const isElsewhere = timeline.segmentNear(player.timeMs()) !== place;
      if (!isLooping && range === null && isElsewhere) seekTo(timeline.segments[place]?.startMs ?? null);
      store.loop(!isLooping);
    },
    'playback.replaySlower': () => {
      player.setRate(slowerThan(player.getState().rate));
      replay();
    },
    'range.setStart': () => store.startRange(player.timeMs()),
    'range.setEnd': () => repeatUpTo(editor, player.timeMs()),
    'range.clear': () => store.chooseRange(null),
    'playback.follow': () => store.follow(!store.getState().isFollowing),
    'segment.next': () => {
      const place = caretElsewhere();
      goToSegment(place === null ? timeline.nextStartMs(player.timeMs()) : startOf(place + 1));
    },
    'segment.previous': () => {
      const place = caretElsewhere();
      goToSegment(place === null ? timeline.previousStartMs(player.timeMs()) : startOf(place - 1));
    },
    'waveform.spectrum': editor.detail.mediaUrl !== null && (() => store.showSpectrum(!store.getState().showsSpectrum)),
    'waveform.zoomIn': store.zoomIn,
    'waveform.zoomOut': store.zoomOut,
    'waveform.fit': store.zoomToFit,
    'transcript.exportAgain': () => {
      // What is exported is what is shown: the last typed letters are saved first.
      void text.flush().then(() => exportAgain());
    },
    'transcript.export': () => void text.flush().then(() => store.openExport()),
    'silence.find': editor.detail.mediaUrl !== null && (() => store.findSilence(!store.getState().isFindingSilence)),
    'text.find': openFind,
    'text.replace': () => {
      if (!replacesInFind) void change({ replacesInFind: true });
      openFind();
    },
  });
  useEffect(() => {
    if (root === null) return undefined;
    const scope = new Scope();
    scope.add(
      player.onPlay(() => {
        isPausedByEsc.current = false;
      }),
    );
    const close = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      const { selection, listening, isFindingSilence, range, rangeStartMs, view } = store.getState();
      const isOver = document.querySelector(whatEscCloses) !== null || isTextField(document.activeElement);
      // While it plays Esc pauses first, and then it continues what it paused.
      const isRangeAlone = (range ?? rangeStartMs) !== null && player.element.paused && !isPausedByEsc.current;
      const hasTool = listening !== null || isFindingSilence || isRangeAlone;
      if (isOver || hasTool || selection !== null) lastClosed.current = performance.now();
      if (!isOver && view === 'versions') {
        event.preventDefault();
        event.stopPropagation();
        store.showView('text');
        return;
      }
      if (!isOver && selection !== null) {
        event.preventDefault();
        store.select(null);
        return;
      }
      if (isOver || !hasTool) return;
      if (listening === null && !isFindingSilence) store.chooseRange(null);
      store.listenTo(null);
      store.findSilence(false);
    };
    scope.listen<KeyboardEvent>(window, 'keydown', close, { capture: true });
    scope.listen<KeyboardEvent>(window, 'keydown', (event) => {
      // Fields undo their own typing, and nobody sees what is undone behind a dialog.
      const isElsewhere = isTextField(event.target) || openLayers().length > 0;
      const step = event.defaultPrevented || isElsewhere ? null : stepOf(event);
      if (step !== null) {
        event.preventDefault();
        text[step]();
        return;
      }
      if (event.defaultPrevented || event.repeat || !isPlainSpace(event) || !belongsTo(root, event.target)) return;
      event.preventDefault();
      player.toggle();
    });
    return () => scope.dispose();
  }, [root, player, text, store]);
}

export function stepOf(event: KeyboardEvent): 'undo' | 'redo' | null {
  if (isShortcut(event, 'Mod+KeyZ')) return 'undo';
  return isShortcut(event, 'Mod+Shift+KeyZ') || isShortcut(event, 'Mod+KeyY') ? 'redo' : null;
}

const isPlainSpace = (event: KeyboardEvent) =>
  event.code === 'Space' && !event.ctrlKey && !event.altKey && !event.metaKey && !event.shiftKey;

function belongsTo(root: HTMLElement, target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement) || isTypingTarget(target)) return false;
  if (target !== document.body && !root.contains(target)) return false;
  return (
    target.closest(
      'button, input:not([type="range"]), select, a, [role="option"], [role="menuitem"], [data-own-space]',
    ) === null
  );
}

export interface InspectorFocus {
  readonly openInspector: (focused: string) => void;
  readonly focusTimes: (edge: Edge) => void;
}

/** How long to wait for a field that is about to be shown: half a second. */
const mostFrames = 30;

export function useInspectorFocus(editor: Editor, root: HTMLElement | null): InspectorFocus {
  const { isInspectorOpen } = useSettings();
  const change = useSettingsChange();
  const openInspector = useCallback(
    (focused: string) => {
      if (!isInspectorOpen) void change({ isInspectorOpen: true });
      let frames = 0;
      // The element may exist already, or some frames later.
      const look = () => {
        const field = root?.querySelector<HTMLInputElement>(`[data-pane="inspector"] ${focused}`);
        field?.focus();
        field?.select();
        frames += 1;
        if (!field && frames < mostFrames) requestAnimationFrame(look);
      };
      requestAnimationFrame(look);
    },
    [isInspectorOpen, change, root],
  );
  const focusTimes = useCallback(
    (edge: Edge) => {
      const { timeline, player, store } = editor;
      const place = targetPlace(editor);
      const segment = timeline.segments[place];
      if (segment !== undefined && timeline.segmentNear(player.timeMs()) !== place) player.seek(segment.startMs);
      store.showPanel('info');
      openInspector(`[data-edge-time="${edge}"] input`);
    },
    [editor, openInspector],
  );
  return { openInspector, focusTimes };
}

/** Moves in a row are one step; with shifting, each is a step of its own. */
export function moveEdgeTo(
  { document: text, store, isOpenEnded }: Editor,
  segmentId: string,
  edge: Edge,
  toMs: number,
): void {
  const { isRippling } = store.getState();
  text.edit(
    'edge',
    (transcript) => moveEdgeOf(transcript, { segmentId, edge, toMs, isRippling }, isOpenEnded),
    isRippling ? {} : { mergeKey: `edge:${edge}:${segmentId}` },
  );
}

const nudgeMs = 10;
const nudgeMoreMs = 100;
/** A gap away from the playhead is meant only if it holds a word or two. */
const leastElsewhereMs = 500;

function useSegmentKeys(editor: Editor, focusTimes: (edge: Edge) => void): void {
  const { player, timeline, store, document: text, speakers, commands, isOpenEnded } = editor;
  const t = useText();
  const showNotice = useEditorNotice();
  const deleteSegments = useDeleteSegments();
  const tellStop = useStopNotice();
  const nudge = (edge: Edge, byMs: number) => {
    const segment = timeline.segments[targetPlace(editor)];
    if (segment === undefined) return;
    moveEdgeTo(editor, segment.id, edge, (edge === 'start' ? segment.startMs : segment.endMs) + byMs);
  };
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
  const setEdge = (edge: Edge) => {
    const segment = timeline.segments[targetPlace(editor)];
    if (segment === undefined) return;
    const toMs = Math.round(player.timeMs());
    const move = { segmentId: segment.id, edge, toMs, isRippling: false };
    if (isBesideOtherEdge(segment, edge, toMs))
      text.edit('edge', (transcript) => moveEdgeOf(transcript, move, isOpenEnded));
    tellStop(move);
  };
  useCommands(
    {
      'segment.nudgeEndEarlier': () => nudge('end', -nudgeMs),
      'segment.nudgeEndLater': () => nudge('end', nudgeMs),
      'segment.nudgeStartEarlier': () => nudge('start', -nudgeMs),
      'segment.nudgeStartLater': () => nudge('start', nudgeMs),
      'segment.nudgeEndEarlierMore': () => nudge('end', -nudgeMoreMs),
      'segment.nudgeEndLaterMore': () => nudge('end', nudgeMoreMs),
      'segment.nudgeStartEarlierMore': () => nudge('start', -nudgeMoreMs),
      'segment.nudgeStartLaterMore': () => nudge('start', nudgeMoreMs),
      'segment.nudgeBorderEarlier': () => nudgeBorder(-nudgeMs),
      'segment.nudgeBorderLater': () => nudgeBorder(nudgeMs),
      'segment.setStart': () => setEdge('start'),
      'segment.setEnd': () => setEdge('end'),
      'segment.ripple': () => store.ripple(!store.getState().isRippling),
      'segment.editTimes': () => focusTimes('start'),
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
        const ids = chosenIds(editor);
        if (ids.length > 0) deleteSegments(ids);
      },
      'segment.listenAgain':
        editor.detail.mediaUrl !== null &&
        (() => {
          const span = store.getState().range ?? selectedSpan(editor, targetPlace(editor));
          // As much as the service recognises at once.
          const endMs = Math.min(span?.endMs ?? 0, (span?.startMs ?? 0) + longestListenMs);
          if (span !== null) store.listenTo({ ...span, endMs });
          store.select(null);
        }),
      ...Object.fromEntries(
        speakerNumbers.map((number) => {
          const speaker = speakers[number - 1];
          return [
            `speaker.assign${number}`,
            speaker !== undefined && (() => commands.assign(chosenIds(editor), speaker.id)),
          ] as const;
        }),
      ),
    },
    Object.fromEntries(
      speakers.map(({ number, name }) => [`speaker.assign${String(number)}`, t('editor.speaker.says', { name })]),
    ),
  );
}

/** Says why the key of a missing speaker does nothing, and once where letters go that are typed beside the text. */
function useKeyHints({ speakers, store, timeline }: Editor): void {
  const count = speakers.length;
  const t = useText();
  const keyFor = useKeyFor();
  const run = useRunCommand();
  const showNotice = useEditorNotice();
  const hide = useRef(() => {});
  const isToldOfTyping = useRef(false);
  useEffect(() => {
    const scope = new Scope();
    const tellOfTyping = (event: KeyboardEvent) => {
      const key = keyFor('text.lastEdited');
      if (event.defaultPrevented || isToldOfTyping.current || key === null) return;
      isToldOfTyping.current = true;
      showNotice({ icon: TextCursor, text: t('editor.text.typeBeside', { key: keyCaps(key).join('+') }) });
    };
    scope.listen<KeyboardEvent>(window, 'keydown', (event) => {
      const isLetter = /^\p{L}$/u.test(event.key) && !event.ctrlKey && !event.metaKey && !event.altKey;
      const isTextShown = store.getState().view === 'text' && timeline.segments.length > 0;
      const isElsewhere = isTypingTarget(event.target) || openLayers().length > 0 || !isTextShown;
      // A letter may be the key of a command, which is known once everybody has seen it.
      if (isLetter && !isElsewhere) scope.after(0, () => tellOfTyping(event));
    });
    scope.listen<KeyboardEvent>(window, 'keydown', (event) => {
      if (event.defaultPrevented || event.repeat || openLayers().length > 0) return;
      const number = speakerNumbers.find((one) => {
        const key = one > count ? keyFor(`speaker.assign${one}`) : null;
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
            returnCaret(store.getState().leftCaret);
            run('speaker.add');
          },
        },
      });
    });
    return () => scope.dispose();
  }, [t, keyFor, run, showNotice, count, store, timeline]);
}

function returnCaret(left: Caret | null): void {
  const caret = caretInView(left);
  const host = textPane()?.querySelector<HTMLElement>(`[data-text="${CSS.escape(caret?.segmentId ?? '')}"]`);
  if (caret !== null && host != null) placeCaret(host, caret.offset);
}

export function useDeleteSegments(): (ids: readonly string[]) => void {
  const t = useText();
  const { document: text, store } = useEditor();
  const showStep = useStepNotice();
  return useCallback(
    (ids) => {
      const gone = new Set(ids);
      const { segments } = text.getState().transcript;
      const first = segments.findIndex(({ id }) => gone.has(id));
      const [before, after] = [segments[first - 1], segments[first + gone.size]];
      const caretAfter =
        after !== undefined
          ? { segmentId: after.id, offset: 0 }
          : before !== undefined
            ? { segmentId: before.id, offset: before.text.length }
            : null;
      const carets = { caretBefore: caretNow(), caretAfter };
      const refused = text.edit('delete', (now) => deleteSegments(now, gone), carets);
      store.select(null);
      if (refused !== null) return;
      text.setState({ caret: caretAfter });
      showStep({ icon: Trash2, text: t('editor.text.deleted', { count: ids.length }) });
    },
    [t, text, store, showStep],
  );
}
