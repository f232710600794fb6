import { rm, stat } from 'node:fs/promises';
import { basename, dirname, extname, join, resolve } from 'node:path';
import { baseName, safeFileName } from '../../shared/domain/exports/safe-file-name.ts';
import { makeFailure } from '../../shared/domain/failures/make-failure.ts';
import { decideRetry } from '../../shared/domain/failures/decide-retry.ts';
import type { Failure } from '../../shared/result/failure.ts';
import { err, ok, type Result } from '../../shared/result/result.ts';
import { localFailure } from '../../shared/domain/jobs/job-failures.ts';
import { sniff } from '../../shared/domain/media/sniff.ts';
import { filePort } from '../platform/node/file-port.ts';
import { walkFiles, type WalkedFile } from '../platform/node/walk-files.ts';
import { mayPassLater, type RunResult } from './ending.ts';
import type { IsolateCommand, IsolationFormat } from './command.ts';
import { fetchSound, waitUntilClean, type IsolateRun } from './isolate-result.ts';
import { makeFolder, placeFile, refuseTaken, unfinishedBeside } from './place-file.ts';
import { waitFor } from './pause.ts';
import { helpAfter, noteFailure, openWish, type Wishing } from './session.ts';

import { visible } from './teller.ts';

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

/** Whether this is a recording that the service may take (E-010, E-211): nothing else is sent or paid for. */
async function lookAt(path: string): Promise<Result<null, Failure>> {
  const peeked = await filePort.peek(path);
  if (!peeked.ok) return err({ ...peeked.error, outcome: 'not_sent' });
  const found = sniff(peeked.value.head);
  if (found.kind === 'not-media') {
    return err(localFailure('E-211', { code: found.what === 'empty' ? 'empty_file' : 'not_audio' }));
  }
  return ok(null);
}

async function isolateOne(run: IsolateRun, { path, shown }: WalkedFile): Promise<Result<null, Failure>> {
  const { command, teller, session, signal } = run;
  const looked = await lookAt(path);
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
  const identity = await filePort.hash(path, signal);
  if (!identity.ok) return err({ ...identity.error, outcome: 'not_sent' });
  const parts = ['isolate', identity.value.sha256, String(command.restoresSpeech)];
  const opened = openWish(session, parts, { sendsAgain: command.sendsAgain, nowMs: Date.now() });
  if (!opened.ok) return opened;

  const remote = await submitOnce(run, path, opened.value);
  if (!remote.ok) return remote;
  const clean = await waitUntilClean(run, remote.value, name);
  if (!clean.ok) return clean;
  const outputs: string[] = [];
  for (const { target, format } of targets) {
    const unfinished = unfinishedBeside(target);
    try {
      const fetched = await fetchSound(run, remote.value, format, unfinished);
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

/** The id of the job: of an earlier run when it told one, else by sending the recording under the wish's key. */
async function submitOnce(run: IsolateRun, path: string, wishing: Wishing): Promise<Result<string, Failure>> {
  const { command, session, teller, signal } = run;
  const { wish } = wishing;
  if (wish.remoteId !== null) return ok(wish.remoteId);
  const reason = await session.client.whyNotToBegin('isolate', signal);
  if (reason !== null) {
    noteFailure(session, wishing, reason);
    return err(reason);
  }
  const found = await stat(path).catch(() => null);
  if (found === null) return err(makeFailure('E-010', { code: 'file_missing', outcome: 'not_sent' }));
  const source = { path, name: basename(path), sizeBytes: found.size, mtimeMs: found.mtimeMs };
  const beganAt = performance.now();
  let isCertain = wishing.isNew;
  for (let attempt = 1; ; attempt++) {
    const sent = await session.client.isolate.submit({
      source,
      speechRestoration: command.restoresSpeech,
      idempotencyKey: wish.actionId,
      onFileBytes: (sentBytes) => {
        const percent = Math.min(100, Math.floor((sentBytes / Math.max(1, found.size)) * 100));
        const text = teller.words('cli.uploading', { file: source.name, percent: `${percent}%` });
        teller.status(text, { step: 'sending', file: source.name, percent });
      },
      signal,
    });
    if (sent.ok) {
      session.ledger.noteRemoteId(wish.fingerprint, sent.value.id);
      return ok(sent.value.id);
    }
    const decision = decideRetry({
      failure: sent.error,
      attempt,
      elapsedMs: performance.now() - beganAt,
      patience: 'interactive',
      isRepeatable: sent.error.code !== 'cancelled',
      random: Math.random,
    });
    if (!decision.retry) {
      noteFailure(session, { ...wishing, isNew: isCertain }, sent.error);
      return sent;
    }
    if (sent.error.outcome === 'unknown' || sent.error.outcome === 'accepted') isCertain = false;
    if (!(await waitFor(decision.delayMs, signal))) return sent;
  }
}
