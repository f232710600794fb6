import { access, rename, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { copyName } from '../../../shared/domain/exports/copy-name.ts';
import { safeFileName } from '../../../shared/domain/exports/safe-file-name.ts';
import { localFailure } from '../../../shared/domain/jobs/job-failures.ts';
import type { Contract } from '../../../shared/ipc/contract.ts';
import type { StreamHandlers } from '../../../shared/ipc/derive.ts';
import type { Failure } from '../../../shared/result/failure.ts';
import { err, ok } from '../../../shared/result/result.ts';
import { openUnfinished } from '../../platform/node/place-file.ts';
import { asUsersFile } from '../../platform/node/users-files.ts';
import { dialogWords } from '../words.ts';
import { choosePaths, chooseSavePath } from './choose-paths.ts';
import type { HandlerServices } from './handler-services.ts';

export interface IsolationStreamServices {
  readonly workspaces: HandlerServices['workspaces'];
  readonly settings: HandlerServices['settings'];
  readonly window: Pick<HandlerServices['window'], 'fileTokens' | 'windowOf'>;
}

/** Saves results into the folder that the user chose, under the file names of exports; nothing is overwritten. */
export const saveResultsStream =
  ({
    workspaces,
    settings,
    window: { fileTokens, windowOf },
  }: IsolationStreamServices): StreamHandlers<Contract>['isolation.saveAll'] =>
  async ({ audioIds, format }, stream, { windowId }) => {
    const workspace = await workspaces.opened();
    if (!workspace.ok) return workspace;
    const { isolation } = workspace.value;
    const { interfaceLanguage, copyTemplate, speechLanguage: language } = settings.get();
    const say = dialogWords(interfaceLanguage);
    const [folder] = await choosePaths(windowOf(windowId), {
      title: say('files.saveIsolated'),
      properties: ['openDirectory', 'createDirectory'],
    });
    if (folder === undefined) return ok(undefined);
    const failures: { name: string; failure: Failure }[] = [];
    for (const [index, audioId] of audioIds.entries()) {
      if (stream.signal.aborted) return ok(undefined);
      await stream.send({ kind: 'saving', index, count: audioIds.length });
      const audio = isolation.find(audioId);
      if (!audio.ok) {
        failures.push({ name: audioId, failure: audio.error });
        continue;
      }
      const { title, createdAtMs, sourceName } = audio.value;
      const extension = await isolation.extensionOf(audio.value, format);
      const facts = { sourceName: sourceName || title, finishedAtMs: createdAtMs, language, speakerCount: 0 };
      const name = `${copyName(copyTemplate, facts, '')} (${say('files.isolatedMark')})`;
      const saved = await isolation.copyResult(audio.value, format, await freePlace(folder, name, extension));
      if (!saved.ok) failures.push({ name: sourceName, failure: saved.error });
    }
    const savedCount = audioIds.length - failures.length;
    await stream.send({ kind: 'saved', savedCount, failures, revealToken: fileTokens.issue(windowId, folder) });
    return ok(undefined);
  };

/** An unused path in a folder. */
async function freePlace(folder: string, name: string, extension: string): Promise<string> {
  for (let number = 1; ; number += 1) {
    const path = join(folder, safeFileName(number === 1 ? name : `${name} (${String(number)})`, extension));
    if (
      await access(path).then(
        () => false,
        () => true,
      )
    )
      return path;
  }
}

/** Writes audio that the page mixed into the file that the user chose; it has a temporary name until it is complete. */
export const isolationStream =
  ({
    workspaces,
    settings,
    window: { fileTokens, windowOf },
  }: IsolationStreamServices): StreamHandlers<Contract>['isolation.saveMix'] =>
  async ({ audioId, format, blendPercent }, stream, { windowId }) => {
    const workspace = await workspaces.opened();
    if (!workspace.ok) return workspace;
    const audio = workspace.value.isolation.find(audioId);
    if (!audio.ok) return audio;
    const say = dialogWords(settings.get().interfaceLanguage);
    const isNoise = blendPercent === null;
    const path = await chooseSavePath(windowOf(windowId), {
      title: say(isNoise ? 'files.saveNoise' : 'files.saveMix'),
      defaultPath: safeFileName(
        `${audio.value.title} (${isNoise ? say('files.noiseMark') : say('files.mixMark', { percent: blendPercent })})`,
        `.${format}`,
      ),
      filters: [{ name: format.toUpperCase(), extensions: [format] }],
    });
    if (path === null) return ok(undefined);
    const unfinished = await openUnfinished(path).catch(() => null);
    if (unfinished === null) return err(localFailure('E-175'));
    const { path: partPath, file } = unfinished;
    try {
      await stream.send({ kind: 'chosen' });
      for await (const bytes of stream.incoming) await file.writeFile(bytes);
      await file.close();
      if (stream.signal.aborted) return ok(undefined);
      if (format === 'wav') await rename(partPath, path);
      else {
        const written = await workspace.value.isolation.convert(partPath, path, format, stream.signal);
        if (!written.ok) return stream.signal.aborted ? ok(undefined) : written;
      }
      await asUsersFile(path);
      await stream.send({
        kind: 'saved',
        savedAs: basename(path),
        revealToken: fileTokens.issue(windowId, path),
      });
      return ok(undefined);
    } catch {
      return err(localFailure('E-175'));
    } finally {
      await file.close().catch(() => undefined);
      await rm(partPath, { force: true }).catch(() => undefined);
    }
  };
