import { basename, extname } from 'node:path';
import type { JobView } from '../../shared/domain/jobs/job-view.ts';
import type { Failure } from '../../shared/result/failure.ts';
import { isTooShortForSpeakers } from '../services/jobs/kinds/legacy-transcription.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { filePort } from '../platform/node/file-port.ts';
import { walkFiles, type WalkedFile } from '../platform/node/walk-files.ts';
import type { TranscribeCommand } from './command.ts';
import { Outputs } from './outputs.ts';
import type { Report } from './report.ts';
import { visible } from './reporter.ts';
import { lookEveryMs, RunWatch, type Stop, wakeOnChange } from './watch-run.ts';
import type { Words } from './words.ts';

/**
 * Files in a folder with these endings are meant as recordings, so a broken one is a failure and not merely skipped.
 */
const recordingNames = new Set(
  '.mp3 .wav .m4a .m4b .mp4 .ogg .oga .opus .webm .flac .aac .mov .mkv .mka .avi .ts .mts .m2ts .amr .wma .wmv .asf .3gp .3g2 .qt'.split(
    ' ',
  ),
);
/** The service answered and may have charged, but the answer gave no text. */
const unreadRows = new Set(['E-022', 'E-024', 'E-028']);

export interface Run {
  readonly command: TranscribeCommand;
  readonly report: Report;
  readonly words: Words;
  /** Aborted when the user stops the run. */
  readonly signal: AbortSignal;
}

/** Resolves which files a command names; unreadable ones are reported. */
export async function findRecordings({ command, report }: Run): Promise<readonly WalkedFile[]> {
  const walk = await walkFiles(command.paths);
  for (const { failure, ...file } of walk.refused) {
    if (failure.code === 'not_a_file' && !isMeant(file)) report.skipped(file.shown);
    else report.file({ file: file.shown, state: 'failed', transcriptId: null, failure: named(failure, file.path) });
  }
  return walk.files;
}

/** Reports every file as failed for one reason. */
export function failAll({ report }: Run, files: readonly WalkedFile[], failure: Failure): void {
  for (const { shown } of files) report.file({ file: shown, state: 'failed', transcriptId: null, failure });
}

export interface RunEnd {
  /** Why the run had to stop; null when every file has its outcome or the user stopped it. */
  readonly stopped: Stop | null;
  readonly unfinished: readonly WalkedFile[];
}

/** Works until every file has its outcome, or there is no point in waiting. */
export async function transcribeFiles(run: Run, workspace: Workspace, files: readonly WalkedFile[]): Promise<RunEnd> {
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
          unreadRows.has(state.failure.row) ? await saveRaw(id, file) : undefined,
        );
    }
  };
  const attach = async (file: WalkedFile) => {
    const { language, includeSpeakers, isLegacy, sendsAgain: acceptsNewCharge } = command;
    const options = { kind: 'transcribe', language, includeSpeakers, ...(isLegacy ? { isLegacy } : {}) } as const;
    const request = { path: file.path, ...options, acceptsNewCharge };
    const attached = await workspace.jobs.attach(request, attaching.signal);
    if (attaching.signal.aborted) return;
    if (attached.ok && attached.value.relation === 'done') await finish(file, attached.value.result.transcriptId ?? '');
    else if (attached.ok) jobs.set(attached.value.jobId, [...(jobs.get(attached.value.jobId) ?? []), file]);
    else if (attached.error.row === 'E-211' && !isMeant(file)) {
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

const hasEnded = (state: JobView['state']): state is Ended =>
  state.tag === 'done' || state.tag === 'failed' || state.tag === 'needs-user';

const isMeant = ({ wasNamed, path }: WalkedFile): boolean =>
  wasNamed || recordingNames.has(extname(path).toLowerCase());

const named = (failure: Failure, path: string): Failure => ({
  ...failure,
  params: { ...failure.params, name: basename(path) },
});

/** The status line: how many are done, what is being uploaded and how far, and what the service is working on. */
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
