import { access, constants } from 'node:fs/promises';
import { basename } from 'node:path';
import { unpackPeaks } from '../../../shared/domain/audio/packed-peaks.ts';
import { makeFailure } from '../../../shared/domain/failures/make-failure.ts';
import { textExtensions } from '../../../shared/domain/imports/read-subtitles.ts';
import { mostOpenedTranscripts } from '../../../shared/domain/settings/left-places.ts';
import { unpackChange } from '../../../shared/domain/transcript/packed.ts';
import type { Contract } from '../../../shared/ipc/contract.ts';
import type { Handlers } from '../../../shared/ipc/derive.ts';
import type { Failure } from '../../../shared/result/failure.ts';
import { err, ok, type Result } from '../../../shared/result/result.ts';
import type { TranscriptRecord, TranscriptService } from '../../services/transcripts/transcript-service.ts';
import type { ImportedTranscript } from '../../services/transcripts/import-transcript.ts';
import { noRecording } from '../../services/media/audio-extractor.ts';
import { offeredMs, type DeletionService } from '../../services/transcripts/deletion.ts';
import { importWords, recordingWords } from '../words.ts';
import { readTextFile } from '../../platform/node/read-text-file.ts';
import { chooseRecording, choosePaths, showRecording } from './choose-paths.ts';
import type { HandlerServices } from './handler-services.ts';

type TranscriptHandlers = Pick<
  Handlers<Contract>,
  Extract<keyof Contract['requests'], `transcripts.${string}`> | 'peaks.store'
>;

export const transcriptHandlers = (services: HandlerServices): TranscriptHandlers => {
  const {
    workspaces,
    keys,
    settings,
    window: { fileTokens, mediaTokens, textParts, waveforms, paid, windowOf },
  } = services;

  const withTranscripts = async <T>(
    ask: (transcripts: TranscriptService) => Promise<Result<T>>,
  ): Promise<Result<T>> => {
    const library = await workspaces.opened();
    return library.ok ? ask(library.value.transcripts) : library;
  };

  const withDeletion = async <T>(ask: (deletion: DeletionService) => Promise<Result<T>>): Promise<Result<T>> => {
    const library = await workspaces.opened();
    return library.ok ? ask(library.value.deletion) : library;
  };

  const mediaOf = async (
    transcripts: TranscriptService,
    { id, mediaPath, mediaSha256, sourceName }: TranscriptRecord,
  ) => {
    const isReadable = await access(mediaPath, constants.R_OK).then(
      () => true,
      () => false,
    );
    if (!isReadable) {
      const code = await whyUnreadable(transcripts, id, mediaPath);
      const mediaFailure = makeFailure('E-010', { ...(code === null ? {} : { code }), params: { name: sourceName } });
      return { mediaUrl: null, mediaToken: null, mediaFailure };
    }
    const mediaToken = mediaTokens.issue({ path: mediaPath, sha256: mediaSha256 });
    return { mediaUrl: `/media/${mediaToken}`, mediaToken, mediaFailure: null };
  };

  return {
    'transcripts.import': async ({ tokens, addsRepeats = false }, { windowId }) => {
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
        else if (made.error.row === 'E-212') repeated.push({ name, token: fileTokens.issue(windowId, path) });
        else refused.push({ name, failure: made.error });
      }
      return ok({ imported, refused, repeated });
    },
    'transcripts.open': async ({ transcriptId }, { windowId }) =>
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
    'transcripts.readOn': async ({ token, part }, { windowId }) => {
      const segments = textParts.take(windowId, token, part);
      return segments === null
        ? err(makeFailure('E-040', { code: 'unknown_transcript' }))
        : ok({ segments: new TextDecoder().decode(segments) });
    },
    'transcripts.list': async () => {
      const library = await workspaces.opened();
      if (!library.ok) return library;
      const listed = library.value.deletion.list();
      if (!listed.ok) return listed;
      const credits = library.value.ledger.creditsByRemoteId();
      const openedAt = new Map(settings.get().openedTranscripts.map(({ id, atMs }) => [id, atMs]));
      const transcripts = listed.value.map(({ jobId: _jobId, remoteId, ...line }) => ({
        ...line,
        openedAtMs: openedAt.get(line.id) ?? null,
        isAtService: remoteId !== null,
        credits: credits.get(remoteId ?? '') ?? null,
      }));
      return ok({ transcripts });
    },
    'transcripts.delete': async ({ transcriptId, atService }) =>
      withDeletion(async (deletion) => {
        const removed = await deletion.remove(transcriptId, atService);
        return removed.ok ? ok({ undoMs: offeredMs }) : removed;
      }),
    'transcripts.restore': async ({ transcriptId }) =>
      withDeletion(async (deletion) => {
        const restored = await deletion.restore(transcriptId);
        return restored.ok ? ok({ isRestored: restored.value }) : restored;
      }),
    'transcripts.edit': async ({ transcriptId, baseRevision, edits }) =>
      withTranscripts(async (transcripts) => {
        const changes = edits.map(({ label, change }) => ({ label, change: unpackChange(change) }));
        if (keys.isInText(JSON.stringify(changes))) return err(makeFailure('E-237'));
        const saved = transcripts.edit(transcriptId, baseRevision, changes);
        const library = await workspaces.opened();
        if (saved.ok && saved.value !== null && library.ok) library.value.sync.edited(transcriptId);
        return saved.ok ? ok({ revision: saved.value }) : saved;
      }),
    'transcripts.sync': async ({ transcriptId, sends }) => {
      const library = await workspaces.opened();
      if (!library.ok) return library;
      if (sends) library.value.sync.edited(transcriptId);
      return ok(library.value.sync.describe(transcriptId));
    },
    'transcripts.atService': async ({ transcriptId }) => {
      const library = await workspaces.opened();
      return library.ok ? library.value.sync.atService(transcriptId) : library;
    },
    'transcripts.replaceAtService': async ({ transcriptId, remoteRevision }) => {
      const library = await workspaces.opened();
      return library.ok ? library.value.sync.replace(transcriptId, remoteRevision) : library;
    },
    'transcripts.versions': async ({ transcriptId }) =>
      withTranscripts(async (transcripts) => {
        const found = await transcripts.versions(transcriptId);
        return found.ok ? ok({ versions: [...found.value] }) : found;
      }),
    'transcripts.version': async ({ transcriptId, revision }) =>
      withTranscripts(async (transcripts) => {
        const found = await transcripts.version(transcriptId, revision);
        return found.ok ? ok({ ofRevision: found.value.ofRevision, change: found.value.change }) : found;
      }),
    'transcripts.nameVersion': async ({ transcriptId, revision, name }) =>
      name !== null && keys.isInText(name)
        ? err(makeFailure('E-237'))
        : withTranscripts(async (transcripts) => {
            const named = transcripts.nameVersion(transcriptId, revision, name);
            return named.ok ? ok({}) : named;
          }),
    'transcripts.listenAgain': async ({ pcm, ...asked }, asker) => {
      const library = await workspaces.opened();
      if (!library.ok) return library;
      const { listenAgain } = library.value;
      const kept = listenAgain.kept(asked);
      if (!kept.ok || kept.value !== null || pcm === null) {
        return kept.ok ? ok({ words: kept.value === null ? null : [...kept.value] }) : kept;
      }
      const audioMs = asked.endMs - asked.startMs;
      const admitted = await paid.start(asker, { requests: 1, audioMs, characters: 0, isRough: false });
      if (!admitted.ok) return admitted;
      if (!admitted.value) return ok({ words: null });
      const heard = await listenAgain.listen(asked, pcm);
      return heard.ok ? ok({ words: [...heard.value] }) : heard;
    },
    'transcripts.rename': async ({ transcriptId, title }) =>
      keys.isInText(title)
        ? err(makeFailure('E-237'))
        : withTranscripts((transcripts) => transcripts.rename(transcriptId, title)),
    'transcripts.setLanguage': async ({ languages }) =>
      withTranscripts(async (transcripts) => {
        for (const { id, language } of languages) {
          const set = transcripts.setLanguage(id, language);
          if (!set.ok) return set;
        }
        return ok({});
      }),
    'transcripts.locateMedia': async ({ transcriptId, token }, { windowId }) =>
      withTranscripts(async (transcripts) => {
        const path =
          token === null
            ? await chooseRecording(windowOf(windowId), recordingWords(settings.get().interfaceLanguage))
            : fileTokens.resolve(windowId, token);
        const nothing = { mediaUrl: null, mediaToken: null, recordingName: null };
        const failure = token === null ? null : makeFailure('E-010', { code: 'unknown_file' });
        if (path === null) return ok({ ...nothing, failure });
        const moved = await transcripts.relocateMedia(transcriptId, path);
        if (!moved.ok) return ok({ ...nothing, failure: moved.error });
        const opened = transcripts.find(transcriptId);
        if (!opened.ok) return opened;
        const { mediaUrl, mediaToken, mediaFailure } = await mediaOf(transcripts, opened.value);
        return ok({ mediaUrl, mediaToken, recordingName: nameOf(opened.value), failure: mediaFailure });
      }),
    'transcripts.measureRecording': async ({ transcriptId, heardMs }) =>
      withTranscripts(async (transcripts) => {
        const measured = await transcripts.measureRecording(transcriptId, heardMs);
        return measured.ok ? ok({ recordingMs: measured.value }) : measured;
      }),
    'transcripts.showRecording': async ({ transcriptId }) =>
      withTranscripts(async (transcripts) => {
        const found = transcripts.find(transcriptId);
        if (!found.ok) return found;
        const { recordingPath, mediaPath } = found.value;
        // A video that is gone has left its audio.
        const shown = recordingPath === null ? null : await showRecording(recordingPath);
        return shown?.ok === true ? shown : showRecording(mediaPath);
      }),
    'transcripts.takeSoundAgain': async ({ transcriptId }) =>
      withTranscripts(async (transcripts) => {
        const taken = await transcripts.takeSoundAgain(transcriptId);
        if (!taken.ok) return taken;
        const opened = transcripts.find(transcriptId);
        if (!opened.ok) return opened;
        const { mediaUrl, mediaToken } = await mediaOf(transcripts, opened.value);
        return ok({ mediaUrl, mediaToken });
      }),
    'peaks.store': async ({ mediaToken, peaks: packed }) => {
      const media = mediaTokens.resolve(mediaToken);
      if (media === null) return err(makeFailure('E-010', { code: 'unknown_file' }));
      const peaks = unpackPeaks(new Uint8Array(packed));
      const isKept = peaks.ok && (await waveforms.keep(media, peaks.value));
      return isKept ? ok({}) : err(makeFailure('E-175', { code: 'peaks_not_kept' }));
    },
  };
};

const nameOf = ({ recordingPath }: TranscriptRecord): string | null =>
  recordingPath === null ? null : basename(recordingPath);

/** Completes the failure for a recording that is not where it was. */
async function whyUnreadable(transcripts: TranscriptService, id: string, mediaPath: string): Promise<string | null> {
  if (mediaPath.startsWith(noRecording)) return 'no_recording';
  return (await transcripts.canTakeSoundAgain(id)) ? 'sound_removed' : null;
}
