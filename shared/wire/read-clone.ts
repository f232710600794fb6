import { asJsonObject, asText, isJsonObject, pick, pickFrom, unwrap, type JsonObject } from './json-access.ts';
import { readState, type ReadState } from './states.ts';
import { asCount, fieldsOf, readNamed } from './values.ts';

/** One enrollment as far as reported (contract 2.8); fields that a stage does not have are null. */
export interface Enrollment {
  readonly id: string;
  readonly status: ReadState<'enrollment'> | null;
  readonly verification: ReadState<'verification'> | null;
  readonly attempts: number;
  readonly language: string | null;
  readonly referenceTranscript: string | null;
  readonly name: string | null;
  readonly description: string | null;
  readonly labels: Readonly<Record<string, string>>;
  readonly orbPalette: string | null;
  readonly removeNoise: boolean | null;
  readonly createdAt: string | null;
  readonly updatedAt: string | null;
  readonly transcriptApprovedAt: string | null;
  readonly consentAcceptedAt: string | null;
  readonly challengeText: string | null;
  readonly challengeLanguage: string | null;
  readonly challengeExpiresAt: string | null;
  /** What was heard when the speaker read. */
  readonly heard: string | null;
  readonly verifiedAt: string | null;
  /** In the service's own words; nobody is shown it. */
  readonly verificationMethod: string | null;
  readonly isPublicRequested: boolean | null;
  readonly failureCode: string | null;
  /** The voice to speak with; only a verified enrollment has it. */
  readonly voiceId: string | null;
  readonly score: number | null;
}

export interface VoiceMetadata {
  readonly name: string;
  readonly description: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly orbPalette: string | null;
}

export interface CloneCapabilities {
  readonly eligible: boolean;
  readonly available: boolean;
  readonly minSeconds: number | null;
  readonly maxSeconds: number | null;
  readonly maxBytes: number | null;
}

/** Parses the envelope of any step; null without an identifier. A voice counts only when the service says `passed`. */
export function readEnrollment(body: unknown): Enrollment | null {
  const source = readNamed(body, ['voice_clone', 'enrollment'], ['id']);
  if (source === null) return null;
  const { id, text, count, moment, flag } = fieldsOf(source);
  const enrollmentId = id('id');
  if (enrollmentId === null) return null;
  const around = [source, ...unwrap(body)];
  return {
    id: enrollmentId,
    status: readState('enrollment', source['status']),
    verification: readState('verification', source['verification_status']),
    attempts: count('verification_attempts') ?? 0,
    language: text('language'),
    referenceTranscript: text('reference_transcript'),
    name: text('name'),
    description: text('description'),
    labels: labelsIn(around),
    orbPalette: pickFrom(around, ['orb_palette'], asText) ?? null,
    removeNoise: fieldsOf(around.find((found) => typeof found['remove_noise'] === 'boolean') ?? {}).flag(
      'remove_noise',
    ),
    createdAt: moment('created_at'),
    updatedAt: moment('updated_at'),
    transcriptApprovedAt: moment('transcript_approved_at'),
    consentAcceptedAt: moment('consent_accepted_at'),
    challengeLanguage: text('challenge_language'),
    challengeText: pick(source, ['challenge_text'], asText) ?? null,
    challengeExpiresAt: moment('challenge_expires_at'),
    heard: pick(source, ['verification_transcript'], asText) ?? null,
    verifiedAt: moment('verified_at'),
    verificationMethod: text('verification_method'),
    isPublicRequested: flag('public_requested'),
    failureCode: text('failure_code'),
    voiceId: id('voice_id'),
    score: pickFrom(around, ['score'], asCount) ?? null,
  };
}

const labelsIn = (sources: readonly JsonObject[]): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(pickFrom(sources, ['labels'], asJsonObject) ?? {}).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string',
    ),
  );

/** The data of a cloned voice, which comes without a wrapper; null without a name. */
export function readVoiceMetadata(body: unknown): VoiceMetadata | null {
  const source = readNamed(body, ['metadata', 'voice'], ['name']);
  if (source === null) return null;
  const { text } = fieldsOf(source);
  const name = text('name');
  return name === null
    ? null
    : { name, description: text('description') ?? '', labels: labelsIn([source]), orbPalette: text('orb_palette') };
}

/** What the account may clone; null when neither is given. */
export function readCloneCapabilities(body: unknown): CloneCapabilities | null {
  const source = readNamed(body, ['capabilities'], ['eligible', 'available']);
  if (source === null || !isJsonObject(source)) return null;
  const { flag, count } = fieldsOf(source);
  return {
    eligible: flag('eligible') ?? false,
    available: flag('available') ?? false,
    minSeconds: count('min_seconds'),
    maxSeconds: count('max_seconds'),
    maxBytes: count('max_bytes'),
  };
}
