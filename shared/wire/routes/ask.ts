import type { Endpoint } from '../endpoint.ts';
import { creating, creatingWithKey, documented, firstByte, reading, removing } from './route-parts.ts';

const ask = { ...documented, credential: 'api-key', product: 'ask', section: '4.3' } as const;
const files = { ...ask, section: '4.4' } as const;
const read = { permission: 'llm: read' } as const;
const write = { permission: 'llm: write' } as const;

/** Models, completions and their status, and files to ask about (contract 4.3, 4.4). */
export const askRoutes = {
  'ask.models': { ...ask, ...reading, ...read, path: '/v1/models', assumes: ['denied-read', 'model-entry'] },
  'ask.complete': {
    ...ask,
    ...creatingWithKey,
    ...write,
    path: '/v1/chat/completions',
    firstByteMs: firstByte.ask,
    answer: 'events',
    assumes: ['completion-body', 'completion-stream', 'completion-parameters'],
  },
  'ask.request': { ...ask, ...reading, ...read, path: '/v1/llm/requests/{id}', assumes: ['request-status'] },
  'ask.files.upload': {
    ...files,
    ...creating,
    ...write,
    path: '/v1/files',
    firstByteMs: firstByte.attachment,
    assumes: [],
  },
  'ask.files.list': { ...files, ...reading, ...read, path: '/v1/files', assumes: [] },
  'ask.files.read': { ...files, ...reading, ...read, path: '/v1/files/{file_id}', assumes: [] },
  'ask.files.remove': { ...files, ...removing, ...write, path: '/v1/files/{file_id}', answer: 'json', assumes: [] },
} as const satisfies Readonly<Record<string, Endpoint>>;
