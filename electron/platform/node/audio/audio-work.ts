import type { RecordingPart } from '../../../../shared/domain/jobs/job-kind.ts';
import type { HeardIn } from '../../../../shared/domain/jobs/job-state.ts';
import type { ProbedMedia, AudioExtension } from '../../../../shared/domain/media/audio-plan.ts';
import type { SpeechJoin, SpokenPart } from '../../../services/speech/speech-file.ts';
import type { AudioCut } from '../../../services/exports/audio-cutter.ts';

export const audioWorkerRole = { role: 'sound' } as const;

/** The requests to the audio thread. Paths are absolute. */
export type AudioRequest =
  | { readonly kind: 'probe'; readonly path: string }
  | { readonly kind: 'listen'; readonly path: string }
  | ({ readonly kind: 'cut' } & AudioCut)
  | {
      readonly kind: 'copy';
      readonly from: string;
      readonly to: string;
      readonly extension: AudioExtension;
      readonly part?: RecordingPart | undefined;
    }
  | {
      readonly kind: 'join';
      readonly parts: readonly (RecordingPart & { readonly path: string })[];
      readonly to: string;
      readonly format: AudioExtension;
    }
  | ({ readonly kind: 'speech'; readonly parts: readonly SpokenPart[]; readonly to: string } & SpeechJoin);

export type AudioOutcome =
  | { readonly kind: 'probed'; readonly media: ProbedMedia }
  | { readonly kind: 'listened'; readonly heard: HeardIn }
  | { readonly kind: 'copied' }
  | { readonly kind: 'cut'; readonly durationMs: number }
  | { readonly kind: 'joined' }
  /** `subtitles`: an SRT with one cue for each part. `quietestLufs`: of the files that stayed below the target. */
  | { readonly kind: 'spoken'; readonly subtitles: string; readonly quietestLufs: number | null }
  /** `system`: a code of the operating system (`ENOSPC`), when that was the reason. */
  | { readonly kind: 'failed'; readonly system: string | null };
