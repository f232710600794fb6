import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { EditorPlace } from '../../../shared/domain/settings/left-places.ts';
import type { Player } from '../../audio/player.ts';
import { useSettings } from '../../bridge/live-state.tsx';
import { useSettingsChange } from '../../bridge/use-settings-change.ts';
import { Scope } from '../../lib/scope.ts';
import type { TranscriptDetail } from '../../bridge/types.ts';
import type { EditorStore } from './model/editor-store.ts';
import { textPane } from '../../lib/text-pane.ts';

const mostPlaces = 100;
/** A place is stored after the playhead has rested there for this long. */
const settledMs = 1000;

export function useLeftPlace(transcriptId: string): EditorPlace | null {
  const { editorPlaces } = useSettings();
  const [place] = useState(() => editorPlaces.find(({ id }) => id === transcriptId) ?? null);
  return place;
}

/** `startsThere`: no other moment was requested. The zoom is there from the start. */
export function useRememberedPlace(
  place: EditorPlace | null,
  { id, mediaUrl }: TranscriptDetail,
  player: Player,
  store: EditorStore,
  startsThere: boolean,
): void {
  const hasRecording = mediaUrl !== null;
  const { editorPlaces } = useSettings();
  const change = useSettingsChange();
  const known = useRef(editorPlaces);
  useEffect(() => {
    known.current = editorPlaces;
  }, [editorPlaces]);
  // A layout effect, because an ordinary one closes the player before its position could be read.
  useLayoutEffect(() => {
    if (place !== null) {
      if (place.topSegment !== null && startsThere)
        store.setState({ topSegment: place.topSegment, isFollowing: false, keepsScroll: place.timeMs > 0 });
      player.setRate(place.rate);
    }
    let kept: Omit<EditorPlace, 'id'> = {
      timeMs: place?.timeMs ?? 0,
      visibleMs: store.getState().visibleMs,
      rate: player.getState().rate,
      topSegment: place?.topSegment ?? null,
      checksCaptions: place?.checksCaptions,
    };
    const leave = () => {
      const now: EditorPlace = {
        id,
        timeMs: player.timeMs(),
        visibleMs: Math.round(store.getState().visibleMs),
        rate: player.getState().rate,
        topSegment: store.getState().isFollowing ? null : topOfText(),
        checksCaptions: store.getState().checksCaptions,
      };
      const isKept = (['timeMs', 'visibleMs', 'rate', 'topSegment', 'checksCaptions'] as const).every(
        (name) => now[name] === kept[name],
      );
      // An unopened recording has no position worth storing; a text without one still has its scroll position.
      if (isKept || (hasRecording && player.getState().status !== 'ready')) return;
      kept = now;
      void change({ editorPlaces: [now, ...known.current.filter((one) => one.id !== id)].slice(0, mostPlaces) });
    };
    const scope = new Scope();
    scope.listen(window, 'pagehide', leave);
    // What ends without a farewell, a crash or a power cut, leaves the place of the last pause.
    scope.listen(window, 'blur', leave);
    // When the app quits, what the page sends last may be lost, so a jump is stored soon after it.
    let forget = () => {};
    scope.listen(player.element, 'seeked', () => {
      forget();
      forget = scope.after(settledMs, leave);
    });
    let wasPlaying = false;
    scope.add(
      player.subscribe(() => {
        const { isPlaying } = player.getState();
        if (wasPlaying && !isPlaying) leave();
        wasPlaying = isPlaying;
      }),
    );
    return () => {
      scope.dispose();
      leave();
    };
  }, [place, id, player, store, change, hasRecording, startsThere]);
}

export function topOfText(): string | null {
  const pane = textPane();
  const top = pane?.getBoundingClientRect().top ?? 0;
  const seen = [...(pane?.querySelectorAll<HTMLElement>('[data-text]') ?? [])]
    .map((host) => ({ id: host.dataset['text'] ?? null, bottom: host.getBoundingClientRect().bottom }))
    .filter(({ bottom }) => bottom > top)
    .toSorted((a, b) => a.bottom - b.bottom);
  return seen[0]?.id ?? null;
}
