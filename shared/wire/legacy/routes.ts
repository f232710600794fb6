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

/** The older generation by `X-Api-Key` (service-api 4.14 to 4.16). Grants do not apply, and no creation has a key of its own. */
export const olderRoutes = {
  'older.speak.submit': {
    ...speak,
    ...creating,
    path: '/api/v1/tts/post/',
    firstByteMs: firstByte.speak,
    assumes: ['older-repeats'],
  },
  'older.speak.status': { ...speak, ...reading, path: '/api/v1/tts/status/{id}/', assumes: [] },
  'older.speak.list': { ...speak, ...reading, path: '/api/v1/tts/get/', assumes: ['older-page'] },
  'older.speak.stream': { ...live, ...socket, path: '/api/v1/tts/realtime', assumes: [] },
  'older.speak.call': {
    ...live,
    transport: 'grpc',
    method: 'POST',
    path: '/RealtimeTTS/Synthesize',
    retry: 'never',
    firstByteMs: firstByte.speak,
    answer: 'messages',
    assumes: ['older-call-numbers'],
  },
  'older.stt.submit': {
    ...stt,
    ...creating,
    path: '/api/v1/stt/post/',
    firstByteMs: firstByte.upload,
    assumes: ['older-repeats'],
  },
  'older.stt.list': { ...stt, ...reading, path: '/api/v1/stt/get/', assumes: ['older-page'] },
  'older.stt.audios': { ...stt, ...reading, path: '/api/v1/stt/audios/', assumes: ['older-page'] },
  'older.stt.submit-long': {
    ...stt,
    ...creating,
    path: '/api/v2/stt/post/',
    firstByteMs: firstByte.upload,
    assumes: ['older-repeats'],
  },
  'older.stt.list-long': { ...stt, ...reading, path: '/api/v2/stt/get/', assumes: ['older-page'] },
  'older.stt.read-long': { ...stt, ...reading, path: '/api/v2/stt/get/{id}/', assumes: [] },
} as const satisfies Readonly<Record<string, Endpoint>>;
