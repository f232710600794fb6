import { basename } from 'node:path';
import { requestIdentity } from '../../../shared/domain/speech/blocks.ts';
import { countCharacters } from '../../../shared/domain/speech/split-text.ts';
import { makeFailure } from '../../../shared/domain/failures/make-failure.ts';
import type { SpeechTake } from '../../../shared/domain/speech/speech-document.ts';
import type { Contract } from '../../../shared/ipc/contract.ts';
import type { Handlers, RequestOutput, StreamHandlers } from '../../../shared/ipc/derive.ts';
import { err, ok, type Result } from '../../../shared/result/result.ts';
import { filePort } from '../../platform/node/file-port.ts';
import { readPlainText, readSpeechText, speechTextExtensions } from '../../platform/node/read-speech-text.ts';
import type { StoredTake } from '../../services/speech/speech-store.ts';
import type { SpeechDocument } from '../../../shared/domain/speech/speech-document.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import { dialogWords } from '../words.ts';
import { choosePaths, chooseSavePath } from './choose-paths.ts';
import type { HandlerServices } from './handler-services.ts';

type SpeakHandlers = Pick<Handlers<Contract>, Extract<keyof Contract['requests'], `speak.${string}`>>;
type Opened = RequestOutput<Contract, 'speak.open'>;
type MediaTokens = HandlerServices['window']['mediaTokens'];

/** A take as the page may see it: its audio by a token, and nothing of its idempotency key. */
const shownTake = (
  take: StoredTake,
  workspace: Workspace,
  mediaTokens: MediaTokens,
): SpeechTake & { readonly mediaUrl: string | null } => {
  const { idempotencyKey: _key, generationId: _generation, requestId: _request, ...shown } = take;
  const { fileName, sizeBytes: _size, isHidden: _hidden, ...view } = shown;
  const sha256 = take.id;
  const path = workspace.speechTakes.pathOf({ fileName });
  return { ...view, mediaUrl: take.state === 'made' ? `/media/${mediaTokens.issue({ path, sha256 })}` : null };
};

export const speakHandlers = (services: HandlerServices): SpeakHandlers => {
  const { workspaces, keys, settings } = services;
  const { mediaTokens, fileTokens, windowOf, publishTake } = services.window;
  const resumed = new WeakSet<Workspace['speechTakes']>();
  const withWorkspace = async <T>(
    ask: (workspace: Workspace) => Promise<Result<T>> | Result<T>,
  ): Promise<Result<T>> => {
    const workspace = await workspaces.opened();
    return workspace.ok ? ask(workspace.value) : workspace;
  };

  const show = async (workspace: Workspace, document: SpeechDocument): Promise<Result<Opened>> => {
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
    return ok(
      structuredClone({
        document,
        documents: documents.value,
        takes: takes.value.map((take) => shownTake(take, workspace, mediaTokens)),
        pronunciations: pronunciations.value,
        voiceMarks: voiceMarks.value,
      }) as Opened,
    );
  };
  const done = <T>(result: Result<T>): Result<Record<never, never>> => (result.ok ? ok({}) : result);
  const keyRefused = (...texts: readonly string[]) =>
    texts.some((text) => keys.isInText(text)) ? err(makeFailure('E-237')) : null;

  return {
    'speak.open': async ({ documentId }) =>
      withWorkspace((workspace) => {
        const { interfaceLanguage: own } = settings.get();
        const document = workspace.speechDocuments.open(documentId, own === 'uz-Cyrl' ? 'uz' : own);
        return document.ok ? show(workspace, document.value) : document;
      }),
    'speak.create': async ({ defaults }) =>
      withWorkspace((workspace) => {
        const document = workspace.speechDocuments.create(defaults as SpeechDocument['defaults']);
        return document.ok ? show(workspace, document.value) : document;
      }),
    'speak.save': async ({ document }) =>
      keyRefused(document.text, document.title) ??
      withWorkspace(({ speechDocuments }) => done(speechDocuments.save(document as SpeechDocument))),
    'speak.remove': async ({ documentId }) =>
      withWorkspace(async ({ items }) => done(await items.trash([{ kind: 'speech', id: documentId }]))),
    'speak.findTakes': async ({ requests }) =>
      withWorkspace(async (workspace) => {
        const takes = await workspace.speechTakes.findByRequests(requests);
        return takes.ok ? ok({ takes: takes.value.map((take) => shownTake(take, workspace, mediaTokens)) }) : takes;
      }),
    'speak.voices': async () =>
      withWorkspace(async ({ speechDocuments }) => {
        const voices = await speechDocuments.voices();
        return voices.ok ? ok(structuredClone(voices.value) as RequestOutput<Contract, 'speak.voices'>) : voices;
      }),
    'speak.saveVoiceMarks': async (marks) =>
      withWorkspace(({ speechDocuments }) => done(speechDocuments.saveVoiceMarks(marks))),
    'speak.savePronunciations': async ({ pronunciations }) =>
      withWorkspace(({ speechDocuments }) => done(speechDocuments.savePronunciations(pronunciations as never))),
    'speak.readList': async (_, { windowId }) => {
      const words = dialogWords(settings.get().interfaceLanguage);
      const [path] = await choosePaths(windowOf(windowId), {
        title: words('files.chooseWords'),
        properties: ['openFile'],
        filters: [{ name: 'CSV', extensions: ['csv', 'txt'] }],
      });
      if (path === undefined) return ok({ file: null });
      const read = await readPlainText(path);
      return read.ok ? ok({ file: { name: basename(path), csv: read.value } }) : read;
    },
    'speak.writeList': async ({ csv }, { windowId }) => {
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
    'speak.history': async ({ search, beforeMs, limit, withRemote }) =>
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
          remote: remote.map((one) => ({ ...one })),
          hasMore,
          failure,
          texts: structuredClone(texts.value) as RequestOutput<Contract, 'speak.history'>['texts'],
        });
      }),
    'speak.download': async ({ remoteId }) =>
      withWorkspace(async (workspace) => {
        const take = await workspace.speechTakes.download(remoteId);
        return take.ok ? ok({ take: shownTake(take.value, workspace, mediaTokens) }) : take;
      }),
    'speak.hide': async ({ takeIds, isHidden }) =>
      withWorkspace(({ speechTakes }) => done(speechTakes.hide(takeIds, isHidden))),
    'speak.hideRemote': async ({ remoteId }) =>
      withWorkspace(async ({ speechTakes }) => done(await speechTakes.hideRemote(remoteId))),
    'speak.saveAudio': async ({ title, parts, format, as, withSubtitles, targetLufs }, { windowId }) =>
      withWorkspace<RequestOutput<Contract, 'speak.saveAudio'>>(async ({ speechTakes, saveSpeech }) => {
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
    'speak.importText': async ({ token }, { windowId }) => {
      const words = dialogWords(settings.get().interfaceLanguage);
      const [path] =
        token === null
          ? await choosePaths(windowOf(windowId), {
              title: words('files.chooseText'),
              properties: ['openFile'],
              filters: [{ name: words('files.texts'), extensions: [...speechTextExtensions] }],
            })
          : [fileTokens.resolve(windowId, token)];
      if (path === undefined) return ok({ imported: null });
      if (path === null) return err(makeFailure('E-010', { code: 'unknown_file' }));
      const read = await readSpeechText(path);
      return read.ok
        ? ok({ imported: { name: basename(path), ...read.value, cues: structuredClone(read.value.cues) as never } })
        : read;
    },
  };
};

export type SpeakStreamServices = Pick<HandlerServices, 'workspaces'> & {
  readonly window: Pick<HandlerServices['window'], 'mediaTokens' | 'paid' | 'publishTake'>;
};

/** Samples per message: a fifth of a second. */
const mostSamples = 4800;
/** One sentence is generated while the audio of the previous one is sent. */
const atOnce = 2;

/**
 * Generates the requested sentences. When the page finishes, nothing new is started; what is under way is kept and
 * published.
 */
export const speakStream =
  ({
    workspaces,
    window: { mediaTokens, paid, publishTake },
  }: SpeakStreamServices): StreamHandlers<Contract>['speak.generate'] =>
  async ({ orders, isNewTake, sendsAgain }, stream, context) => {
    const opened = await workspaces.opened();
    if (!opened.ok) return opened;
    const workspace = opened.value;
    const known = isNewTake ? ok([]) : await workspace.speechTakes.findByRequests(orders.map(({ request }) => request));
    if (!known.ok) return known;
    const made = new Set(known.value.filter(({ state }) => state === 'made').map(({ identity }) => identity));
    // The same content is sent once, unless another take of it is wanted.
    const asked = new Map(
      orders.map(({ blockId, request }) => [isNewTake ? blockId : requestIdentity(request), request]),
    );
    const rest = [...asked.values()].filter((request) => !made.has(requestIdentity(request)));
    if (rest.length > 0) {
      const admitted = await paid.start(context, {
        requests: rest.length,
        audioMs: 0,
        characters: rest.reduce((sum, { text }) => sum + countCharacters(text), 0),
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
            : { kind: 'failed', blockId, failure: take.ok ? makeFailure('E-230') : take.error },
        );
        // The window was closed or reloaded meanwhile.
        if (!wasSent && shown !== null) publishTake({ take: shown });
        // A lack of credits, of a key or of the connection stops all other sentences too.
        if (!take.ok && take.error.scope !== 'item') waiting.length = 0;
      }
    };
    await Promise.all(Array.from({ length: atOnce }, work));
    return ok(undefined);
  };

/** A title that was shortened ends without its ellipsis, and a sentence's full stop is not mistaken for an extension. */
const fileNameOf = (title: string): string =>
  title
    .replaceAll(/[\\/:*?"<>|\p{Cc}]/gu, ' ')
    .replaceAll(/[.…]+(?=\s|$)|[,;]…?$/gu, '')
    .trim() || 'speech';
