import type { JobKindName } from '../../../../shared/domain/jobs/job-kind.ts';
import { isolation } from './isolate.ts';
import type { AnyJobKind, JobKind } from './job-kind.ts';
import { transcription } from './transcribe.ts';

/** Every kind of work the queue does. The compiler asks for an entry when `jobKinds` gets a new name. */
const registry: { readonly [K in JobKindName]: JobKind<K, never> } = {
  transcribe: transcription as JobKind<'transcribe', never>,
  isolate: isolation as JobKind<'isolate', never>,
};

/** The kind of a row. Answers of one kind only ever reach the same kind, because the row decides both times. */
export const kindOf = ({ kind }: { readonly kind: JobKindName }): AnyJobKind => registry[kind] as unknown as AnyJobKind;
