import { makeFailure } from '../../../shared/domain/failures/make-failure.ts';
import type { JobOptions } from '../../../shared/domain/jobs/job-kind.ts';
import { err, ok, type Result } from '../../../shared/result/result.ts';
import type { JobService, NewJob, RepeatedFile } from '../jobs/job-service.ts';
import type { FileInspector, ImportWatch, RefusedFile } from '../library/file-inspector.ts';
import type { FileTokens } from '../media/file-tokens.ts';
import type { PaidActions } from '../spend/paid-actions.ts';
import type { SpeechLanguage } from '../../../shared/domain/languages.ts';

/** What came of adding files. Lists hold at most 500 entries; the counts are of all. */
export interface AddedFiles {
  readonly jobIds: readonly string[];
  readonly addedCount: number;
  /** Files that were not added because the person stopped it or declined the cost. */
  readonly leftCount: number;
  readonly refused: readonly RefusedFile[];
  readonly refusedCount: number;
  /** Files that are in the queue already, with a token to add them all the same. */
  readonly repeated: readonly { readonly token: string; readonly name: string; readonly jobId: string }[];
  readonly repeatedCount: number;
}

/** Who adds files: a window, whether a press, key, drop or dialog stands behind it, and the progress it watches. */
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

/**
 * The one way by which a window adds recordings: folders are walked, files looked into, the cost is asked about where
 * it has to be, and what can be taken is in the queue and on disk when this answers. Fails with E-010 for a token that
 * is unknown, E-238 when no person stands behind it, and with what keeps the library closed.
 */
export function createIntake({ library, paid, fileTokens, samples }: IntakePorts) {
  const add = async (adder: Adder, wanted: readonly NewJob[], addsRepeats: boolean): Promise<Result<AddedFiles>> => {
    if (wanted.length === 0) return ok(nothing);
    const opened = await library();
    if (!opened.ok) return opened;
    const admit = paid.sendFiles(adder);
    if (!admit.ok) return admit;
    const { windowId, watch } = adder;
    const added = await opened.value.jobs.add(wanted, { ...watch, admit: admit.value }, { skipsRepeats: !addsRepeats });
    const { jobIds, refused, repeated } = added;
    return ok({
      jobIds: jobIds.slice(0, mostNamed),
      addedCount: jobIds.length,
      leftCount: wanted.length - jobIds.length - refused.length - repeated.length,
      refused: refused.slice(0, mostNamed),
      refusedCount: refused.length,
      repeated: repeated.slice(0, mostNamed).map((file) => tokenFor(windowId, file)),
      repeatedCount: repeated.length,
    });
  };

  const tokenFor = (windowId: number, { path, name, jobId }: RepeatedFile) => ({
    token: fileTokens.issue(windowId, path),
    name,
    jobId,
  });

  /** Files and folders, which are walked first. */
  const addPaths = async (
    adder: Adder,
    paths: readonly string[],
    options: JobOptions,
    addsRepeats = false,
  ): Promise<Result<AddedFiles>> => {
    if (paths.length === 0) return ok(nothing);
    const opened = await library();
    if (!opened.ok) return opened;
    const found = await opened.value.files.walk(paths);
    if (adder.watch.signal.aborted) return ok({ ...nothing, leftCount: found.files.length });
    const wanted = found.files.map(({ path }) => ({ ...options, path }));
    const added = await add(adder, wanted, addsRepeats);
    if (!added.ok) return added;
    return ok({
      ...added.value,
      refused: [...found.refused, ...added.value.refused].slice(0, mostNamed),
      refusedCount: found.refused.length + added.value.refusedCount,
    });
  };

  return {
    addPaths,

    /** What was dropped on the window, by the tokens it got for it. */
    async addTokens(
      adder: Adder,
      tokens: readonly string[],
      options: JobOptions,
      addsRepeats: boolean,
    ): Promise<Result<AddedFiles>> {
      const paths = tokens.map((token) => fileTokens.resolve(adder.windowId, token));
      const known = paths.filter((path) => path !== null);
      if (known.length < paths.length) return err(makeFailure('E-010', { code: 'unknown_file' }));
      return addPaths(adder, known, options, addsRepeats);
    },

    /** The bundled recordings, each in its own language. */
    async addSamples(adder: Adder): Promise<Result<AddedFiles>> {
      const wanted = (await samples()).map(({ path, language, speakers }) => ({
        path,
        kind: 'transcribe' as const,
        language,
        includeSpeakers: speakers > 1,
      }));
      return add(adder, wanted, false);
    },
  };
}

export type Intake = ReturnType<typeof createIntake>;

/** A recording that comes with the app, so that practice mode has something whose words it knows. */
export interface Sample {
  readonly path: string;
  readonly name: string;
  readonly sizeBytes: number;
  readonly language: SpeechLanguage;
  readonly speakers: number;
}
