import type { Endpoint } from '../endpoint.ts';
import { assumed, creating, documented, firstByte, reading, removing, replacing } from './route-parts.ts';

const clone = { credential: 'api-key', product: 'clone', section: '4.12' } as const;
const read = { permission: 'voices: read' } as const;
const change = { permission: 'voices: write', firstByteMs: firstByte.enrollment } as const;
const voice = { path: '/v1/voices/{voice_id}' } as const;

/** A private voice from a consented recording (contract 4.12). */
export const cloneRoutes = {
  'clone.upload': { ...clone, ...documented, ...creating, ...change, path: '/v1/voice-enrollments', assumes: [] },
  'clone.approve': {
    ...clone,
    ...documented,
    ...creating,
    ...change,
    path: '/v1/voice-enrollments/{id}/transcript',
    assumes: [],
  },
  'clone.verify': {
    ...clone,
    ...documented,
    ...creating,
    ...change,
    path: '/v1/voice-enrollments/{id}/verify',
    assumes: ['verify-field'],
  },
  'clone.challenge': {
    ...clone,
    ...assumed,
    ...creating,
    ...change,
    path: '/v1/voice-enrollments/{id}/challenge',
    assumes: ['clone-challenge-path'],
  },
  'clone.read': {
    ...clone,
    ...assumed,
    ...reading,
    ...read,
    path: '/v1/voice-enrollments/{id}',
    assumes: ['clone-state-path'],
  },
  'clone.capabilities': {
    ...clone,
    ...assumed,
    ...reading,
    ...read,
    path: '/v1/voice-enrollments/capabilities',
    assumes: ['clone-capabilities-path'],
  },
  'clone.metadata.read': { ...clone, ...assumed, ...reading, ...read, ...voice, assumes: ['clone-metadata-path'] },
  'clone.metadata.replace': {
    ...clone,
    ...assumed,
    ...replacing,
    ...change,
    ...voice,
    answer: 'none',
    assumes: ['clone-metadata-path'],
  },
  'clone.remove': { ...clone, ...assumed, ...removing, ...change, ...voice, assumes: ['clone-delete-path'] },
} as const satisfies Readonly<Record<string, Endpoint>>;
