import { localFailure } from '../../../shared/domain/jobs/job-failures.ts';
import { basename } from 'node:path';
import { languageInName } from '../../../shared/domain/imports/guess-language.ts';
import { makeFailure } from '../../../shared/domain/failures/make-failure.ts';
import type { JobOptions } from '../../../shared/domain/jobs/job-state.ts';
import { restsAboveMs, workOf } from '../../../shared/domain/spend/spend-limit.ts';
import { err, ok, type Result } from '../../../shared/result/result.ts';
import { inspectFile, type NewJob } from '../../queue/rows.ts';
import type { Queue } from '../../queue/queue.ts';
import type { FilePort, ImportWatch, LocalFile, RefusedFile } from '../library/store.ts';
import type { AudioExtractor } from '../media/audio-extractor.ts';
import type { FileTokens } from '../media/tokens.ts';
import type { PaidActions } from '../spend/spend-guard.ts';
import type { SpeechLanguage } from '../../../shared/domain/languages.ts';

const lookedAtOnce = 8;

export function createFileInspector(port: FilePort, extractor: AudioExtractor) {
  const walk = async (paths: readonly string[]) => {
    const found = await port.walk(paths);
    const refused: readonly RefusedFile[] = found.refused.map(({ path, failure }) => ({
      name: basename(path),
      failure: { ...failure, params: { name: basename(path) } },
    }));
    return { files: found.files.map(({ path }) => ({ path, name: basename(path) })), refused };
  };
  return {
    walk,
    async inspect(paths: readonly string[]) {
      const found = await walk(paths);
      const files: LocalFile[] = [];
      const refused = [...found.refused];
      for (let from = 0; from < found.files.length; from += lookedAtOnce) {
        const some = found.files.slice(from, from + lookedAtOnce);
        const looked = await Promise.all(some.map(({ path }) => inspectFile(extractor, path)));
        for (const [index, one] of looked.entries()) {
          if (one.ok) files.push(one.value);
          else refused.push({ name: some[index]?.name ?? '', failure: one.error });
        }
      }
      return { files, refused };
    },
  };
}

export type FileInspector = ReturnType<typeof createFileInspector>;

export interface AddedFiles {
  readonly jobIds: readonly string[];
  readonly addedCount: number;
  readonly leftCount: number;
  readonly refused: readonly RefusedFile[];
  readonly refusedCount: number;
  readonly repeated: readonly { readonly token: string; readonly name: string; readonly jobId: string }[];
  readonly repeatedCount: number;
  /** Names of recordings that wait, because they seem to be cut short. */
  readonly cutShort: readonly string[];
}

const mostNamed = 500;
const nothing: AddedFiles = {
  jobIds: [],
  addedCount: 0,
  leftCount: 0,
  refused: [],
  refusedCount: 0,
  repeated: [],
  repeatedCount: 0,
  cutShort: [],
};

export type AddRequest =
  | { readonly paths: readonly string[]; readonly options: JobOptions }
  | {
      readonly tokens: readonly string[];
      readonly options: JobOptions;
      readonly addsRepeats: boolean;
      readonly followsNames?: boolean | undefined;
    }
  | 'samples';

interface IntakePorts {
  readonly library: () => Promise<Result<{ readonly jobs: Queue; readonly files: FileInspector }>>;
  readonly paid: PaidActions;
  readonly fileTokens: FileTokens;
  readonly samples: () => Promise<readonly Sample[]>;
  readonly isNeverAsked: () => boolean;
  readonly usesLegacy: () => boolean;
}

/** How a window adds recordings. file-unreadable for an unknown token, not-asked-for without a press. */
export function createIntake({ library, paid, fileTokens, samples, isNeverAsked, usesLegacy }: IntakePorts) {
  const pathsOf = (windowId: number, wanted: Exclude<AddRequest, 'samples'>): readonly string[] | null => {
    if ('paths' in wanted) return wanted.paths;
    const paths = wanted.tokens.map((token) => fileTokens.resolve(windowId, token)).filter((path) => path !== null);
    return paths.length < wanted.tokens.length ? null : paths;
  };

  return {
    async add(
      {
        windowId,
        isByPerson,
        watch,
      }: {
        readonly windowId: number;
        readonly isByPerson: boolean;
        readonly watch: ImportWatch;
      },
      wanted: AddRequest,
    ): Promise<Result<AddedFiles>> {
      const paths = wanted === 'samples' ? [] : pathsOf(windowId, wanted);
      if (paths === null) return err(makeFailure('file-unreadable', { code: 'unknown_file' }));
      if (wanted !== 'samples' && paths.length === 0) return ok(nothing);
      const opened = await library();
      if (!opened.ok) return opened;
      const found = await opened.value.files.walk(paths);
      if (watch.signal.aborted) return ok({ ...nothing, leftCount: found.files.length });
      if (wanted !== 'samples' && found.files.length === 0 && found.refused.length === 0) {
        const failure = localFailure('not-a-recording', { code: 'empty_folder' });
        return ok({
          ...nothing,
          refused: paths.slice(0, mostNamed).map((path) => ({ name: basename(path), failure })),
          refusedCount: paths.length,
        });
      }
      const jobs: readonly NewJob[] =
        wanted === 'samples'
          ? (await samples()).map(({ path, language, speakers }) => ({
              path,
              kind: 'transcribe',
              language,
              includeSpeakers: speakers > 1,
            }))
          : found.files.map(({ path }) => ({ ...optionsFor(path, wanted, usesLegacy()), path }));
      const works = jobs.map(workOf);
      const work = works.includes('speakers') ? 'speakers' : (works[0] ?? 'transcribe');
      const admit = paid.sendFiles({ windowId, isByPerson }, work);
      if (!admit.ok) return admit;
      const skipsRepeats = !(wanted !== 'samples' && 'addsRepeats' in wanted && wanted.addsRepeats);
      const canStartPaused = wanted !== 'samples' && wanted.options.kind === 'isolate' && !isNeverAsked();
      const added = await opened.value.jobs.add(
        jobs,
        { ...watch, admit: admit.value },
        { skipsRepeats, holdsCutShort: true, ...(canStartPaused ? { restsAboveMs } : {}) },
      );
      const refused = [...found.refused, ...added.refused];
      return ok({
        jobIds: added.jobIds.slice(0, mostNamed),
        addedCount: added.jobIds.length,
        leftCount: jobs.length - added.jobIds.length - added.refused.length - added.repeated.length,
        refused: refused.slice(0, mostNamed),
        refusedCount: refused.length,
        repeated: added.repeated
          .slice(0, mostNamed)
          .map(({ path, name, jobId }) => ({ token: fileTokens.issue(windowId, path), name, jobId })),
        repeatedCount: added.repeated.length,
        cutShort: added.cutShort.slice(0, mostNamed),
      });
    },
  };
}

function optionsFor(path: string, wanted: Exclude<AddRequest, 'samples'>, isLegacy: boolean): JobOptions {
  const options = isLegacy && wanted.options.kind === 'transcribe' ? { ...wanted.options, isLegacy } : wanted.options;
  const followsName = 'followsNames' in wanted && wanted.followsNames === true && options.kind === 'transcribe';
  return followsName ? { ...options, language: languageInName(basename(path)) ?? options.language } : options;
}

export type Intake = ReturnType<typeof createIntake>;

/** A recording that is shipped with the app, so that practice mode has something whose words it knows. */
export interface Sample {
  readonly path: string;
  readonly name: string;
  readonly sizeBytes: number;
  readonly language: SpeechLanguage;
  readonly speakers: number;
}
