import type { Endpoint } from '../endpoint.ts';
import {
  acting,
  creatingWithKey,
  documented,
  firstByte,
  reading,
  removing,
  renaming,
  replacing,
  socket,
} from './route-parts.ts';

const stt = { ...documented, credential: 'api-key', product: 'transcribe', section: '4.6' } as const;
const read = { permission: 'speech_to_text: read' } as const;
const write = { permission: 'speech_to_text: write' } as const;
const one = { path: '/v1/stt/transcriptions/{transcription_id}' } as const;
const transcription = [
  'transcription-body',
  'transcription-id',
  'transcription-status',
  'transcript-fields',
  'time-units',
  'speaker-labels',
  'failure-reason',
] as const;

/** Saved and live transcription, and the ticket that opens a live stream (contract 4.6, 4.9, 4.10). */
export const transcribeRoutes = {
  'stt.submit': {
    ...stt,
    ...creatingWithKey,
    ...write,
    path: '/v1/stt',
    firstByteMs: firstByte.upload,
    assumes: transcription,
  },
  'stt.list': { ...stt, ...reading, ...read, path: '/v1/stt/transcriptions', assumes: ['history-body', 'denied-read'] },
  'stt.read': { ...stt, ...reading, ...read, ...one, assumes: transcription },
  'stt.rename': { ...stt, ...renaming, ...write, ...one, answer: 'none', assumes: ['change-answers'] },
  'stt.save-editor': {
    ...stt,
    ...replacing,
    ...write,
    path: '/v1/stt/transcriptions/{transcription_id}/editor',
    // A revision counted twice would look like a conflict with our own edit.
    retry: 'never',
    answer: 'json',
    assumes: ['editor-body'],
  },
  'stt.remove': { ...stt, ...removing, ...write, ...one, assumes: ['change-answers'] },
  'stt.export': {
    ...stt,
    ...reading,
    ...read,
    path: '/v1/stt/transcriptions/{transcription_id}/export',
    answer: 'text',
    assumes: ['export-body'],
  },
  'realtime.ticket': {
    ...stt,
    ...acting,
    product: 'dictate',
    section: '4.9',
    path: '/v1/ticket',
    permission: 'stt_realtime: access',
    assumes: [],
  },
  'dictate.stream': {
    ...documented,
    ...socket,
    product: 'dictate',
    section: '4.10',
    path: '/v1/stt/stream',
    credential: 'ticket',
    permission: 'stt_realtime: access',
    assumes: [],
  },
} as const satisfies Readonly<Record<string, Endpoint>>;
