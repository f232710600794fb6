import { choosePaths, chooseSavePath } from '../shell/choose-paths.ts';
import { basename } from 'node:path';
import { requestIdentity } from '../../shared/domain/speech/blocks.ts';
import { countCharacters } from '../../shared/domain/speech/split-text.ts';
import { makeFailure } from '../../shared/domain/failures/make-failure.ts';
import type { ShownTake, SpeechDocument } from '../../shared/domain/speech/speech-document.ts';
import type { Failure } from '../../shared/result/failure.ts';
import { err, ok, type Result } from '../../shared/result/result.ts';
import { filePort } from '../platform/node/export-disk.ts';
import { readPlainText, readSpeechText, speechTextExtensions } from '../platform/node/read-speech-text.ts';
import type { StoredTake } from '../services/speech/speech-file.ts';
import type { Workspace } from '../workspace/open-workspace.ts';
import { dialogWords } from '../shell/words.ts';
import { procedure, nothing, streamOf } from '../ipc/procedure.ts';
import { askOpened, id, fileToken, speechLanguage, type App } from './context.ts';
import { z } from 'zod';

const speed = z.number().min(0.5).max(2);
const pause = z.number().int().min(0).max(5000);
const voiceId = z.string().max(200);
const request = z.strictObject({
  text: z.string().max(20_000),
  language: speechLanguage,
  voiceId,
  speed,
});
const pronunciation = z.strictObject({
  written: z.string().max(200),
  spoken: z.string().max(500),
  matchCase: z.boolean(),
});
const pronunciations = z.partialRecord(speechLanguage, z.array(pronunciation).max(5000));
const defaults = z.strictObject({
  language: speechLanguage,
  voiceId,
  otherVoices: z.strictObject({
    uz: voiceId.optional(),
    ru: voiceId.optional(),
    en: voiceId.optional(),
  }),
  speed,
});
const speechDocument = z.strictObject({
  id,
  title: z.string().max(300),
  text: z.string().max(1_000_000),
  blocks: z
    .array(
      z.strictObject({
        id,
        text: z.string().max(20_000),
        endsParagraph: z.boolean(),
        language: speechLanguage.nullable(),
        voiceId: voiceId.nullable(),
        speed: speed.nullable(),
        pauseMs: pause.nullable(),
        breakMs: pause.nullish(),
        isLocked: z.boolean(),
        readAs: z.string().max(20_000).nullable(),
        takeId: id.nullable(),
        takeIds: z.array(id).max(10),
        slot: z.strictObject({ startMs: z.number().min(0), endMs: z.number().min(0) }).nullish(),
        comment: z.string().max(2000).nullish(),
      }),
    )
    .max(20_000),
  defaults,
  sentencePauseMs: pause,
  paragraphPauseMs: pause,
  pronunciations: z.array(pronunciation).max(5000),
});
const spokenPart = z.strictObject({
  takeId: id,
  pauseMs: pause,
  text: z.string().max(20_000),
  startMs: z.number().min(0).optional(),
  tempo: z.number().min(0.5).max(2).optional(),
  chapter: z.string().max(20_000).optional(),
});
const voiceMarks = z.strictObject({ favourites: z.array(voiceId).max(1000), recent: z.array(voiceId).max(20) });

const largeDocument = 16 * 1024 * 1024;

type MediaTokens = App['mediaTokens'];

/** A take as the page may see it: its audio by a token, and nothing of its idempotency key. */
const shownTake = (take: StoredTake, workspace: Workspace, mediaTokens: MediaTokens): ShownTake => {
  const { idempotencyKey: _key, generationId: _generation, requestId: _request, ...shown } = take;
  const { fileName, sizeBytes: _size, ...view } = shown;
  const sha256 = take.id;
  const path = workspace.speechTakes.pathOf({ fileName });
  return { ...view, mediaUrl: take.state === 'made' ? `/media/${mediaTokens.issue({ path, sha256 })}` : null };
};

export const speakProcedures = (app: App) => {
  const { workspaces, keys, settings } = app;
  const { mediaTokens, fileTokens, windowOf, publishTake } = app;
  const resumed = new WeakSet<Workspace['speechTakes']>();
  const withWorkspace = askOpened(workspaces, (workspace) => workspace);

  const show = async (workspace: Workspace, document: SpeechDocument) => {
    const { speechDocuments, speechTakes } = workspace;
    const documents = speechDocuments.list();
    if (!documents.ok) return documents;
    const takes = await speechTakes.findByIds([...new Set(document.blocks.flatMap(({ takeIds }) => takeIds))]);
    if (!takes.ok) return takes;
    const pronunciations = speechDocuments.pronunciations();
    if (!pronunciations.ok) return pronunciations;
    const voiceMarks = speechDocuments.voiceMarks();
    if (!voiceMarks.ok) return voiceMarks;
    // A user had requested what a crash left unanswered; repeated under the same key or not at all, it is charged once.
    if (!resumed.has(speechTakes)) {
      resumed.add(speechTakes);
      void speechTakes.resume((take) => publishTake({ take: shownTake(take, workspace, mediaTokens) }));
    }
    return ok({
      document,
      documents: documents.value,
      takes: takes.value.map((take) => shownTake(take, workspace, mediaTokens)),
      pronunciations: pronunciations.value,
      voiceMarks: voiceMarks.value,
    });
  };
  const done = <T>(result: Result<T>): Result<Record<never, never>> => (result.ok ? ok({}) : result);
  const keyRefused = (...texts: readonly string[]) =>
    texts.some((text) => keys.isInText(text)) ? err(makeFailure('key-in-text')) : null;

  return {
    /** The given text, by default the last changed one, with the takes of its blocks. */
    'speak.open': procedure(z.strictObject({ documentId: id.nullable() }), async ({ documentId }) =>
      withWorkspace((workspace) => {
        const { interfaceLanguage: own } = settings.get();
        const document = workspace.speechDocuments.open(documentId, own === 'uz-Cyrl' ? 'uz' : own);
        return document.ok ? show(workspace, document.value) : document;
      }),
    ),
    'speak.create': procedure(z.strictObject({ defaults }), async ({ defaults }) =>
      withWorkspace((workspace) => {
        const document = workspace.speechDocuments.create(defaults as SpeechDocument['defaults']);
        return document.ok ? show(workspace, document.value) : document;
      }),
    ),
    'speak.save': procedure(
      z.strictObject({ document: speechDocument }),
      async ({ document }) =>
        keyRefused(document.text, document.title) ??
        withWorkspace(({ speechDocuments }) => done(speechDocuments.save(document as SpeechDocument))),
      { maxInputBytes: largeDocument },
    ),
    'speak.remove': procedure(z.strictObject({ documentId: id }), async ({ documentId }) =>
      withWorkspace(async ({ items }) => done(await items.trash([{ kind: 'speech', id: documentId }]))),
    ),
    'speak.findTakes': procedure(
      z.strictObject({ requests: z.array(request).max(20_000) }),
      async ({ requests }) =>
        withWorkspace(async (workspace) => {
          const takes = await workspace.speechTakes.findByRequests(requests);
          return takes.ok ? ok({ takes: takes.value.map((take) => shownTake(take, workspace, mediaTokens)) }) : takes;
        }),
      { maxInputBytes: largeDocument },
    ),
    'speak.voices': procedure(nothing, async () => withWorkspace(({ speechDocuments }) => speechDocuments.voices())),
    'speak.saveVoiceMarks': procedure(voiceMarks, async (marks) =>
      withWorkspace(({ speechDocuments }) => done(speechDocuments.saveVoiceMarks(marks))),
    ),
    'speak.savePronunciations': procedure(
      z.strictObject({ pronunciations }),
      async ({ pronunciations }) =>
        withWorkspace(({ speechDocuments }) => done(speechDocuments.savePronunciations(pronunciations))),
      { maxInputBytes: largeDocument },
    ),
    /** A list of words from a file chosen in the system's dialog; null: cancelled. */
    'speak.readList': procedure(nothing, async (_, { windowId }) => {
      const words = dialogWords(settings.get().interfaceLanguage);
      const [path] = await choosePaths(windowOf(windowId), {
        title: words('files.chooseWords'),
        properties: ['openFile'],
        filters: [{ name: 'CSV', extensions: ['csv', 'txt'] }],
      });
      if (path === undefined) return ok({ file: null });
      const read = await readPlainText(path);
      return read.ok ? ok({ file: { name: basename(path), csv: read.value } }) : read;
    }),
    /** Writes a list of words to a file chosen in the system's dialog; `savedAs` is null when that was cancelled. */
    'speak.writeList': procedure(
      z.strictObject({ csv: z.string().max(8_000_000) }),
      async ({ csv }, { windowId }) => {
        const path = await chooseSavePath(windowOf(windowId), {
          title: dialogWords(settings.get().interfaceLanguage)('files.saveWords'),
          defaultPath: 'pronunciation.csv',
          filters: [{ name: 'CSV', extensions: ['csv'] }],
        });
        if (path === null) return ok({ savedAs: null, revealToken: null });
        // The byte order mark lets spreadsheets recognise UTF-8.
        const written = await filePort.writeWhole(path, `\uFEFF${csv}`);
        if (!written.ok) return written;
        return ok({ savedAs: basename(path), revealToken: fileTokens.issue(windowId, path) });
      },
      { maxInputBytes: largeDocument },
    ),
    /** Newest first; `remote` has what exists only at the service. */
    'speak.history': procedure(
      z.strictObject({
        search: z.string().max(300),
        beforeMs: z.number().nullable(),
        limit: z.number().int().min(1).max(200),
        withRemote: z.boolean(),
      }),
      async ({ search, beforeMs, limit, withRemote }) =>
        withWorkspace(async (workspace) => {
          const { speechTakes } = workspace;
          const found = await speechTakes.history(search, beforeMs, limit, withRemote);
          if (!found.ok) return found;
          const { remote, hasMore, failure } = found.value;
          const texts = workspace.speechDocuments.textsWith(new Set(found.value.takes.map(({ id }) => id)));
          if (!texts.ok) return texts;
          // A found text can be played completely.
          const heard = await speechTakes.findByIds(
            texts.value.flatMap(({ parts }) => parts.map(({ takeId }) => takeId)),
          );
          if (!heard.ok) return heard;
          const takes = new Map([...heard.value, ...found.value.takes].map((take) => [take.id, take]));
          return ok({
            takes: [...takes.values()]
              .filter(({ state }) => state === 'made')
              .toSorted((one, other) => other.createdAtMs - one.createdAtMs)
              .map((take) => shownTake(take, workspace, mediaTokens)),
            remote,
            hasMore,
            failure,
            texts: texts.value,
          });
        }),
    ),
    'speak.download': procedure(z.strictObject({ remoteId: z.string().max(200) }), async ({ remoteId }) =>
      withWorkspace(async (workspace) => {
        const take = await workspace.speechTakes.download(remoteId);
        return take.ok ? ok({ take: shownTake(take.value, workspace, mediaTokens) }) : take;
      }),
    ),
    'speak.hide': procedure(
      z.strictObject({ takeIds: z.array(id).min(1).max(1000), isHidden: z.boolean() }),
      async ({ takeIds, isHidden }) => withWorkspace(({ speechTakes }) => done(speechTakes.hide(takeIds, isHidden))),
    ),
    'speak.hideRemote': procedure(z.strictObject({ remoteId: z.string().max(200) }), async ({ remoteId }) =>
      withWorkspace(async ({ speechTakes }) => done(await speechTakes.hideRemote(remoteId))),
    ),
    /** `quietestLufs`: of the files that stayed below the target, because their peaks are too high for it. */
    'speak.saveAudio': procedure(
      z.strictObject({
        title: z.string().max(300),
        parts: z.array(spokenPart).min(1).max(20_000),
        format: z.enum(['wav', 'mp3', 'ogg', 'flac', 'm4a']),
        as: z.enum(['one', 'files', 'zip', 'chapters']),
        withSubtitles: z.boolean(),
        targetLufs: z.number().min(-40).max(-5).nullable(),
      }),
      async ({ title, parts, format, as, withSubtitles, targetLufs }, { windowId }) =>
        withWorkspace<{
          savedAs: string | null;
          subtitlesAs: string | null;
          revealToken: string | null;
          quietestLufs: number | null;
        }>(async ({ speechTakes, saveSpeech }) => {
          const found = await speechTakes.findByIds([...new Set(parts.map(({ takeId }) => takeId))]);
          if (!found.ok) return found;
          const paths = new Map(found.value.map((take) => [take.id, speechTakes.pathOf(take)]));
          const spoken = parts.flatMap(({ takeId, ...part }) => {
            const path = paths.get(takeId);
            return path === undefined ? [] : [{ path, ...part }];
          });
          const extension = as === 'files' ? null : as === 'one' ? format : 'zip';
          const name = fileNameOf(title);
          const path = await chooseSavePath(windowOf(windowId), {
            title: dialogWords(settings.get().interfaceLanguage)('files.saveSpeech'),
            defaultPath: extension === null ? name : `${name}.${extension}`,
            filters: extension === null ? [] : [{ name: extension.toUpperCase(), extensions: [extension] }],
          });
          if (path === null) return ok({ savedAs: null, subtitlesAs: null, revealToken: null, quietestLufs: null });
          const made = await saveSpeech(path, spoken, { format, as, withSubtitles, targetLufs });
          if (!made.ok) return made;
          const { path: savedTo, subtitlesPath, quietestLufs } = made.value;
          return ok({
            savedAs: basename(savedTo),
            subtitlesAs: subtitlesPath === null ? null : basename(subtitlesPath),
            revealToken: fileTokens.issue(windowId, savedTo),
            quietestLufs,
          });
        }),
      { maxInputBytes: largeDocument },
    ),
    /** Reads a text from a dropped file, or from one chosen in the system's dialog. Null: cancelled. */
    'speak.importText': procedure(z.strictObject({ token: fileToken.nullable() }), async ({ token }, { windowId }) => {
      const words = dialogWords(settings.get().interfaceLanguage);
      const [path] =
        token === null
          ? await choosePaths(windowOf(windowId), {
              title: words('files.chooseText'),
              properties: ['openFile'],
              filters: [{ name: words('files.texts'), extensions: speechTextExtensions }],
            })
          : [fileTokens.resolve(windowId, token)];
      if (path === undefined) return ok({ imported: null });
      if (path === null) return err(makeFailure('file-unreadable', { code: 'unknown_file' }));
      const read = await readSpeechText(path);
      return read.ok ? ok({ imported: { name: basename(path), ...read.value } }) : read;
    }),
  };
};

/** Samples per message: a fifth of a second. */
const mostSamples = 4800;
/** One sentence is generated while the audio of the previous one is sent. */
const atOnce = 2;

export const speakStreams = ({ workspaces, mediaTokens, paid, publishTake }: App) => ({
  /** When the page finishes, nothing new is started; what is under way is kept and published. */
  'speak.generate': streamOf<
    | { kind: 'begun'; blockId: string }
    | { kind: 'sound'; blockId: string; pcm: Int16Array }
    | { kind: 'made'; blockId: string; take: ShownTake }
    | { kind: 'failed'; blockId: string; failure: Failure }
  >()(
    {
      open: z.strictObject({
        orders: z
          .array(z.strictObject({ blockId: id, request }))
          .min(1)
          .max(20_000),
        isNewTake: z.boolean(),
        sendsAgain: z.boolean(),
      }),
      up: nothing,
    },
    async ({ orders, isNewTake, sendsAgain }, stream, context) => {
      const opened = await workspaces.opened();
      if (!opened.ok) return opened;
      const workspace = opened.value;
      const known = isNewTake
        ? ok([])
        : await workspace.speechTakes.findByRequests(orders.map(({ request }) => request));
      if (!known.ok) return known;
      const made = new Set(known.value.filter(({ state }) => state === 'made').map(({ identity }) => identity));
      // The same content is sent once, unless another take of it is wanted.
      const asked = new Map(
        orders.map(({ blockId, request }) => [isNewTake ? blockId : requestIdentity(request), request]),
      );
      const rest = [...asked.values()].filter((request) => !made.has(requestIdentity(request)));
      if (rest.length > 0) {
        const characters = rest.reduce((sum, { text }) => sum + countCharacters(text), 0);
        const usual = workspace.ledger.expectedCredits('speak.generate', { characters });
        const admitted = await paid.start(context, {
          requests: rest.length,
          audioMs: 0,
          characters,
          isByCharacters: true,
          price: { usual, most: null },
          isRough: false,
        });
        if (!admitted.ok) return admitted;
        if (!admitted.value) return ok(undefined);
      }
      const waiting = [...orders];
      let isStopped = false;
      const awaitStop = async () => {
        for await (const _ of stream.incoming);
        isStopped = true;
      };
      void awaitStop();
      const work = async (): Promise<void> => {
        for (let order = waiting.shift(); order !== undefined; order = waiting.shift()) {
          if (isStopped || stream.signal.aborted) return;
          const { blockId, request } = order;
          if (!(await stream.send({ kind: 'begun', blockId }))) return;
          let sending: Promise<unknown> = Promise.resolve();
          const take = await workspace.speechTakes.generate(request, {
            isNewTake,
            sendsAgain,
            onAudio(pcm) {
              if (isStopped) return;
              for (let at = 0; at < pcm.length; at += mostSamples) {
                const part = pcm.slice(at, at + mostSamples);
                sending = sending.then(() => stream.send({ kind: 'sound', blockId, pcm: part }));
              }
            },
          });
          await sending;
          const shown = take.ok ? shownTake(take.value, workspace, mediaTokens) : null;
          const wasSent = await stream.send(
            take.ok && shown !== null
              ? { kind: 'made', blockId, take: shown }
              : { kind: 'failed', blockId, failure: take.ok ? makeFailure('internal-error') : take.error },
          );
          // The window was closed or reloaded meanwhile.
          if (!wasSent && shown !== null) publishTake({ take: shown });
          // A lack of credits, of a key or of the connection stops all other sentences too.
          if (!take.ok && take.error.scope !== 'item') waiting.length = 0;
        }
      };
      await Promise.all(Array.from({ length: atOnce }, work));
      return ok(undefined);
    },
  ),
});

/** A title that was shortened ends without its ellipsis, and a sentence's full stop is not mistaken for an extension. */
const fileNameOf = (title: string): string =>
  title
    .replaceAll(/[\\/:*?"<>|\p{Cc}]/gu, ' ')
    .replaceAll(/[.…]+(?=\s|$)|[,;]…?$/gu, '')
    .trim() || 'speech';
