import { mkdir, readFile, rm, stat } from 'node:fs/promises';
import { basename, extname, dirname, join, resolve } from 'node:path';
import { exporters } from '../../shared/domain/exports/exporters.ts';
import type { ExportFormat } from '../../shared/domain/exports/formats.ts';
import { baseName, foldedName, safeFileName } from '../../shared/domain/exports/safe-file-name.ts';
import { makeFailure } from '../../shared/domain/failures/make-failure.ts';
import type { JobView } from '../../shared/domain/jobs/job-view.ts';
import type { Failure } from '../../shared/result/failure.ts';
import { type Result, err, ok } from '../../shared/result/result.ts';
import { filePort } from '../platform/node/export-disk.ts';
import { isTaken, placeFile, unfinishedBeside } from '../platform/node/place-file.ts';
import { writeFailure } from '../platform/node/storage-failure.ts';
import { walkFiles, type WalkedFile } from '../platform/node/walk-files.ts';
import type { ExportService } from '../services/exports/export-service.ts';
import { isTooShortForSpeakers } from '../service/legacy.ts';
import type { FilePort } from '../services/library/store.ts';
import type { Workspace } from '../workspace/open-workspace.ts';
import type { TranscribeCommand } from './options.ts';
import type { RunResult } from './ending.ts';
import { visible, errorOf, type Reporter, type Progress, type Words } from './reporter.ts';
import { type Stop, lookEveryMs, RunWatch, wakeOnChange } from './watch-run.ts';

/** Writes texts next to recordings or into one folder, and never over anything else. */
export class Outputs {
  readonly #exports: ExportService;
  readonly #formats: readonly ExportFormat[];
  readonly #outDir: string | null;
  readonly #disk: Disk;
  readonly #taken = new Set<string>();
  #last: Promise<unknown> = Promise.resolve();

  constructor(exports: ExportService, formats: readonly ExportFormat[], outDir: string | null, disk: Disk) {
    this.#exports = exports;
    this.#disk = disk;
    this.#formats = formats;
    this.#outDir = outDir === null ? null : resolve(outDir);
  }

  /** An existing file with the same content is from an earlier run and stays; other content belongs to somebody. */
  write(sourcePath: string, transcriptId: string): Promise<Result<readonly string[]>> {
    // One write after another, because nothing else may run between finding a free name and taking it.
    const written = this.#last.then(() => this.#write(sourcePath, transcriptId));
    this.#last = written.catch(() => undefined);
    return written;
  }

  /** Null when that fails; the library still keeps it. */
  writeRaw(
    sourcePath: string,
    answer: { readonly suggestedName: string; readonly text: string },
  ): Promise<string | null> {
    const written = this.#last.then(() => this.#writeRaw(sourcePath, answer));
    this.#last = written.catch(() => undefined);
    return written;
  }

  async #writeRaw(
    sourcePath: string,
    { suggestedName, text }: { readonly suggestedName: string; readonly text: string },
  ): Promise<string | null> {
    const folder = this.#outDir ?? dirname(sourcePath);
    const extension = extname(suggestedName);
    try {
      if (this.#outDir !== null) await mkdir(this.#outDir, { recursive: true });
      for (let number = 1; ; number++) {
        const suffix = `${number === 1 ? '' : ` (${number})`}${extension}`;
        const path = join(folder, safeFileName(basename(suggestedName, extension), suffix));
        const found = await lookAt(path, Buffer.from(text));
        if (found === 'other') continue;
        if (found === 'same') return path;
        const saved = await this.#disk.writeWhole(path, text);
        return saved.ok ? path : null;
      }
    } catch (error) {
      writeFailure(error);
      return null;
    }
  }

  async #write(sourcePath: string, transcriptId: string): Promise<Result<readonly string[]>> {
    const folder = this.#outDir ?? dirname(sourcePath);
    const texts: { readonly format: ExportFormat; readonly bytes: Uint8Array }[] = [];
    for (const format of this.#formats) {
      const rendered = await this.#exports.render({ transcriptId, format, options: {} });
      if (!rendered.ok) return rendered;
      texts.push({ format, bytes: rendered.value.bytes });
    }
    try {
      if (this.#outDir !== null) await mkdir(this.#outDir, { recursive: true });
      for (let number = 1; ; number++) {
        const places = texts.map(({ format, bytes }) => {
          const suffix = `${number === 1 ? '' : ` (${number})`}${exporters[format].extension}`;
          return { bytes, path: join(folder, safeFileName(baseName(sourcePath), suffix)) };
        });
        if (places.some(({ path }) => this.#taken.has(foldedName(path)))) continue;
        const found = await Promise.all(places.map(({ path, bytes }) => lookAt(path, bytes)));
        if (found.includes('other')) continue;
        for (const { path } of places) this.#taken.add(foldedName(path));
        const written: string[] = [];
        for (const [index, { bytes, path }] of places.entries()) {
          const placed = found[index] === 'same' ? ok(path) : await this.#place(path, bytes);
          if (!placed.ok) return placed;
          written.push(placed.value);
        }
        return ok(written);
      }
    } catch (error) {
      return err(writeFailure(error));
    }
  }

  async #place(path: string, bytes: Uint8Array): Promise<Result<string>> {
    const unfinished = unfinishedBeside(path);
    try {
      const written = await this.#disk.writeWhole(unfinished, bytes);
      return written.ok ? await placeFile(unfinished, path, false) : written;
    } finally {
      await rm(unfinished, { force: true });
    }
  }
}

/** Rows that continue only when the user accepts a possible second charge. */
const needsConsent: ReadonlySet<string> = new Set([
  'file-changed',
  'job-not-found',
  'other-key',
  'recording-unprocessable',
]);

const mostNamed = 10;

class Report {
  readonly counts = { done: 0, failed: 0, skipped: 0 };
  readonly #reporter: Reporter;
  readonly #skipped: string[] = [];

  constructor(reporter: Reporter) {
    this.#reporter = reporter;
  }

  file(outcome: Outcome): void {
    const reporter = this.#reporter;
    this.counts[outcome.state === 'done' ? 'done' : 'failed'] += 1;
    if (outcome.state === 'done') {
      const { file, transcriptId, outputs } = outcome;
      reporter.json({ file, state: 'done', transcriptId, outputs, error: null });
      reporter.line(
        [reporter.words('cli.done', { file: visible(file) }), ...outputs.map((path) => `  ${visible(path)}`)].join(
          '\n',
        ),
      );
      return;
    }
    if (outcome.state === 'interrupted') {
      const error = errorOf(makeFailure('stopped', { code: 'interrupted' }), reporter.words('cli.interrupted'));
      reporter.json({ file: outcome.file, state: 'failed', transcriptId: null, outputs: [], error });
      return;
    }
    const { file, transcriptId, failure, rawAnswer } = outcome;
    const message = [
      reporter.explain(failure),
      ...(rawAnswer === undefined ? [] : [reporter.words('cli.rawAnswer', { path: rawAnswer })]),
      ...(needsConsent.has(failure.kind) ? [reporter.words('cli.sendAgain')] : []),
    ].join(' ');
    reporter.json({ file, state: 'failed', transcriptId, outputs: [], error: errorOf(failure, message) });
    if (!reporter.isJson) reporter.note(visible(reporter.words('cli.failed', { file, message })));
  }

  skipped(file: string): void {
    this.counts.skipped += 1;
    this.#reporter.json({ file, state: 'skipped', transcriptId: null, outputs: [], error: null });
    this.#skipped.push(file);
  }

  note(text: string): void {
    this.#reporter.note(text);
  }

  waits(failure: Failure, waitMs: number): void {
    const seconds = Math.round(waitMs / 1000);
    this.note(this.#reporter.words('cli.waits', { message: this.#reporter.explainWaiting(failure), seconds }));
  }

  failure(key: string, failure: Failure): void {
    this.note(this.#reporter.words(key, { message: this.#reporter.explain(failure) }));
  }

  status(text: string, progress: Progress): void {
    this.#reporter.status(text, progress);
  }

  summary(): void {
    this.#reporter.json({ summary: this.counts });
    if (this.#skipped.length > 0) {
      const named = this.#skipped.slice(0, mostNamed).join(', ');
      const files = visible(this.#skipped.length > mostNamed ? `${named}, …` : named);
      this.#reporter.line(this.#reporter.words('cli.passedOver', { files }));
    }
    this.#reporter.line(this.#reporter.words('cli.summary', this.counts));
  }
}

/**
 * Files in a folder with these endings are meant as recordings, so a broken one is a failure and not merely skipped.
 */
const recordingNames = new Set(
  '.mp3 .wav .m4a .m4b .mp4 .ogg .oga .opus .webm .flac .aac .mov .mkv .mka .avi .ts .mts .m2ts .amr .wma .wmv .asf .3gp .3g2 .qt'.split(
    ' ',
  ),
);

/** The service answered and may have charged, but the answer gave no text. */
const unreadRows = new Set(['no-receipt', 'answer-unreadable', 'result-missing']);
const hasEnded = (state: JobView['state']): state is Ended =>
  state.tag === 'done' || state.tag === 'failed' || state.tag === 'needs-user';
const isMeant = ({ wasNamed, path }: WalkedFile): boolean =>
  wasNamed || recordingNames.has(extname(path).toLowerCase());
const named = (failure: Failure, path: string): Failure => ({
  ...failure,
  params: { ...failure.params, name: basename(path) },
});

interface TranscribeRun {
  readonly command: TranscribeCommand;
  readonly reporter: Reporter;
  readonly signal: AbortSignal;
  readonly open: () => Promise<Result<Workspace>>;
}

export async function runTranscribe({ command, reporter, signal, open }: TranscribeRun): Promise<RunResult> {
  const report = new Report(reporter);
  const { words } = reporter;
  const run = { command, report, words, signal };
  const files = await findRecordings(run);
  const stopped = files.length === 0 ? null : await work(run, open, files);
  if (files.length === 0 && report.counts.failed === 0) report.note(words('cli.nothingFound'));
  if (stopped !== null) report.failure('cli.stopped', stopped.failure);
  else if (signal.aborted) report.note(words('cli.interrupted'));
  report.summary();
  if (stopped?.mayPass === true) return 'later';
  return report.counts.failed === 0 ? 'done' : 'failed';
}

async function work(
  run: Run,
  open: TranscribeRun['open'],
  files: Awaited<ReturnType<typeof findRecordings>>,
): Promise<Stop | null> {
  const { report, words, signal } = run;
  const opened = await open();
  if (!opened.ok) {
    failAll(run, files, opened.error);
    return { failure: opened.error, mayPass: false };
  }
  const workspace = opened.value;
  try {
    if (workspace.notice !== null) report.failure('cli.restored', workspace.notice);
    await workspace.jobs.start();
    const { stopped, unfinished } = await transcribeFiles(run, workspace, files);
    await workspace.jobs.stop();
    if (stopped !== null) failAll(run, unfinished, stopped.failure);
    else for (const { shown } of unfinished) report.file({ file: shown, state: 'interrupted' });
    if (unfinished.length > 0 && (stopped !== null || signal.aborted))
      report.note(words('cli.notFinished', { count: unfinished.length }));
    return stopped;
  } finally {
    await workspace.close();
  }
}

interface Run {
  readonly command: TranscribeCommand;
  readonly report: Report;
  readonly words: Words;
  readonly signal: AbortSignal;
}

async function findRecordings({ command, report }: Run): Promise<readonly WalkedFile[]> {
  const walk = await walkFiles(command.paths);
  for (const { failure, ...file } of walk.refused) {
    if (failure.code === 'not_a_file' && !isMeant(file)) report.skipped(file.shown);
    else report.file({ file: file.shown, state: 'failed', transcriptId: null, failure: named(failure, file.path) });
  }
  return walk.files;
}

function failAll({ report }: Run, files: readonly WalkedFile[], failure: Failure): void {
  for (const { shown } of files) report.file({ file: shown, state: 'failed', transcriptId: null, failure });
}

interface RunEnd {
  readonly stopped: Stop | null;
  readonly unfinished: readonly WalkedFile[];
}

async function transcribeFiles(run: Run, workspace: Workspace, files: readonly WalkedFile[]): Promise<RunEnd> {
  const { command, report, words, signal } = run;
  const outputs = new Outputs(workspace.exports, command.formats, command.outDir, filePort);
  const watch = new RunWatch(command.waitMs, Date.now());
  const unfinished = new Set(files);
  const jobs = new Map<string, WalkedFile[]>();
  const attaching = new AbortController();

  const reportFailure = (
    file: WalkedFile,
    failure: Failure,
    transcriptId: string | null = null,
    rawAnswer?: string,
  ) => {
    unfinished.delete(file);
    report.file({
      file: file.shown,
      state: 'failed',
      transcriptId,
      failure: named(failure, file.path),
      ...(rawAnswer === undefined ? {} : { rawAnswer }),
    });
  };
  /** An unreadable answer was paid for, so the user gets it as a file too, and not only the workspace. */
  const saveRaw = async (jobId: string, file: WalkedFile): Promise<string | undefined> => {
    const raw = await workspace.jobs.rawAnswer(jobId);
    return raw.ok ? ((await outputs.writeRaw(file.path, raw.value)) ?? undefined) : undefined;
  };
  const finish = async (file: WalkedFile, transcriptId: string) => {
    const written = await outputs.write(file.path, transcriptId);
    if (!written.ok) return reportFailure(file, written.error, transcriptId);
    unfinished.delete(file);
    report.file({ file: file.shown, state: 'done', transcriptId, outputs: written.value });
  };
  const reportNews = () => {
    const news = watch.news(Date.now());
    if (news?.kind === 'waits') report.waits(news.failure, command.waitMs);
    else if (news !== null) report.note(words('cli.goesOn'));
  };
  const settle = async ({ id, state, durationMs }: JobView) => {
    if (!hasEnded(state)) return;
    const meant = jobs.get(id) ?? [];
    jobs.delete(id);
    for (const file of meant) {
      if (state.tag === 'done') {
        await finish(file, state.transcriptId ?? '');
        if (command.isLegacy && command.includeSpeakers && isTooShortForSpeakers(durationMs))
          report.note(words('cli.noSpeakers', { file: visible(file.shown) }));
      } else
        reportFailure(
          file,
          state.failure,
          null,
          unreadRows.has(state.failure.kind) ? await saveRaw(id, file) : undefined,
        );
    }
  };
  const attach = async (file: WalkedFile) => {
    const { language, includeSpeakers, isLegacy, sendsAgain: acceptsNewCharge } = command;
    const options = { kind: 'transcribe', language, includeSpeakers, ...(isLegacy ? { isLegacy } : {}) } as const;
    const request = { path: file.path, ...options, acceptsNewCharge };
    const attached = await workspace.jobs.attach(request, attaching.signal);
    if (attaching.signal.aborted) return;
    if (attached.ok && attached.value.result !== null) await finish(file, attached.value.result.transcriptId ?? '');
    else if (attached.ok) jobs.set(attached.value.jobId, [...(jobs.get(attached.value.jobId) ?? []), file]);
    else if (attached.error.kind === 'not-a-recording' && !isMeant(file)) {
      unfinished.delete(file);
      report.skipped(file.shown);
    } else reportFailure(file, attached.error);
  };

  const attached = attachAll(files, attach, attaching.signal);
  const wake = wakeOnChange(workspace.jobs, signal);
  try {
    for (;;) {
      const ours = () => workspace.jobs.list().jobs.filter(({ id }) => jobs.has(id));
      const views = ours();
      if (views.some(({ state }) => hasEnded(state))) {
        watch.noteProgress(Date.now());
        reportNews();
      }
      for (const view of views) await settle(view);
      const rows = ours();
      const count = { done: files.length - unfinished.size, total: files.length };
      report.status(describeProgress(words, rows, count), { step: 'transcribing', ...count });
      if (unfinished.size === 0 || signal.aborted) return { stopped: null, unfinished: [...unfinished] };
      const stop = watch.look(rows, Date.now());
      if (stop !== null) return { stopped: stop, unfinished: [...unfinished] };
      reportNews();
      await wake.next(lookEveryMs);
    }
  } finally {
    wake.release();
    attaching.abort();
    await attached;
  }
}

/** In order, two at a time: hashing waits for the disk, not for the network. */
async function attachAll(
  files: readonly WalkedFile[],
  attach: (file: WalkedFile) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  const left = files.values();
  const work = async () => {
    for (const file of left) {
      if (signal.aborted) return;
      await attach(file);
    }
  };
  await Promise.all([work(), work()]);
}

type Ended = Extract<JobView['state'], { tag: 'done' | 'failed' | 'needs-user' }>;

function describeProgress(
  words: Words,
  rows: readonly JobView[],
  count: { readonly done: number; readonly total: number },
): string {
  const parts = [words('cli.progress', count)];
  for (const { name, state } of rows) {
    if (state.tag !== 'uploading') continue;
    const percent = state.totalBytes === 0 ? 0 : Math.floor((state.sentBytes / state.totalBytes) * 100);
    parts.push(words('cli.uploading', { file: name, percent: `${percent}%` }));
    if (parts.length > 2) break;
  }
  const atService = rows.filter(({ state }) => state.tag === 'processing' || state.tag === 'queued-at-service').length;
  if (atService > 0) parts.push(words('cli.atService', { count: atService }));
  return parts.join(' · ');
}

type Outcome =
  | {
      readonly file: string;
      readonly state: 'done';
      readonly transcriptId: string;
      readonly outputs: readonly string[];
    }
  | {
      readonly file: string;
      readonly state: 'failed';
      readonly transcriptId: string | null;
      readonly failure: Failure;
      readonly rawAnswer?: string;
    }
  | { readonly file: string; readonly state: 'interrupted' };

type Disk = Pick<FilePort, 'writeWhole'>;

async function lookAt(path: string, bytes: Uint8Array): Promise<'free' | 'same' | 'other'> {
  try {
    const { size } = await stat(path);
    if (size !== bytes.byteLength) return 'other';
    return (await readFile(path)).equals(bytes) ? 'same' : 'other';
  } catch (error) {
    const isFree = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    // A dangling link has no size but still occupies the name.
    return isFree && !(await isTaken(path)) ? 'free' : 'other';
  }
}
