import type { Route } from '../http/route.ts';
import {
  deleteTranscription,
  editTranscription,
  exportTranscription,
  listTranscriptions,
  readTranscription,
  renameTranscription,
} from './saved-transcriptions.ts';
import { submitRecording } from './submit-recording.ts';

const one = '/v1/stt/transcriptions/:transcriptionId';

/**
 * What this server answers. A route without `handle` is part of the service and not of practice mode yet: its answer
 * is that the practice key has no permission for it, which is true and is what a client asks when it checks a key.
 */
export const routes: readonly Route[] = [
  { method: 'POST', path: '/v1/stt', permission: 'speech_to_text:write', handle: submitRecording },
  { method: 'GET', path: '/v1/stt/transcriptions', permission: 'speech_to_text:read', handle: listTranscriptions },
  { method: 'GET', path: one, permission: 'speech_to_text:read', handle: readTranscription },
  { method: 'PATCH', path: one, permission: 'speech_to_text:write', handle: renameTranscription },
  { method: 'DELETE', path: one, permission: 'speech_to_text:write', handle: deleteTranscription },
  { method: 'PUT', path: `${one}/editor`, permission: 'speech_to_text:write', handle: editTranscription },
  { method: 'GET', path: `${one}/export`, permission: 'speech_to_text:read', handle: exportTranscription },
  { method: 'GET', path: '/v1/tts/languages', permission: 'text_to_speech:read' },
  { method: 'GET', path: '/v1/tts/generations', permission: 'text_to_speech:read' },
  { method: 'GET', path: '/v1/voices', permission: 'voices:read' },
  { method: 'GET', path: '/v1/voice-isolations', permission: 'audio_isolation:read' },
  { method: 'GET', path: '/v1/models', permission: 'llm:read' },
];
