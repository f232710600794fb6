import { z } from 'zod';
import { lazySchema } from '../domain/lazy-schema.ts';
import { modelStyles, writingStyles } from '../domain/dictation/clean-up.ts';
import type { TakeChange, TakeSummary } from '../domain/dictation/take-view.ts';
import type { WrittenPhrase } from '../domain/dictation/written-phrases.ts';
import { id, speechLanguage } from './schemas.ts';

const nothing = lazySchema(() => z.strictObject({}));
const done = lazySchema(() => z.object({}));
const ofTake = lazySchema(() => z.strictObject({ takeId: id() }));
/** Created only in main, so their content is not validated again. */
const summary = lazySchema(() =>
  z.custom<TakeSummary>((value) => typeof value === 'object' && value !== null && 'startedAtMs' in value),
);
const phrase = lazySchema(() =>
  z.custom<WrittenPhrase>((value) => typeof value === 'object' && value !== null && 'recognised' in value),
);

/**
 * Where dictation works. The key that starts it from any program `works`, belongs to another program (`taken`), or is
 * `off`. Other programs are `reached`, or the reason why not.
 */
export const dictationReach = {
  key: ['works', 'taken', 'off', 'no-keys'],
  programs: ['reached', 'no-xdotool', 'wayland', 'not-yet', 'no-keys'],
} as const;
const reach = lazySchema(() =>
  z.object({
    key: z.enum(dictationReach.key),
    canOverlay: z.boolean(),
    programs: z.enum(dictationReach.programs),
    /** Whether the system tells when its key is released, so that the key can be held in any program. */
    tellsRelease: z.boolean(),
    /** Whether the system reports the active keyboard layout. */
    tellsLayout: z.boolean(),
  }),
);
export type DictationReach = z.output<ReturnType<typeof reach>>;

/** Requests about takes; audio uses the stream `dictation.session`. */
export const dictationRequests = {
  /** All takes of this library, newest first. */
  'dictation.list': { input: nothing, output: lazySchema(() => z.object({ takes: z.array(summary()) })) },
  /** All replacements as a CSV at a path that the user chooses; null: cancelled. */
  'dictation.saveReplacements': {
    input: nothing,
    output: lazySchema(() => z.object({ savedAs: z.string().nullable() })),
  },
  'dictation.reach': { input: nothing, output: reach },
  /** Pastes a text into the focused field of the caller's window the way it is pasted into other programs. */
  'dictation.tryPaste': { input: lazySchema(() => z.strictObject({ text: z.string().min(1).max(200) })), output: done },
  'dictation.read': {
    input: ofTake,
    output: lazySchema(() =>
      z.object({
        summary: summary(),
        phrases: z.array(phrase()),
        /** Where its audio can be played; null when it is gone. */
        mediaToken: id().nullable(),
      }),
    ),
  },
  /** Sends again what is waiting, or one phrase, perhaps in another language. */
  'dictation.sendAgain': {
    input: lazySchema(() =>
      z.strictObject({
        takeId: id(),
        phrase: z.strictObject({ id: z.int().positive(), language: speechLanguage() }).nullable(),
      }),
    ),
    output: done,
  },
  'dictation.discard': {
    input: lazySchema(() => z.strictObject({ takeId: id(), phraseId: z.int().positive() })),
    output: done,
  },
  /** Takes back a discard: its text is there again, or it is sent. */
  'dictation.restore': {
    input: lazySchema(() => z.strictObject({ takeId: id(), phraseId: z.int().positive() })),
    output: done,
  },
  /** The user's text for a phrase; null restores the recognised one. */
  'dictation.edit': {
    input: lazySchema(() =>
      z.strictObject({ takeId: id(), phraseId: z.int().positive(), text: z.string().max(20_000).nullable() }),
    ),
    output: done,
  },
  /** Shows the user's own words of a phrase, or what clean-up made of them. */
  'dictation.showRaw': {
    input: lazySchema(() => z.strictObject({ takeId: id(), phraseId: z.int().positive(), isRaw: z.boolean() })),
    output: done,
  },
  /** Writes a phrase in another style; `sendsAgain`: even if an earlier try may have been charged. */
  'dictation.cleanUp': {
    input: lazySchema(() =>
      z.strictObject({
        takeId: id(),
        phraseId: z.int().positive(),
        style: z.enum(writingStyles),
        sendsAgain: z.boolean(),
      }),
    ),
    output: done,
  },
  /** The most that a long phrase can cost, in credits as decimal text; null: the prices are not known. */
  'dictation.cleanUpCost': {
    input: lazySchema(() => z.strictObject({ style: z.enum(modelStyles) })),
    output: lazySchema(() => z.object({ model: z.string(), credits: z.string().nullable() })),
  },
  'dictation.pin': { input: lazySchema(() => z.strictObject({ takeId: id(), isPinned: z.boolean() })), output: done },
  'dictation.delete': { input: ofTake, output: done },
  /** Makes a transcript of the library with the take's audio and the times of its words. */
  'dictation.saveDocument': {
    input: lazySchema(() => z.strictObject({ takeId: id(), name: z.string().min(1).max(200) })),
    output: lazySchema(() => z.object({ transcriptId: id() })),
  },
};

export const dictationEvents = {
  'dictation.changed': {
    payload: lazySchema(() =>
      z.custom<TakeChange>((value) => typeof value === 'object' && value !== null && 'takeId' in value),
    ),
  },
};
