import { z } from 'zod';
import { described } from '../domain/described.ts';
import { cloneSendings, type CloneDraft } from '../domain/voices/clone-draft.ts';
import { voiceAges, voiceGenders, voicePalettes } from '../domain/voices/clone-rules.ts';
import { fileToken, speechLanguage } from './schemas.ts';

const nothing = described(() => z.strictObject({}));
const done = described(() => z.object({}));
const voiceId = described(() => z.string().min(1).max(200));
const details = described(() =>
  z.strictObject({
    name: z.string().max(1000),
    description: z.string().max(5000),
    gender: z.enum(['', ...voiceGenders]),
    age: z.enum(['', ...voiceAges]),
    accent: z.string().max(500),
    palette: z.enum(voicePalettes),
  }),
);
/** Made in main only. Its recordings are behind addresses; null: there is none. */
const cloneDraft = described(() =>
  z.custom<CloneDraft & { readonly referenceUrl: string | null; readonly readingUrl: string | null }>(
    (value) => typeof value === 'object' && value !== null && 'step' in value && 'referenceUrl' in value,
  ),
);
const withDraft = described(() => z.object({ draft: cloneDraft() }));
const sampleRate = described(() => z.number().int().min(8000).max(96_000));
const longestRecording = 11 * 1024 * 1024;

/** Voices of the account, and the one that is being cloned (service-api 4.12). Nothing of it is charged. */
export const voicesRequests = {
  'voices.details': {
    input: described(() => z.strictObject({ voiceId: voiceId() })),
    output: described(() => z.object({ details: details(), language: z.string().nullable() })),
  },
  'voices.saveDetails': {
    input: described(() => z.strictObject({ voiceId: voiceId(), details: details(), language: z.string().max(16) })),
    output: done,
  },
  /** Ends the use of the voice at once. `isCleaningUp`: the service is still deleting its recordings. */
  'voices.remove': {
    input: described(() => z.strictObject({ voiceId: voiceId() })),
    output: described(() => z.object({ isCleaningUp: z.boolean() })),
  },
  /** Voices whose deletion is not done yet; it is asked for again. */
  'voices.removing': { input: nothing, output: described(() => z.object({ voiceIds: z.array(z.string()) })) },

  /** The draft as the service sees it, and what the account may clone; null while that is not known. */
  'clone.read': {
    input: nothing,
    output: described(() =>
      z.object({
        draft: cloneDraft().nullable(),
        capabilities: z.object({ eligible: z.boolean(), available: z.boolean() }).nullable(),
      }),
    ),
  },
  /** A recording that was cut out of a file, mono. */
  'clone.keepRecording': {
    input: described(() =>
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
  /** A file that was dropped, or is chosen in the system's dialog; null when that was cancelled. */
  'clone.chooseFile': {
    input: described(() => z.strictObject({ token: fileToken().nullable() })),
    output: described(() => z.object({ file: z.object({ name: z.string(), mediaUrl: z.string() }).nullable() })),
  },
  'clone.change': {
    input: described(() =>
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
  /** The next step at the service. How it failed stands in the draft. */
  'clone.send': { input: described(() => z.strictObject({ sending: z.enum(cloneSendings) })), output: withDraft },
  /** Stops waiting for the answer to a step. */
  'clone.cancel': { input: nothing, output: done },
  /** Forgets the draft and removes its recordings from this computer. */
  'clone.discard': { input: nothing, output: done },
};

export const voicesStreams = {
  /**
   * A recording for the draft, 16-bit mono; it is put on the disk when the page has finished or is gone. Nothing is kept
   * of one that is called off.
   */
  'clone.record': {
    usesMicrophone: true as const,
    open: described(() =>
      z.strictObject({
        what: z.enum(['reference', 'reading']),
        language: speechLanguage(),
        removesNoise: z.boolean(),
        sampleRate: sampleRate(),
      }),
    ),
    up: described(() =>
      z.discriminatedUnion('kind', [
        z.strictObject({ kind: z.literal('frame'), pcm: z.instanceof(Int16Array) }),
        z.strictObject({ kind: z.literal('call-off') }),
      ]),
    ),
    /** Sent once, when it may begin. */
    down: described(() => z.object({ kind: z.literal('open') })),
  },
};
