import { useDeferredValue, useMemo } from 'react';
import { standardProfile } from '../../../../shared/domain/subtitles/profiles.ts';
import { useSettings } from '../../../bridge/live-state.tsx';
import { useDocument, useEditorState } from '../editor-context.ts';
import { captionProblems, type SegmentProblem } from '../model/caption-problems.ts';
import { profileOf } from './export/profile-of.ts';

const none: ReadonlyMap<string, readonly SegmentProblem[]> = new Map();

/** What is wrong by the profile that captions were last exported with; nothing while nobody wants to see it. */
export function useCaptionProblems(): ReadonlyMap<string, readonly SegmentProblem[]> {
  const { exportChoices } = useSettings();
  const isWanted = useEditorState((state) => state.checksCaptions);
  const transcript = useDeferredValue(useDocument((state) => state.transcript));
  return useMemo(() => {
    if (!isWanted) return none;
    const profile = profileOf({ ...standardProfile(transcript.language), ...exportChoices.srt });
    return profile === null ? none : captionProblems(transcript, profile);
  }, [isWanted, transcript, exportChoices.srt]);
}
