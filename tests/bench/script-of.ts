import { fileURLToPath } from 'node:url';
import { build, type Rolldown } from 'vite';

/** A page of this folder that something of ours is compared with, as one script. */
export async function scriptOf(entry: URL): Promise<string> {
  const built = (await build({
    configFile: false,
    logLevel: 'error',
    define: { 'process.env.NODE_ENV': JSON.stringify('production') },
    build: {
      write: false,
      lib: { entry: fileURLToPath(entry), formats: ['iife'], name: 'page' },
    },
  })) as Rolldown.RolldownOutput[];
  return built[0]?.output[0].code ?? '';
}
