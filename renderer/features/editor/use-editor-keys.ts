import { useEffect } from 'react';
import { useCommands } from '../../lib/commands.tsx';
import { isTypingTarget } from '../../lib/hotkeys.ts';
import { Scope } from '../../lib/scope.ts';
import type { Editor } from './editor-context.ts';

const skipMs = 5000;
const rateStep = 0.125;

/** The keys of DESIGN 12 that read and listen. Tab and arrows inside the text belong to the text itself. */
export function useEditorKeys({ player, timeline, store }: Editor, root: HTMLElement | null): void {
  const seekTo = (timeMs: number | null) => {
    if (timeMs !== null) player.seek(timeMs);
  };
  useCommands({
    'playback.toggle': player.toggle,
    // Never starts: Esc is pressed once too often after every menu and dialog.
    'playback.pause': player.pause,
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
      seekTo(timeline.segments[timeline.segmentNear(player.timeMs())]?.startMs ?? null);
      player.play();
    },
    'playback.loop': () => {
      store.loop(!store.getState().isLooping);
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
    'waveform.zoomIn': store.zoomIn,
    'waveform.zoomOut': store.zoomOut,
    'waveform.fit': store.zoomToFit,
    'transcript.export': () => {
      store.openExport(true);
    },
  });
  useEffect(() => {
    if (root === null) return undefined;
    const scope = new Scope();
    scope.listen<KeyboardEvent>(window, 'keydown', (event) => {
      if (event.defaultPrevented || event.repeat || !isPlainSpace(event) || !belongsTo(root, event.target)) return;
      event.preventDefault();
      player.toggle();
    });
    return () => {
      scope.dispose();
    };
  }, [root, player]);
}

const isPlainSpace = (event: KeyboardEvent) =>
  event.code === 'Space' && !event.ctrlKey && !event.altKey && !event.metaKey && !event.shiftKey;

/** Space plays where it does not already type, press or choose something. */
function belongsTo(root: HTMLElement, target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement) || isTypingTarget(target)) return false;
  if (target !== document.body && !root.contains(target)) return false;
  return (
    target.closest(
      'button, input:not([type="range"]), select, a, [role="option"], [role="menuitem"], [data-own-space]',
    ) === null
  );
}
