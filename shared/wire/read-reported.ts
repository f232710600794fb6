import { cleanId } from '../domain/failures/clean-text.ts';
import type { PaidReport } from '../domain/ledger/paid-action.ts';
import { asId, asJsonObject, pickFrom, unwrap } from './json-access.ts';
import { objectsIn, asCount, asDecimal, exactCredits } from './values.ts';

const wrappers = [
  'voice_isolation',
  'isolation',
  'generation',
  'transcription',
  'request',
  'llm_request',
  'job',
  'file',
];
const idNames = ['transcription_id', 'generation_id', 'isolation_id', 'voice_isolation_id', 'id', 'task_id'];

/** What an answer reports about itself; all of it may be missing. */
export interface Reported {
  readonly requestId: string | null;
  /** What the service calls the work. */
  readonly remoteId: string | null;
  readonly report: PaidReport | null;
}

/** What any answer of the service contains about its own cost, its id, and the id of the work. */
export function readReported(body: unknown): Reported {
  const sources = unwrap(body).flatMap((source) => [source, ...objectsIn(source, wrappers)]);
  const places = sources.flatMap((source) => [...objectsIn(source, ['usage', 'billing']), source]);
  const report: PaidReport = {
    credits: exactCredits(places) ?? pickFrom(places, ['credits_debited'], asDecimal) ?? null,
    characters: pickFrom(places, ['characters', 'character_count'], asCount) ?? null,
    durationMs: pickFrom(places, ['duration_ms'], asCount) ?? null,
    inputTokens: pickFrom(places, ['prompt_tokens', 'input_tokens'], asCount) ?? null,
    outputTokens: pickFrom(places, ['completion_tokens', 'output_tokens'], asCount) ?? null,
  };
  const named = sources
    .flatMap((source) => objectsIn(source, wrappers))
    .filter((found) => asJsonObject(found) !== undefined);
  const remoteId = cleanId(pickFrom([...named, ...sources], idNames, asId)) ?? null;
  const requestId = cleanId(pickFrom(unwrap(body), ['request_id'], asId)) ?? null;
  return { requestId, remoteId, report: Object.values(report).every((value) => value === null) ? null : report };
}
