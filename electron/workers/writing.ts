import { makeFailure } from '../../shared/domain/failures/make-failure.ts';
import { localFailure } from '../../shared/domain/jobs/job-failures.ts';
import type { InterfaceLanguage } from '../../shared/domain/languages.ts';
import { wordsOf } from '../../shared/domain/transcript/spoken-text.ts';
import { catalogueOf } from '../../shared/i18n/uzbek-cyrillic.ts';
import { err, ok, type Result } from '../../shared/result/result.ts';
import {
  secondIdOf,
  writeRequest,
  type LongWriter,
  type WritingRequest,
  type WrittenExport,
} from '../services/exports/write-request.ts';
import {
  cutIntoParts,
  type EarlierText,
  type TextInParts,
  type TextsInParts,
} from '../services/transcripts/text-in-parts.ts';
import {
  readStoredSteps,
  readStoredText,
  readStoredVersion,
  readStoredVersions,
  readStoredWords,
} from '../storage/read-stored-text.ts';
import { inTurn, openTasks, serveTasks } from '../threads/work-thread.ts';

function known<T>(found: Result<T | null>): Result<T> {
  if (!found.ok) return found;
  return found.value === null
    ? err(localFailure('deleted-at-service', { code: 'unknown_transcript' }))
    : ok(found.value);
}

const tasks = {
  versions: readStoredVersions,
  steps: readStoredSteps,
  version: (...given: Parameters<typeof readStoredVersion>): Result<EarlierText> => known(readStoredVersion(...given)),
  inParts(library: string, transcriptId: string): Result<TextInParts> {
    const found = known(readStoredWords(library, transcriptId));
    if (!found.ok) return found;
    const { segments, revision, ...head } = found.value;
    const wordCount = segments.reduce((sum, { text }) => sum + wordsOf(text).length, 0);
    return ok({ head: { ...head, segments: [] }, parts: cutIntoParts(segments), wordCount, revision });
  },
  async write(library: string, request: WritingRequest): Promise<Result<WrittenExport>> {
    const found = known(readStoredText(library, request.transcriptId));
    if (!found.ok) return found;
    const secondId = secondIdOf(request.options);
    const second = secondId === null ? ok(null) : readStoredText(library, secondId);
    return second.ok ? ok(await writeRequest(found.value, request, nameSpeaker, second.value)) : second;
  },
};
const role = 'writing';
serveTasks(role, tasks, (returned) => {
  const { value } = returned as { readonly value?: Partial<TextInParts & WrittenExport> };
  const { document, parts = [] } = value ?? {};
  const made = document !== undefined && 'bytes' in document ? [document.bytes] : parts;
  return made.flatMap(({ buffer }) => (buffer instanceof ArrayBuffer ? [buffer] : []));
});

export const nameSpeaker = (language: InterfaceLanguage, number: number): string =>
  catalogueOf(language).cli.speaker.replace('{{number}}', String(number));

/** Exports one after the other, opening without waiting. */
export function openWriter(workerUrl: URL, library: string): LongWriter & TextsInParts {
  const { run, close } = openTasks<typeof tasks>(workerUrl, role);
  const next = inTurn();
  const notRead = () => err(makeFailure('internal-error', { code: 'text_not_read' }));
  return {
    write: async (request) =>
      (await next(() => run('write', [library, request]))) ?? err(localFailure('export-unfinished')),
    inParts: async (id) => (await run('inParts', [library, id])) ?? notRead(),
    versions: async (id) => (await run('versions', [library, id])) ?? notRead(),
    steps: async (id) => (await run('steps', [library, id])) ?? notRead(),
    version: async (id, revision) => (await run('version', [library, id, revision])) ?? notRead(),
    close,
  };
}
