import type { Endpoint } from '../endpoint.ts';
import { creating, documented, firstByte, reading, socket } from '../routes/route-parts.ts';

const speak = {
  ...documented,
  credential: 'legacy-key',
  product: 'speak',
  permission: null,
  section: '4.14',
} as const;
const live = { ...speak, section: '4.15' } as const;
const stt = { ...speak, product: 'transcribe', section: '4.16' } as const;

/**
 * The legacy API with `X-Api-Key` (contract 4.14 to 4.16). Grants do not apply, and no creation has an idempotency key.
 */
export const legacyRoutes = {
  'legacy.speak.submit': {
    ...speak,
    ...creating,
    path: '/api/v1/tts/post/',
    firstByteMs: firstByte.speak,
    assumes: ['legacy-repeats'],
  },
  'legacy.speak.status': { ...speak, ...reading, path: '/api/v1/tts/status/{id}/', assumes: [] },
  'legacy.speak.list': { ...speak, ...reading, path: '/api/v1/tts/get/', assumes: ['legacy-page'] },
  'legacy.speak.stream': { ...live, ...socket, path: '/api/v1/tts/realtime', assumes: [] },
  'legacy.speak.call': {
    ...live,
    transport: 'grpc',
    method: 'POST',
    path: '/RealtimeTTS/Synthesize',
    retry: 'never',
    firstByteMs: firstByte.speak,
    answer: 'messages',
    assumes: ['legacy-call-numbers'],
  },
  'legacy.stt.submit': {
    ...stt,
    ...creating,
    path: '/api/v1/stt/post/',
    firstByteMs: firstByte.upload,
    assumes: ['legacy-repeats'],
  },
  'legacy.stt.list': { ...stt, ...reading, path: '/api/v1/stt/get/', assumes: ['legacy-page'] },
  'legacy.stt.audios': { ...stt, ...reading, path: '/api/v1/stt/audios/', assumes: ['legacy-page'] },
  'legacy.stt.submit-long': {
    ...stt,
    ...creating,
    path: '/api/v2/stt/post/',
    firstByteMs: firstByte.upload,
    assumes: ['legacy-repeats'],
  },
  'legacy.stt.list-long': { ...stt, ...reading, path: '/api/v2/stt/get/', assumes: ['legacy-page'] },
  'legacy.stt.read-long': { ...stt, ...reading, path: '/api/v2/stt/get/{id}/', assumes: [] },
} as const satisfies Readonly<Record<string, Endpoint>>;
