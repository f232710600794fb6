import { TextCursor } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { useSettings } from '../../bridge/live-state.tsx';
import { useSettingsChange } from '../../bridge/use-settings-change.ts';
import { useCommands, useKeyFor } from '../../lib/commands.tsx';
import { isShortcut, isTextField, isTypingTarget, keyCaps, layers, openLayers } from '../../lib/hotkeys.ts';
import { Scope } from '../../lib/scope.ts';
import { useText } from '../../lib/text.ts';
import { useExportAgain } from './ui/export/use-export-again.ts';
import type { Editor } from './editor-context.ts';
import { useEditorNotice } from './use-editor-notice.ts';
import { fasterThan, slowerThan } from './model/rates.ts';
import type { InspectorFocus } from './use-inspector-focus.ts';
import { targetPlace } from './use-target-place.ts';
import { useSegmentKeys } from './use-segment-keys.ts';
import { findSelected } from './ui/selected-words.ts';

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

/** The editor's keys for reading and playback. Tab and arrows inside the text belong to the text itself. */
export function useEditorKeys(
  editor: Editor,
  root: HTMLElement | null,
  { openInspector, focusTimes }: InspectorFocus,
): void {
  const { player, timeline, store, document: text } = editor;
  const { jumpMs, replacesInFind } = useSettings();
  const change = useSettingsChange();
  useSegmentKeys(editor, focusTimes);
  useTypingHint(editor);
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
  /** A caret to type at; a selection is none. */
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
  /** Whether the playhead was moved, or moved by itself, after the caret. */
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
    return () => {
      scope.dispose();
    };
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
    'playback.back': () => {
      player.skip(-jumpMs);
    },
    'playback.forward': () => {
      player.skip(jumpMs);
    },
    'playback.slower': () => {
      player.setRate(slowerThan(player.getState().rate));
    },
    'playback.faster': () => {
      player.setRate(fasterThan(player.getState().rate));
    },
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
    'range.setStart': () => {
      store.startRange(player.timeMs());
    },
    'range.setEnd': () => {
      repeatUpTo(editor, player.timeMs());
    },
    'range.clear': () => {
      store.chooseRange(null);
    },
    'playback.follow': () => {
      store.follow(!store.getState().isFollowing);
    },
    'segment.next': () => {
      const place = caretElsewhere();
      goToSegment(place === null ? timeline.nextStartMs(player.timeMs()) : startOf(place + 1));
    },
    'segment.previous': () => {
      const place = caretElsewhere();
      goToSegment(place === null ? timeline.previousStartMs(player.timeMs()) : startOf(place - 1));
    },
    'waveform.spectrum':
      editor.detail.mediaUrl !== null &&
      (() => {
        store.showSpectrum(!store.getState().showsSpectrum);
      }),
    'waveform.zoomIn': store.zoomIn,
    'waveform.zoomOut': store.zoomOut,
    'waveform.fit': store.zoomToFit,
    'transcript.exportAgain': () => {
      // What is exported is what is shown: the last typed letters are saved first.
      void text.flush().then(() => {
        exportAgain();
      });
    },
    'transcript.export': () => {
      void text.flush().then(() => {
        store.openExport();
      });
    },
    'silence.find':
      editor.detail.mediaUrl !== null &&
      (() => {
        store.findSilence(!store.getState().isFindingSilence);
      }),
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
    scope.listen<KeyboardEvent>(
      window,
      'keydown',
      (event) => {
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
      },
      { capture: true },
    );
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
    return () => {
      scope.dispose();
    };
  }, [root, player, text, store]);
}

function stepOf(event: KeyboardEvent): 'undo' | 'redo' | null {
  if (isShortcut(event, 'Mod+KeyZ')) return 'undo';
  return isShortcut(event, 'Mod+Shift+KeyZ') || isShortcut(event, 'Mod+KeyY') ? 'redo' : null;
}

const isPlainSpace = (event: KeyboardEvent) =>
  event.code === 'Space' && !event.ctrlKey && !event.altKey && !event.metaKey && !event.shiftKey;

/** Space plays where it does not type, press or select something. */
function belongsTo(root: HTMLElement, target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement) || isTypingTarget(target)) return false;
  if (target !== document.body && !root.contains(target)) return false;
  return (
    target.closest(
      'button, input:not([type="range"]), select, a, [role="option"], [role="menuitem"], [data-own-space]',
    ) === null
  );
}

/** Says once where letters go that are typed beside the text, instead of doing nothing. */
function useTypingHint({ store, timeline }: Editor): void {
  const t = useText();
  const keyFor = useKeyFor();
  const showNotice = useEditorNotice();
  const isShown = useRef(false);
  useEffect(() => {
    const scope = new Scope();
    const tell = (event: KeyboardEvent) => {
      const key = keyFor('text.lastEdited');
      if (event.defaultPrevented || isShown.current || key === null) return;
      isShown.current = true;
      showNotice({ icon: TextCursor, text: t('editor.text.typeBeside', { key: keyCaps(key).join('+') }) });
    };
    scope.listen<KeyboardEvent>(window, 'keydown', (event) => {
      const isLetter = /^\p{L}$/u.test(event.key) && !event.ctrlKey && !event.metaKey && !event.altKey;
      const isTextShown = store.getState().view === 'text' && timeline.segments.length > 0;
      const isElsewhere = isTypingTarget(event.target) || openLayers().length > 0 || !isTextShown;
      // A letter may be the key of a command, which is known once everybody has seen it.
      if (isLetter && !isElsewhere) scope.after(0, () => tell(event));
    });
    return () => {
      scope.dispose();
    };
  }, [t, keyFor, showNotice, store, timeline]);
}
