import type { Endpoint } from '../endpoint.ts';
import { creatingWithKey, documented, firstByte, reading, removing, socket } from './route-parts.ts';

const speak = { ...documented, credential: 'api-key', product: 'speak', section: '4.5' } as const;
const read = { permission: 'text_to_speech: read' } as const;
const write = { permission: 'text_to_speech: write' } as const;

/** Speech from text, and the voices for it (contract 4.5, 4.8). */
export const speakRoutes = {
  'speak.generate': {
    ...speak,
    ...creatingWithKey,
    ...write,
    path: '/v1/tts',
    firstByteMs: firstByte.speak,
    answer: 'audio',
    assumes: ['pending-speech'],
  },
  'speak.languages': {
    ...speak,
    ...reading,
    ...read,
    path: '/v1/tts/languages',
    assumes: ['denied-read', 'language-entry'],
  },
  'speak.list': {
    ...speak,
    ...reading,
    ...read,
    path: '/v1/tts/generations',
    assumes: ['denied-read', 'generation-entry'],
  },
  'speak.read': {
    ...speak,
    ...reading,
    ...read,
    path: '/v1/tts/generations/{generation_id}',
    assumes: ['generation-entry', 'signed-address'],
  },
  'speak.remove': {
    ...speak,
    ...removing,
    ...write,
    path: '/v1/tts/generations/{generation_id}',
    assumes: ['change-answers'],
  },
  'speak.stream': {
    ...speak,
    ...socket,
    path: '/v1/tts/stream',
    credential: 'ticket',
    permission: 'tts_realtime: access',
    assumes: ['speech-stream'],
  },
  'voices.list': {
    ...speak,
    ...reading,
    product: 'voices',
    section: '4.8',
    path: '/v1/voices',
    permission: 'voices: read',
    assumes: ['denied-read', 'voice-entry'],
  },
} as const satisfies Readonly<Record<string, Endpoint>>;
