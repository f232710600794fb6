import { useEditorState, usePlayerState, useSegments, type Editor } from './editor-context.ts';
import { hostOfCaret } from './ui/caret.ts';

/**
 * The index of the segment that keys and the panels apply to; -1 for none. During playback it is the one that is heard,
 * otherwise the one with the caret, and without a caret the one at the playhead.
 */
export function useTargetPlace(): number {
  const segments = useSegments();
  const current = useEditorState((state) => state.current);
  const caretSegment = useEditorState((state) => state.caretSegment);
  const { isPlaying } = usePlayerState();
  if (isPlaying || caretSegment === null) return current;
  const place = segments.findIndex(({ id }) => id === caretSegment);
  return place < 0 ? current : place;
}

/** The same at the moment a key is pressed; a caret in the text counts during playback too. */
export function targetPlace({ player, store, timeline }: Editor): number {
  const held = player.getState().isPlaying ? null : store.getState().caretSegment;
  const caretId = hostOfCaret()?.dataset['text'] ?? held;
  const place = timeline.segments.findIndex(({ id }) => id === caretId);
  return place < 0 ? timeline.segmentNear(player.timeMs()) : place;
}
