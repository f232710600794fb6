import { createHash } from 'node:crypto';
import { localFailure } from '../../../shared/domain/jobs/job-failures.ts';
import { writePhrases, type WritingRules } from '../../../shared/domain/dictation/written-phrases.ts';
import { err, ok } from '../../../shared/result/result.ts';
import type { TakeSummary } from '../../../shared/domain/dictation/take-view.ts';
import type { DictationService } from '../dictation/dictation-service.ts';
import type { LibrarySource } from './library-items.ts';

const titleLength = 80;
const headerBytes = 44;

export interface DictationSourcePorts {
  readonly dictation: Pick<
    DictationService,
    'everything' | 'stored' | 'storedOf' | 'setTitle' | 'audioPath' | 'remove'
  >;
  readonly rules: () => WritingRules;
}

interface Shown {
  /** Whether the take is not in the trash and the document that was made from it is there, outside the trash too. */
  readonly isShownAsDocument: (take: Pick<TakeSummary, 'id' | 'transcriptId'>) => boolean;
}

/** The first words of a text, cut between words. */
export function firstWords(text: string): string {
  const line = text.trim().split('\n')[0] ?? '';
  if (line.length <= titleLength) return line;
  return `${line.slice(0, line.lastIndexOf(' ', titleLength)).trimEnd() || line.slice(0, titleLength)}…`;
}

/**
 * Dictations: each take with its words and, as long as it is kept, its audio. One that was saved as a document is
 * listed only as that, as long as the document is there.
 */
export const dictationSource = ({
  dictation,
  rules,
  isShownAsDocument,
}: DictationSourcePorts & Shown): LibrarySource => ({
  kind: 'dictation',
  async list() {
    const takes = await dictation.everything();
    return ok(
      takes
        .filter((take) => !take.isRecording && !isShownAsDocument(take))
        .map((take) => ({
          kind: 'dictation' as const,
          id: take.id,
          title: take.title ?? firstWords(take.text),
          sourceName: '',
          language: take.language,
          createdAtMs: take.startedAtMs,
          durationMs: take.durationMs,
          speakers: [],
          sizeBytes: take.hasSound ? Math.round((take.durationMs / 1000) * 32_000) + headerBytes : 0,
          credits: null,
          characters: null,
          states: [
            ...(take.waitingCount > 0 ? (['unfinished'] as const) : []),
            ...(take.hasSound ? [] : (['no-audio'] as const)),
          ],
          isAtService: null,
          trashedAtMs: null,
        })),
    );
  },
  rename: async (id, title) =>
    dictation.setTitle(id, title) ? ok(null) : err(localFailure('E-040', { code: 'no_such_take' })),
  audio(id) {
    const path = dictation.audioPath(id);
    const title = dictation.storedOf(id)?.facts.title ?? '';
    return path === null
      ? err(localFailure('E-010', { code: 'file_missing', params: { name: title } }))
      : ok({ path, sha256: `take-${id}`, name: title });
  },
  async erase(ids) {
    for (const id of ids) dictation.remove(id);
    return ok(null);
  },
  async texts() {
    const known = rules();
    // Other writing rules give other words of the same take.
    const ruleHash = createHash('sha256').update(JSON.stringify(known)).digest('hex').slice(0, 16);
    const listed = (await dictation.stored()).filter(({ facts }) => !isShownAsDocument(facts));
    return listed.map((take) => ({
      id: take.facts.id,
      version: `${take.revision} ${ruleHash}`,
      read() {
        const written = writePhrases(take.phrases, known).filter(
          ({ text, isTakenBack }) => text !== '' && !isTakenBack,
        );
        return {
          title: take.facts.title ?? '',
          moments: written.map(({ startMs, text }) => ({ startMs, text })),
        };
      },
    }));
  },
});
