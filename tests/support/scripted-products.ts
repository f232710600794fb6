import type { ServerResponse } from 'node:http';
import { onTestFinished } from 'vitest';
import { sendJson, startScriptedServer, type Script, type ScriptedServer } from './scripted-server.ts';
import { toneWav } from './wav-files.ts';

const voices = { voices: [{ voice_id: 'voice_1', name: 'Lola', languages: ['uz'] }], request_id: 'r0' };
const models = {
  data: [{ id: 'small-1', pricing: { input: 100, output: 400 } }],
  credits_per_usd: 1000,
  request_id: 'r1',
};
export function sendWav(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'audio/wav', 'x-request-id': 'req_wav' });
  response.end(toneWav(300, 0.2));
}
export const free: Script = (request, response) =>
  sendJson(response, 200, request.url.startsWith('/v1/models') ? models : voices);
/** A scripted server that ends with its test. */
export async function serve(script: Script): Promise<ScriptedServer> {
  const server = await startScriptedServer(script);
  onTestFinished(() => server.close());
  return server;
}
/** The same, whose free reads answer as usual, while `script` answers everything else. */
export const serveProducts = (script: Script): Promise<ScriptedServer> =>
  serve((request, response, at) =>
    request.method === 'GET' ? free(request, response, at) : script(request, response, at),
  );
export const keysOf = (server: ScriptedServer) =>
  server.seen.filter(({ method }) => method === 'POST').map(({ headers }) => headers['idempotency-key']);
