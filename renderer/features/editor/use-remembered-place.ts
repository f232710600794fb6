import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { EditorPlace } from '../../../shared/domain/settings/settings.ts';
import type { Player } from '../../audio/player.ts';
import { useSettings } from '../../bridge/live-state.tsx';
import { useSettingsChange } from '../../bridge/use-settings-change.ts';
import { Scope } from '../../lib/scope.ts';
import type { EditorStore } from './model/editor-store.ts';

const mostPlaces = 100;

/** Where a transcript was left, the last time it was opened; null when it never was. */
export function useLeftPlace(transcriptId: string): EditorPlace | null {
  const { editorPlaces } = useSettings();
  const [place] = useState(() => editorPlaces.find(({ id }) => id === transcriptId) ?? null);
  return place;
}

/** Takes up zoom and speed where they were left, and remembers them with the position for the next time. */
export function useRememberedPlace(place: EditorPlace | null, id: string, player: Player, store: EditorStore): void {
  const { editorPlaces } = useSettings();
  const change = useSettingsChange();
  const known = useRef(editorPlaces);
  useEffect(() => {
    known.current = editorPlaces;
  }, [editorPlaces]);
  // Of the layout: the player is closed by an ordinary one, and its position is wanted before.
  useLayoutEffect(() => {
    if (place !== null) {
      store.zoomTo(place.visibleMs);
      player.setRate(place.rate);
    }
    const begun = { timeMs: place?.timeMs ?? 0, visibleMs: store.getState().visibleMs, rate: player.getState().rate };
    const leave = () => {
      const now: EditorPlace = {
        id,
        timeMs: player.timeMs(),
        visibleMs: Math.round(store.getState().visibleMs),
        rate: player.getState().rate,
      };
      const isSame = now.timeMs === begun.timeMs && now.rate === begun.rate && now.visibleMs === begun.visibleMs;
      if (isSame || player.getState().status !== 'ready') return;
      void change({ editorPlaces: [now, ...known.current.filter((one) => one.id !== id)].slice(0, mostPlaces) });
    };
    const scope = new Scope();
    scope.listen(window, 'pagehide', leave);
    return () => {
      scope.dispose();
      leave();
    };
  }, [place, id, player, store, change]);
}
