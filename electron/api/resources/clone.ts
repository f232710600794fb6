import { randomUUID } from 'node:crypto';
import type { Failure } from '../../../shared/result/failure.ts';
import type { Result } from '../../../shared/result/result.ts';
import {
  readCloneCapabilities,
  readEnrollment,
  readVoiceMetadata,
  type CloneCapabilities,
  type Enrollment,
  type VoiceMetadata,
} from '../../../shared/wire/read-clone.ts';
import type { Caller, NamedCall } from '../http/resource-call.ts';
import type { UploadSource } from '../stt-api.ts';

export type { CloneCapabilities, Enrollment };

export interface CloneConsent extends VoiceMetadata {
  /** The user has agreed; without this there is no way to go on. */
  readonly consentAccepted: true;
}

/**
 * A private voice from a consented recording (contract 4.12). No step has an idempotency key and each counts against a
 * limit, so none is repeated automatically: after a lost answer `read` shows how far it got.
 */
export interface CloneApi {
  capabilities(signal?: AbortSignal): Promise<Result<CloneCapabilities, Failure>>;
  upload(
    input: { readonly source: UploadSource; readonly language: 'uz' | 'en' | 'ru'; readonly removeNoise: boolean },
    signal?: AbortSignal,
  ): Promise<Result<Enrollment, Failure>>;
  approve(id: string, transcript: string, signal?: AbortSignal): Promise<Result<Enrollment, Failure>>;
  challenge(id: string, consent: CloneConsent, signal?: AbortSignal): Promise<Result<Enrollment, Failure>>;
  /** Uses up the reading text, whatever the result. */
  verify(id: string, source: UploadSource, signal?: AbortSignal): Promise<Result<Enrollment, Failure>>;
  read(id: string, signal?: AbortSignal): Promise<Result<Enrollment, Failure>>;
  metadata(voiceId: string, signal?: AbortSignal): Promise<Result<VoiceMetadata, Failure>>;
  replaceMetadata(voiceId: string, metadata: VoiceMetadata, signal?: AbortSignal): Promise<Result<null, Failure>>;
  /** Ends the use of the voice at once; repeated until its recordings are gone (E-097). */
  remove(voiceId: string, signal?: AbortSignal): Promise<Result<null, Failure>>;
}

export function createCloneApi(caller: Caller): CloneApi {
  const { fields } = caller.wire;
  const step = (id: string, more: NamedCall): NamedCall => ({
    target: 'resource',
    values: { id },
    attempts: 'once',
    ...more,
  });
  const voice = (voice_id: string, more: NamedCall): NamedCall => ({
    target: 'resource',
    values: { voice_id },
    ...more,
  });

  return {
    capabilities: (signal) => caller.read('clone.capabilities', readCloneCapabilities, { signal }),
    upload: ({ source, language, removeNoise }, signal) =>
      caller.read('clone.upload', readEnrollment, {
        form: {
          fields: { language, remove_noise: String(removeNoise) },
          files: [{ field: 'audio', source }],
          boundary: `ovoz-${randomUUID()}`,
        },
        attempts: 'once',
        signal,
      }),
    approve: (id, transcript, signal) =>
      caller.read('clone.approve', readEnrollment, step(id, { json: { transcript }, signal })),
    challenge: (id, consent, signal) =>
      caller.read(
        'clone.challenge',
        readEnrollment,
        step(id, { json: { ...bodyOf(consent), consent_accepted: consent.consentAccepted }, signal }),
      ),
    verify: (id, source, signal) =>
      caller.read(
        'clone.verify',
        readEnrollment,
        step(id, {
          form: {
            fields: {},
            files: [{ field: fields['clone.verify-audio'], source }],
            boundary: `ovoz-${randomUUID()}`,
          },
          signal,
        }),
      ),
    read: (id, signal) => caller.read('clone.read', readEnrollment, { target: 'resource', values: { id }, signal }),
    metadata: (voiceId, signal) => caller.read('clone.metadata.read', readVoiceMetadata, voice(voiceId, { signal })),
    replaceMetadata: (voiceId, metadata, signal) =>
      caller.change('clone.metadata.replace', voice(voiceId, { json: bodyOf(metadata), signal })),
    remove: (voiceId, signal) => caller.change('clone.remove', voice(voiceId, { signal }), true),
  };
}

/** Always sends everything: an absent field is removed, and empty values are refused. */
function bodyOf({ name, description, labels, orbPalette }: VoiceMetadata): Readonly<Record<string, unknown>> {
  const filled = Object.fromEntries(Object.entries(labels).filter(([, value]) => value !== ''));
  return { name, description, labels: filled, ...(orbPalette === null ? {} : { orb_palette: orbPalette }) };
}
