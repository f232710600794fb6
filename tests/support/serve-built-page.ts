import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { readBuiltFiles } from '../../electron/shell/security/manifest.ts';
import { answerScheme } from '../../electron/shell/security/scheme-answer.ts';
import { createDecoder } from '../../electron/platform/node/audio/decoder-threads.ts';
import { createWaveforms } from '../../electron/services/media/waveforms.ts';
import { builtPage, decoderWorker } from './built-page.ts';

/** Answers a request before the page does; true if it did. */
export type ExtraRoute = (request: IncomingMessage, response: ServerResponse) => boolean;

/** The built page and recordings over HTTP, served by the app's own scheme code: same policy, same ranges. */
export interface PageServer {
  readonly origin: string;
  /** Gives a recording a token; its address is `/media/<token>`. */
  readonly addRecording: (path: string) => string;
  /** What is kept, by token. */
  readonly peaks: Map<string, Uint8Array>;
  /** Every requested path, in order. */
  readonly asked: string[];
  answerFirst: ExtraRoute;
  readonly close: () => Promise<void>;
}

let served: Promise<PageServer> | null = null;

/** Serves the page as it ships, to all files of this process. */
export const serveBuiltPage = (): Promise<PageServer> => (served ??= serve());

async function serve(): Promise<PageServer> {
  const builtFiles = await readBuiltFiles(await builtPage());
  const recordings = new Map<string, string>();
  const peaks = new Map<string, Uint8Array>();
  const decoder = createDecoder(decoderWorker);
  const waveforms = createWaveforms({
    store: {
      read: async (token) => peaks.get(token) ?? null,
      write: async (token, packed) => (peaks.set(token, packed), true),
      remove: async (token) => void peaks.delete(token),
    },
    tokens: { isIssued: () => true },
    read: decoder.readPeaks,
  });
  const sources = {
    builtFiles,
    mediaPath: (token: string) => recordings.get(token) ?? null,
    openSamples: decoder.openSamples,
    openPeaks: async (token: string) => {
      const path = recordings.get(token);
      return path === undefined ? null : waveforms.open({ path, sha256: token });
    },
  };
  const server = createServer((incoming, outgoing) => {
    if (studio.answerFirst(incoming, outgoing)) return;
    const path = incoming.url ?? '/';
    studio.asked.push(path);
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
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const studio: PageServer = {
    origin: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    addRecording(path) {
      const token = `recording-${String(recordings.size).padStart(16, '0')}`;
      recordings.set(token, path);
      return token;
    },
    peaks,
    asked: [],
    answerFirst: () => false,
    async close() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
  return studio;
}
