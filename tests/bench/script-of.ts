import { fileURLToPath } from 'node:url';
import { build, type Rolldown } from 'vite';

/** A page of this folder that something of ours is compared with, as one script. */
export async function scriptOf(file: string): Promise<string> {
  const built = (await build({
    configFile: false,
    logLevel: 'error',
    build: {
      write: false,
      lib: { entry: fileURLToPath(new URL(file, import.meta.url)), formats: ['iife'], name: 'page' },
    },
  })) as Rolldown.RolldownOutput[];
  return built[0]?.output[0].code ?? '';
}
