import createModule from '@jitsi/rnnoise-wasm/dist/rnnoise-sync.js';
import { Rnnoise } from '../../shared/domain/audio/rnnoise.ts';

async function openModule(): Promise<RnnoiseModule> {
  const module = createModule();
  await module.ready;
  return module;
}
/** One module for all channels of a thread, because creating one costs memory and time. */
let opening: Promise<RnnoiseModule> | null = null;

export async function openRnnoise(): Promise<Rnnoise> {
  opening ??= openModule();
  return new Rnnoise(await opening);
}
