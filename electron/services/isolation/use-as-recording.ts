import { localFailure } from '../../../shared/domain/jobs/job-failures.ts';
import type { AudioExtension } from '../../../shared/domain/media/audio-plan.ts';
import type { Failure } from '../../../shared/result/failure.ts';
import { err, ok, type Result } from '../../../shared/result/result.ts';
import { mediaPathOf } from '../jobs/kinds/transcribe.ts';
import type { QueuePorts } from '../jobs/ports.ts';
import type { MadeFrom, StoredAudio } from '../library/store.ts';
import { markPrepared } from '../media/audio-extractor.ts';

/** A transcript of the recording that audio was isolated from. */
export interface TranscriptOfRecording {
  readonly transcriptId: string;
  readonly title: string;
  /** Whether it plays this isolated audio in place of the recording. */
  readonly usesThis: boolean;
}

type Ports = Pick<QueuePorts, 'store' | 'audio' | 'extractor'>;

const playable: ReadonlySet<string> = new Set<AudioExtension>(['wav', 'mp3', 'flac', 'ogg', 'm4a']);
const isPlayable = (format: string): format is AudioExtension => playable.has(format);

/**
 * Uses isolated audio in place of the recording of a transcript. A copy goes into the library's audio folder, so it
 * stays when the isolated audio is deleted; the recording itself is not touched, and the change can always be undone.
 */
export function createRecordingSwap({ store, audio, extractor }: Ports) {
  const keepCopy = async ({ fileName, format }: StoredAudio) =>
    isPlayable(format)
      ? extractor.keep(audio.pathOf(fileName), format)
      : err(localFailure('E-211', { code: 'not_audio', params: { name: fileName } }));
  /** Parts have none, because their times are not those of the transcript. */
  const madeFrom = ({ jobId }: StoredAudio): Result<readonly MadeFrom[], Failure> => {
    const job = store.job(jobId);
    if (!job.ok) return job;
    if (job.value?.kind !== 'isolate' || job.value.part !== undefined) return ok([]);
    const { path, memory } = job.value;
    return store.transcriptsMadeFrom({ sha256: memory.intent?.sha256 ?? '', path });
  };
  return {
    /**
     * Copies isolated audio for a new transcript and returns its name in the library: the transcript keeps its
     * recording when the isolated audio is erased and when the library moves. E-010 when the audio is gone.
     */
    async copy(isolated: StoredAudio): Promise<Result<string, Failure>> {
      const kept = await keepCopy(isolated);
      return kept.ok ? ok(markPrepared(kept.value.preparedName)) : kept;
    },

    transcriptsOf(isolated: StoredAudio): Result<readonly TranscriptOfRecording[], Failure> {
      const made = madeFrom(isolated);
      if (!made.ok) return made;
      return ok(
        made.value.map(({ transcriptId, title, mediaSha256 }) => ({
          transcriptId,
          title,
          usesThis: mediaSha256 === isolated.sha256,
        })),
      );
    },

    /**
     * Tells which isolated audio the transcript played before, null for its recording. E-040 when the transcript does
     * not belong to this recording, E-010 when the audio is gone.
     */
    async use(isolated: StoredAudio, transcriptId: string): Promise<Result<{ formerAudioId: string | null }, Failure>> {
      const [known, all] = [madeFrom(isolated), store.listAudio()];
      if (!known.ok) return known;
      if (!all.ok) return all;
      const transcript = known.value.find((one) => one.transcriptId === transcriptId);
      if (transcript === undefined) return err(localFailure('E-040', { code: 'unknown_transcript' }));
      const kept = await keepCopy(isolated);
      if (!kept.ok) return kept;
      const former = all.value.find(({ sha256 }) => sha256 === transcript.mediaSha256);
      const attached = store.attachMedia(transcriptId, markPrepared(kept.value.preparedName), kept.value);
      return attached.ok ? ok({ formerAudioId: former?.id ?? null }) : attached;
    },

    /** Whether it plays isolated audio in place of its recording. */
    isReplaced(transcriptId: string): Result<boolean, Failure> {
      const replaced = store.replacedRecording(transcriptId);
      return replaced.ok ? ok(replaced.value !== null) : replaced;
    },

    /** Changes nothing in a transcript that plays its own recording. */
    useOriginal(transcriptId: string): Result<null, Failure> {
      const replaced = store.replacedRecording(transcriptId);
      if (!replaced.ok) return replaced;
      const job = replaced.value;
      if (job?.memory.intent == null) return ok(null);
      const content = { sha256: job.memory.intent.sha256, sizeBytes: job.sizeBytes };
      return store.attachMedia(transcriptId, mediaPathOf(job), content, 'unless-known');
    },
  };
}
