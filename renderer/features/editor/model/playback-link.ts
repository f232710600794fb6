import type { Player, PlayerState } from '../../../audio/player.ts';
import type { EditorStore } from './editor-store.ts';
import type { Timeline } from './timeline.ts';

type Playhead = Pick<Player, 'timeMs' | 'onTime' | 'onSeek' | 'onPlay' | 'onEnded' | 'seek' | 'play' | 'pause'> & {
  readonly subscribe: (listener: () => void) => () => unknown;
  readonly getState: () => Pick<PlayerState, 'isPlaying' | 'durationMs'>;
};

/** A frame later than this is a jump, not playback that ran over the end of a segment. */
const jumpMs = 700;
/** A recording may end this much before the range that reaches to its end. */
const endMs = 100;

/**
 * Keeps the heard segment of the store in step with the playhead, and while looping repeats it, or the chosen range,
 * which playback enters at its start. Text and lane follow again after every jump and when playback starts; only
 * scrolling them lets go.
 */
export function linkPlayback(playhead: Playhead, timeline: Timeline, store: EditorStore): () => void {
  let previousMs = playhead.timeMs();
  let looped = -1;
  let isRepeating = false;
  let wasPlaying = playhead.getState().isPlaying;
  const follow = (timeMs: number) => {
    const { isLooping, range } = store.getState();
    const repeated = range ?? timeline.segments[looped];
    const before = previousMs;
    previousMs = timeMs;
    if (isLooping && repeated !== undefined) {
      const ranOver = before >= repeated.startMs && before < repeated.endMs && timeMs >= repeated.endMs;
      if (ranOver && timeMs - before < jumpMs) {
        isRepeating = true;
        playhead.seek(repeated.startMs);
        return;
      }
    }
    const { playedOnce } = store.getState();
    if (playedOnce !== null && before < playedOnce.endMs && timeMs >= playedOnce.endMs) {
      store.playOnce(null);
      if (timeMs - before < jumpMs) playhead.pause();
    }
    looped = timeline.segmentNear(timeMs);
    store.hear(looped);
  };
  follow(previousMs);
  const stops = [
    playhead.onTime(follow),
    playhead.onSeek(() => {
      const { playedOnce } = store.getState();
      const isOutside =
        playedOnce !== null && (playhead.timeMs() < playedOnce.startMs || playhead.timeMs() >= playedOnce.endMs);
      if (isOutside) store.playOnce(null);
      if (store.getState().keepsScroll) store.setState({ keepsScroll: false });
      else if (!isRepeating) store.follow(true);
      isRepeating = false;
    }),
    playhead.onPlay(() => {
      const { isLooping, range } = store.getState();
      const now = playhead.timeMs();
      if (isLooping && range !== null && (now < range.startMs || now >= range.endMs)) playhead.seek(range.startMs);
    }),
    playhead.onEnded(() => {
      const { isLooping, range } = store.getState();
      const repeated = range ?? timeline.segments[looped];
      if (!isLooping || repeated === undefined || repeated.endMs < playhead.getState().durationMs - endMs) return;
      isRepeating = true;
      playhead.seek(repeated.startMs);
      playhead.play();
    }),
    playhead.subscribe(() => {
      const { isPlaying } = playhead.getState();
      if (isPlaying && !wasPlaying) store.follow(true);
      wasPlaying = isPlaying;
    }),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}
