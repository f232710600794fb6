import type { Endpoint } from '../endpoint.ts';
import { creating, creatingWithKey, documented, firstByte, reading, removing } from './route-parts.ts';

const isolate = { ...documented, credential: 'api-key', product: 'isolate', section: '4.7' } as const;
const read = { permission: 'audio_isolation: read' } as const;
const write = { permission: 'audio_isolation: write' } as const;
const upload = { ...isolate, ...creatingWithKey, ...write, firstByteMs: firstByte.upload } as const;

/** Noise removal for recordings (contract 4.7). */
export const isolateRoutes = {
  'isolate.submit': { ...upload, path: '/v1/voice-isolations', assumes: ['isolation-upload', 'isolation-job'] },
  'isolate.batch': { ...upload, path: '/v1/voice-isolations/batch', assumes: ['isolation-batch', 'isolation-job'] },
  'isolate.list': {
    ...isolate,
    ...reading,
    ...read,
    path: '/v1/voice-isolations',
    assumes: ['denied-read', 'isolation-job'],
  },
  'isolate.read': {
    ...isolate,
    ...reading,
    ...read,
    path: '/v1/voice-isolations/{id}',
    assumes: ['isolation-job', 'signed-address'],
  },
  'isolate.remove': {
    ...isolate,
    ...removing,
    ...write,
    path: '/v1/voice-isolations/{id}',
    assumes: ['change-answers'],
  },
  'isolate.exports.create': {
    ...isolate,
    ...creating,
    ...write,
    path: '/v1/voice-isolations/{id}/exports',
    assumes: ['isolation-export'],
  },
  'isolate.exports.read': {
    ...isolate,
    ...reading,
    ...read,
    path: '/v1/voice-isolations/{id}/exports/{format}',
    assumes: ['isolation-export', 'signed-address'],
  },
} as const satisfies Readonly<Record<string, Endpoint>>;
