import type { ServerResponse } from 'node:http';
import { sendJson, startScriptedServer } from './scripted-server.ts';
import { toneWav } from './wav-files.ts';

interface SpeechCall {
  readonly key: string;
  readonly body: string;
}

/** A service that returns half a second of a tone for every text, and remembers keys as the contract says. */
export interface FakeSpeech {
  readonly url: string;
  requests(): readonly SpeechCall[];
  /** The number of generations that were paid for. */
  made(): number;
  /** The next request is accepted and not answered before it is released. */
  hold(): { readonly arrived: Promise<readonly [SpeechCall]>; readonly release: () => void };
  /** The next answer ends after this many bytes. */
  breakNext(bytes: number): void;
  refuseNext(status: number, code: string): void;
  close(): Promise<void>;
}

/** Half a second as the service would return it. */
export const speechTone = (): Buffer => toneWav(440, 0.5, 24_000);

export async function startFakeSpeech(): Promise<FakeSpeech> {
  const calls: SpeechCall[] = [];
  const paid = new Set<string>();
  const wav = speechTone();
  let held: { arrived: (call: readonly [SpeechCall]) => void; released: Promise<void> } | null = null;
  let breakAfter: number | null = null;
  let refusal: { status: number; code: string } | null = null;

  const speak = async (call: SpeechCall, response: ServerResponse) => {
    calls.push(call);
    if (refusal !== null) {
      const { status, code } = refusal;
      refusal = null;
      return sendJson(response, status, { error: { code, message: 'refused' } });
    }
    paid.add(call.key);
    if (held !== null) {
      const { arrived, released } = held;
      held = null;
      arrived([call]);
      await released;
    }
    response.writeHead(200, { 'content-type': 'audio/wav', 'content-length': wav.length });
    if (breakAfter === null) return void response.end(wav);
    response.write(wav.subarray(0, breakAfter), () => setImmediate(() => response.destroy()));
    breakAfter = null;
    return undefined;
  };
  const server = await startScriptedServer(({ url, headers, body }, response) => {
    const voice = { voice_id: 'voice_a', name: 'Lola', language: 'uz', kind: 'system' };
    if (url.startsWith('/v1/voices')) return sendJson(response, 200, { voices: [voice] });
    if (url.startsWith('/v1/tts/languages'))
      return sendJson(response, 200, { languages: [{ code: 'uz', name: 'Oʻzbekcha' }] });
    if (!/^\/v1\/tts(?:\?|$)/u.test(url))
      return sendJson(response, 404, { error: { code: 'not_found', message: 'no' } });
    return void speak({ key: String(headers['idempotency-key']), body: body.toString('utf8') }, response);
  });
  return {
    url: server.url,
    requests: () => calls,
    made: () => paid.size,
    hold() {
      const arrival = Promise.withResolvers<readonly [SpeechCall]>();
      const release = Promise.withResolvers<void>();
      held = { arrived: arrival.resolve, released: release.promise };
      return { arrived: arrival.promise, release: release.resolve };
    },
    breakNext: (bytes) => void (breakAfter = bytes),
    refuseNext: (status, code) => void (refusal = { status, code }),
    close: () => server.close(),
  };
}
