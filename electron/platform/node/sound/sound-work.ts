import type { ProbedMedia, SoundExtension } from '../../../../shared/domain/media/sound-plan.ts';
import type { AudioCut } from '../../../services/exports/audio-cutter.ts';

export const audioWorkerRole = { role: 'sound' } as const;

/** What the sound thread is asked. Paths are absolute. */
export type SoundRequest =
  | { readonly kind: 'probe'; readonly path: string }
  | { readonly kind: 'copy'; readonly from: string; readonly to: string; readonly extension: SoundExtension }
  | ({ readonly kind: 'cut' } & AudioCut);

export type SoundOutcome =
  | { readonly kind: 'probed'; readonly media: ProbedMedia }
  | { readonly kind: 'copied' }
  | { readonly kind: 'cut'; readonly durationMs: number }
  /** `system`: a code of the operating system (`ENOSPC`), when that was the reason. */
  | { readonly kind: 'failed'; readonly system: string | null };
