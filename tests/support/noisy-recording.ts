import { fileURLToPath } from 'node:url';
import { createDecoder } from '../../electron/platform/node/audio/decoder-threads.ts';
import { createWaveforms } from '../../electron/services/media/waveforms.ts';
import { answerScheme } from '../../electron/shell/security/scheme-answer.ts';
import { decoderWorker } from './built-page.ts';

const path = fileURLToPath(new URL('../../assets/noisy/street-uz.mp3', import.meta.url));
const decoder = createDecoder(decoderWorker);
let kept: Uint8Array | null = null;
const waveforms = createWaveforms({
  store: {
    read: async () => kept,
    write: async (_token, packed) => {
      kept = packed;
      return true;
    },
    remove: async () => undefined,
  },
  tokens: { isIssued: () => true },
  read: decoder.readPeaks,
});
const sources = {
  builtFiles: new Map(),
  mediaPath: () => path,
  openPeaks: () => waveforms.open({ path, sha256: 'noisy' }),
  openSamples: decoder.openSamples,
};

/** Addresses of both recordings of a result, and of what main reads in them. */
export const noisyRecording = /\/media\/(?:noisy|isolated)/u;

/** Both are the noisy sample, as the app's own scheme answers. */
export const answerNoisy = (url: string, range: string | undefined): Promise<Response> =>
  answerScheme(
    new Request(`app://studio${url.replace(noisyRecording, `/media/${'n'.repeat(16)}`)}`, {
      headers: range === undefined ? {} : { range },
    }),
    sources,
  );
