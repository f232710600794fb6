import { z } from 'zod';
import { lazySchema } from '../domain/lazy-schema.ts';
import { speechLanguages } from '../domain/languages.ts';
import { failure } from './schemas.ts';

const nothing = lazySchema(() => z.strictObject({}));
const done = lazySchema(() => z.object({}));
const ofModel = lazySchema(() => z.strictObject({ id: z.string().max(80) }));

/** A network for recognition on this computer, as its makers describe it, and how far it is here. */
const localModelView = lazySchema(() =>
  z.object({
    id: z.string(),
    name: z.string(),
    languages: z.array(z.enum(speechLanguages)),
    licence: z.string(),
    /** Who is contacted by `models.get`. */
    source: z.string(),
    bytes: z.number(),
    totalBytes: z.number(),
    bytesPerSecond: z.number().nullable(),
    memoryBytes: z.number(),
    leastMemoryBytes: z.number(),
    /** Words of a hundred that its makers counted as wrong. */
    wordErrors: z.array(z.object({ language: z.enum(speechLanguages), least: z.number(), most: z.number() })),
    hasPunctuation: z.boolean(),
    /** Seconds of work for a second of audio, once this computer has measured it. */
    measuredFactor: z.number().nullable(),
    state: z.enum(['absent', 'partial', 'downloading', 'checking', 'here', 'too-little-memory']),
    failure: failure().nullable(),
  }),
);
export type LocalModelView = z.output<ReturnType<typeof localModelView>>;

/** Requests about the networks that recognise speech on this computer. */
export const modelRequests = {
  'models.list': {
    input: nothing,
    output: lazySchema(() =>
      z.object({
        models: z.array(localModelView()),
        /** Files that were chosen and are none of a known model. */
        refused: z.array(
          z.object({
            name: z.string(),
            sha256: z.string(),
            /** Of a file that has this name. */
            published: z.string().nullable(),
            /** The file is right, and lacks another one of this name. */
            missing: z.string().nullable(),
          }),
        ),
        /** A model of the user's own choice is used for everything (`OVOZ_LOCAL_MODEL`). */
        hasOwn: z.boolean(),
      }),
    ),
  },
  /** Gets a model or goes on with it; `models.changed` reports the progress. */
  'models.get': { input: ofModel, output: done },
  /** What came stays. */
  'models.pause': { input: ofModel, output: done },
  /** Deletes what came, or the model. */
  'models.remove': { input: ofModel, output: done },
  /** Opens the system's dialog for files that came another way; null when it was cancelled. */
  'models.add': {
    input: nothing,
    output: lazySchema(() => z.object({ id: z.string().nullable(), foundCount: z.number() }).nullable()),
  },
  'models.dismissRefused': { input: nothing, output: done },
};
