import { makeFailure } from '../../shared/domain/failures/make-failure.ts';
import { localFailure } from '../../shared/domain/jobs/job-failures.ts';
import { sniff, takenFormats } from '../../shared/domain/media/sniff.ts';
import { lengthBySize } from '../../shared/domain/spend/spend-limit.ts';
import type { SpeechLanguage } from '../../shared/domain/languages.ts';
import { err, ok, type Result } from '../../shared/result/result.ts';
import type { ServiceClient } from '../api/service-client.ts';
import type { SubmitInput } from '../api/stt-api.ts';
import { sendUntilTaken } from '../services/account/paid-requests.ts';
import { paidCall, settle } from './paid-tools.ts';
import { optionalText, refused, textOf, type ServicePorts, type ToolAnswer, type ToolCall } from './tool.ts';

interface GivenAudio {
  readonly bytes: Uint8Array;
  /** With its dot. */
  readonly ending: string;
}

/** Decodes the audio in a message: base64 of a recording by its first bytes, or E-211 and nothing is sent. */
function readAudio(base64: string): Result<GivenAudio> {
  const text = base64.replaceAll(/\s/gu, '');
  const notAudio = (code: string) => err(makeFailure('E-211', { code, outcome: 'not_sent', layer: 'local' }));
  if (text.length % 4 === 1 || !/^[A-Za-z0-9+/]+={0,2}$/u.test(text)) return notAudio('not_base64');
  const bytes = Buffer.from(text, 'base64');
  const found = sniff(bytes.subarray(0, 64 * 1024));
  const format = found.kind === 'media' ? takenFormats.find((known) => known === found.format) : undefined;
  return format === undefined ? notAudio('not_audio') : ok({ bytes, ending: `.${format}` });
}

/**
 * Asks for consent and opens the paid request; `send` then gets the recording as a file. An empty answer of `send` is
 * neither the work nor its id: E-022, and the same call is a repeat under the same key.
 */
async function sendAudio(
  { input, signal }: ToolCall,
  ports: ServicePorts,
  tool: 'speech_to_text' | 'isolate_voice',
  choices: readonly string[],
  send: (
    asked: Pick<SubmitInput, 'idempotencyKey' | 'source'> & { readonly sha256: string },
    client: ServiceClient,
  ) => Promise<Result<object>>,
): Promise<ToolAnswer> {
  const audio = readAudio(textOf(input, 'audio_base64'));
  if (!audio.ok) return refused(audio.error);
  const opened = await ports.session();
  if (!opened.ok) return refused(opened.error);
  const session = opened.value;
  const { bytes, ending } = audio.value;
  const estimate = { requests: 1, audioMs: lengthBySize(bytes.length), characters: 0, isRough: true };
  const allowed = await ports.consent({ tool, action: 'spend', estimate, items: [] }, signal);
  if (!allowed.ok) return refused(allowed.error);
  return ports.withFile(bytes, ending, async ({ path, sizeBytes, mtimeMs, sha256 }) => {
    const request = paidCall(session, optionalText(input, 'idempotency_key'), [tool, sha256, ...choices]);
    if (!request.ok) return refused(request.error);
    const { actionId: idempotencyKey } = request.value.open;
    const facts = { idempotency_key: idempotencyKey };
    const source = { path, name: `recording${ending}`, sizeBytes, mtimeMs };
    const taken = await sendUntilTaken(
      session,
      request.value,
      () => send({ idempotencyKey, sha256, source }, session.client),
      { signal },
    );
    if (!taken.ok) return refused(taken.error, facts);
    if (Object.keys(taken.value).length === 0)
      return refused(localFailure('E-022', { code: 'tool_no_receipt', outcome: 'accepted' }), facts);
    settle(session, request.value);
    return ok({ ...taken.value, ...facts });
  });
}

export function speechToText(call: ToolCall, ports: ServicePorts): Promise<ToolAnswer> {
  const language = textOf(call.input, 'language') as SpeechLanguage;
  const includeSpeakers = call.input['include_speakers'] === true;
  return sendAudio(call, ports, 'speech_to_text', [language, String(includeSpeakers)], async (asked, client) => {
    const sent = await client.stt.submit({ ...asked, language, includeSpeakers, signal: call.signal });
    if (!sent.ok) return sent;
    const { remoteId, rawStatus, status, transcript } = sent.value;
    if (remoteId === null && transcript === null) return ok({});
    return ok({
      transcription_id: remoteId,
      status: rawStatus ?? status,
      ...(transcript === null ? {} : { text: transcript.text }),
    });
  });
}

export function isolateVoice(call: ToolCall, ports: ServicePorts): Promise<ToolAnswer> {
  const title = optionalText(call.input, 'title');
  const restorationModel = optionalText(call.input, 'restoration_model');
  const speechRestoration = call.input['speech_restoration'] === true;
  const choices = [title ?? '', restorationModel ?? '', String(speechRestoration)];
  return sendAudio(call, ports, 'isolate_voice', choices, async ({ idempotencyKey, source }, client) => {
    const sent = await client.isolate.submit({
      source,
      idempotencyKey,
      speechRestoration,
      ...(title === undefined ? {} : { title }),
      ...(restorationModel === undefined ? {} : { restorationModel }),
      signal: call.signal,
    });
    if (!sent.ok) return sent;
    const { id, status, credits } = sent.value;
    return ok({ isolation_id: id, status, ...(credits === null ? {} : { credits }) });
  });
}
