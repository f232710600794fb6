import { createStore, type StoreApi } from 'zustand/vanilla';
import type { WordPlace } from './timeline.ts';

/** The lane shows from 10 s to 10 min (DESIGN 5). */
export const leastVisibleMs = 10_000;
export const mostVisibleMs = 600_000;
const zoomStep = 1.5;

export interface EditorState {
  /** The segment being heard or heard last; -1 when there is none. */
  readonly current: number;
  /** The word that the arrow keys stand on; null until they are used. */
  readonly cursor: WordPlace | null;
  readonly isFollowing: boolean;
  readonly isLooping: boolean;
  readonly visibleMs: number;
  readonly isExportOpen: boolean;
}

/** One per opened transcript. Commands, not setters, are what components call. */
export interface EditorStore extends StoreApi<EditorState> {
  readonly hear: (segment: number) => void;
  readonly moveCursor: (place: WordPlace) => void;
  readonly follow: (isFollowing: boolean) => void;
  readonly loop: (isLooping: boolean) => void;
  readonly zoomTo: (visibleMs: number) => void;
  readonly zoomIn: () => void;
  readonly zoomOut: () => void;
  readonly openExport: (isOpen: boolean) => void;
}

export function createEditorStore(visibleMs = 48_000): EditorStore {
  const store = createStore<EditorState>(() => ({
    current: -1,
    cursor: null,
    isFollowing: true,
    isLooping: false,
    visibleMs,
    isExportOpen: false,
  }));
  const zoomTo = (wanted: number) => {
    store.setState({ visibleMs: Math.min(mostVisibleMs, Math.max(leastVisibleMs, wanted)) });
  };
  return Object.assign(store, {
    hear(segment: number) {
      if (store.getState().current !== segment) store.setState({ current: segment });
    },
    moveCursor(place: WordPlace) {
      store.setState({ cursor: place });
    },
    follow(isFollowing: boolean) {
      if (store.getState().isFollowing !== isFollowing) store.setState({ isFollowing });
    },
    loop(isLooping: boolean) {
      store.setState({ isLooping });
    },
    zoomTo,
    zoomIn() {
      zoomTo(store.getState().visibleMs / zoomStep);
    },
    zoomOut() {
      zoomTo(store.getState().visibleMs * zoomStep);
    },
    openExport(isOpen: boolean) {
      store.setState({ isExportOpen: isOpen });
    },
  });
}
