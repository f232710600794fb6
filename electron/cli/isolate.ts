import { rm } from 'node:fs/promises';
import { basename, dirname, extname, join, resolve } from 'node:path';
import { baseName, safeFileName } from '../../shared/domain/exports/safe-file-name.ts';
import type { Failure } from '../../shared/result/failure.ts';
import { err, ok, type Result } from '../../shared/result/result.ts';
import { walkFiles, type WalkedFile } from '../platform/node/walk-files.ts';
import { helpAfter, mayPassLater, type RunResult } from './ending.ts';
import type { IsolateCommand, IsolationFormat } from './command.ts';
import type { PaidRun } from './speak.ts';
import { makeFolder, placeFile, refuseTaken, unfinishedBeside } from './place-file.ts';

import { visible } from './teller.ts';

type IsolateRun = PaidRun<IsolateCommand>;

export interface IsolateEnd {
  readonly done: number;
  readonly failed: number;
  /** Found in folders and no recordings. */
  readonly skipped: number;
  readonly result: RunResult;
}

/** Takes the noise out of each recording, those in folders too. */
export async function isolateFiles(run: IsolateRun): Promise<IsolateEnd> {
  const counts = { done: 0, failed: 0, skipped: 0 };
  const failures: Failure[] = [];
  const tell = ({ shown, path }: WalkedFile, found: Failure) => {
    counts.failed += 1;
    failures.push(found);
    const help = helpAfter(found);
    const failure = { ...found, params: { name: basename(path), ...found.params } };
    run.teller.failure(failure, help === null ? [] : [run.teller.words(help)], { file: shown, outputs: [] });
  };
  const walk = await walkFiles(run.command.paths);
  for (const { failure, ...file } of walk.refused) {
    if (failure.code === 'not_a_file' && !file.wasNamed) counts.skipped += 1;
    else tell(file, failure);
  }
  for (const file of walk.files) {
    if (run.signal.aborted) break;
    const cleaned = await isolateOne(run, file);
    if (cleaned.ok) counts.done += 1;
    else if (cleaned.error.row === 'E-211' && !file.wasNamed) counts.skipped += 1;
    else tell(file, cleaned.error);
  }
  const isLater = failures.length > 0 && failures.every(mayPassLater);
  return { ...counts, result: failures.length === 0 ? 'done' : isLater ? 'later' : 'failed' };
}

async function isolateOne(run: IsolateRun, { path, shown }: WalkedFile): Promise<Result<null, Failure>> {
  const { command, teller, session, signal } = run;
  const looked = await session.isolation.inspect(path);
  if (!looked.ok) return looked;
  const targets = targetsOf(command, path);
  const folder = await makeFolder(command.outDir === null ? dirname(path) : resolve(command.outDir));
  if (!folder.ok) return folder;
  for (const { target } of targets) {
    const free = await refuseTaken(target, command.overwrites);
    if (!free.ok) return free;
  }
  const name = basename(path);
  teller.status(teller.words('cli.isolate.reading', { file: name }), { step: 'reading', file: name });
  const remote = await session.isolation.submit({
    path,
    restoresSpeech: command.restoresSpeech,
    sendsAgain: command.sendsAgain,
    onUpload: (sentBytes, totalBytes) => {
      const percent = Math.min(100, Math.floor((sentBytes / Math.max(1, totalBytes)) * 100));
      const text = teller.words('cli.uploading', { file: name, percent: `${percent}%` });
      teller.status(text, { step: 'sending', file: name, percent });
    },
    signal,
  });
  if (!remote.ok) return remote;
  teller.status(teller.words('cli.isolate.working', { file: name }), { step: 'working', file: name });
  const waiting = { waitMs: command.waitMs, signal };
  const clean = await session.isolation.waitUntilClean(remote.value, waiting);
  if (!clean.ok) return clean;
  const outputs: string[] = [];
  for (const { target, format } of targets) {
    const unfinished = unfinishedBeside(target);
    try {
      const fetched = await session.isolation.downloadExport(remote.value, format, unfinished, waiting);
      if (!fetched.ok) return fetched;
      const placed = await placeFile(unfinished, target, command.overwrites);
      if (!placed.ok) return err({ ...placed.error, outcome: 'accepted' });
      outputs.push(placed.value);
    } finally {
      await rm(unfinished, { force: true });
    }
  }
  const { durationMs, credits } = clean.value;
  teller.json({ file: shown, outputs, id: remote.value, durationMs, credits, error: null });
  teller.line(
    [
      teller.words('cli.done', { file: visible(shown) }),
      ...outputs.map((output) => `  ${visible(output)}`),
      ...(credits === null ? [] : [`  ${teller.words('cli.ask.cost', { credits })}`]),
    ].join('\n'),
  );
  return ok(null);
}

/** `Suhbat-clean.mp3` beside `Suhbat.wav`, or in the folder that was named. */
function targetsOf(command: IsolateCommand, path: string): { format: IsolationFormat; target: string }[] {
  const folder = command.outDir === null ? dirname(path) : resolve(command.outDir);
  return command.formats.map((format) => {
    const ending = format === 'original' ? `-clean-original${extname(path)}` : `-clean.${format}`;
    return { format, target: join(folder, safeFileName(baseName(path), ending)) };
  });
}
