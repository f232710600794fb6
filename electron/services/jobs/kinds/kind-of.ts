import type { JobKindName } from '../../../../shared/domain/jobs/job-kind.ts';
import { isolation } from './isolate.ts';
import type { AnyJobKind, JobKind } from './job-kind.ts';
import { transcription } from './transcribe.ts';

/** Every kind of work that the queue does. The compiler requires an entry for each name in `jobKinds`. */
const registry: { readonly [K in JobKindName]: JobKind<K, never> } = {
  transcribe: transcription as JobKind<'transcribe', never>,
  isolate: isolation as JobKind<'isolate', never>,
};

/** The kind of a row. Answers of one kind always reach the same kind, because the row determines both. */
export const kindOf = ({ kind }: { readonly kind: JobKindName }): AnyJobKind => registry[kind] as unknown as AnyJobKind;
