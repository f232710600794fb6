import { rows } from './document-row.ts';

/** Routes whose path is not shown are named by their purpose. */
export const routes = [
  ...rows(
    'route',
    '4.1',
    `GET /api/v1/account/api-key-permissions
     GET /api/v1/account/api-key-scopes
     POST /api/v1/account/api-keys
     GET /api/v1/account/api-keys
     PATCH /api/v1/account/api-keys/{key_id}
     POST /api/v1/account/api-keys/{key_id}/revoke
     DELETE /api/v1/account/api-keys/{key_id}`,
  ),
  ...rows('route', '4.2', `GET /api/v1/account/analytics\nGET /api/v1/account/request-logs`),
  ...rows('route', '4.3', `GET /v1/models\nPOST /v1/chat/completions\nGET /v1/llm/requests/{id}`),
  ...rows('route', '4.4', `POST /v1/files\nGET /v1/files\nGET /v1/files/{file_id}\nDELETE /v1/files/{file_id}`),
  ...rows(
    'route',
    '4.5',
    `POST /v1/tts
     GET /v1/tts/languages
     GET /v1/tts/generations
     GET /v1/tts/generations/{generation_id}
     DELETE /v1/tts/generations/{generation_id}
     WSS /v1/tts/stream`,
  ),
  ...rows(
    'route',
    '4.6',
    `POST /v1/stt
     GET /v1/stt/transcriptions
     GET /v1/stt/transcriptions/{transcription_id}
     PATCH /v1/stt/transcriptions/{transcription_id}
     PUT /v1/stt/transcriptions/{transcription_id}/editor
     DELETE /v1/stt/transcriptions/{transcription_id}
     GET /v1/stt/transcriptions/{transcription_id}/export`,
  ),
  ...rows(
    'route',
    '4.7',
    `POST /v1/voice-isolations
     POST /v1/voice-isolations/batch
     GET /v1/voice-isolations
     GET /v1/voice-isolations/{id}
     DELETE /v1/voice-isolations/{id}
     POST /v1/voice-isolations/{id}/exports
     GET /v1/voice-isolations/{id}/exports/{format}`,
  ),
  ...rows('route', '4.8', `GET /v1/voices`),
  ...rows('route', '4.9', `POST /v1/ticket`),
  ...rows('route', '4.10', `WSS /v1/stt/stream`),
  ...rows(
    'route',
    '4.11',
    `POST /v1/webhooks
     not shown: webhooks.list
     not shown: webhooks.read
     not shown: webhooks.update
     not shown: webhooks.remove
     not shown: webhooks.rotate
     not shown: webhooks.test
     not shown: webhooks.deliveries
     not shown: webhooks.retry`,
  ),
  ...rows(
    'route',
    '4.12',
    `POST /v1/voice-enrollments
     POST /v1/voice-enrollments/{id}/transcript
     POST /v1/voice-enrollments/{id}/verify
     not shown: clone.capabilities
     not shown: clone.challenge
     not shown: clone.read
     not shown: clone.metadata.read
     not shown: clone.metadata.replace
     not shown: clone.remove`,
  ),
  ...rows('route', '4.14', `POST /api/v1/tts/post/\nGET /api/v1/tts/status/{id}/\nGET /api/v1/tts/get/`),
  ...rows('route', '4.15', `WSS /api/v1/tts/realtime\nGRPC /RealtimeTTS/Synthesize`),
  ...rows(
    'route',
    '4.16',
    `POST /api/v1/stt/post/
     GET /api/v1/stt/get/
     GET /api/v1/stt/audios/
     POST /api/v2/stt/post/
     GET /api/v2/stt/get/
     GET /api/v2/stt/get/{id}/`,
  ),
];
