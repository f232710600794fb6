import type { ServerResponse } from 'node:http';
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
/** A service whose free reads answer as usual, while `script` answers everything else. */
export async function withServer<T>(script: Script, work: (server: ScriptedServer) => Promise<T>): Promise<T> {
  const server = await startScriptedServer((request, response, at) =>
    request.method === 'GET' ? free(request, response, at) : script(request, response, at),
  );
  try {
    return await work(server);
  } finally {
    await server.close();
  }
}
export const keysOf = (server: ScriptedServer) =>
  server.seen.filter(({ method }) => method === 'POST').map(({ headers }) => headers['idempotency-key']);
