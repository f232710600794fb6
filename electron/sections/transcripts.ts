import { costsOfPhrases } from '../services/account/ledger.ts';
import { addAmounts } from '../../shared/domain/ledger/paid-action.ts';
import { access, constants } from 'node:fs/promises';
import { basename } from 'node:path';
import { makeFailure } from '../../shared/domain/failures/make-failure.ts';
import { textExtensions } from '../../shared/domain/imports/read-subtitles.ts';
import { isVideoName } from '../../shared/domain/media/follow-picture.ts';
import { mostOpenedTranscripts } from '../../shared/domain/settings/left-places.ts';
import { estimateAudio } from '../../shared/domain/spend/spend-limit.ts';
import { packedChange } from '../../shared/domain/transcript/packed.ts';
import type { Failure } from '../../shared/result/failure.ts';
import { err, ok } from '../../shared/result/result.ts';
import type { TranscriptRecord, TranscriptService } from '../services/transcripts/transcript-service.ts';
import type { ImportedTranscript } from '../services/transcripts/import-transcript.ts';
import { noRecording } from '../services/media/audio-extractor.ts';
import { offeredMs } from '../services/library-items/deletion.ts';
import { chooseRecording, choosePaths, showRecording } from '../shell/choose-paths.ts';
import { importWords, recordingWords } from '../shell/words.ts';
import { readTextFile } from '../platform/node/read-speech-text.ts';
import { procedure, nothing } from '../ipc/procedure.ts';
import { askOpened, fileToken, id, speechLanguage, type App } from './context.ts';
import { z } from 'zod';

interface Media {
  /** A same-origin address of the recording (`/media/<token>`), or null when the file can't be found any more. */
  readonly mediaUrl: string | null;
  readonly mediaToken: string | null;
  /** The recording where it is a video; a page may find that it can't show it. */
  readonly pictureUrl: string | null;
  readonly mediaFailure: Failure | null;
}

export const transcriptProcedures = (app: App) => {
  const { workspaces, keys, settings, fileTokens, mediaTokens, textParts, paid, windowOf } = app;

  const withTranscripts = askOpened(workspaces, (workspace) => workspace.transcripts);

  const withDeletion = askOpened(workspaces, (workspace) => workspace.deletion);

  const mediaOf = async (
    transcripts: TranscriptService,
    { id, mediaPath, mediaSha256, sourceName, recordingPath }: TranscriptRecord,
  ): Promise<Media> => {
    if (!(await isReadable(mediaPath))) {
      const code = await whyUnreadable(transcripts, id, mediaPath);
      const mediaFailure = makeFailure('file-unreadable', {
        ...(code === null ? {} : { code }),
        params: { name: sourceName },
      });
      return { mediaUrl: null, mediaToken: null, pictureUrl: null, mediaFailure };
    }
    const mediaToken = mediaTokens.issue({ path: mediaPath, sha256: mediaSha256 });
    const isVideo = recordingPath !== null && recordingPath !== mediaPath && isVideoName(recordingPath);
    const pictureUrl =
      isVideo && (await isReadable(recordingPath))
        ? `/media/${mediaTokens.issue({ path: recordingPath, sha256: mediaSha256 })}`
        : null;
    return { mediaUrl: `/media/${mediaToken}`, mediaToken, pictureUrl, mediaFailure: null };
  };

  return {
    /**
     * Imports subtitles, texts and JSON into the library, with the recording next to each: the dropped ones, or, for
     * null, those chosen in the dialog that it opens.
     */
    'transcripts.import': procedure(
      z.strictObject({
        tokens: z.array(fileToken).max(10_000).nullable(),
        addsRepeats: z.boolean().optional(),
      }),
      async ({ tokens, addsRepeats = false }, { windowId }) => {
        const library = await workspaces.opened();
        if (!library.ok) return library;
        const words = importWords(settings.get().interfaceLanguage);
        const dropped = tokens?.flatMap((token) => fileTokens.resolve(windowId, token) ?? []);
        const paths =
          dropped ??
          (await choosePaths(windowOf(windowId), {
            title: words.title,
            properties: ['openFile', 'multiSelections'],
            filters: [
              { name: words.texts, extensions: textExtensions },
              { name: words.allFiles, extensions: ['*'] },
            ],
          }));
        const imported: (ImportedTranscript & { name: string; recordingName?: string })[] = [];
        const refused: { name: string; failure: Failure }[] = [];
        const repeated: { name: string; token: string }[] = [];
        for (const path of paths) {
          const name = basename(path);
          const read = await readTextFile(path);
          const made = read.ok
            ? await library.value.importTranscript({
                ...read.value,
                language: settings.get().speechLanguage,
                skipsRepeats: !addsRepeats,
              })
            : read;
          const recordingPath = read.ok ? read.value.mediaPath : null;
          const beside = recordingPath === null ? {} : { recordingName: basename(recordingPath) };
          if (made.ok) imported.push({ ...made.value, ...beside, name });
          else if (made.error.kind === 'already-in-queue')
            repeated.push({ name, token: fileTokens.issue(windowId, path) });
          else refused.push({ name, failure: made.error });
        }
        return ok({ imported, refused, repeated });
      },
    ),
    'transcripts.open': procedure(z.strictObject({ transcriptId: id }), async ({ transcriptId }, { windowId }) =>
      withTranscripts(async (transcripts) => {
        const opened = await transcripts.open(transcriptId);
        if (!opened.ok) return opened;
        const { id, title, sourceName, createdAtMs, isPractice, isAtService, madeBy, transcript, revision, parts } =
          opened.value;
        const media = await mediaOf(transcripts, opened.value);
        const rest = parts.length === 0 ? null : { token: textParts.keep(windowId, parts), partCount: parts.length };
        const library = await workspaces.opened();
        const replaced = library.ok ? library.value.isolation.recordings.isReplaced(id) : library;
        const playsIsolated = replaced.ok && replaced.value;
        const others = settings.get().openedTranscripts.filter((one) => one.id !== id);
        settings.update({ openedTranscripts: [{ id, atMs: Date.now() }, ...others].slice(0, mostOpenedTranscripts) });
        return ok({
          id,
          title,
          sourceName,
          createdAtMs,
          isPractice,
          isAtService,
          madeBy,
          transcript,
          revision,
          rest,
          recordingName: nameOf(opened.value),
          playsIsolated,
          ...media,
        });
      }),
    ),
    'transcripts.readOn': procedure(
      z.strictObject({ token: id, part: z.number().int().min(0).max(100_000) }),
      async ({ token, part }, { windowId }) => {
        const segments = textParts.take(windowId, token, part);
        return segments === null
          ? err(makeFailure('deleted-at-service', { code: 'unknown_transcript' }))
          : ok({ segments: new TextDecoder().decode(segments) });
      },
    ),
    /** The deletable transcripts, newest first, without their words. */
    'transcripts.list': procedure(nothing, async () => {
      const library = await workspaces.opened();
      if (!library.ok) return library;
      const listed = library.value.deletion.list();
      if (!listed.ok) return listed;
      const credits = library.value.ledger.creditsByRemoteId();
      const openedAt = new Map(settings.get().openedTranscripts.map(({ id, atMs }) => [id, atMs]));
      const transcripts = listed.value.map(({ jobId: _jobId, remoteId, ...line }) => ({
        ...line,
        openedAtMs: openedAt.get(line.id) ?? null,
        credits: credits.get(remoteId ?? '') ?? null,
      }));
      return ok({ transcripts });
    }),
    /** Deleted for good some time after `undoMs` have passed, or when the app quits. */
    'transcripts.delete': procedure(
      z.strictObject({ transcriptId: id, atService: z.boolean() }),
      async ({ transcriptId, atService }) =>
        withDeletion(async (deletion) => {
          const removed = await deletion.remove(transcriptId, atService);
          return removed.ok ? ok({ undoMs: offeredMs }) : removed;
        }),
    ),
    'transcripts.restore': procedure(z.strictObject({ transcriptId: id }), async ({ transcriptId }) =>
      withDeletion(async (deletion) => {
        const restored = await deletion.restore(transcriptId);
        return restored.ok ? ok({ isRestored: restored.value }) : restored;
      }),
    ),
    /** `revision` is null when the text has another one by now: nothing was saved. */
    'transcripts.edit': procedure(
      z.strictObject({
        transcriptId: id,
        baseRevision: z.number().int().nonnegative(),
        edits: z
          .array(z.strictObject({ label: z.string().min(1).max(64), change: packedChange() }))
          .min(1)
          .max(2_000),
      }),
      async ({ transcriptId, baseRevision, edits }) => {
        const library = await workspaces.opened();
        if (!library.ok) return library;
        if (keys.isInText(JSON.stringify(edits))) return err(makeFailure('key-in-text'));
        const atMs = Date.now();
        const { transcripts, sync } = library.value;
        const saved = transcripts.edit(
          transcriptId,
          baseRevision,
          edits.map((edit) => ({ ...edit, atMs })),
        );
        if (saved.ok && saved.value !== null) sync.edited(transcriptId);
        return saved.ok ? ok({ revision: saved.value }) : saved;
      },
      { maxInputBytes: 64 * 1024 * 1024 },
    ),
    'transcripts.sync': procedure(
      z.strictObject({ transcriptId: id, sends: z.boolean() }),
      async ({ transcriptId, sends }) => {
        const library = await workspaces.opened();
        if (!library.ok) return library;
        if (sends) library.value.sync.edited(transcriptId);
        return ok(library.value.sync.describe(transcriptId));
      },
    ),
    /** `base` turns the text into the last one that both had; null: that is not known. */
    'transcripts.atService': procedure(z.strictObject({ transcriptId: id }), async ({ transcriptId }) => {
      const library = await workspaces.opened();
      return library.ok ? library.value.sync.atService(transcriptId) : library;
    }),
    'transcripts.replaceAtService': procedure(
      z.strictObject({ transcriptId: id, remoteRevision: z.number().int().nonnegative() }),
      async ({ transcriptId, remoteRevision }) => {
        const library = await workspaces.opened();
        return library.ok ? library.value.sync.replace(transcriptId, remoteRevision) : library;
      },
    ),
    /** What can be undone of the edits before this run of the app, for the text as of `revision`. */
    'transcripts.steps': procedure(z.strictObject({ transcriptId: id }), async ({ transcriptId }) =>
      withTranscripts(async (transcripts) => {
        const found = await transcripts.steps(transcriptId);
        return found.ok ? ok({ revision: found.value.revision, steps: [...found.value.steps] }) : found;
      }),
    ),
    'transcripts.versions': procedure(z.strictObject({ transcriptId: id }), async ({ transcriptId }) =>
      withTranscripts(async (transcripts) => {
        const found = await transcripts.versions(transcriptId);
        return found.ok ? ok({ versions: [...found.value] }) : found;
      }),
    ),
    'transcripts.version': procedure(
      z.strictObject({ transcriptId: id, revision: z.number().int().nonnegative() }),
      async ({ transcriptId, revision }) =>
        withTranscripts(async (transcripts) => {
          const found = await transcripts.version(transcriptId, revision);
          return found.ok ? ok({ ofRevision: found.value.ofRevision, change: found.value.change }) : found;
        }),
    ),
    'transcripts.nameVersion': procedure(
      z.strictObject({
        transcriptId: id,
        revision: z.number().int().positive(),
        name: z.string().trim().min(1).max(120).nullable(),
      }),
      async ({ transcriptId, revision, name }) =>
        name !== null && keys.isInText(name)
          ? err(makeFailure('key-in-text'))
          : withTranscripts(async (transcripts) => {
              const named = transcripts.nameVersion(transcriptId, revision, name);
              return named.ok ? ok({}) : named;
            }),
    ),
    /** `pcm`: null only asks for an earlier result. Times of words are of the recording. */
    'transcripts.listenAgain': procedure(
      z.strictObject({
        transcriptId: id,
        startMs: z.number().int().nonnegative(),
        endMs: z.number().int().positive(),
        language: speechLanguage,
        pcm: z.instanceof(Uint8Array).nullable(),
      }),
      async ({ pcm, ...asked }, asker) => {
        const library = await workspaces.opened();
        if (!library.ok) return library;
        const { listenAgain, ledger } = library.value;
        const kept = listenAgain.kept(asked);
        if (!kept.ok) return kept;
        const answer = ({ words, paidIds }: NonNullable<typeof kept.value>) => {
          const costs = costsOfPhrases(ledger, 'transcribe');
          const paid = paidIds.map((id) => costs.get(id));
          const credits = paid.length > 0 && paid.every((cost) => cost !== undefined) ? addAmounts(paid) : null;
          return ok({ words: [...words], credits });
        };
        if (kept.value !== null) return answer(kept.value);
        if (pcm === null) return ok({ words: null, credits: null });
        const admitted = await paid.start(asker, estimateAudio('listen', [asked.endMs - asked.startMs]));
        if (!admitted.ok) return admitted;
        if (!admitted.value) return ok({ words: null, credits: null });
        const heard = await listenAgain.listen(asked, pcm);
        return heard.ok ? answer(heard.value) : heard;
      },
      { maxInputBytes: 2 * 1024 * 1024 },
    ),
    'transcripts.rename': procedure(
      z.strictObject({ transcriptId: id, title: z.string().min(1).max(300) }),
      async ({ transcriptId, title }) =>
        keys.isInText(title)
          ? err(makeFailure('key-in-text'))
          : withTranscripts((transcripts) => transcripts.rename(transcriptId, title)),
    ),
    /** Sets the language of texts, all or up to the first unknown one (deleted-at-service). */
    'transcripts.setLanguage': procedure(
      z.strictObject({
        languages: z
          .array(z.strictObject({ id, language: speechLanguage }))
          .min(1)
          .max(10_000),
      }),
      async ({ languages }) =>
        withTranscripts(async (transcripts) => {
          for (const { id, language } of languages) {
            const set = transcripts.setLanguage(id, language);
            if (!set.ok) return set;
          }
          return ok({});
        }),
    ),
    /** For null, the one chosen in the dialog. Checks the content hash. */
    'transcripts.locateMedia': procedure(
      z.strictObject({ transcriptId: id, token: fileToken.nullable() }),
      async ({ transcriptId, token }, { windowId }) =>
        withTranscripts(async (transcripts) => {
          const path =
            token === null
              ? await chooseRecording(windowOf(windowId), recordingWords(settings.get().interfaceLanguage))
              : fileTokens.resolve(windowId, token);
          const nothing = { mediaUrl: null, mediaToken: null, pictureUrl: null, recordingName: null };
          const failure = token === null ? null : makeFailure('file-unreadable', { code: 'unknown_file' });
          if (path === null) return ok({ ...nothing, failure });
          const moved = await transcripts.relocateMedia(transcriptId, path);
          if (!moved.ok) return ok({ ...nothing, failure: moved.error });
          const opened = transcripts.find(transcriptId);
          if (!opened.ok) return opened;
          const { mediaFailure, ...media } = await mediaOf(transcripts, opened.value);
          return ok({ ...media, recordingName: nameOf(opened.value), failure: mediaFailure });
        }),
    ),
    /** The text is at least as long from now on. Null when neither main nor the player knows. */
    'transcripts.measureRecording': procedure(
      z.strictObject({ transcriptId: id, heardMs: z.number().positive().nullable() }),
      async ({ transcriptId, heardMs }) =>
        withTranscripts(async (transcripts) => {
          const measured = await transcripts.measureRecording(transcriptId, heardMs);
          return measured.ok ? ok({ recordingMs: measured.value }) : measured;
        }),
    ),
    /** Shows the recording in the system's file manager; file-unreadable when it is gone. */
    'transcripts.showRecording': procedure(z.strictObject({ transcriptId: id }), async ({ transcriptId }) =>
      withTranscripts(async (transcripts) => {
        const found = transcripts.find(transcriptId);
        if (!found.ok) return found;
        const { recordingPath, mediaPath } = found.value;
        // A video that is gone has left its audio.
        const shown = recordingPath === null ? null : await showRecording(recordingPath);
        return shown?.ok === true ? shown : showRecording(mediaPath);
      }),
    ),
    /**
     * The audio extracted from a video was removed and can be extracted again (`mediaFailure` of code `sound_removed`).
     */
    'transcripts.takeSoundAgain': procedure(z.strictObject({ transcriptId: id }), async ({ transcriptId }) =>
      withTranscripts(async (transcripts) => {
        const taken = await transcripts.takeSoundAgain(transcriptId);
        if (!taken.ok) return taken;
        const opened = transcripts.find(transcriptId);
        if (!opened.ok) return opened;
        const { mediaUrl, mediaToken, pictureUrl } = await mediaOf(transcripts, opened.value);
        return ok({ mediaUrl, mediaToken, pictureUrl });
      }),
    ),
  };
};

const isReadable = (path: string): Promise<boolean> =>
  access(path, constants.R_OK).then(
    () => true,
    () => false,
  );

const nameOf = ({ recordingPath }: TranscriptRecord): string | null =>
  recordingPath === null ? null : basename(recordingPath);

/** Completes the failure for a recording that is not where it was. */
async function whyUnreadable(transcripts: TranscriptService, id: string, mediaPath: string): Promise<string | null> {
  if (mediaPath.startsWith(noRecording)) return 'no_recording';
  return (await transcripts.canReextractAudio(id)) ? 'sound_removed' : null;
}
