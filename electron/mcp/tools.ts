import { limits } from '../service/limits.ts';

/** A JSON Schema of the few kinds that the tools need. */
interface PropertySchema {
  readonly type: 'string' | 'number' | 'integer' | 'boolean' | 'array' | 'object';
  readonly description?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly default?: string | number | boolean;
  readonly enum?: readonly string[];
  readonly format?: 'uuid';
  readonly items?: ObjectSchema | PropertySchema;
  readonly contentEncoding?: 'base64';
}

export interface ObjectSchema {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, PropertySchema>>;
  readonly required: readonly string[];
  readonly additionalProperties: false;
}

/** One tool of the tool server (contract 4.13). */
export interface ToolDefinition {
  readonly description: string;
  readonly input: ObjectSchema;
}

const takes = (
  properties: Readonly<Record<string, PropertySchema>> = {},
  ...required: readonly string[]
): ObjectSchema => ({ type: 'object', properties, required, additionalProperties: false });

const text = { type: 'string', minLength: 1 } as const;
const uuid = { type: 'string', format: 'uuid' } as const;
const cursor = { cursor: text } as const;
const audio = { type: 'string', contentEncoding: 'base64', minLength: 1 } as const;
const transcriptFormats = { type: 'string', enum: ['txt', 'json', 'srt', 'vtt'] } as const;
const audioFormats = { type: 'string', enum: ['mp3', 'wav', 'flac', 'ogg', 'original'] } as const;
const pageOf = (page: { readonly min: number; readonly max: number; readonly default: number }): PropertySchema => ({
  type: 'integer',
  minimum: page.min,
  maximum: page.max,
  default: page.default,
});
const message: ObjectSchema = takes(
  {
    role: { type: 'string', enum: ['system', 'user', 'assistant', 'tool'] },
    content: { type: 'string' },
    tool_call_id: text,
  },
  'role',
  'content',
);

/** The 22 tools and their inputs. Creation tools generate an idempotency key when none is given. */
export const tools = {
  list_models: { description: 'Models with prices and limits', input: takes() },
  chat_completions: {
    description: 'Ask a model; the whole answer at once',
    input: takes(
      {
        model: text,
        messages: { type: 'array', minItems: 1, items: message },
        max_tokens: { type: 'integer', minimum: 1, maximum: 4096 },
        temperature: { type: 'number', minimum: 0, maximum: 2 },
        idempotency_key: text,
      },
      'model',
      'messages',
    ),
  },
  get_llm_request: {
    description: 'State, tokens and credits of a question',
    input: takes({ request_id: text }, 'request_id'),
  },
  list_tts_languages: { description: 'Languages that can be spoken', input: takes() },
  list_voices: { description: 'Voices to speak with', input: takes({ language: text }) },
  text_to_speech: {
    description: 'Speech from text',
    input: takes(
      {
        text: { type: 'string', minLength: 1, maxLength: 5000 },
        language: text,
        voice_id: text,
        speed: { type: 'number', minimum: 0.5, maximum: 2, default: 1 },
        idempotency_key: text,
      },
      'text',
      'language',
      'voice_id',
    ),
  },
  list_tts_generations: {
    description: 'History of made speech',
    input: takes({ limit: pageOf(limits.pages.generations), ...cursor }),
  },
  get_tts_generation: {
    description: 'One made speech with the address of its sound',
    input: takes({ generation_id: text }, 'generation_id'),
  },
  delete_tts_generation: {
    description: 'Hide a made speech',
    input: takes({ generation_id: text }, 'generation_id'),
  },
  speech_to_text: {
    description: 'Transcribe a recording (MP3, WAV, M4A, OGG, WebM, FLAC)',
    input: takes(
      {
        audio_base64: audio,
        language: { type: 'string', enum: ['uz', 'en', 'ru'] },
        include_speakers: { type: 'boolean', default: false },
        idempotency_key: uuid,
      },
      'audio_base64',
      'language',
    ),
  },
  get_transcription: {
    description: 'A transcription; ask again until it is completed or failed',
    input: takes({ transcription_id: text }, 'transcription_id'),
  },
  list_transcriptions: {
    description: 'History of transcriptions',
    input: takes({ limit: pageOf(limits.pages.transcriptions), ...cursor }),
  },
  update_transcription: {
    description: 'Change a title',
    input: takes({ transcription_id: text, title: text }, 'transcription_id', 'title'),
  },
  delete_transcription: {
    description: 'Delete a transcription and its sound',
    input: takes({ transcription_id: text }, 'transcription_id'),
  },
  export_transcription: {
    description: 'A transcription as a file',
    input: takes({ transcription_id: text, format: transcriptFormats }, 'transcription_id', 'format'),
  },
  isolate_voice: {
    description: 'Take the noise out of a recording (at most 300 MiB)',
    input: takes(
      {
        audio_base64: audio,
        title: text,
        speech_restoration: { type: 'boolean', default: false },
        restoration_model: text,
        idempotency_key: uuid,
      },
      'audio_base64',
    ),
  },
  get_isolation: {
    description: 'State of a recording that is being cleaned',
    input: takes({ isolation_id: text }, 'isolation_id'),
  },
  list_isolations: {
    description: 'History of cleaned recordings',
    input: takes({ limit: pageOf(limits.pages.isolations), ...cursor }),
  },
  create_isolation_export: {
    description: 'Ask for a cleaned recording in another format',
    input: takes({ isolation_id: text, format: audioFormats }, 'isolation_id', 'format'),
  },
  get_isolation_export: {
    description: 'State and address of an export',
    input: takes({ isolation_id: text, format: audioFormats }, 'isolation_id', 'format'),
  },
  hide_isolation: {
    description: 'Hide a cleaned recording',
    input: takes({ isolation_id: text }, 'isolation_id'),
  },
  create_realtime_ticket: {
    description: 'A ticket for a live stream',
    input: takes({ service: { type: 'string', enum: ['tts', 'stt'] } }, 'service'),
  },
} as const satisfies Readonly<Record<string, ToolDefinition>>;

export type ToolName = keyof typeof tools;
