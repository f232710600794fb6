import { basename } from 'node:path';
import type { Failure } from '../../../shared/result/failure.ts';
import { ok, type Result } from '../../../shared/result/result.ts';
import type { SoundPlan } from '../../../shared/domain/media/sound-plan.ts';
import type { SoundPort } from '../media/sound-port.ts';

export interface InspectedFile {
  readonly path: string;
  readonly name: string;
  readonly sizeBytes: number;
  readonly durationMs: number | null;
  readonly plan: SoundPlan['kind'];
}

/** Whether a file can be taken: readable and a recording by its bytes, with audio in it. E-010, or E-211. */
export async function inspectFile(sounds: SoundPort, path: string): Promise<Result<InspectedFile, Failure>> {
  const looked = await sounds.look(path);
  if (!looked.ok) return looked;
  const { plan, durationMs, sizeBytes } = looked.value;
  return ok({ path, name: basename(path), sizeBytes, durationMs, plan: plan.kind });
}
