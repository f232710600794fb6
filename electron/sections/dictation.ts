import { basename } from 'node:path';
import { makeFailure } from '../../shared/domain/failures/make-failure.ts';
import { toCsv } from '../../shared/domain/dictation/replacement-list.ts';
import { err, ok, type Result } from '../../shared/result/result.ts';
import type { DictationService } from '../services/dictation/dictation-service.ts';
import { chooseSavePath } from '../shell/choose-paths.ts';
import { translate } from '../shell/words.ts';
import { longestRewritten } from '../../shared/domain/dictation/rewriting.ts';
import { dictationModes } from '../../shared/domain/dictation/take-view.ts';
import { dictationRate } from '../../shared/domain/dictation/phrase-cutter.ts';
import { procedure, nothing, streamOf } from '../ipc/procedure.ts';
import { id, speechLanguage, type App } from './context.ts';
import { z } from 'zod';
import { isModelStyle, writingStyles, modelStyles, type WritingStyle } from '../../shared/domain/dictation/clean-up.ts';

const ofTake = z.strictObject({ takeId: id });
/** A stretch of phrases, written as a whole in one style. */
const whole = ofTake.extend({ style: z.enum(modelStyles), from: z.int().positive(), to: z.int().positive() });

const noSuchTake = makeFailure('deleted-at-service', { code: 'no_such_take', outcome: 'not_sent', layer: 'local' });

export function dictationProcedures({
  workspaces,
  settings,
  saveText,
  mediaTokens,
  dictationReach,
  tryPaste,
  windowOf,
  paid,
}: App) {
  const withTakes = <T>(work: (takes: DictationService) => Result<T>): Result<T> => {
    const workspace = workspaces.current();
    return workspace.ok ? work(workspace.value.dictation) : workspace;
  };
  const admit = async (
    caller: Parameters<typeof paid.start>[0],
    style: WritingStyle,
    count: (takes: DictationService) => number | null,
  ): Promise<Result<null>> => {
    const toSend = withTakes((takes) => ok(count(takes)));
    if (!toSend.ok) return toSend;
    if (toSend.value === null) return err(noSuchTake);
    if (toSend.value === 0) return ok(null);
    const characters = toSend.value;
    const workspace = workspaces.current();
    const estimate = async () => {
      const known = workspace.ok && isModelStyle(style) ? await workspace.value.cleanUp.cost(style, characters) : null;
      const price = known?.ok === true ? { usual: known.value.usual, most: known.value.credits } : undefined;
      return { requests: 1, audioMs: 0, characters, price, isRough: false };
    };
    const admitted = await paid.start(caller, estimate());
    if (!admitted.ok) return admitted;
    return admitted.value ? ok(null) : err(makeFailure('stopped', { code: 'cancelled', outcome: 'not_sent' }));
  };
  const did = (isDone: boolean): Result<Record<string, never>> => (isDone ? ok({}) : err(noSuchTake));
  return {
    'dictation.list': procedure(nothing, async () => {
      const workspace = workspaces.current();
      return workspace.ok ? ok({ takes: [...(await workspace.value.dictation.list())] }) : workspace;
    }),
    'dictation.read': procedure(ofTake, async ({ takeId }) =>
      withTakes((takes) => {
        const found = takes.read(takeId);
        if (found === null) return err(noSuchTake);
        const path = takes.audioPath(takeId);
        const mediaToken = path === null ? null : mediaTokens.issue({ path, sha256: `take-${takeId}` });
        return ok({ ...found, phrases: [...found.phrases], rewritings: [...found.rewritings], mediaToken });
      }),
    ),
    'dictation.sendAgain': procedure(
      z.strictObject({
        takeId: id,
        phrase: z.strictObject({ id: z.int().positive(), language: speechLanguage }).nullable(),
      }),
      async ({ takeId, phrase }) => withTakes((takes) => did(takes.sendAgain(takeId, phrase))),
    ),
    'dictation.discard': procedure(
      z.strictObject({ takeId: id, phraseId: z.int().positive() }),
      async ({ takeId, phraseId }) => withTakes((takes) => did(takes.discard(takeId, phraseId))),
    ),
    /** Takes back a discard: its text is there again, or it is sent. */
    'dictation.restore': procedure(
      z.strictObject({ takeId: id, phraseId: z.int().positive() }),
      async ({ takeId, phraseId }) => withTakes((takes) => did(takes.restore(takeId, phraseId))),
    ),
    /** The user's text for a phrase; null restores the recognised one. */
    'dictation.edit': procedure(
      z.strictObject({ takeId: id, phraseId: z.int().positive(), text: z.string().max(20_000).nullable() }),
      async ({ takeId, phraseId, text }) => withTakes((takes) => did(takes.edit(takeId, phraseId, text))),
    ),
    'dictation.showRaw': procedure(
      z.strictObject({ takeId: id, phraseId: z.int().positive(), isRaw: z.boolean() }),
      async ({ takeId, phraseId, isRaw }) => withTakes((takes) => did(takes.showRaw(takeId, phraseId, isRaw))),
    ),
    /** Writes a phrase in another style; `sendsAgain`: even if an earlier try may have been charged. */
    'dictation.cleanUp': procedure(
      z.strictObject({
        takeId: id,
        phraseId: z.int().positive(),
        style: z.enum(writingStyles),
        sendsAgain: z.boolean(),
      }),
      async ({ takeId, phraseId, style, sendsAgain }, caller) => {
        const admitted = await admit(caller, style, (takes) => takes.charactersToSend(takeId, phraseId, style));
        return admitted.ok ? withTakes((takes) => did(takes.cleanUp(takeId, phraseId, style, sendsAgain))) : admitted;
      },
    ),
    /** `sendsAgain`: even if an earlier try may have been charged. */
    'dictation.rewrite': procedure(
      whole.extend({ sendsAgain: z.boolean() }),
      async ({ takeId, style, from, to, sendsAgain }, caller) => {
        const admitted = await admit(caller, style, (takes) =>
          takes.rewriting.charactersToSend(takeId, style, { from, to }),
        );
        if (!admitted.ok) return admitted;
        return withTakes((takes) => did(takes.rewriting.start(takeId, style, { from, to }, sendsAgain)));
      },
    ),
    /** Null: the user's own words everywhere. */
    'dictation.showRewriting': procedure(
      ofTake.extend({ rewritingId: z.string().max(100).nullable() }),
      async ({ takeId, rewritingId }) => withTakes((takes) => did(takes.rewriting.show(takeId, rewritingId))),
    ),
    'dictation.editRewriting': procedure(
      ofTake.extend({ rewritingId: z.string().max(100), text: z.string().max(100_000).nullable() }),
      async ({ takeId, rewritingId, text }) =>
        withTakes((takes) => did(takes.rewriting.edit(takeId, rewritingId, text))),
    ),
    /** The most and a probable cost, in credits as decimal text; null: the prices are not known. */
    'dictation.cleanUpCost': procedure(
      z.strictObject({ style: z.enum(modelStyles), characters: z.int().min(1).max(longestRewritten) }),
      async ({ style, characters }) => {
        const workspace = workspaces.current();
        return workspace.ok ? workspace.value.cleanUp.cost(style, characters) : workspace;
      },
    ),
    'dictation.saveReplacements': procedure(nothing, async (_input, { windowId }) => {
      const { interfaceLanguage, replacements } = settings.get();
      const path = await chooseSavePath(windowOf(windowId), {
        title: translate(interfaceLanguage, 'dictation.replacements.export'),
        defaultPath: 'ovoz-replacements.csv',
        filters: [{ name: 'CSV', extensions: ['csv'] }],
      });
      if (path === null) return ok({ savedAs: null });
      // The byte order mark lets spreadsheets recognise UTF-8.
      const saved = await saveText(path, `\uFEFF${toCsv(replacements)}`);
      return saved.ok ? ok({ savedAs: basename(path) }) : saved;
    }),
    'dictation.reach': procedure(nothing, async () => ok(await dictationReach())),
    'dictation.tryPaste': procedure(
      z.strictObject({ text: z.string().min(1).max(200) }),
      async ({ text }, { windowId }) => {
        // Never into another program: nobody dictated this.
        await tryPaste(text, () => windowOf(windowId)?.isFocused() === true);
        return ok({});
      },
    ),
    'dictation.keep': procedure(ofTake.extend({ title: z.string().min(1).max(200) }), async ({ takeId, title }) =>
      withTakes((takes) => did(takes.keep(takeId, title))),
    ),
    'dictation.pin': procedure(z.strictObject({ takeId: id, isPinned: z.boolean() }), async ({ takeId, isPinned }) =>
      withTakes((takes) => did(takes.setPinned(takeId, isPinned))),
    ),
    'dictation.delete': procedure(ofTake, async ({ takeId }) => {
      const workspace = workspaces.current();
      if (!workspace.ok) return workspace;
      const trashed = await workspace.value.items.trash([{ kind: 'dictation', id: takeId }]);
      return trashed.ok ? ok({}) : trashed;
    }),
    'dictation.saveDocument': procedure(
      z.strictObject({ takeId: id, name: z.string().min(1).max(200) }),
      async ({ takeId, name }) => {
        const workspace = workspaces.current();
        return workspace.ok ? workspace.value.saveTake(takeId, name) : workspace;
      },
    ),
  };
}

/** Turns audio from a page into a take; it ends with the stream, however that ends. */
export const dictationStreams = ({ workspaces, settings, hearDictation, noteMicrophoneGone }: App) => ({
  /** Frames are numbered by their first sample. Everything sent by then is kept, also when the page is gone. */
  'dictation.session': streamOf<{ kind: 'started'; takeId: string; fromMs: number }>()(
    {
      usesMicrophone: true,
      open: z.strictObject({
        language: speechLanguage,
        mode: z.enum(dictationModes),
        device: z.string().max(300),
        continues: id.nullable(),
      }),
      up: z.discriminatedUnion('kind', [
        z.strictObject({
          kind: z.literal('frame'),
          at: z.int().nonnegative(),
          pcm: z.instanceof(Int16Array),
          speech: z.number().min(0).max(1).nullable(),
        }),
        z.strictObject({ kind: z.literal('language'), language: speechLanguage }),
        z.strictObject({ kind: z.literal('discard') }),
        z.strictObject({ kind: z.literal('gone'), device: z.string().max(300) }),
      ]),
    },
    async ({ mode, device, continues }, stream) => {
      const workspace = workspaces.current();
      if (!workspace.ok) return workspace;
      // The global key may just have chosen another language, by program or keyboard layout.
      const { storesNoTakes, dictationLanguage: language } = settings.get();
      const recording = workspace.value.dictation.start({
        language,
        mode,
        device,
        storesNothing: storesNoTakes,
        continues,
      });
      if (!recording.ok) return recording;
      const take = recording.value;
      let heard = 0;
      let lost = 0;
      try {
        await stream.send({ kind: 'started', takeId: take.takeId, fromMs: take.fromMs });
        for await (const message of stream.incoming) {
          if (message.kind === 'language') {
            take.setLanguage(message.language);
            continue;
          }
          if (message.kind === 'discard') {
            take.end(true);
            continue;
          }
          if (message.kind === 'gone') {
            noteMicrophoneGone(message.device);
            continue;
          }
          const { at, pcm, speech } = message;
          lost = Math.max(lost, at - heard);
          heard += pcm.length;
          hearDictation(pcm);
          take.push(new Uint8Array(pcm.buffer, pcm.byteOffset, pcm.byteLength), speech, (lost * 1000) / dictationRate);
        }
      } finally {
        take.end();
      }
      return ok(undefined);
    },
  ),
  'dictation.ready': streamOf<never>()(
    { usesMicrophone: true, open: nothing, up: z.never() },
    async (_options, stream) => {
      for await (const value of stream.incoming) void value;
      return ok(undefined);
    },
  ),
});
