import type { ProbedMedia, SoundExtension } from '../../../../shared/domain/media/sound-plan.ts';

export const audioWorkerRole = { role: 'sound' } as const;

/** What the sound thread is asked. Paths are absolute. */
export type SoundRequest =
  | { readonly kind: 'probe'; readonly path: string }
  | { readonly kind: 'copy'; readonly from: string; readonly to: string; readonly extension: SoundExtension };

export type SoundOutcome =
  | { readonly kind: 'probed'; readonly media: ProbedMedia }
  | { readonly kind: 'copied' }
  /** `system`: a code of the operating system (`ENOSPC`), when that was the reason. */
  | { readonly kind: 'failed'; readonly system: string | null };
