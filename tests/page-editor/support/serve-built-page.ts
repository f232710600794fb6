import { createServer, type Server } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { readBuiltFiles } from '../../../electron/shell/security/manifest.ts';
import { answerScheme } from '../../../electron/shell/security/scheme-answer.ts';
import { createDecoder } from '../../../electron/platform/node/audio/decoder-threads.ts';
import { createWaveforms } from '../../../electron/services/media/waveforms.ts';
import { builtPage, decoderWorker } from '../../support/built-page.ts';

/** The built page and recordings over HTTP, served by the app's own scheme code: same policy, same ranges. */
export interface PageServer {
  readonly origin: string;
  /** Gives a recording a token; its address is `/media/<token>`. */
  readonly addRecording: (path: string) => string;
  /** What is kept, by token. */
  readonly peaks: Map<string, Uint8Array>;
  /** Every requested path, in order. */
  readonly asked: string[];
  readonly close: () => Promise<void>;
}

/** Serves the page as it ships. */
export async function serveBuiltPage(): Promise<PageServer> {
  const built = await builtPage();
  const builtFiles = await readBuiltFiles(built);
  const recordings = new Map<string, string>();
  const peaks = new Map<string, Uint8Array>();
  const asked: string[] = [];
  const decoder = createDecoder(decoderWorker);
  const waveforms = createWaveforms({
    store: {
      read: (token) => Promise.resolve(peaks.get(token) ?? null),
      write: (token, packed) => {
        peaks.set(token, packed);
        return Promise.resolve(true);
      },
      remove: (token) => Promise.resolve(void peaks.delete(token)),
    },
    tokens: { isIssued: () => true },
    read: decoder.readPeaks,
  });
  const sources = {
    builtFiles,
    mediaPath: (token: string) => recordings.get(token) ?? null,
    openSamples: decoder.openSamples,
    openPeaks: (token: string) => {
      const path = recordings.get(token);
      return path === undefined ? Promise.resolve(null) : waveforms.open({ path, sha256: token });
    },
  };
  const server = createServer((incoming, outgoing) => {
    const path = incoming.url ?? '/';
    asked.push(path);
    if (path === '/blank') {
      outgoing.writeHead(200, { 'content-type': 'text/html' }).end();
      return;
    }
    const { range } = incoming.headers;
    const request = new Request(`app://studio${path}`, {
      method: incoming.method ?? 'GET',
      headers: range === undefined ? {} : { range },
    });
    answerScheme(request, sources).then(
      (answer) => {
        outgoing.writeHead(answer.status, Object.fromEntries(answer.headers));
        if (answer.body === null) outgoing.end();
        // A reader that leaves is no error.
        else pipeline(answer.body, outgoing).catch(() => undefined);
      },
      () => outgoing.destroy(),
    );
  });
  await listen(server);
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('No port');
  const origin = `http://127.0.0.1:${String(address.port)}`;
  return {
    origin,
    addRecording(path) {
      const token = `recording-${String(recordings.size).padStart(16, '0')}`;
      recordings.set(token, path);
      return token;
    },
    peaks,
    asked,
    async close() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

const listen = (server: Server) => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
