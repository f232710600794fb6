import { useEffect } from 'react';
import { isTypingTarget } from '../../lib/hotkeys.ts';
import { Scope } from '../../lib/scope.ts';
import { useHotkey } from '../../lib/use-hotkey.ts';
import type { Editor } from './editor-context.ts';

const skipMs = 5000;
const rateStep = 0.125;

/** The keys of DESIGN 12 that read and listen. Tab and arrows inside the text belong to the text itself. */
export function useEditorKeys({ player, timeline, store }: Editor, root: HTMLElement | null): void {
  const seekTo = (timeMs: number | null) => {
    if (timeMs === null) return;
    store.follow(true);
    player.seek(timeMs);
  };
  useHotkey('Escape', () => {
    player.toggle();
  });
  useHotkey('F1', () => {
    player.skip(-skipMs);
  });
  useHotkey('F2', () => {
    player.skip(skipMs);
  });
  useHotkey('F3', () => {
    player.setRate(player.getState().rate - rateStep);
  });
  useHotkey('F4', () => {
    player.setRate(player.getState().rate + rateStep);
  });
  useHotkey('F5', () => {
    seekTo(timeline.segments[timeline.segmentNear(player.timeMs())]?.startMs ?? null);
    player.play();
  });
  useHotkey('Mod+ArrowDown', () => {
    seekTo(timeline.nextStartMs(player.timeMs()));
  });
  useHotkey('Mod+ArrowUp', () => {
    seekTo(timeline.previousStartMs(player.timeMs()));
  });
  useHotkey('Alt+Equal', store.zoomIn);
  useHotkey('Alt+Minus', store.zoomOut);
  useHotkey('Mod+KeyL', () => {
    store.loop(!store.getState().isLooping);
  });
  useHotkey('Mod+KeyE', () => {
    store.openExport(true);
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
