import { z } from 'zod';
import { lazySchema } from '../domain/lazy-schema.ts';
import { cloneSendings, type CloneDraft } from '../domain/voices/clone-draft.ts';
import { voiceAges, voiceGenders, voicePalettes } from '../domain/voices/clone-rules.ts';
import { fileToken, speechLanguage } from './schemas.ts';

const nothing = lazySchema(() => z.strictObject({}));
const done = lazySchema(() => z.object({}));
const voiceId = lazySchema(() => z.string().min(1).max(200));
const details = lazySchema(() =>
  z.strictObject({
    name: z.string().max(1000),
    description: z.string().max(5000),
    gender: z.enum(['', ...voiceGenders]),
    age: z.enum(['', ...voiceAges]),
    accent: z.string().max(500),
    palette: z.enum(voicePalettes),
  }),
);
/** Created only in main. Its recordings are at addresses; null: there is none. */
const cloneDraft = lazySchema(() =>
  z.custom<CloneDraft & { readonly referenceUrl: string | null; readonly readingUrl: string | null }>(
    (value) => typeof value === 'object' && value !== null && 'step' in value && 'referenceUrl' in value,
  ),
);
const withDraft = lazySchema(() => z.object({ draft: cloneDraft() }));
const sampleRate = lazySchema(() => z.number().int().min(8000).max(96_000));
const longestRecording = 11 * 1024 * 1024;

/** Voices of the account, and the one being cloned (contract 4.12). All of it is free. */
export const voicesRequests = {
  'voices.details': {
    input: lazySchema(() => z.strictObject({ voiceId: voiceId() })),
    output: lazySchema(() => z.object({ details: details(), language: z.string().nullable() })),
  },
  'voices.saveDetails': {
    input: lazySchema(() => z.strictObject({ voiceId: voiceId(), details: details(), language: z.string().max(16) })),
    output: done,
  },
  /** Disables the voice at once. `isCleaningUp`: the service is still deleting its recordings. */
  'voices.remove': {
    input: lazySchema(() => z.strictObject({ voiceId: voiceId() })),
    output: lazySchema(() => z.object({ isCleaningUp: z.boolean() })),
  },
  /** Voices whose deletion is not finished; it is requested again. */
  'voices.removing': { input: nothing, output: lazySchema(() => z.object({ voiceIds: z.array(z.string()) })) },

  /** The draft as the service sees it, and what the account may clone; null while that is not known. */
  'clone.read': {
    input: nothing,
    output: lazySchema(() =>
      z.object({
        draft: cloneDraft().nullable(),
        capabilities: z.object({ eligible: z.boolean(), available: z.boolean() }).nullable(),
      }),
    ),
  },
  /** A recording that was cut out of a file, mono. */
  'clone.keepRecording': {
    input: lazySchema(() =>
      z.strictObject({
        pcm: z.instanceof(Int16Array),
        sampleRate: sampleRate(),
        language: speechLanguage(),
        removesNoise: z.boolean(),
        name: z.string().max(300),
      }),
    ),
    output: withDraft,
    maxInputBytes: longestRecording,
  },
  /** A dropped file, or one chosen in the system's dialog; null when that was cancelled. */
  'clone.chooseFile': {
    input: lazySchema(() => z.strictObject({ token: fileToken().nullable() })),
    output: lazySchema(() => z.object({ file: z.object({ name: z.string(), mediaUrl: z.string() }).nullable() })),
  },
  'clone.change': {
    input: lazySchema(() =>
      z.strictObject({
        language: speechLanguage().optional(),
        removesNoise: z.boolean().optional(),
        transcript: z.string().max(40_000).optional(),
        details: details().optional(),
        hasConsent: z.boolean().optional(),
      }),
    ),
    output: withDraft,
  },
  /** The next step at the service. A failure is recorded in the draft. */
  'clone.send': { input: lazySchema(() => z.strictObject({ sending: z.enum(cloneSendings) })), output: withDraft },
  /** Stops waiting for the answer to a step. */
  'clone.cancel': { input: nothing, output: done },
  /** Deletes the draft and its recordings from this computer. */
  'clone.discard': { input: nothing, output: done },
};

export const voicesStreams = {
  /**
   * A recording for the draft, 16-bit mono; it is stored when the page finishes or is gone. A cancelled one leaves
   * nothing.
   */
  'clone.record': {
    usesMicrophone: true as const,
    open: lazySchema(() =>
      z.strictObject({
        what: z.enum(['reference', 'reading']),
        language: speechLanguage(),
        removesNoise: z.boolean(),
        sampleRate: sampleRate(),
      }),
    ),
    up: lazySchema(() =>
      z.discriminatedUnion('kind', [
        z.strictObject({ kind: z.literal('frame'), pcm: z.instanceof(Int16Array) }),
        z.strictObject({ kind: z.literal('call-off') }),
      ]),
    ),
    /** Sent once, when it may begin. */
    down: lazySchema(() => z.object({ kind: z.literal('open') })),
  },
};
