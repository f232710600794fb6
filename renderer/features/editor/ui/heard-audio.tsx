import { useEffect, useMemo } from 'react';
import type { TimeSpan } from '../../../../shared/domain/transcript/transcript.ts';
import { useSettings } from '../../../bridge/live-state.tsx';
import { useDocument, useEditor, useEditorState, useUnheardSpans } from '../editor-context.ts';
import { spansWithout } from '../model/speaker-list.ts';

/**
 * Skips cuts during playback, and makes pausing jump back as configured. A separate component, because it renders with
 * every change of the text and the panes must not.
 */
export function HeardAudio() {
  const { player } = useEditor();
  const { rewindOnPauseMs } = useSettings();
  const unheard = useUnheardSpans();
  const found = useEditorState((state) => state.foundSilences);
  const others = useOtherSpeakers();
  useEffect(() => {
    player.setRewind(rewindOnPauseMs);
  }, [player, rewindOnPauseMs]);
  useEffect(() => {
    player.setSkipped([...unheard, ...found, ...others].toSorted((a, b) => a.startMs - b.startMs));
  }, [player, unheard, found, others]);
  return null;
}

const nothing: readonly TimeSpan[] = [];

/** What is not played while one speaker is heard alone. */
function useOtherSpeakers(): readonly TimeSpan[] {
  const only = useEditorState((state) => state.onlySpeakerId);
  const transcript = useDocument((state) => (only === null ? null : state.transcript));
  return useMemo(
    () => (only === null || transcript === null ? nothing : spansWithout(transcript, only)),
    [only, transcript],
  );
}
