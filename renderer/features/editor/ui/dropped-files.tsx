import { useMutation, useMutationState, useQueryClient } from '@tanstack/react-query';
import { CircleAlert } from 'lucide-react';
import { isTextName } from '../../../../shared/domain/imports/read-subtitles.ts';
import { failureOf, valueOrThrow } from '../../../bridge/request-error.ts';
import { useStudio } from '../../../bridge/studio-context.tsx';
import type { TranscriptDetail } from '../../../bridge/types.ts';
import { isRecordingName } from '../../../../shared/domain/media/recording-name.ts';
import type { Failure } from '../../../../shared/result/failure.ts';
import { useCommands } from '../../../lib/commands.tsx';
import { useFailureWords } from '../../../lib/failure-words.ts';
import { useText } from '../../../lib/text.ts';
import { DropOverlay } from '../../../parts/files/drop-zone.tsx';
import { useTakeRecordings, useTextsAndRecordingsDrop } from '../../../parts/files/use-file-drop.ts';
import { useToast } from '../../../ui/toast.tsx';
import { transcriptQuery } from '../queries.ts';

const attachKey = (transcriptId: string) => ['attach-recording', transcriptId] as const;

/** Attaches a dropped recording, or for null one that the user chooses in the system's dialog. */
export function useAttachRecording(transcriptId: string) {
  const studio = useStudio();
  const queries = useQueryClient();
  return useMutation({
    mutationKey: attachKey(transcriptId),
    gcTime: 0,
    mutationFn: async (file: File | null) => {
      const token = file === null ? null : await valueOrThrow(studio.fileTokenFor(file));
      return valueOrThrow(studio.request('transcripts.locateMedia', { transcriptId, token }));
    },
    onSuccess: ({ mediaUrl, mediaToken, recordingName, failure }) => {
      if (mediaUrl === null) return;
      queries.setQueryData(
        transcriptQuery(studio, transcriptId).queryKey,
        (known) => known && { ...known, mediaUrl, mediaToken, recordingName, mediaFailure: failure },
      );
    },
  });
}

/** Why the last recording was not attached; null when it was, or when there was none. */
export function useAttachFailure(transcriptId: string): Failure | null {
  const failures = useMutationState({
    filters: { mutationKey: attachKey(transcriptId) },
    select: ({ state }) => failureOf(state.error) ?? (state.data as { failure: Failure | null } | undefined)?.failure,
  });
  return failures.at(-1) ?? null;
}

/** The recording that lay beside an imported text, or was chosen for it, can be replaced by another one. */
function useAttachAnother(detail: TranscriptDetail | null, attach: ReturnType<typeof useAttachRecording>): void {
  const showToast = useToast();
  const words = useFailureWords();
  const attachAnother = async () => {
    // The sound of a long video takes a while, and a second recording could be attached before it.
    if (attach.isPending) return;
    const failure = await attach.mutateAsync(null).then(({ failure: refused }) => refused, failureOf);
    if (failure !== null) showToast({ icon: CircleAlert, text: words(failure).text });
  };
  const isOffered = detail !== null && detail.mediaUrl !== null && isTextName(detail.sourceName);
  useCommands({ 'transcript.attachRecording': isOffered && (() => void attachAnother()) });
}

/**
 * Takes files that are dropped on a transcript: a recording is attached where there is none, and anything else is taken as
 * on the other screens. Null: there is no transcript, or none yet.
 */
export function DroppedFiles({ detail }: { readonly detail: TranscriptDetail | null }) {
  const t = useText();
  const attach = useAttachRecording(detail?.id ?? '');
  const takeRecordings = useTakeRecordings();
  useAttachAnother(detail, attach);
  const isWithout = detail !== null && detail.mediaUrl === null;
  const over = useTextsAndRecordingsDrop((recordings, _on, cameAlone) => {
    const [first, second] = recordings;
    // Of several files nobody knows which one belongs to the transcript.
    const isMeant = isWithout && cameAlone && second === undefined && first !== undefined;
    if (isMeant && isRecordingName(first.name)) attach.mutate(first);
    else takeRecordings(recordings);
  });
  return <DropOverlay over={over} text={t(isWithout ? 'editor.media.dropToAttach' : 'editor.media.dropElsewhere')} />;
}
