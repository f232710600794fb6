import { localFailure } from '../../../shared/domain/jobs/job-failures.ts';
import { basename } from 'node:path';
import { languageInName } from '../../../shared/domain/imports/guess-language.ts';
import { makeFailure } from '../../../shared/domain/failures/make-failure.ts';
import type { JobOptions } from '../../../shared/domain/jobs/job-kind.ts';
import { restsAboveMs } from '../../../shared/domain/spend/spend-limit.ts';
import { err, ok, type Result } from '../../../shared/result/result.ts';
import type { JobService, NewJob } from '../jobs/job-service.ts';
import type { FileInspector, ImportWatch, RefusedFile } from '../library/file-inspector.ts';
import type { FileTokens } from '../media/file-tokens.ts';
import type { PaidActions } from '../spend/paid-actions.ts';
import type { SpeechLanguage } from '../../../shared/domain/languages.ts';

/** The result of adding files. Lists hold at most 500 entries; the counts are of all. */
export interface AddedFiles {
  readonly jobIds: readonly string[];
  readonly addedCount: number;
  /** Files that were not added because the user stopped or declined the cost. */
  readonly leftCount: number;
  readonly refused: readonly RefusedFile[];
  readonly refusedCount: number;
  /** Files that are in the queue already, with a token to add them anyway. */
  readonly repeated: readonly { readonly token: string; readonly name: string; readonly jobId: string }[];
  readonly repeatedCount: number;
}

/** Who adds files: a window, whether a press, key, drop or dialog is behind it, and where its progress goes. */
export interface Adder {
  readonly windowId: number;
  readonly isByPerson: boolean;
  readonly watch: ImportWatch;
}

export interface IntakePorts {
  readonly library: () => Promise<Result<{ readonly jobs: JobService; readonly files: FileInspector }>>;
  readonly paid: PaidActions;
  readonly fileTokens: FileTokens;
  readonly samples: () => Promise<readonly Sample[]>;
  /** The user never wants to be asked about cost. */
  readonly isNeverAsked: () => boolean;
  /** The user chose the legacy API for the next files. */
  readonly usesLegacy: () => boolean;
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
};

/** What to add: the user's choice in a dialog, dropped files by their tokens, or the bundled recordings. */
export type Wanted =
  | { readonly paths: readonly string[]; readonly options: JobOptions }
  | {
      readonly tokens: readonly string[];
      readonly options: JobOptions;
      readonly addsRepeats: boolean;
      /** A file whose name reveals its language is sent in that one. */
      readonly followsNames?: boolean | undefined;
    }
  | 'samples';

/**
 * The only way by which a window adds recordings: folders are walked, files are inspected, the cost is confirmed where
 * necessary, and every accepted file is in the queue and on disk when this resolves. Fails with E-010 for an unknown
 * token, E-238 without a user activation, and with whatever keeps the library closed.
 */
export function createIntake({ library, paid, fileTokens, samples, isNeverAsked, usesLegacy }: IntakePorts) {
  const pathsOf = (windowId: number, wanted: Exclude<Wanted, 'samples'>): readonly string[] | null => {
    if ('paths' in wanted) return wanted.paths;
    const paths = wanted.tokens.map((token) => fileTokens.resolve(windowId, token)).filter((path) => path !== null);
    return paths.length < wanted.tokens.length ? null : paths;
  };

  return {
    async add({ windowId, isByPerson, watch }: Adder, wanted: Wanted): Promise<Result<AddedFiles>> {
      const paths = wanted === 'samples' ? [] : pathsOf(windowId, wanted);
      if (paths === null) return err(makeFailure('E-010', { code: 'unknown_file' }));
      if (wanted !== 'samples' && paths.length === 0) return ok(nothing);
      const opened = await library();
      if (!opened.ok) return opened;
      const found = await opened.value.files.walk(paths);
      if (watch.signal.aborted) return ok({ ...nothing, leftCount: found.files.length });
      if (wanted !== 'samples' && found.files.length === 0 && found.refused.length === 0) {
        const failure = localFailure('E-211', { code: 'empty_folder' });
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
      const admit = paid.sendFiles({ windowId, isByPerson });
      if (!admit.ok) return admit;
      const skipsRepeats = !(wanted !== 'samples' && 'addsRepeats' in wanted && wanted.addsRepeats);
      const mayRest = wanted !== 'samples' && wanted.options.kind === 'isolate' && !isNeverAsked();
      const added = await opened.value.jobs.add(
        jobs,
        { ...watch, admit: admit.value },
        { skipsRepeats, ...(mayRest ? { restsAboveMs } : {}) },
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
      });
    },
  };
}

function optionsFor(path: string, wanted: Exclude<Wanted, 'samples'>, isLegacy: boolean): JobOptions {
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
