import type { EditorStore } from './editor-store.ts';
import type { Timeline } from './timeline.ts';

/** The part of a player that following it needs. */
interface Playhead {
  timeMs(): number;
  onTime(listener: (timeMs: number) => void): () => void;
  seek(timeMs: number): void;
}

/** A frame later than this is a jump, not playback that ran over the end of a segment. */
const jumpMs = 700;

/** Keeps the heard segment of the store in step with the playhead, and repeats it while looping. */
export function linkPlayback(playhead: Playhead, timeline: Timeline, store: EditorStore): () => void {
  let previousMs = playhead.timeMs();
  let looped = -1;
  const follow = (timeMs: number) => {
    const segment = timeline.segments[looped];
    const before = previousMs;
    previousMs = timeMs;
    if (store.getState().isLooping && segment !== undefined) {
      const ranOver = before >= segment.startMs && before < segment.endMs && timeMs >= segment.endMs;
      if (ranOver && timeMs - before < jumpMs) {
        playhead.seek(segment.startMs);
        return;
      }
    }
    looped = timeline.segmentNear(timeMs);
    store.hear(looped);
  };
  follow(previousMs);
  return playhead.onTime(follow);
}
