import { documentedPath, needsOf, type OtherRoute, type KeyedRoute, type Route } from '../http/route.ts';
import { dictationPath } from '../realtime/dictation-socket.ts';
import { speechStreamPath } from '../realtime/speech-stream-socket.ts';
import { legacyStreamPath } from '../legacy/speech-socket.ts';
import type { PermissionId } from '../access/permissions.ts';
import { createKey, deleteKey, listKeys, listPermissions, listScopes, revokeKey, updateKey } from './account-keys.ts';
import { listRequests, readAnalytics } from './account-usage.ts';
import { deleteVoice, readVoiceMetadata, replaceVoiceMetadata } from './cloned-voices.ts';
import { approveTranscript, issueChallenge, readCapabilities, readEnrollment, uploadReference } from './enrollments.ts';
import { verifyEnrollment } from './verify-enrollment.ts';
import { createCompletion, listModels, readLlmRequest } from './completions.ts';
import { deleteFile, listFiles, readFileEntry, uploadFile } from './llm-files.ts';
import { createExport, hideIsolation, listIsolations, readExport, readIsolation } from './isolations.ts';
import {
  deleteTranscription,
  editTranscription,
  exportTranscription,
  listTranscriptions,
  readTranscription,
  renameTranscription,
} from './saved-transcriptions.ts';
import {
  generateSpeech,
  hideGeneration,
  listGenerations,
  listSpeechLanguages,
  listVoices,
  readGeneration,
} from './speech.ts';
import { listLegacySpeeches, readLegacySpeech, speakLegacy } from './legacy-speech.ts';
import {
  listLegacyLongTranscriptions,
  listLegacyTranscriptions,
  readLegacyTranscription,
  transcribeLegacy,
  transcribeLegacyLong,
} from './legacy-transcriptions.ts';
import { readObject } from './storage.ts';
import { issueTicket } from './tickets.ts';
import { submitIsolation, submitIsolationBatch } from './submit-isolation.ts';
import { submitRecording } from './submit-recording.ts';
import {
  createWebhook,
  deleteWebhook,
  listDeliveries,
  listWebhooks,
  readWebhook,
  retryDelivery,
  rotateSecret,
  sendTest,
  updateWebhook,
} from './webhooks.ts';

const account = '/api/v1/account';
const oneKey = `${account}/api-keys/:keyId` as const;

const accountRoutes: readonly Route[] = [
  { method: 'GET', path: `${account}/api-key-permissions`, credential: 'access-token', handle: listPermissions },
  { method: 'GET', path: `${account}/api-key-scopes`, credential: 'access-token', handle: listScopes },
  { method: 'POST', path: `${account}/api-keys`, credential: 'access-token', handle: createKey },
  { method: 'GET', path: `${account}/api-keys`, credential: 'access-token', handle: listKeys },
  { method: 'PATCH', path: oneKey, credential: 'access-token', handle: updateKey },
  { method: 'POST', path: `${oneKey}/revoke`, credential: 'access-token', handle: revokeKey },
  { method: 'DELETE', path: oneKey, credential: 'access-token', handle: deleteKey },
  { method: 'GET', path: `${account}/analytics`, credential: 'access-token', handle: readAnalytics },
  { method: 'GET', path: `${account}/request-logs`, credential: 'access-token', handle: listRequests },
];

const keyed = (
  method: Route['method'],
  path: Route['path'],
  permission: KeyedRoute['permission'],
  handle: KeyedRoute['handle'],
): KeyedRoute => ({ method, path, credential: 'api-key', permission, handle });

const one = '/v1/stt/transcriptions/:transcriptionId';

const transcribeRoutes: readonly Route[] = [
  keyed('POST', '/v1/stt', 'speech_to_text:write', submitRecording),
  keyed('GET', '/v1/stt/transcriptions', 'speech_to_text:read', listTranscriptions),
  keyed('GET', one, 'speech_to_text:read', readTranscription),
  keyed('PATCH', one, 'speech_to_text:write', renameTranscription),
  keyed('DELETE', one, 'speech_to_text:write', deleteTranscription),
  keyed('PUT', `${one}/editor`, 'speech_to_text:write', editTranscription),
  keyed('GET', `${one}/export`, 'speech_to_text:read', exportTranscription),
];

const oneGeneration = '/v1/tts/generations/:generationId';

const speechRoutes: readonly Route[] = [
  keyed('POST', '/v1/tts', 'text_to_speech:write', generateSpeech),
  keyed('GET', '/v1/tts/languages', 'text_to_speech:read', listSpeechLanguages),
  keyed('GET', '/v1/tts/generations', 'text_to_speech:read', listGenerations),
  keyed('GET', oneGeneration, 'text_to_speech:read', readGeneration),
  keyed('DELETE', oneGeneration, 'text_to_speech:write', hideGeneration),
  keyed('GET', '/v1/voices', 'voices:read', listVoices),
];

const isolationsPath = '/v1/voice-isolations';
const oneIsolation = `${isolationsPath}/:id` as const;

const isolationRoutes: readonly Route[] = [
  keyed('POST', isolationsPath, 'audio_isolation:write', submitIsolation),
  keyed('POST', `${isolationsPath}/batch`, 'audio_isolation:write', submitIsolationBatch),
  keyed('GET', isolationsPath, 'audio_isolation:read', listIsolations),
  keyed('GET', oneIsolation, 'audio_isolation:read', readIsolation),
  keyed('DELETE', oneIsolation, 'audio_isolation:write', hideIsolation),
  keyed('POST', `${oneIsolation}/exports`, 'audio_isolation:write', createExport),
  keyed('GET', `${oneIsolation}/exports/:format`, 'audio_isolation:read', readExport),
];

const realtimeRoutes: readonly Route[] = [
  { ...keyed('POST', '/v1/ticket', 'stt_realtime:access', issueTicket), orPermission: 'tts_realtime:access' },
];

/** Streams are opened by an upgrade, so they have no handler. */
const streams = [dictationPath, speechStreamPath, legacyStreamPath].map((path) => ({ method: 'GET', path }));

const legacy = (method: 'GET' | 'POST', path: Route['path'], handle: OtherRoute['handle']): Route => ({
  method,
  path,
  credential: 'legacy-key',
  handle,
});

const legacyRoutes: readonly Route[] = [
  legacy('POST', '/api/v1/tts/post/', speakLegacy),
  legacy('GET', '/api/v1/tts/status/:id/', readLegacySpeech),
  legacy('GET', '/api/v1/tts/get/', listLegacySpeeches),
  legacy('POST', '/api/v1/stt/post/', transcribeLegacy),
  legacy('GET', '/api/v1/stt/get/', listLegacyTranscriptions),
  legacy('GET', '/api/v1/stt/audios/', listLegacyTranscriptions),
  legacy('POST', '/api/v2/stt/post/', transcribeLegacyLong),
  legacy('GET', '/api/v2/stt/get/', listLegacyLongTranscriptions),
  legacy('GET', '/api/v2/stt/get/:id/', readLegacyTranscription),
];

const storageRoutes: readonly Route[] = [
  { method: 'GET', path: '/storage/:objectName', credential: 'signature', handle: readObject },
];

const oneFile = '/v1/files/:fileId';

const askRoutes: readonly Route[] = [
  keyed('GET', '/v1/models', 'llm:read', listModels),
  keyed('POST', '/v1/chat/completions', 'llm:write', createCompletion),
  keyed('GET', '/v1/llm/requests/:id', 'llm:read', readLlmRequest),
  keyed('POST', '/v1/files', 'llm:write', uploadFile),
  keyed('GET', '/v1/files', 'llm:read', listFiles),
  keyed('GET', oneFile, 'llm:read', readFileEntry),
  keyed('DELETE', oneFile, 'llm:write', deleteFile),
];

const oneWebhook = '/v1/webhooks/:webhookId';
const deliveries = `${oneWebhook}/deliveries` as const;

const webhookRoutes: readonly Route[] = [
  keyed('POST', '/v1/webhooks', 'webhooks:access', createWebhook),
  keyed('GET', '/v1/webhooks', 'webhooks:access', listWebhooks),
  keyed('GET', oneWebhook, 'webhooks:access', readWebhook),
  keyed('PATCH', oneWebhook, 'webhooks:access', updateWebhook),
  keyed('DELETE', oneWebhook, 'webhooks:access', deleteWebhook),
  keyed('POST', `${oneWebhook}/rotate-secret`, 'webhooks:access', rotateSecret),
  keyed('POST', `${oneWebhook}/test`, 'webhooks:access', sendTest),
  keyed('GET', deliveries, 'webhooks:access', listDeliveries),
  keyed('POST', `${deliveries}/:deliveryId/retry`, 'webhooks:access', retryDelivery),
];

const enrollmentsPath = '/v1/voice-enrollments';
const oneEnrollment = `${enrollmentsPath}/:id` as const;
const oneVoice = '/v1/voices/:voiceId';

/** `capabilities` comes before the routes with an identifier, which would match it too. */
const cloneRoutes: readonly Route[] = [
  keyed('POST', enrollmentsPath, 'voices:write', uploadReference),
  keyed('GET', `${enrollmentsPath}/capabilities`, 'voices:read', readCapabilities),
  keyed('GET', oneEnrollment, 'voices:read', readEnrollment),
  keyed('POST', `${oneEnrollment}/transcript`, 'voices:write', approveTranscript),
  keyed('POST', `${oneEnrollment}/challenge`, 'voices:write', issueChallenge),
  keyed('POST', `${oneEnrollment}/verify`, 'voices:write', verifyEnrollment),
  keyed('GET', oneVoice, 'voices:read', readVoiceMetadata),
  keyed('PUT', oneVoice, 'voices:write', replaceVoiceMetadata),
  keyed('DELETE', oneVoice, 'voices:write', deleteVoice),
];

/** What this server answers. */
export const routes: readonly Route[] = [
  ...accountRoutes,
  ...transcribeRoutes,
  ...speechRoutes,
  ...isolationRoutes,
  ...realtimeRoutes,
  ...askRoutes,
  ...webhookRoutes,
  ...legacyRoutes,
  ...storageRoutes,
  ...cloneRoutes,
];

/** The permissions that a key of practice mode can use. */
export const offeredPermissions: ReadonlySet<PermissionId> = new Set(
  routes.flatMap((route) => (route.credential === 'api-key' ? needsOf(route).map(({ permission }) => permission) : [])),
);

/** Every working route with its documented path, for comparison with the client's table. */
export const practiceRoutes: readonly { readonly method: string; readonly path: string }[] = [
  ...routes.filter((route) => route.credential !== 'signature'),
  ...streams,
].map(({ method, path }) => ({ method, path: documentedPath(path) }));
