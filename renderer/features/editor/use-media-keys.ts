import { useEffect } from 'react';
import { useSettings } from '../../bridge/live-state.tsx';
import { useEditor } from './editor-context.ts';

/**
 * Media keys of keyboards, headsets and pedals, even while another window is in front. The system sends them to
 * whichever app played last, so they are requested again when playback starts.
 */
export function useMediaKeys(): void {
  const { player, timeline, detail } = useEditor();
  const { jumpMs } = useSettings();
  useEffect(() => {
    if (!('mediaSession' in navigator) || detail.mediaUrl === null) return undefined;
    const { mediaSession } = navigator;
    const handlers: Partial<Record<MediaSessionAction, () => void>> = {
      play: player.play,
      pause: player.pause,
      stop: player.pause,
      seekbackward: () => {
        player.skip(-jumpMs);
      },
      seekforward: () => {
        player.skip(jumpMs);
      },
      previoustrack: () => {
        player.seek(timeline.previousStartMs(player.timeMs()));
      },
      nexttrack: () => {
        const next = timeline.nextStartMs(player.timeMs());
        if (next !== null) player.seek(next);
      },
    };
    const actions = Object.keys(handlers) as MediaSessionAction[];
    const take = () => {
      mediaSession.metadata = new MediaMetadata({ title: detail.title });
      for (const action of actions) mediaSession.setActionHandler(action, handlers[action] ?? null);
    };
    take();
    const stop = player.subscribe(() => {
      if (player.getState().isPlaying) take();
    });
    return () => {
      stop();
      mediaSession.metadata = null;
      for (const action of actions) mediaSession.setActionHandler(action, null);
    };
  }, [player, timeline, jumpMs, detail.mediaUrl, detail.title]);
}
