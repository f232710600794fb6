import { useEffect, useRef } from 'react';
import { moveEdge, moveEdgeRippling } from '../../../shared/domain/transcript/edit-segments.ts';
import { longestListenMs } from '../../../shared/domain/transcript/heard-again.ts';
import type { TimeSpan } from '../../../shared/domain/transcript/transcript.ts';
import { useCommands } from '../../lib/commands.tsx';
import { isShortcut, isTypingTarget } from '../../lib/hotkeys.ts';
import { Scope } from '../../lib/scope.ts';
import { useExportAgain } from './ui/export/use-export-again.ts';
import type { Editor } from './editor-context.ts';
import { modelOffset } from './ui/caret.ts';
import { selectedSpan } from './ui/selected-words.ts';
import { selectedNow } from './ui/use-block-selection.ts';

const skipMs = 5000;
const rateStep = 0.125;
const nudgeMs = 10;
const nudgeMoreMs = 100;
/** How much slower a passage is replayed. */
const replaySlower = 0.75;
/** Esc closes these; another Esc right after that is meant for a second one, not for playback. */
const whatEscCloses =
  '[role="dialog"], [role="alertdialog"], [role="menu"], [role="tooltip"], input:not([type="checkbox"]):focus';
const closedJustNowMs = 500;

/** The editor's keys for reading and playback. Tab and arrows inside the text belong to the text itself. */
export function useEditorKeys(
  editor: Editor,
  root: HTMLElement | null,
  openInspector: (focused: string) => void,
): void {
  const { player, timeline, store, document: text, speakers, commands } = editor;
  const exportAgain = useExportAgain(editor);
  const lastClosed = useRef(-Infinity);
  const isPausedByEsc = useRef(false);
  const seekTo = (timeMs: number | null) => {
    if (timeMs !== null) player.seek(timeMs);
  };
  /** Applies to the segment with the caret, or the current one. Consecutive presses are one step. */
  const nudge = (edge: 'start' | 'end', byMs: number) => {
    const segmentId = segmentOfCaret() ?? timeline.segments[timeline.segmentNear(player.timeMs())]?.id;
    const segment = timeline.segments.find(({ id }) => id === segmentId);
    if (segment === undefined) return;
    const toMs = (edge === 'start' ? segment.startMs : segment.endMs) + byMs;
    const { isRippling } = store.getState();
    text.edit(
      'edge',
      (transcript) => (isRippling ? moveEdgeRippling : moveEdge)(transcript, segment.id, edge, toMs),
      isRippling ? {} : { mergeKey: `edge:${edge}:${segment.id}` },
    );
  };
  /** To where the playhead is. */
  const setEdge = (edge: 'start' | 'end') => {
    const segment = timeline.segments[placeOfCaret()];
    if (segment !== undefined && editor.canEdit)
      text.edit('edge', (transcript) => moveEdge(transcript, segment.id, edge, player.timeMs()));
  };
  /** The segment with the caret, or the current one. */
  const placeOfCaret = (): number => {
    const at = timeline.segments.findIndex(({ id }) => id === segmentOfCaret());
    return at < 0 ? timeline.segmentNear(player.timeMs()) : at;
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
      player.skip(-skipMs);
    },
    'playback.forward': () => {
      player.skip(skipMs);
    },
    'playback.slower': () => {
      player.setRate(player.getState().rate - rateStep);
    },
    'playback.faster': () => {
      player.setRate(player.getState().rate + rateStep);
    },
    'playback.replay': () => {
      seekTo(
        store.getState().range?.startMs ?? timeline.segments[timeline.segmentNear(player.timeMs())]?.startMs ?? null,
      );
      player.play();
    },
    'playback.loop': () => {
      store.loop(!store.getState().isLooping);
    },
    'playback.replaySlower': () => {
      player.setRate(player.getState().rate * replaySlower);
      seekTo(
        store.getState().range?.startMs ?? timeline.segments[timeline.segmentNear(player.timeMs())]?.startMs ?? null,
      );
      player.play();
    },
    'range.setStart': () => {
      const startMs = player.timeMs();
      const endMs = store.getState().range?.endMs ?? 0;
      store.chooseRange({ startMs, endMs: endMs > startMs ? endMs : store.getState().lengthMs });
    },
    // The second end of the range: from here on it is repeated.
    'range.setEnd': () => {
      const endMs = player.timeMs();
      const startMs = store.getState().range?.startMs ?? 0;
      store.chooseRange({ startMs: startMs < endMs ? startMs : 0, endMs });
      store.loop(true);
      if (player.getState().isPlaying) player.seek(store.getState().range?.startMs ?? 0);
    },
    'range.clear': () => {
      store.chooseRange(null);
    },
    'playback.follow': () => {
      store.follow(!store.getState().isFollowing);
    },
    'segment.next': () => {
      seekTo(timeline.nextStartMs(player.timeMs()));
    },
    'segment.previous': () => {
      seekTo(timeline.previousStartMs(player.timeMs()));
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
        store.openExport(true);
      });
    },
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
      const segment = timeline.segments[placeOfCaret()];
      if (segment !== undefined && timeline.segmentNear(player.timeMs()) !== placeOfCaret())
        player.seek(segment.startMs);
      store.showPanel('info');
      openInspector('[data-segment-times] input');
    },
    'silence.find':
      editor.detail.mediaUrl !== null &&
      (() => {
        store.findSilence(!store.getState().isFindingSilence);
      }),
    'text.find': () => {
      store.showPanel('find');
      openInspector('input[type="search"]');
    },
    'segment.split': () => {
      const host = hostOfCaret();
      if (host !== null) commands.splitAt(host.dataset['text'] ?? '', modelOffset(host));
    },
    'segment.merge': () => {
      const segmentId = segmentOfCaret() ?? timeline.segments[timeline.segmentNear(player.timeMs())]?.id;
      if (segmentId !== undefined) commands.mergeWithPrevious(segmentId);
    },
    'segment.listenAgain':
      editor.canEdit &&
      editor.detail.mediaUrl !== null &&
      (() => {
        const span = store.getState().range ?? selectedSpan(editor, placeOfCaret());
        if (span !== null) store.listenTo(shortened(span));
        store.select(null);
      }),
    ...assigning((place) => {
      const selected = selectedNow(editor).map(({ id }) => id);
      const segmentId = timeline.segments[placeOfCaret()]?.id;
      const speaker = speakers[place];
      if (segmentId !== undefined && speaker !== undefined)
        commands.assign(selected.length > 0 ? selected : [segmentId], speaker.id);
    }, speakers.length),
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
        const { selection, listening, isFindingSilence, view } = store.getState();
        const isOver = selection !== null || document.querySelector(whatEscCloses) !== null;
        const hasTool = listening !== null || isFindingSilence;
        if (isOver || hasTool) lastClosed.current = performance.now();
        if (!isOver && view === 'versions') {
          event.preventDefault();
          event.stopPropagation();
          store.showView('text');
          return;
        }
        if (isOver || !hasTool) return;
        store.listenTo(null);
        store.findSilence(false);
      },
      { capture: true },
    );
    scope.listen<KeyboardEvent>(window, 'keydown', (event) => {
      const step = event.defaultPrevented || isField(event.target) ? null : stepOf(event);
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

/** As much of a span as the service recognises at once. */
const shortened = ({ startMs, endMs }: TimeSpan): TimeSpan => ({
  startMs,
  endMs: Math.min(endMs, startMs + longestListenMs),
});

/** The segment that the caret stands in. */
const hostOfCaret = (): HTMLElement | null => document.activeElement?.closest<HTMLElement>('[data-text]') ?? null;
const segmentOfCaret = (): string | undefined => hostOfCaret()?.dataset['text'];

/** Form fields undo their own typing. */
const isField = (target: EventTarget | null): boolean =>
  target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement;

function stepOf(event: KeyboardEvent): 'undo' | 'redo' | null {
  if (isShortcut(event, 'Mod+KeyZ')) return 'undo';
  return isShortcut(event, 'Mod+Shift+KeyZ') || isShortcut(event, 'Mod+KeyY') ? 'redo' : null;
}

const assigning = (assign: (place: number) => void, count: number) =>
  Object.fromEntries(
    ([1, 2, 3, 4, 5, 6, 7, 8] as const).map((number) => [
      `speaker.assign${number}` as const,
      number <= count &&
        (() => {
          assign(number - 1);
        }),
    ]),
  );

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
